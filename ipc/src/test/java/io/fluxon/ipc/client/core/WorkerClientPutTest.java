package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.PutAbortRequestDecoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.plan.PlanBlob;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerClientPutTest extends WorkerClientTestBase
{
    private final PutOptions options = new PutOptions();

    @BeforeEach
    void before()
    {
        connect();
    }

    @Test
    @Tag("PLAN-1")
    void shouldWriteThePlanBlobWhenSlotsAreThere()
    {
        startPut(put, 3, 9);

        final PlanBlob blob = new PlanBlob().wrap(put.planAddress(), 64);
        final long arenaStart = segment.address() + ScriptedOwner.ARENA_OFFSET - ScriptedOwner.MAP_OFFSET;
        assertThat(put.planAddress()).isBetween(arenaStart, arenaStart + ScriptedOwner.ARENA_LENGTH - 40);
        assertThat(blob.count()).isEqualTo(3);
        for (int i = 0; i < 3; i++)
        {
            final long expected = segment.address() + ScriptedOwner.slot(i) - ScriptedOwner.MAP_OFFSET;
            assertThat(blob.valuePtr(i)).isEqualTo(expected);
            assertThat(put.valueAddress(i)).isEqualTo(expected);
        }
        assertThat(client.planAt(put.planAddress())).isSameAs(put);
        assertThat(client.planAt(put.planAddress() + 8)).isNull();
    }

    @Test
    @Tag("PLAN-1")
    void shouldEndThePlanBlobWithTheCommit()
    {
        startPut(put, 3, 9);
        final long planAddress = put.planAddress();
        commitPut(put);

        assertThat(put.planAddress()).isZero();
        assertThat(client.planAt(planAddress)).isNull();
        assertThat(client.planBlobs()).isZero();
    }

    @Test
    @Tag("V1")
    @Tag("PUT-2")
    void shouldBeLocalReadyFirstAndDoneWithTheGlobalResult()
    {
        startPut(put, 2, 9);
        final long id = commitPut(put);
        assertThat(put.state()).isEqualTo(PutPlan.State.COMMITTING);

        owner.commitLocal(id, 9, 0);
        client.poll();
        assertThat(put.state()).isEqualTo(PutPlan.State.LOCAL_READY);
        assertThat(put.isReusable()).isFalse();

        owner.commitResult(id, 9, 0, -ErrorCode.KEY_ALREADY_EXISTS);
        client.poll();
        assertThat(put.state()).isEqualTo(PutPlan.State.DONE);
        assertThat(put.result(0)).isZero();
        assertThat(put.result(1)).isEqualTo(-ErrorCode.KEY_ALREADY_EXISTS);
        assertThat(put.failedCount()).isEqualTo(1);
        assertNothingHeld();
    }

    @Test
    void shouldSendWhatTheOptionsSay()
    {
        options.rejectIfExistSameKey(true).rejectIfInflightSameKey(true).makeReplicaTask(true)
            .mask(new boolean[]{true, true, false}).atomicGroups(groups(2, 1)).cohort(7, 1, 2).pathHint("parent", 4, 5);
        assertThat(client.putStart(put, keys(3), 100, options, 1_000)).isZero();

        final PutStartRequestDecoder request = new PutStartRequestDecoder().wrapAndApplyHeader(
            owner.take(PutStartRequestDecoder.TEMPLATE_ID), 0, new MessageHeaderDecoder());
        assertThat(request.generation()).isEqualTo(ScriptedOwner.GENERATION);
        assertThat(request.sessionId()).isEqualTo(ScriptedOwner.SESSION_ID);
        assertThat(request.valueLength()).isEqualTo(100);
        assertThat(request.timeoutNs()).isEqualTo(1_000);
        assertThat(request.options().rejectIfExistSameKey()).isTrue();
        assertThat(request.options().rejectIfInflightSameKey()).isTrue();
        assertThat(request.options().writeThrough()).isFalse();
        assertThat(request.options().makeReplicaTask()).isTrue();
        assertThat(request.options().hasCohort()).isTrue();
        assertThat(request.cohortId()).isEqualTo(7);
        assertThat(request.cohortRank()).isEqualTo(1);
        assertThat(request.cohortSize()).isEqualTo(2);
        assertThat(request.pathDepth()).isEqualTo(4);
        assertThat(request.pathTurn()).isEqualTo(5);
        final PutStartRequestDecoder.AtomicGroupsDecoder groups = request.atomicGroups();
        assertThat(groups.next().keyCount()).isEqualTo(2);
        assertThat(groups.next().keyCount()).isEqualTo(1);
        final PutStartRequestDecoder.KeysDecoder sent = request.keys();
        assertThat(sent.count()).isEqualTo(3);
        assertThat(sent.next().replicaWish()).isEqualTo((short)1);
        sent.skipKey();
        assertThat(sent.next().replicaWish()).isEqualTo((short)1);
        sent.skipKey();
        assertThat(sent.next().replicaWish()).isZero();
        final byte[] key = new byte[4];
        assertThat(sent.getKey(key, 0, 4)).isEqualTo(4);
        assertThat(new String(key)).isEqualTo("key2");
        assertThat(request.parentKeyLength()).isEqualTo(6);
    }

    @Test
    @Tag("API-2")
    void shouldWishNoReplicaWhenWritingThrough()
    {
        options.writeThrough(true).makeReplicaTask(true).mask(new boolean[]{true});
        assertThat(options.replicaWish(0)).isFalse();
        assertThat(new PutOptions().mask(new boolean[]{true}).replicaWish(0)).isFalse();
        assertThat(new PutOptions().makeReplicaTask(true).replicaWish(0)).isTrue();
        assertThat(new PutOptions().makeReplicaTask(true).mask(new boolean[]{false}).replicaWish(0)).isFalse();
    }

    @Test
    @Tag("API-1")
    void shouldRefuseBadArgumentsBeforeAnythingIsSent()
    {
        assertRefused(client.putStart(put, null, 100, null));
        assertRefused(client.putStart(put, keys.clear(), 100, null));
        assertRefused(client.putStart(put, keys(65), 100, null));
        assertRefused(client.putStart(put, keys(1), 0, null));
        assertRefused(client.putStart(put, keys(1), -1, null));
        assertRefused(client.putStart(put, keys(1), (512L << 20) + 1, null));
        assertRefused(client.putStart(put, keys(1), 100, null, 0));
        assertRefused(client.putStart(put, keys(2).add("key1"), 100, null));
        assertRefused(client.putStart(put, keys(1).add(""), 100, null));
        assertRefused(client.putStart(put, keys(1).add("k".repeat(513)), 100, null));
        assertRefused(client.putStart(put, keys(1).addUtf8(new byte[]{'a', (byte)0xC0, (byte)0x80}, 0, 3), 100, null));
        assertRefused(client.putStart(put, keys(1).add("\uD800"), 100, null));
        assertRefused(client.putStart(put, keys(3), 100, options.clear().atomicGroups(groups(1, 1))));
        assertRefused(client.putStart(put, keys(3), 100, options.clear().atomicGroups(groups(1, 0, 2))));
        assertRefused(client.putStart(put, keys(3), 100, options.clear().atomicGroups(groups(4, -1))));
        assertRefused(client.putStart(put, keys(3), 100, options.clear().atomicGroups(groups())));
        assertRefused(client.putStart(put, keys(3), 100, options.clear().mask(new boolean[2])));
        assertRefused(client.putStart(put, keys(3), 100,
            options.clear().atomicGroups(groups(2, 1)).mask(new boolean[]{true, false, true})));
        assertRefused(client.putStart(put, keys(1), 100, options.clear().leaseId(1L)));
        assertRefused(client.putStart(put, keys(1), 100, options.clear().cohort(1, 2, 2)));
        assertRefused(client.putStart(put, keys(1), 100, options.clear().cohort(1, 0, 0)));
        assertRefused(client.putStart(put, keys(1), 100, options.clear().pathHint("", 0, 0)));
        assertRefused(client.putStart(put, keys(1), 100, options.clear().pathHint(null, -2, 0)));
        assertRefused(client.putStart(null, keys(1), 100, null));

        assertThat(owner.received).isEmpty();
        assertThat(put.state()).isEqualTo(PutPlan.State.IDLE);
        assertThat(put.errorCode()).isZero();
        assertNothingHeld();
    }

    @Test
    @Tag("API-1")
    void shouldNameFieldAndValueWhenRefused()
    {
        client.putStart(put, keys(1), -5, null);

        assertThat(client.refusal()).contains("valueLength").contains("-5").contains("536870912");
    }

    @Test
    @Tag("API-1")
    void shouldFindADuplicateAmongManyKeysOnly()
    {
        owner.received.clear();
        for (int size = 2; size <= 64; size++)
        {
            keys(size - 1);
            keys.add("key" + (size - 2) / 2);
            assertRefused(client.putStart(put, keys, 100, null));
            assertThat(client.refusal()).contains("keys[" + (size - 1) + "]");
        }
        assertThat(client.putStart(put, keys(64), 100, null)).isZero();
    }

    @Test
    @Tag("API-4")
    void shouldRefuseCallsInTheWrongStateAndLeaveThePlanAlive()
    {
        assertRefused(client.putCommit(put));
        assertRefused(client.putAbort(put));
        assertRefused(client.putCommit(null));

        startPut(put, 1, 9);
        assertRefused(client.putStart(put, keys(1), 100, null));
        assertThat(put.state()).isEqualTo(PutPlan.State.STARTED);
        assertThat(client.planAt(put.planAddress())).isSameAs(put);

        final long id = commitPut(put);
        assertRefused(client.putCommit(put));
        assertRefused(client.putAbort(put));
        owner.commitLocal(id, 9, 0);
        owner.commitResult(id, 9, 0);
        client.poll();
        assertThat(put.state()).isEqualTo(PutPlan.State.DONE);
        assertRefused(client.putCommit(put));
    }

    @Test
    @Tag("API-4")
    void shouldRefuseAPlanOfAnotherClient()
    {
        startPut(put, 1, 9);
        final ScriptedOwner otherOwner = new ScriptedOwner();
        final WorkerClient other = new WorkerClient(new WorkerClientContext().nanoClock(() -> nowNs)
            .requests(otherOwner).responses(otherOwner)
            .segmentMapper((path, generation, mapOffset, length) -> segment.address()));
        other.poll();
        otherOwner.connectResponse(ScriptedOwner.correlationId(otherOwner.received.poll()), 0, "");
        other.poll();

        assertThat(other.putCommit(put)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(other.putAbort(put)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(other.putStart(put, keys(1), 100, null)).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(put.state()).isEqualTo(PutPlan.State.STARTED);
        assertThat(client.putCommit(put)).isZero();
    }

    @Test
    @Tag("API-8")
    void shouldFailWithTheOwnersStage()
    {
        assertThat(client.putStart(put, keys(1), 100, null)).isZero();
        owner.putStart(owner.takeId(PutStartRequestDecoder.TEMPLATE_ID), ErrorCode.RESERVE_TIMEOUT, Stage.REFILL, 0);
        client.poll();

        assertThat(put.state()).isEqualTo(PutPlan.State.FAILED);
        assertThat(put.errorCode()).isEqualTo(ErrorCode.RESERVE_TIMEOUT);
        assertThat(put.stage()).isEqualTo(WaitStage.REFILL);
        assertThat(put.errorMessage()).isEqualTo("owner says 1001");
        assertNothingHeld();
    }

    @Test
    @Tag("API-8")
    void shouldEndTheWaitByTimeAndAbortWhatComesLate()
    {
        assertThat(client.putStart(put, keys(1), 100, null, TimeUnit.SECONDS.toNanos(3))).isZero();
        final long id = owner.takeId(PutStartRequestDecoder.TEMPLATE_ID);
        passAlive(3_400, TimeUnit.MILLISECONDS);
        assertThat(put.state()).isEqualTo(PutPlan.State.STARTING);
        passAlive(200, TimeUnit.MILLISECONDS);

        assertThat(put.state()).isEqualTo(PutPlan.State.FAILED);
        assertThat(put.errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);
        assertThat(put.stage()).isEqualTo(WaitStage.ANSWER);

        owner.putStart(id, 0, Stage.NONE, 9, ScriptedOwner.slot(0));
        client.poll();
        assertThat(client.lateAnswers()).isEqualTo(1);
        final PutAbortRequestDecoder abort = new PutAbortRequestDecoder().wrapAndApplyHeader(
            owner.take(PutAbortRequestDecoder.TEMPLATE_ID), 0, new MessageHeaderDecoder());
        assertThat(abort.planId()).isEqualTo(9);
        owner.status(abort.correlationId(), 0, "");
        assertNothingHeld();
    }

    @Test
    void shouldRepeatARequestUnderItsIdUntilAnswered()
    {
        assertThat(client.putStart(put, keys(2), 100, null)).isZero();
        final UnsafeBuffer first = owner.take(PutStartRequestDecoder.TEMPLATE_ID);
        passAlive(250, TimeUnit.MILLISECONDS);
        assertThat(owner.take(PutStartRequestDecoder.TEMPLATE_ID)).isEqualTo(first);
        passAlive(400, TimeUnit.MILLISECONDS);
        assertThat(owner.count(PutStartRequestDecoder.TEMPLATE_ID)).isZero();
        passAlive(100, TimeUnit.MILLISECONDS);
        assertThat(owner.take(PutStartRequestDecoder.TEMPLATE_ID)).isEqualTo(first);

        final long id = ScriptedOwner.correlationId(first);
        owner.putStart(id, 0, Stage.NONE, 9, ScriptedOwner.slot(0), ScriptedOwner.slot(1));
        owner.putStart(id, 0, Stage.NONE, 9, ScriptedOwner.slot(0), ScriptedOwner.slot(1));
        client.poll();

        assertThat(put.state()).isEqualTo(PutPlan.State.STARTED);
        assertThat(client.ignoredMessages()).isEqualTo(1);
        assertThat(owner.count(PutAbortRequestDecoder.TEMPLATE_ID)).isZero();
    }

    @Test
    void shouldRepeatACommitUntilItsGlobalResult()
    {
        startPut(put, 1, 9);
        final long id = commitPut(put);
        owner.commitLocal(id, 9, 0);
        passAlive(60, TimeUnit.SECONDS);

        assertThat(put.state()).isEqualTo(PutPlan.State.LOCAL_READY);
        assertThat(owner.takeId(PutCommitRequestDecoder.TEMPLATE_ID)).isEqualTo(id);
        owner.commitLocal(id, 9, 0);
        owner.commitResult(id, 9, 0);
        client.poll();
        assertThat(put.state()).isEqualTo(PutPlan.State.DONE);
        assertNothingHeld();
    }

    @Test
    void shouldStayLocalReadyWhateverRefusalFollows()
    {
        startPut(put, 1, 9);
        final long id = commitPut(put);
        owner.commitLocal(id, 9, 0);
        owner.commitLocal(id, 9, ErrorCode.INVALID_ARGUMENT);
        owner.status(id, ErrorCode.INVALID_ARGUMENT, "unknown plan");
        client.poll();
        assertThat(put.state()).isEqualTo(PutPlan.State.LOCAL_READY);

        owner.commitResult(id, 9, 0);
        client.poll();
        assertThat(put.state()).isEqualTo(PutPlan.State.DONE);
    }

    @Test
    void shouldFailAtOnceWhenARequestIsRefusedThatWasSentOnce()
    {
        assertThat(client.putStart(put, keys(1), 100, null)).isZero();
        owner.status(owner.takeId(PutStartRequestDecoder.TEMPLATE_ID), ErrorCode.INVALID_ARGUMENT, "no");
        client.poll();

        assertThat(put.state()).isEqualTo(PutPlan.State.FAILED);
        assertThat(put.errorCode()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }

    @Test
    @Tag("API-8")
    void shouldSayThatTheOutcomeIsOpenWhenACommitHasNoAnswer()
    {
        startPut(put, 1, 9);
        final long id = commitPut(put);
        passAlive(36, TimeUnit.SECONDS);

        assertThat(put.state()).isEqualTo(PutPlan.State.FAILED);
        assertThat(put.stage()).isEqualTo(WaitStage.ANSWER);
        assertThat(put.errorMessage()).contains("may take effect");
        owner.commitLocal(id, 9, 0);
        owner.commitResult(id, 9, 0);
        client.poll();
        assertThat(put.state()).isEqualTo(PutPlan.State.FAILED);
        assertNothingHeld();
    }

    @Test
    void shouldCommitAgainLaterWhenTheOwnerIsBusy()
    {
        startPut(put, 1, 9);
        final long id = commitPut(put);
        owner.status(id, ErrorCode.BACK_PRESSURED, "busy");
        client.poll();
        assertThat(put.state()).isEqualTo(PutPlan.State.COMMITTING);
        passAlive(300, TimeUnit.MILLISECONDS);

        assertThat(owner.takeId(PutCommitRequestDecoder.TEMPLATE_ID)).isEqualTo(id);
    }

    @Test
    void shouldFailWhenTheCommitIsRefused()
    {
        startPut(put, 1, 9);
        owner.commitLocal(commitPut(put), 9, ErrorCode.INVALID_ARGUMENT);
        client.poll();

        assertThat(put.state()).isEqualTo(PutPlan.State.FAILED);
        assertThat(put.errorCode()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertNothingHeld();
    }

    @Test
    void shouldFailWhenTheNumberOfResultsIsAnother()
    {
        startPut(put, 2, 9);
        owner.commitResult(commitPut(put), 9, 0);
        client.poll();

        assertThat(put.state()).isEqualTo(PutPlan.State.FAILED);
        assertThat(put.errorCode()).isEqualTo(ErrorCode.PROTOCOL);
        assertNothingHeld();
    }

    @Test
    void shouldAbortAStartedPlan()
    {
        startPut(put, 1, 9);
        assertThat(client.putAbort(put)).isZero();
        assertThat(put.state()).isEqualTo(PutPlan.State.ABORTING);
        assertThat(put.planAddress()).isZero();
        assertRefused(client.putCommit(put));
        owner.status(owner.takeId(PutAbortRequestDecoder.TEMPLATE_ID), 0, "");
        client.poll();

        assertThat(put.state()).isEqualTo(PutPlan.State.ABORTED);
        assertThat(put.errorCode()).isZero();
        assertNothingHeld();
    }

    @Test
    void shouldAbortWhatIsStillBeingStarted()
    {
        assertThat(client.putStart(put, keys(1), 100, null)).isZero();
        final long id = owner.takeId(PutStartRequestDecoder.TEMPLATE_ID);
        assertThat(client.putAbort(put)).isZero();
        assertThat(put.state()).isEqualTo(PutPlan.State.ABORTED);
        assertThat(put.isReusable()).isTrue();

        owner.putStart(id, 0, Stage.NONE, 9, ScriptedOwner.slot(0));
        client.poll();
        owner.status(owner.takeId(PutAbortRequestDecoder.TEMPLATE_ID), 0, "");
        assertNothingHeld();
    }

    @Test
    @Tag("GET-1")
    void shouldAbortWhenASlotIsOutsideTheSegment()
    {
        final long[] bad = {0, ScriptedOwner.MAP_OFFSET, ScriptedOwner.ARENA_OFFSET, ScriptedOwner.SEGMENT_LENGTH - 99,
            ScriptedOwner.SEGMENT_LENGTH, Long.MAX_VALUE, -1, Long.MIN_VALUE};
        for (final long offset : bad)
        {
            assertThat(client.putStart(put, keys(2), 100, null)).isZero();
            owner.putStart(owner.takeId(PutStartRequestDecoder.TEMPLATE_ID), 0, Stage.NONE, 9,
                ScriptedOwner.slot(0), offset);
            client.poll();

            assertThat(put.state()).isEqualTo(PutPlan.State.FAILED);
            assertThat(put.errorCode()).isEqualTo(ErrorCode.PROTOCOL);
            owner.status(owner.takeId(PutAbortRequestDecoder.TEMPLATE_ID), 0, "");
            assertNothingHeld();
        }
    }

    @Test
    void shouldAbortWhenTheNumberOfSlotsIsAnother()
    {
        assertThat(client.putStart(put, keys(2), 100, null)).isZero();
        owner.putStart(owner.takeId(PutStartRequestDecoder.TEMPLATE_ID), 0, Stage.NONE, 9, ScriptedOwner.slot(0));
        client.poll();

        assertThat(put.errorCode()).isEqualTo(ErrorCode.PROTOCOL);
        owner.status(owner.takeId(PutAbortRequestDecoder.TEMPLATE_ID), 0, "");
        assertNothingHeld();
    }

    @Test
    @Tag("BOUND-1")
    void shouldBeBackPressuredWhenTheArenaIsFullAndRecover()
    {
        final PutPlan[] plans = new PutPlan[32];
        int started = 0;
        for (int i = 0; i < plans.length; i++)
        {
            plans[i] = new PutPlan(64);
            final int code = client.putStart(plans[i], keys(20), 100, null);
            if (0 != code)
            {
                assertThat(code).isEqualTo(ErrorCode.BACK_PRESSURED);
                assertThat(plans[i].state()).isEqualTo(PutPlan.State.IDLE);
                break;
            }
            started++;
        }
        assertThat(started).isBetween(1, plans.length - 1);
        owner.putStart(owner.takeId(PutStartRequestDecoder.TEMPLATE_ID), ErrorCode.NO_SPACE, Stage.NONE, 0);
        client.poll();

        assertThat(client.putStart(plans[started], keys(20), 100, null)).isZero();
    }

    @Test
    @Tag("BOUND-1")
    void shouldBeBackPressuredWhenTooManyRequestsHaveNoAnswer()
    {
        final GetHandle[] gets = new GetHandle[65];
        for (int i = 0; i < 64; i++)
        {
            gets[i] = new GetHandle(1);
            assertThat(client.getStart(gets[i], keys(1), true, null)).isZero();
        }
        assertThat(client.putStart(put, keys(1), 100, null)).isEqualTo(ErrorCode.BACK_PRESSURED);
        assertThat(put.state()).isEqualTo(PutPlan.State.IDLE);
        assertThat(client.planBlobs()).isZero();
    }

    @Test
    @Tag("BOUND-1")
    @Tag("LIFE-3")
    void shouldNotCountCommitsThatWaitForTheMasterAgainstTheCalls()
    {
        for (int i = 0; i < 200; i++)
        {
            final PutPlan plan = new PutPlan(1);
            startPut(plan, 1, i + 1);
            owner.commitLocal(commitPut(plan), i + 1, 0);
            client.poll();
            assertThat(plan.state()).isEqualTo(PutPlan.State.LOCAL_READY);
        }
        startInline(get, 1, 100);
        assertThat(client.getTransfer(get, -1)).isZero();
    }

    @Test
    @Tag("BOUND-1")
    void shouldRefuseTheCommitWhenTheQueueIsFullAndKeepThePlan()
    {
        final ScriptedOwner slowOwner = new ScriptedOwner();
        ctx.requests(slowOwner).responses(slowOwner).maxQueuedBytes(4096);
        client = new WorkerClient(ctx);
        client.poll();
        slowOwner.connectResponse(ScriptedOwner.correlationId(slowOwner.received.poll()), 0, "");
        client.poll();
        assertThat(client.putStart(put, keys(1), 100, null)).isZero();
        slowOwner.putStart(slowOwner.takeId(PutStartRequestDecoder.TEMPLATE_ID), 0, Stage.NONE, 9,
            ScriptedOwner.slot(0));
        client.poll();

        slowOwner.offerResult = ControlChannel.BACK_PRESSURED;
        fillChannel(16);
        fillChannel(1);
        assertThat(client.putCommit(put)).isEqualTo(ErrorCode.BACK_PRESSURED);
        assertThat(put.state()).isEqualTo(PutPlan.State.STARTED);
        assertThat(client.planAt(put.planAddress())).isSameAs(put);

        slowOwner.offerResult = 1;
        client.poll();
        assertThat(client.putCommit(put)).isZero();
        assertThat(slowOwner.count(PutCommitRequestDecoder.TEMPLATE_ID)).isEqualTo(1);
    }

    private void fillChannel(final int keyCount)
    {
        GetHandle handle = new GetHandle(keyCount);
        int code = client.getStart(handle, keys(keyCount), true, null);
        while (0 == code)
        {
            handle = new GetHandle(keyCount);
            code = client.getStart(handle, keys(keyCount), true, null);
        }
        assertThat(code).isEqualTo(ErrorCode.BACK_PRESSURED);
        assertThat(handle.state()).isEqualTo(GetHandle.State.IDLE);
    }
}
