package io.fluxon.engine.owner;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

class TpCohortTest
{
    private static final int MAX_RANKS = 8;

    @Test
    @Tag("EVICT-1")
    void shouldBeTheSameForAllRanksOfAKey()
    {
        assertThat(digest("m:page_0_4")).isNotEqualTo(TpCohort.NONE).isEqualTo(digest("m:page_3_4"));
    }

    @Test
    @Tag("EVICT-1")
    void shouldDifferWithKeyAndSize()
    {
        assertThat(digest("m:page_0_4")).isNotEqualTo(digest("m:pagf_0_4")).isNotEqualTo(digest("m:page_0_2"));
    }

    @ParameterizedTest
    @ValueSource(strings = { "page", "page_1", "page_4_4", "page_0_1", "page_0_9", "page_x_4", "page_0_", "_0_4",
        "page_0_4x", "page-0_4", "page_999999_4", "0_4" })
    @Tag("EVICT-1")
    void shouldTakeNoOtherEndingForRankAndSize(final String key)
    {
        assertThat(digest(key)).isEqualTo(TpCohort.NONE);
    }

    private static long digest(final String key)
    {
        final byte[] bytes = ("##" + key).getBytes(StandardCharsets.UTF_8);

        return TpCohort.digest(new UnsafeBuffer(bytes), 2, bytes.length - 2, MAX_RANKS);
    }
}
