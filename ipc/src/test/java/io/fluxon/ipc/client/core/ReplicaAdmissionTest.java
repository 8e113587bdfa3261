package io.fluxon.ipc.client.core;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ReplicaAdmissionTest
{
    private static final int MANY = 4000;

    @ParameterizedTest(name = "{0} threshold {1} pages {2} to {3} groups {4} scores {5}: {6}")
    @CsvSource({
        "EAGER_ALL,           0,   0, 99, 2 2 1, ,                    11111",
        "EAGER_ALL,           0,   0, 4,  2 2 1, ,                    11110",
        "EAGER_ALL,           0,   0, 3,  2 2 1, ,                    11001",
        "EAGER_ALL,           0,   0, 1,  2 2 1, ,                    00001",
        "EAGER_ALL,           0,   0, 0,  2 2 1, ,                    00000",
        "NONE,                0,   3, 99, 2 2 1, ,                    00000",
        "KV_SCORE_ONLY,       0.5, 0, 99, 2 2 1, 0.75 0.25 0.2 0.7 0.6, 11001",
        "KV_SCORE_ONLY,       0.5, 0, 2,  2 2 1, 0.75 0.25 0.2 0.7 0.6, 00001",
        "KV_SCORE_ONLY,       0.5, 4, 99, 2 2 1, 0.75 0.25 0.2 0.7 0.6, 11111",
        "KV_SCORE_ONLY,       0.9, 2, 99, 2 2 1, 0.75 0.25 0.2 0.7 0.6, 11001",
        "KV_SCORE_ONLY,       0.9, 2, 2,  2 2 1, 0.75 0.25 0.2 0.7 0.6, 00001",
        "KV_SCORE_LOW_ONLY,   0.5, 0, 99, 2 2 1, 0.75 0.25 0.2 0.7 0.6, 11110",
        "KV_SCORE_LOW_ONLY,   0.5, 0, 3,  2 2 1, 0.75 0.25 0.2 0.3 0.6, 00110",
        "KV_SCORE_LOW_ONLY,   0.1, 3, 99, 2 2 1, 0.75 0.25 0.2 0.3 0.6, 11110",
        "KV_SCORE_LOW_ONLY,   0.1, 1, 1,  2 2 1, 0.75 0.25 0.2 0.3 0.6, 00001",
        "KV_SCORE_ONLY,       0,   0, 99, 2 2 1, NaN 1 -1 -2 0,       00001"
    })
    @Tag("REPL-2")
    void shouldChooseWholeGroupsByPolicy(
        final ReplicaPolicy policy,
        final double threshold,
        final int least,
        final int most,
        final String groupText,
        final String scoreText,
        final String expected)
    {
        final AtomicGroups groups = new AtomicGroups();
        for (final String length : groupText.split(" "))
        {
            groups.add(Integer.parseInt(length));
        }
        final KeyBatch keys = keys("", expected.length());
        final boolean[] mask = new boolean[keys.size()];

        final int pages = new ReplicaAdmission(policy, 0, threshold, least, most)
            .decide(keys, groups, null == scoreText ? null : scores(scoreText), mask);

        assertThat(text(mask)).isEqualTo(expected);
        assertThat(pages).isEqualTo((int)expected.chars().filter((c) -> '1' == c).count());
    }

    @Test
    @Tag("REPL-2")
    void shouldChooseAboutTheRatioAndTheSameOnesForAllRanks()
    {
        final ReplicaAdmission admission = new ReplicaAdmission(ReplicaPolicy.RATIO, 0.25, 0, 0, MANY);
        final boolean[] first = new boolean[MANY];
        final boolean[] second = new boolean[MANY];
        final boolean[] other = new boolean[MANY];
        admission.decide(keys("_0_4", MANY), null, null, first);
        admission.decide(keys("_3_4", MANY), null, null, second);
        admission.decide(keys("_3_8", MANY), null, null, other);

        assertThat(first).isEqualTo(second).isNotEqualTo(other);
        assertThat(text(first).chars().filter((c) -> '1' == c).count()).isBetween(900L, 1100L);
    }

    @Test
    @Tag("REPL-2")
    void shouldAdmitAllOrNoneAtTheEndsOfTheRatio()
    {
        final boolean[] mask = new boolean[MANY];

        assertThat(new ReplicaAdmission(ReplicaPolicy.RATIO, 1, 0, 0, MANY).decide(keys("", MANY), null, null, mask))
            .isEqualTo(MANY);
        assertThat(new ReplicaAdmission(ReplicaPolicy.RATIO, 0, 0, 0, MANY).decide(keys("", MANY), null, null, mask))
            .isZero();
        assertThat(new ReplicaAdmission(ReplicaPolicy.RATIO, 0, 0, 7, MANY).decide(keys("", MANY), null, null, mask))
            .isEqualTo(7);
    }

    @Test
    @Tag("REPL-2")
    void shouldNameWhatIsWrong()
    {
        assertThatThrownBy(() -> new ReplicaAdmission(ReplicaPolicy.RATIO, 1.5, 0, 0, 1))
            .hasMessage("ratio 1.5 is not within 0 to 1");
        assertThatThrownBy(() -> new ReplicaAdmission(ReplicaPolicy.NONE, 0, Double.NaN, 0, 1))
            .hasMessage("scoreThreshold NaN is not a number");
        assertThatThrownBy(() -> new ReplicaAdmission(ReplicaPolicy.NONE, 0, 0, 2, 1))
            .hasMessage("minReplicaPages 2 is not within 0 to maxReplicaPages, 1");
        final ReplicaAdmission scored = new ReplicaAdmission(ReplicaPolicy.KV_SCORE_ONLY, 0, 0, 0, 1);
        assertThatThrownBy(() -> scored.decide(keys("", 2), null, null, new boolean[2]))
            .hasMessage("scores of 0 items must have one a key, 2");
        assertThatThrownBy(() -> scored.decide(keys("", 2), null, new float[2], new boolean[1]))
            .hasMessage("mask of 1 items must have one a key, 2");
        assertThatThrownBy(
            () -> scored.decide(keys("", 2), new AtomicGroups().add(3), new float[2], new boolean[2]))
            .hasMessage("atomicGroups: sum 3 must be the number of keys 2");
    }

    private static KeyBatch keys(final String suffix, final int count)
    {
        final KeyBatch keys = new KeyBatch(count, 32 * count);
        for (int i = 0; i < count; i++)
        {
            keys.add("page" + i + suffix);
        }

        return keys;
    }

    private static float[] scores(final String text)
    {
        final String[] words = text.split(" ");
        final float[] scores = new float[words.length];
        for (int i = 0; i < words.length; i++)
        {
            scores[i] = Float.parseFloat(words[i]);
        }

        return scores;
    }

    private static String text(final boolean[] mask)
    {
        final StringBuilder text = new StringBuilder();
        for (final boolean item : mask)
        {
            text.append(item ? '1' : '0');
        }

        return text.toString();
    }
}
