package io.fluxon.tools.page;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageContentTest
{
    private static final long HASH = new PageKeys("fluxon").block(1).contentHash();
    private static final long OTHER_HASH = new PageKeys("fluxon").block(2).contentHash();

    @ParameterizedTest
    @ValueSource(ints = { 1, 7, 8, 9, 63, 4096, 4099 })
    void shouldFindEveryFlippedByte(final int length)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocate(length + 3);
            PageContent.fill(HASH, memory, 3, length);
            assertThat(PageContent.firstDifference(HASH, memory, 3, length)).isEqualTo(-1);

            for (int i = 0; i < length; i++)
            {
                final byte right = memory.get(JAVA_BYTE, 3 + i);
                memory.set(JAVA_BYTE, 3 + i, (byte) (right ^ (1 << (i & 7))));
                assertThat(PageContent.firstDifference(HASH, memory, 3, length)).isEqualTo(i & ~7);
                memory.set(JAVA_BYTE, 3 + i, right);
            }
        }
    }

    @Test
    void shouldFindAnotherKeysPageFromTheFirstWordOn()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocate(4096);
            PageContent.fill(OTHER_HASH, memory, 0, 4096);
            for (int at = 0; at < 4096; at += 8)
            {
                final MemorySegment page = arena.allocate(4096);
                PageContent.fill(HASH, page, 0, 4096);
                MemorySegment.copy(memory, at, page, at, 8);
                assertThat(PageContent.firstDifference(HASH, page, 0, 4096)).isEqualTo(at);
            }
        }
    }

    @Test
    void shouldFindATornPage()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment page = arena.allocate(4096);
            PageContent.fill(OTHER_HASH, page, 0, 4096);
            PageContent.fill(HASH, page, 0, 2048);
            assertThat(PageContent.firstDifference(HASH, page, 0, 4096)).isEqualTo(2048);

            PageContent.fill(HASH, page, 0, 4096);
            page.asSlice(4088, 8).fill((byte) 0);
            assertThat(PageContent.firstDifference(HASH, page, 0, 4096)).isEqualTo(4088);
        }
    }

    @Test
    void shouldFindAPageThatMoved()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocate(8192);
            PageContent.fill(HASH, memory, 0, 8192);
            assertThat(PageContent.firstDifference(HASH, memory, 8, 4096)).isZero();
        }
    }
}
