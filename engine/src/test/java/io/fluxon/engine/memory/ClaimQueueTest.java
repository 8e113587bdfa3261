package io.fluxon.engine.memory;

import io.fluxon.codecs.control.Stage;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static io.fluxon.engine.memory.ClaimQueue.WAITING;
import static io.fluxon.ipc.ErrorCode.BACK_PRESSURED;
import static io.fluxon.ipc.ErrorCode.INVALID_ARGUMENT;
import static io.fluxon.ipc.ErrorCode.NO_SPACE;
import static io.fluxon.ipc.ErrorCode.OK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("SLOT-4")
class ClaimQueueTest
{
    private static final long NO_BOUND = Long.MAX_VALUE;
    private static final int LIMIT = 100;

    private final SlotPool pool = Pools.pool(Pools.plan(2).maxWaitingClaims(8));
    private final ClaimQueue queue = new ClaimQueue(pool);
    private final List<String> events = new ArrayList<>();

    @Test
    void shouldGrantAtOnceWhenSlotsAreFree()
    {
        final Claim claim = claim("a");

        assertThat(put(claim, 4096, 20)).isEqualTo(OK);
        assertThat(claim.state()).isSameAs(Claim.State.GRANTED);
        assertThat(claim.remaining()).isEqualTo(20);
        assertThat(pool.slotClass(claim.classIndex()).available()).isEqualTo(12);
        assertThat(take(claim)).hasSize(20).doesNotHaveDuplicates();
        assertThat(claim.state()).isSameAs(Claim.State.IDLE);
        assertThat(pool.slotClass(claim.classIndex()).setAside()).isZero();
        assertThat(events).isEmpty();
    }

    @Test
    void shouldServeClaimsInArrivalOrderSoThatSmallOnesDoNotOvertake()
    {
        final List<Integer> held = fill();
        assertThat(put(claim("large"), 4096, 5)).isEqualTo(WAITING);
        assertThat(put(claim("small"), 4096, 1)).isEqualTo(WAITING);

        free(held, 4);
        assertThat(queue.poll(1, LIMIT)).isZero();
        assertThat(pool.takeNow(0)).isEqualTo(SlotTable.NONE);
        assertThat(put(claim("late"), 4096, 1)).isEqualTo(WAITING);
        free(held, 1);
        assertThat(queue.poll(2, LIMIT)).isEqualTo(1);
        assertThat(events).containsExactly("large granted 5");
        free(held, 1);
        queue.poll(3, LIMIT);
        free(held, 1);
        queue.poll(4, LIMIT);
        assertThat(events).containsExactly("large granted 5", "small granted 1", "late granted 1");
    }

    @Test
    void shouldNotLetTwoClaimsHoldHalfOfWhatTheOtherNeeds()
    {
        final List<Integer> held = fill();
        final Claim first = claim("first");
        final Claim second = claim("second");
        put(first, 4096, 20);
        put(second, 4096, 20);

        free(held, 20);
        assertThat(queue.poll(1, LIMIT)).isEqualTo(1);
        assertThat(first.remaining()).isEqualTo(20);
        assertThat(second.remaining()).isZero();
        take(first).forEach(pool::holderRelease);
        assertThat(queue.poll(2, LIMIT)).isEqualTo(1);
        assertThat(second.remaining()).isEqualTo(20);
    }

    @Test
    void shouldRefuseAClaimThatItsClassCanNeverServe()
    {
        final Claim claim = claim("a");

        assertThat(put(claim, 4096, 33)).isEqualTo(NO_SPACE);
        assertThat(claim.state()).isSameAs(Claim.State.IDLE);
        assertThat(queue.describe(claim, 0)).contains("33 slots").contains("slots 0 of at most 32");
        assertThat(put(claim, 4096, 32)).isEqualTo(OK);
    }

    @Test
    void shouldCountReservedGrantsOfOtherClassesAsOutOfReach()
    {
        final SlotPool reserved = Pools.pool(Pools.plan(2).expect(4096, 1));
        final ClaimQueue other = new ClaimQueue(reserved);

        assertThat(other.submit(claim("a"), ClaimKind.PUT, 8192, 9, NO_BOUND, 0)).isEqualTo(NO_SPACE);
        assertThat(other.submit(claim("b"), ClaimKind.PUT, 4096, 17, NO_BOUND, 0)).isEqualTo(NO_SPACE);
        assertThat(other.submit(claim("c"), ClaimKind.PUT, 8192, 8, NO_BOUND, 0)).isEqualTo(OK);
    }

    @Test
    void shouldFailPutsAfterTheHardAndGetsAfterTheSoftTimeout()
    {
        fill();
        put(claim("put"), 4096, 1);
        queue.submit(claim("get"), ClaimKind.GET, 4096, 1, NO_BOUND, 0);

        assertThat(queue.poll(9, LIMIT)).isZero();
        assertThat(queue.poll(10, LIMIT)).isEqualTo(1);
        assertThat(events).containsExactly("get failed 1001 CLAIM_TURN");
        assertThat(queue.poll(999, LIMIT)).isZero();
        assertThat(queue.poll(1000, LIMIT)).isEqualTo(1);
        assertThat(events).containsExactly("get failed 1001 CLAIM_TURN", "put failed 1001 REFILL");
        assertThat(queue.waiting()).isZero();
    }

    @Test
    void shouldWaitNoLongerThanTheCaller()
    {
        fill();
        queue.submit(claim("put"), ClaimKind.PUT, 4096, 1, 50, 0);

        assertThat(queue.poll(49, LIMIT)).isZero();
        assertThat(queue.poll(50, LIMIT)).isEqualTo(1);
    }

    @Test
    @Tag("API-8")
    void shouldSayStageAndStateOfThePool()
    {
        fill();
        final Claim head = claim("head");
        put(head, 4096, 3);
        queue.poll(1000, LIMIT);

        assertThat(events).containsExactly("head failed 1001 REFILL");
        assertThat(queue.describe(head, 5_000_000)).isEqualTo(
            "3 slots for a put: stage refill ended after 5 ms; class of 4096 B: grants 2 of at most 2, slots 32 of " +
            "at most 32, FREE 0, PREPARED 32, PENDING_LOCAL_VISIBLE 0, PENDING 0, COMMITTED 0, QUARANTINED 0, set " +
            "aside 0, waiting 0 claims for 0 slots; grants unassigned 0 of 2, slot classes 1 of 64, claims waiting " +
            "0 of 8, longest value 65536 B");
    }

    @Test
    @Tag("API-8")
    void shouldNameTheMasterWhenItIsAway()
    {
        fill();
        put(claim("a"), 4096, 1);
        put(claim("b"), 4096, 1);
        queue.masterAway(true);
        queue.poll(1000, LIMIT);

        assertThat(events).containsExactly("a failed 1001 MASTER_AWAY", "b failed 1001 MASTER_AWAY");
    }

    @Test
    void shouldServeTheNextClaimWhenTheHeadHasEnded()
    {
        final List<Integer> held = fill();
        final Claim head = claim("head");
        queue.submit(head, ClaimKind.GET, 4096, 8, NO_BOUND, 0);
        put(claim("next"), 4096, 2);
        free(held, 2);
        assertThat(queue.poll(1, LIMIT)).isZero();

        assertThat(queue.poll(10, LIMIT)).isEqualTo(2);
        assertThat(events).containsExactly("head failed 1001 REFILL", "next granted 2");
    }

    @Test
    void shouldServeTheNextClaimWhenTheHeadIsCancelled()
    {
        final List<Integer> held = fill();
        final Claim head = claim("head");
        put(head, 4096, 8);
        put(claim("next"), 4096, 2);
        free(held, 2);
        queue.poll(1, LIMIT);
        queue.cancel(head);

        assertThat(queue.poll(2, LIMIT)).isEqualTo(1);
        assertThat(events).containsExactly("next granted 2");
        assertThat(head.state()).isSameAs(Claim.State.IDLE);
    }

    @Test
    void shouldGiveBackWhatACancelledClaimHadNotTaken()
    {
        final Claim first = claim("first");
        put(first, 4096, 32);
        final int slotId = queue.take(first);
        put(claim("second"), 4096, 31);
        queue.cancel(first);
        queue.cancel(first);

        assertThat(queue.poll(1, LIMIT)).isEqualTo(1);
        assertThat(events).containsExactly("second granted 31");
        assertThat(pool.table().state(slotId)).isSameAs(SlotState.PREPARED);
    }

    @Test
    void shouldHearOfNoClaimThatWasCancelledByAnotherListener()
    {
        fill();
        final Claim[] other = new Claim[1];
        final Claim first = new Claim(new ClaimListener()
        {
            @Override
            public void onClaimGranted(final Claim claim, final long nowNs)
            {
                throw new AssertionError();
            }

            @Override
            public void onClaimFailed(
                final Claim claim, final int errorCode, final Stage stage, final long nowNs)
            {
                events.add("first failed");
                queue.cancel(other[0]);
                assertThat(put(claim, 4096, 1)).isEqualTo(WAITING);
            }
        });
        other[0] = claim("other");
        put(first, 4096, 1);
        put(other[0], 4096, 1);
        put(claim("last"), 4096, 1);

        assertThat(queue.poll(1000, LIMIT)).isEqualTo(2);
        assertThat(events).containsExactly("first failed", "last failed 1001 CLAIM_TURN");
        assertThat(queue.waiting()).isEqualTo(1);
    }

    @Test
    @Tag("BOUND-1")
    void shouldPushBackWhenTooManyClaimsWait()
    {
        fill();
        for (int i = 0; i < 8; i++)
        {
            assertThat(put(claim("c" + i), 4096, 1)).isEqualTo(WAITING);
        }

        final Claim claim = claim("late");
        assertThat(put(claim, 4096, 1)).isEqualTo(BACK_PRESSURED);
        assertThat(claim.state()).isSameAs(Claim.State.IDLE);
        assertThat(queue.waiting()).isEqualTo(8);
    }

    @Test
    @Tag("BOUND-1")
    void shouldPushBackWhenAllClassesAreInUse()
    {
        final SlotPool few = Pools.pool(Pools.plan(4).maxSlotClasses(1));
        final ClaimQueue own = new ClaimQueue(few);
        own.submit(claim("a"), ClaimKind.PUT, 4096, 1, NO_BOUND, 0);

        assertThat(own.submit(claim("b"), ClaimKind.PUT, 8192, 1, NO_BOUND, 0)).isEqualTo(BACK_PRESSURED);
    }

    @Test
    @Tag("BOUND-1")
    void shouldCallNoMoreListenersThanTheLimit()
    {
        final List<Integer> held = fill();
        for (int i = 0; i < 5; i++)
        {
            put(claim("c" + i), 4096, 1);
        }
        free(held, 5);

        assertThat(queue.poll(1, 2)).isEqualTo(2);
        assertThat(queue.poll(1, 2)).isEqualTo(2);
        assertThat(queue.poll(1, 2)).isEqualTo(1);
        assertThat(events).containsExactly(
            "c0 granted 1", "c1 granted 1", "c2 granted 1", "c3 granted 1", "c4 granted 1");
    }

    @Test
    void shouldRefuseWhatFitsNoSlot()
    {
        final Claim claim = claim("a");

        assertThat(put(claim, 0, 1)).isEqualTo(INVALID_ARGUMENT);
        assertThat(put(claim, 65_537, 1)).isEqualTo(INVALID_ARGUMENT);
        assertThat(put(claim, 4096, 0)).isEqualTo(INVALID_ARGUMENT);
        assertThat(queue.describe(claim, 0)).contains("0 slots for a put; grants unassigned 2 of 2");
    }

    @Test
    void shouldStopWhenAClaimIsMisused()
    {
        final Claim claim = claim("a");
        assertThatThrownBy(() -> queue.take(claim)).isInstanceOf(InvariantViolation.class);
        put(claim, 4096, 1);
        assertThatThrownBy(() -> put(claim, 4096, 1)).isInstanceOf(InvariantViolation.class);
        queue.take(claim);
        assertThatThrownBy(() -> queue.take(claim)).isInstanceOf(InvariantViolation.class);
    }

    @Test
    @Tag("SLOT-5")
    void shouldGiveAWaitingClaimAGrantThatAnotherClassNoLongerUses()
    {
        final List<Integer> held = fill();
        put(claim("other"), 65_536, 1);
        free(held, 16);

        assertThat(queue.poll(1, LIMIT)).isEqualTo(1);
        assertThat(events).containsExactly("other granted 1");
    }

    @Test
    @Tag("SLOT-5")
    void shouldGiveAYoungerClaimOfAnotherClassNoGrantThatAnOlderOneWaitsFor()
    {
        final List<Integer> held = fill();
        put(claim("older"), 4096, 20);
        put(claim("younger"), 65_536, 1);
        free(held, 16);

        assertThat(queue.poll(1, LIMIT)).isZero();
        free(held, 4);
        assertThat(queue.poll(2, LIMIT)).isEqualTo(1);
        assertThat(events).containsExactly("older granted 20");
    }

    @Test
    @Tag("SLOT-5")
    void shouldLetYoungerClaimsOfOtherClassesOvertakeOnlySoOften()
    {
        final Claim blocker = claim("blocker");
        put(blocker, 65_536, 1);
        final int blocking = queue.take(blocker);
        put(claim("older"), 32_768, 4);

        assertThat(pool.takeNow(pool.classFor(4096))).isEqualTo(SlotTable.NONE);
        int overtaken = 0;
        final Claim younger = claim("younger");
        while (overtaken < 100 && OK == put(younger, 0 == overtaken % 2 ? 4096 : 8192, 1))
        {
            pool.holderRelease(queue.take(younger));
            overtaken++;
        }

        assertThat(overtaken).isEqualTo(ClaimQueue.MAX_OVERTAKES);
        pool.holderRelease(blocking);
        queue.poll(1, LIMIT);
        assertThat(events).contains("older granted 4");
    }

    private Claim claim(final String name)
    {
        return new Claim(new ClaimListener()
        {
            @Override
            public void onClaimGranted(final Claim claim, final long nowNs)
            {
                assertThat(claim.state()).isSameAs(Claim.State.GRANTED);
                events.add(name + " granted " + claim.remaining());
            }

            @Override
            public void onClaimFailed(
                final Claim claim, final int errorCode, final Stage stage, final long nowNs)
            {
                assertThat(claim.state()).isSameAs(Claim.State.IDLE);
                assertThat(errorCode).isEqualTo(ErrorCode.RESERVE_TIMEOUT);
                events.add(name + " failed " + errorCode + " " + stage);
            }
        });
    }

    private int put(final Claim claim, final long valueLength, final int count)
    {
        return queue.submit(claim, ClaimKind.PUT, valueLength, count, NO_BOUND, 0);
    }

    private List<Integer> take(final Claim claim)
    {
        final List<Integer> slots = new ArrayList<>();
        while (claim.remaining() > 0)
        {
            slots.add(queue.take(claim));
        }

        return slots;
    }

    private List<Integer> fill()
    {
        final Claim claim = claim("fill");
        assertThat(put(claim, 4096, 32)).isEqualTo(OK);

        return take(claim);
    }

    private void free(final List<Integer> held, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            pool.holderRelease(held.removeFirst());
        }
    }
}
