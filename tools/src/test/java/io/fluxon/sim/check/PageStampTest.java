package io.fluxon.sim.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageStampTest
{
    private static final long KEY = PageStamp.hash("model:page_1");

    private static UnsafeBuffer page(final int length, final long attempt)
    {
        final UnsafeBuffer page = new UnsafeBuffer(new byte[length + 16]);
        for (final PageStamp.Part part : PageStamp.Part.values())
        {
            PageStamp.write(page, 8, length, part, KEY, attempt);
        }
        return page;
    }

    @ParameterizedTest
    @ValueSource(ints = {48, 49, 55, 56, 63, 64, 700, 5_000})
    void shouldWriteAWholePageInPartsAndNothingBeside(final int length)
    {
        final UnsafeBuffer page = page(length, 77);
        assertThat(PageStamp.firstWrong(page, 8, length)).isEqualTo(-1);
        assertThat(PageStamp.attempt(page, 8)).isEqualTo(77);
        assertThat(PageStamp.keyHash(page, 8)).isEqualTo(KEY);
        assertThat(page.getLong(0)).isZero();
        assertThat(page.getLong(length + 8)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {48, 55, 700})
    void shouldFindEveryByteThatIsWrong(final int length)
    {
        for (int at = 16; at < length; at++)
        {
            final UnsafeBuffer page = page(length, 77);
            page.putByte(8 + at, (byte)(page.getByte(8 + at) ^ 0x40));
            assertThat(PageStamp.firstWrong(page, 8, length)).as("byte %s", at).isNotNegative();
        }
    }

    @Test
    void shouldFindAPartOfAnotherAttempt()
    {
        for (final PageStamp.Part part : PageStamp.Part.values())
        {
            final UnsafeBuffer page = page(700, 77);
            PageStamp.write(page, 8, 700, part, KEY, 78);
            assertThat(PageStamp.firstWrong(page, 8, 700)).as("%s", part).isNotNegative();
        }
    }
}
