package io.fluxon.engine.owner;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("API-6")
class PrefixPlannerTest
{
    private final PrefixPlanner planner = new PrefixPlanner();

    @Test
    void shouldEndThePrefixAtTheGroupBeforeTheFirstMiss()
    {
        plan("1101", true, 2, 2);
        assertResult(2, 2, 1, 2, 1);
        assertThat(planner.allHit()).isFalse();
    }

    @Test
    void shouldOfferNothingWithoutBestEffortWhenNotAllHit()
    {
        plan("1101", false, 2, 2);
        assertResult(2, 0, 0, 2, 1);
    }

    @Test
    void shouldOfferWholeGroupsOnly()
    {
        plan("11110", true, 2, 3);
        assertResult(4, 2, 1, 4, 1);
    }

    @Test
    void shouldOfferEverythingWhenAllHit()
    {
        plan("1111111", false, 2, 2, 3);
        assertResult(7, 7, 3, PrefixPlanner.NONE, PrefixPlanner.NONE);
        assertThat(planner.allHit()).isTrue();
    }

    @Test
    void shouldOfferNothingWhenTheFirstKeyMisses()
    {
        plan("0111", true, 1, 1, 1, 1);
        assertResult(0, 0, 0, 0, 0);
        assertThat(planner.isDecided()).isTrue();
    }

    @Test
    void shouldTakeOneGroupOfAllKeysAllOrNothing()
    {
        plan("110", true, 3);
        assertResult(2, 0, 0, 2, 0);
    }

    private void plan(final String hits, final boolean isBestEffort, final int... groups)
    {
        planner.start(hits.length(), isBestEffort);
        int group = 0;
        int end = groups[0];
        for (int i = 0; i < hits.length(); i++)
        {
            final boolean isEnd = i + 1 == end;
            planner.add('1' == hits.charAt(i), isEnd);
            if (isEnd && ++group < groups.length)
            {
                end += groups[group];
            }
        }
    }

    private void assertResult(
        final int raw, final int transferable, final int groups, final int firstMiss, final int missGroup)
    {
        assertThat(planner.rawPrefixHitLen()).isEqualTo(raw);
        assertThat(planner.transferableLen()).isEqualTo(transferable);
        assertThat(planner.prefixHitGroups()).isEqualTo(groups);
        assertThat(planner.firstMissIndex()).isEqualTo(firstMiss);
        assertThat(planner.firstMissGroupIndex()).isEqualTo(missGroup);
    }
}
