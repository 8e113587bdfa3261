package io.fluxon.sim.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.owner.OwnerSettings;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.agrona.collections.Long2ObjectHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FlightCheckersTest extends CheckerTest
{
    /** A get of worker 1 whose transfer does not end. */
    private Object moving(final String key)
    {
        start(2, 2);
        done(0, key);
        cluster.owner(1).transfers().hold(1, true);
        final ReadAttempt get = got(1, key);
        worker(1).client().getTransfer(get.get, -1);
        cluster.runFor(10_000_000);
        return flights().getFirst();
    }

    private List<Object> flights()
    {
        final List<Object> flights = new ArrayList<>();
        ((Long2ObjectHashMap<?>)get(get(core(1), "flights"), "byId")).forEachLong((id, flight) -> flights.add(flight));
        return flights;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void phase(final Object flight, final String phase)
    {
        final Object current = get(flight, "phase");
        set(flight, "phase", Enum.valueOf((Class<Enum>)((Enum)current).getDeclaringClass(), phase));
    }

    @Test
    @Tag("G7")
    void shouldSeeAFlightThatGoesBack()
    {
        final Object flight = moving("a");
        phase(flight, "STARTING");
        assertBroken(FlightPhases.class, "G7", () -> checker(FlightPhases.class).afterOwner(owner(1)));
    }

    @Test
    @Tag("G7")
    void shouldSeeSomebodyWaitForAFlightThatIsBeingRevoked()
    {
        final Object flight = moving("a");
        phase(flight, "REVOKING");
        removeJoinable(flight);
        assertBroken(FlightPhases.class, "G7", () -> checker(FlightPhases.class).afterOwner(owner(1)));
    }

    private void removeJoinable(final Object flight)
    {
        call(get(get(core(1), "flights"), "joinable"), "remove", new Class<?>[]{flight.getClass()}, flight);
    }

    @Test
    @Tag("G3")
    void shouldSeeARunningFlightThatReadersDoNotFind()
    {
        removeJoinable(moving("a"));
        assertBroken(FlightPhases.class, "G3", () -> checker(FlightPhases.class).afterOwner(owner(1)));
    }

    @Test
    @Tag("GET-5")
    void shouldSeeAFlightThatStartsForEver()
    {
        start(2, 2);
        cluster.owner(1).fromMaster.hold(BatchGetStartResponseDecoder.TEMPLATE_ID);
        worker(1).getStart(new GetHandle(1), true, null, "a");
        cluster.runFor(10_000_000);
        assertThat(flights()).hasSize(1);
        final FlightPhases checker = new FlightPhases(options);
        checker.onOwner(owner(1));
        assertBroken(FlightPhases.class, "GET-5", () ->
        {
            for (int i = 0; i < 1_000; i++)
            {
                checker.afterOwner(owner(1));
                call(core(1), "nowNs", new Class<?>[]{long.class}, owner(1).view().nowNs() + 20_000_000);
            }
        });
    }

    @Test
    @Tag("G9")
    void shouldSeeLeadersWaitBeyondTheirWindowOrForNothing()
    {
        start(2, 2);
        cluster.owner(1).fromMaster.hold(BatchGetStartResponseDecoder.TEMPLATE_ID);
        final Object window = get(get(core(1), "flights"), "starts");
        worker(1).getStart(new GetHandle(1), true, null, "a");
        assertThat(cluster.runUntil(() -> 1 == owner(1).view().startWindow().asking(), 10_000_000)).isTrue();
        worker(1).getStart(new GetHandle(1), true, null, "b");
        assertThat(cluster.runUntil(() -> 1 == owner(1).view().startWindow().gathered(), 10_000_000)).isTrue();
        checker(StartWindows.class).afterOwner(owner(1));

        set(window, "asking", 0);
        assertBroken(StartWindows.class, "G9", () -> checker(StartWindows.class).afterOwner(owner(1)));
        set(window, "asking", 1);
        set(window, "deadlineNs", owner(1).view().nowNs());
        assertBroken(StartWindows.class, "G9", () -> checker(StartWindows.class).afterOwner(owner(1)));
    }

    @Test
    @Tag("G8")
    void shouldSeeTwoSubmissionsOfOneReadToOnePeer()
    {
        options.ownerSettings = () -> new OwnerSettings().planSliceKeys(1);
        start(2, 2);
        done(0, "a", "b", "c");
        worker(1).getStart(new GetHandle(3), true, null, "a", "b", "c");
        assertBroken(Submissions.class, "G8", () -> cluster.runUntil(() ->
        {
            flights().stream().map((flight) -> get(flight, "pull")).filter(Objects::nonNull)
                .forEach((pull) -> set(pull, "isInSteps", false));
            return false;
        }, SECOND_NS));
    }

    @Test
    @Tag("G8")
    void shouldSeeOneSubmissionOfAReadThatHasJoinedFlightsOfOneThatIsGone()
    {
        options.ownerSettings = () -> new OwnerSettings().planSliceKeys(2);
        start(2, 4);
        final String[] keys = {"a", "b", "c", "d", "e", "f"};
        done(0, keys);
        cluster.owner(1).fromMaster.hold(BatchGetStartResponseDecoder.TEMPLATE_ID);
        worker(1).getStart(new GetHandle(4), false, null, "missing", "a", "b", "c");
        assertThat(cluster.runUntil(() -> 4 == flights().size(), SECOND_NS)).isTrue();
        worker(3).getStart(new GetHandle(6), true, null, keys);
        assertThat(cluster.runUntil(() -> 7 == flights().size(), SECOND_NS)).isTrue();
        cluster.owner(1).fromMaster.release(BatchGetStartResponseDecoder.TEMPLATE_ID);

        final Set<Long> submissions = new HashSet<>();
        cluster.runUntil(() ->
        {
            cluster.owner(1).transfers().offers().forEach((offer) -> submissions.add(offer.submission()));
            return false;
        }, 10_000_000);
        assertThat(cluster.owner(1).transfers().descriptors()).isEqualTo(keys.length);
        assertThat(submissions).hasSize(1);
    }

    @Test
    @Tag("G5")
    void shouldSeeATailThatIsKept()
    {
        start(2, 2);
        done(0, "a", "b");
        got(1, "a", "b");
        set(reads().getFirst(), "transferable", 1);
        assertBroken(ReadPrefixes.class, "G5", () -> checker(ReadPrefixes.class).afterOwner(owner(1)));
    }

    @Test
    @Tag("G4")
    void shouldSeeAPrefixThatIsNotThere()
    {
        start(2, 2);
        done(0, "a");
        got(1, "a", "b");
        set(reads().getFirst(), "transferable", 2);
        final ReadPrefixes checker = new ReadPrefixes();
        checker.onOwner(owner(1));
        checker.afterOwner(owner(1));
        set(reads().getFirst(), "planId", 99L);
        assertBroken(ReadPrefixes.class, "G4", () -> checker.afterOwner(owner(1)));
    }

    private List<Object> reads()
    {
        final List<Object> reads = new ArrayList<>();
        final Object session = call(get(core(1), "sessions"), "get", new Class<?>[]{int.class}, 0);
        ((Long2ObjectHashMap<?>)get(session, "readPlans")).forEachLong((id, read) -> reads.add(read));
        return reads;
    }

    @Test
    @Tag("SLOT-7")
    void shouldSeeATargetThatIsGivenAwayBeforeItsTransferHasEnded()
    {
        moving("a");
        final int slotId = slot(1, "a");
        state(1, slotId, SlotState.FREE);
        assertBroken(TransferTargets.class, "SLOT-7", () -> checker(TransferTargets.class).afterOwner(owner(1)));
    }

    @Test
    @Tag("SLOT-4")
    void shouldSeeAClaimThatPassesAnOlderOne()
    {
        options.grantsPerOwner = 1;
        options.grantQuantumBytes = 2 * 4096;
        start(1, 1);
        started(0, "a", "b");
        final PutAttempt waiting = asked(0, new PutOptions(), null, "c");
        cluster.runFor(10_000_000);
        assertThat(owner(0).view().waitingClaims()).isOne();
        for (final Object plan : puts(0))
        {
            if ("CLAIMING".equals(get(plan, "state").toString()))
            {
                set(get(plan, "claim"), "sequence", -5L);
            }
        }
        assertThat(waiting.count()).isOne();
        assertBroken(ClaimOrder.class, "SLOT-4", () -> checker(ClaimOrder.class).afterOwner(owner(0)));
    }

    private List<Object> puts(final int ownerIndex)
    {
        final List<Object> puts = new ArrayList<>();
        final Object session = call(get(core(ownerIndex), "sessions"), "get", new Class<?>[]{int.class}, 0);
        ((Long2ObjectHashMap<?>)get(session, "putPlans")).forEachLong((id, put) -> puts.add(put));
        return puts;
    }

    @Test
    @Tag("SLOT-4")
    void shouldSeeAGetThatWaitsForSlotsTooLong()
    {
        options.grantsPerOwner = 1;
        options.grantQuantumBytes = 2 * 4096;
        start(2, 2);
        done(0, "a");
        started(1, "b", "c");
        worker(1).getStart(new GetHandle(1), true, null, "a");
        cluster.runUntil(() -> owner(1).view().waitingClaims() > 0, SECOND_NS);
        final ClaimOrder checker = checker(ClaimOrder.class);
        checker.afterOwner(owner(1));
        for (int i = 0; i < 20; i++)
        {
            call(core(1), "nowNs", new Class<?>[]{long.class}, owner(1).view().nowNs() + 1_000_000);
            if (i < 10)
            {
                checker.afterOwner(owner(1));
            }
        }
        assertBroken(ClaimOrder.class, "SLOT-4", () ->
        {
            checker.afterOwner(owner(1));
            call(core(1), "nowNs", new Class<?>[]{long.class}, owner(1).view().nowNs() + 1);
            checker.afterOwner(owner(1));
        });
    }
}
