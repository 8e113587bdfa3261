package io.fluxon.sim.check;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.codecs.control.ConnectRequestEncoder;
import io.fluxon.codecs.control.ConnectResponseDecoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.codecs.control.PutCommitLocalDecoder;
import io.fluxon.codecs.control.PutCommitLocalEncoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;
import io.fluxon.codecs.control.PutCommitRequestEncoder;
import io.fluxon.codecs.control.PutCommitResultEncoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.codecs.control.PutStartResponseDecoder;
import io.fluxon.codecs.control.StatusResponseEncoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SessionCheckersTest extends CheckerTest
{
    private static final int BODY = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int SESSION = BODY + Long.BYTES;
    private static final int REQUEST = BODY + 2 * Long.BYTES;
    private static final long OTHER = 999_999;

    @BeforeEach
    void before()
    {
        start(2, 2);
    }

    private Object session(final int ownerIndex)
    {
        return call(get(core(ownerIndex), "sessions"), "get", new Class<?>[]{int.class}, 0);
    }

    private static int firstHolding()
    {
        return BODY + GetStartResponseDecoder.BLOCK_LENGTH + 4 + 16;
    }

    @Test
    @Tag("GET-2")
    void shouldSeeAHoldingIdOfZero()
    {
        done(0, "a");
        got(0, "a");
        assertBroken(Holdings.class, "GET-2", () -> again(checker(Holdings.class), GetStartResponseDecoder.TEMPLATE_ID,
            true, (message) -> message.putLong(firstHolding(), 0, LITTLE_ENDIAN)));
    }

    @Test
    @Tag("GET-2")
    void shouldSeeAHoldingIdThatIsGivenOutTwice()
    {
        done(0, "a");
        got(0, "a");
        assertBroken(Holdings.class, "GET-2", () -> again(checker(Holdings.class), GetStartResponseDecoder.TEMPLATE_ID,
            true, (message) -> message.putLong(REQUEST, OTHER, LITTLE_ENDIAN)));
    }

    @Test
    @Tag("GET-2")
    void shouldSeeAHoldingOfAnotherSlotThanIsNamed()
    {
        done(0, "a");
        got(0, "a");
        assertBroken(Holdings.class, "GET-2", () -> again(new Holdings(checks), GetStartResponseDecoder.TEMPLATE_ID,
            true, (message) -> message.putLong(firstHolding() - 16,
                message.getLong(firstHolding() - 16, LITTLE_ENDIAN) + 4096, LITTLE_ENDIAN)));
    }

    @Test
    @Tag("GET-3")
    void shouldSeeAHoldingThatEndsByItself()
    {
        done(0, "a");
        got(0, "a");
        final long id = last(GetStartResponseDecoder.TEMPLATE_ID, true).bytes().getLong(firstHolding(), LITTLE_ENDIAN);
        call(session(0), "removeHolding", new Class<?>[]{long.class}, id);
        assertBroken(Holdings.class, "GET-3", () -> checker(Holdings.class).full(owner(0)));
    }

    @Test
    @Tag("API-4")
    void shouldSeeAPlanThatIsGoneUnused()
    {
        started(0, "a");
        ((Long2ObjectHashMap<?>)get(session(0), "putPlans")).clear();
        assertBroken(NamedObjects.class, "API-4", () -> checker(NamedObjects.class).full(owner(0)));
    }

    @Test
    @Tag("API-4")
    void shouldSeeAHandleThatIsGoneUnused()
    {
        done(0, "a");
        got(1, "a");
        ((Long2ObjectHashMap<?>)get(session(1), "readPlans")).clear();
        assertBroken(NamedObjects.class, "API-4", () -> checker(NamedObjects.class).full(owner(1)));
    }

    @Test
    @Tag("API-4")
    void shouldSeeAPlanThatIsGivenOutTwice()
    {
        started(0, "a");
        assertBroken(NamedObjects.class, "API-4", () -> again(checker(NamedObjects.class),
            PutStartResponseDecoder.TEMPLATE_ID, true, (message) -> message.putLong(REQUEST, OTHER, LITTLE_ENDIAN)));
    }

    @Test
    @Tag("API-4")
    void shouldSeeARepeatedStartThatIsExecutedAgain()
    {
        started(0, "a");
        count(0, OwnerCounter.PUT_PLANS_OPENED);
        assertBroken(NamedObjects.class, "API-4", () -> checker(NamedObjects.class).full(owner(0)));
    }

    private static byte[] connect(
        final Seen connect, final long sessionId, final long[] requests, final long[] holdings, final long[] plans)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
        final ConnectRequestEncoder encoder = new ConnectRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .generation(connect.bytes().getLong(BODY, LITTLE_ENDIAN))
            .sessionId(sessionId)
            .correlationId(OTHER);
        final ConnectRequestEncoder.PlansEncoder named = encoder.plansCount(plans.length);
        for (final long planId : plans)
        {
            named.next().planId(planId);
        }
        final ConnectRequestEncoder.HoldingsEncoder runs = encoder.holdingsCount(holdings.length);
        for (final long holdingId : holdings)
        {
            runs.next().firstHoldingId(holdingId).holdingCount(1);
        }
        final ConnectRequestEncoder.RequestsEncoder open = encoder.requestsCount(requests.length);
        for (final long requestId : requests)
        {
            open.next().requestId(requestId);
        }
        encoder.clientName("worker");
        final byte[] bytes = new byte[BODY + encoder.encodedLength()];
        buffer.getBytes(0, bytes);
        return bytes;
    }

    @Test
    @Tag("API-10")
    void shouldSeeAPlanThatAResumeHasNotNamed()
    {
        started(0, "a");
        assertBroken(Resumes.class, "API-10", () -> resumeWithout(0));
    }

    @Test
    @Tag("API-10")
    void shouldSeeAHoldingThatAResumeHasNotNamed()
    {
        done(0, "a");
        got(0, "a");
        assertBroken(Resumes.class, "API-10", () -> resumeWithout(0));
    }

    @Test
    @Tag("API-10")
    void shouldSeeAHoldingThatAResumeHasNotNamedBesideItsRequests()
    {
        done(0, "a");
        got(0, "a");
        assertBroken(Resumes.class, "API-10", () -> resume(0, new long[]{OTHER}, new long[0], new long[0]));
    }

    @Test
    @Tag("API-10")
    void shouldSeeANamedHoldingThatAResumeHasNotKept()
    {
        done(0, "a");
        got(0, "a");
        final long id = last(GetStartResponseDecoder.TEMPLATE_ID, true).bytes().getLong(firstHolding(), LITTLE_ENDIAN);
        ask(0, new long[0], new long[]{id}, new long[0]);
        call(session(0), "removeHolding", new Class<?>[]{long.class}, id);
        assertBroken(Resumes.class, "API-10", () -> answer(0));
    }

    @Test
    @Tag("API-10")
    void shouldSeeANamedPlanThatAResumeHasNotKept()
    {
        started(0, "a");
        ask(0, new long[0], new long[0], new long[]{planId()});
        ((Long2ObjectHashMap<?>)get(session(0), "putPlans")).clear();
        assertBroken(Resumes.class, "API-10", () -> answer(0));
    }

    @Test
    @Tag("API-10")
    void shouldAllowWhatAResumeHasNamed()
    {
        done(0, "b");
        got(0, "b");
        final long request = last(GetStartResponseDecoder.TEMPLATE_ID, true).bytes().getLong(REQUEST, LITTLE_ENDIAN);
        started(0, "a");
        assertThatCode(() -> resume(0, new long[]{request}, new long[0], new long[]{planId()}))
            .doesNotThrowAnyException();
    }

    private void resumeWithout(final int ownerIndex)
    {
        resume(ownerIndex, new long[0], new long[0], new long[0]);
    }

    private void resume(
        final int ownerIndex, final long[] requests, final long[] holdings, final long[] plans)
    {
        ask(ownerIndex, requests, holdings, plans);
        answer(ownerIndex);
    }

    private void ask(final int ownerIndex, final long[] requests, final long[] holdings, final long[] plans)
    {
        final Seen request = last(ConnectRequestDecoder.TEMPLATE_ID, false, ownerIndex);
        final long sessionId = (long)get(session(ownerIndex), "sessionId");
        show(checker(Resumes.class), request.link(), connect(request, sessionId, requests, holdings, plans), false,
            (same) ->
            {
            });
    }

    private void answer(final int ownerIndex)
    {
        final Seen answer = last(ConnectResponseDecoder.TEMPLATE_ID, true, ownerIndex);
        show(checker(Resumes.class), answer.link(), answer.bytes().byteArray().clone(), true, (message) ->
            message.putLong(REQUEST, OTHER, LITTLE_ENDIAN));
    }

    private Seen last(final int templateId, final boolean isSent, final int ownerIndex)
    {
        return last(templateId, isSent, (message) -> message.link().from() == cluster.owner(ownerIndex) ||
            message.link().to() == cluster.owner(ownerIndex));
    }

    @Test
    @Tag("API-9")
    void shouldSeeASessionOfAProcessThatIsGone()
    {
        worker(0).kill();
        assertBroken(Resumes.class, "API-9", () -> checker(Resumes.class).atQuiet());
    }

    @Test
    @Tag("SLOT-7")
    void shouldSeeAnArenaRangeThatIsGivenToTwo()
    {
        cluster.add(cluster.startWorker(cluster.owner(0)));
        cluster.runFor(SECOND_NS);
        final Object sessions = get(core(0), "sessions");
        final Object second = call(sessions, "get", new Class<?>[]{int.class}, 1);
        set(second, "arenaRange", get(session(0), "arenaRange"));
        assertBroken(Resumes.class, "SLOT-7", () -> checker(Resumes.class).full(owner(0)));
    }

    @Test
    @Tag("LIFE-2")
    @SuppressWarnings({"unchecked", "rawtypes"})
    void shouldSeeASessionThatHangsTooSoon()
    {
        final Object state = get(session(0), "state");
        set(session(0), "state", Enum.valueOf((Class<Enum>)((Enum)state).getDeclaringClass(), "HUNG"));
        count(0, OwnerCounter.SESSIONS_HUNG);
        assertBroken(Liveness.class, "LIFE-2", () -> checker(Liveness.class).afterOwner(owner(0)));
    }

    @Test
    @Tag("LIFE-2")
    @SuppressWarnings({"unchecked", "rawtypes"})
    void shouldSeeASessionThatHangsTooSoonWhatEverTheirNumberIs()
    {
        final Object state = get(session(0), "state");
        set(session(0), "state", Enum.valueOf((Class<Enum>)((Enum)state).getDeclaringClass(), "HUNG"));
        assertBroken(Liveness.class, "LIFE-2", () -> checker(Liveness.class).afterOwner(owner(0)));
    }

    @Test
    @Tag("LIFE-1")
    void shouldSeeASessionThatIsSilentAndDoesNotHang()
    {
        worker(0).toOwner.cut(true);
        cluster.runFor(1_000_000);
        set(session(0), "lastHeardNs", Long.MAX_VALUE / 2);
        assertBroken(Liveness.class, "LIFE-1", () -> cluster.runFor(20 * SECOND_NS));
    }

    @Test
    @Tag("V1")
    void shouldSeeACommitThatIsNotAnswered()
    {
        started(0, "a");
        cluster.runFor(1_000_000);
        final PutAttempt put = committed(0, "b");
        assertThat(put.count()).isOne();
        cluster.runFor(10_000_000);
        final LocalBounds bounds = checker(LocalBounds.class);
        again(bounds, PutCommitRequestDecoder.TEMPLATE_ID, false, (message) ->
            message.putLong(REQUEST, OTHER, LITTLE_ENDIAN));
        assertBroken(LocalBounds.class, "V1", () -> cluster.runFor(2 * SECOND_NS));
    }

    @Test
    @Tag("V1")
    void shouldSeeACommitThatIsAnsweredByAStatusOnly()
    {
        committed(0, "a");
        cluster.runFor(10_000_000);
        final LocalBounds bounds = checker(LocalBounds.class);
        again(bounds, PutCommitRequestDecoder.TEMPLATE_ID, false, (message) ->
            message.putLong(REQUEST, OTHER, LITTLE_ENDIAN));
        final Seen answer = last(PutCommitLocalDecoder.TEMPLATE_ID, true);
        final long sessionId = answer.bytes().getLong(SESSION, LITTLE_ENDIAN);
        for (final int code : new int[]{ErrorCode.OK, ErrorCode.UNKNOWN, ErrorCode.INVALID_ARGUMENT})
        {
            show(bounds, answer.link(), status(sessionId, code), true, (same) ->
            {
            });
        }
        assertBroken(LocalBounds.class, "V1", () -> cluster.runFor(2 * SECOND_NS));
    }

    @Test
    @Tag("V1")
    void shouldSeeACommitOfALivingPutThatIsRefused()
    {
        started(0, "a");
        final Seen start = last(PutStartResponseDecoder.TEMPLATE_ID, true);
        final long sessionId = start.bytes().getLong(SESSION, LITTLE_ENDIAN);
        final LocalBounds bounds = checker(LocalBounds.class);
        final Seen request = last(PutStartRequestDecoder.TEMPLATE_ID, false);
        show(bounds, request.link(), commit(sessionId, planId()), false, (same) ->
        {
        });
        assertBroken(LocalBounds.class, "V1", () -> show(bounds, start.link(), local(sessionId, planId()), true,
            (message) -> message.putInt(
                BODY + PutCommitLocalDecoder.statusEncodingOffset(), ErrorCode.INVALID_ARGUMENT, LITTLE_ENDIAN)));
    }

    private byte[] commit(final long sessionId, final long planId)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[128]);
        final PutCommitRequestEncoder encoder = new PutCommitRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .generation(cluster.owner(0).generation()).sessionId(sessionId).correlationId(OTHER).planId(planId);
        final byte[] bytes = new byte[BODY + encoder.encodedLength()];
        buffer.getBytes(0, bytes);
        return bytes;
    }

    private byte[] status(final long sessionId, final int code)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[128]);
        final StatusResponseEncoder encoder = new StatusResponseEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .generation(cluster.owner(0).generation()).sessionId(sessionId).correlationId(OTHER)
            .status(code).message("");
        final byte[] bytes = new byte[BODY + encoder.encodedLength()];
        buffer.getBytes(0, bytes);
        return bytes;
    }

    @Test
    @Tag("GET-1")
    void shouldSeeAGetOfLocalKeysThatIsRefused()
    {
        done(0, "a");
        got(0, "a");
        final LocalBounds bounds = checker(LocalBounds.class);
        again(bounds, GetStartRequestDecoder.TEMPLATE_ID, false, (message) ->
            message.putLong(REQUEST, OTHER, LITTLE_ENDIAN));
        assertBroken(LocalBounds.class, "GET-1", () -> again(bounds, GetStartResponseDecoder.TEMPLATE_ID, true,
            (message) ->
            {
                message.putLong(REQUEST, OTHER, LITTLE_ENDIAN);
                message.putInt(BODY + GetStartResponseDecoder.statusEncodingOffset(), ErrorCode.BACK_PRESSURED,
                    LITTLE_ENDIAN);
            }));
    }

    @Test
    @Tag("GET-1")
    void shouldSeeALocalKeyThatIsNoHit()
    {
        done(0, "a");
        got(0, "a");
        final LocalBounds bounds = checker(LocalBounds.class);
        again(bounds, GetStartRequestDecoder.TEMPLATE_ID, false, (message) ->
            message.putLong(REQUEST, OTHER, LITTLE_ENDIAN));
        assertBroken(LocalBounds.class, "GET-1", () -> again(bounds, GetStartResponseDecoder.TEMPLATE_ID, true,
            (message) ->
            {
                message.putLong(REQUEST, OTHER, LITTLE_ENDIAN);
                message.putInt(BODY + GetStartResponseDecoder.rawPrefixHitLenEncodingOffset(), 0, LITTLE_ENDIAN);
            }));
    }

    private byte[] local(final long sessionId, final long planId)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[128]);
        final PutCommitLocalEncoder encoder = new PutCommitLocalEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .generation(cluster.owner(0).generation()).sessionId(sessionId).correlationId(OTHER)
            .planId(planId).status(0).message("");
        final byte[] bytes = new byte[BODY + encoder.encodedLength()];
        buffer.getBytes(0, bytes);
        return bytes;
    }

    private byte[] result(final long sessionId, final long planId)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[128]);
        final PutCommitResultEncoder encoder = new PutCommitResultEncoder()
            .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .generation(cluster.owner(0).generation()).sessionId(sessionId).correlationId(OTHER).planId(planId);
        encoder.resultsCount(1).next().code(0);
        final byte[] bytes = new byte[BODY + encoder.encodedLength()];
        buffer.getBytes(0, bytes);
        return bytes;
    }

    private long planId()
    {
        return last(PutStartResponseDecoder.TEMPLATE_ID, true).bytes().getLong(
            BODY + PutStartResponseDecoder.planIdEncodingOffset(), LITTLE_ENDIAN);
    }

    @Test
    @Tag("V1")
    void shouldSeeALocalReadyValueThatReadersDidNotFind()
    {
        started(0, "a");
        final Seen answer = last(PutStartResponseDecoder.TEMPLATE_ID, true);
        final long sessionId = answer.bytes().getLong(SESSION, LITTLE_ENDIAN);
        final LocalReady ready = checker(LocalReady.class);
        final long plan = planId();
        show(ready, answer.link(), local(sessionId, plan), true, (same) ->
        {
        });
        done(0, "a");
        show(ready, answer.link(), result(sessionId, plan), true, (same) ->
        {
        });
        assertBroken(LocalReady.class, "V1", () -> ready.afterOwner(owner(0)));
    }

    @Test
    @Tag("PUT-2")
    void shouldSeeASuccessThatIsOnlyLocal()
    {
        cluster.owner(0).fromMaster.hold(PublishResponseDecoder.TEMPLATE_ID);
        localReady(0, "a");
        assertSuccessIsBroken();
    }

    @Test
    @Tag("PUT-2")
    void shouldSeeASuccessThatIsOnlyLocalAlthoughAnotherValueWasGivenUp()
    {
        done(0, "b");
        cluster.owner(0).fromMaster.hold(PublishResponseDecoder.TEMPLATE_ID);
        localReady(0, "a");
        state(0, slot(0, "b"), SlotState.FREE);
        owner(0).look();
        checker(LocalReady.class).afterOwner(owner(0));
        assertSuccessIsBroken();
    }

    private void assertSuccessIsBroken()
    {
        final Seen answer = last(PutStartResponseDecoder.TEMPLATE_ID, true);
        final long sessionId = answer.bytes().getLong(SESSION, LITTLE_ENDIAN);
        show(checker(LocalReady.class), answer.link(), result(sessionId, planId()), true, (same) ->
        {
        });
        owner(0).look();
        assertBroken(LocalReady.class, "PUT-2", () -> checker(LocalReady.class).afterOwner(owner(0)));
    }

    @Test
    @Tag("API-5")
    void shouldKnowWhichRulesItWatches()
    {
        final List<String> rules = new ArrayList<>();
        checks.checkers().forEach((checker) -> rules.addAll(checker.rules()));
        assertThat(rules).contains("API-5", "API-10", "GET-2");
        assertThat(checks.checkers().stream().map(Object::getClass).toList()).isEqualTo(Checkers.all());
        checks.checkers().forEach((checker) -> assertThat(checker.rule()).isEqualTo(checker.rules().getFirst()));
    }
}
