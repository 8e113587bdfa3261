package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.ExistsRequestDecoder;
import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.IdListEncodingDecoder;
import io.fluxon.codecs.control.KeepAliveDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a client tells its owner about the answers it has.
 */
@Tag("API-4")
class WorkerClientMarksTest extends WorkerClientTestBase
{
    private static final int MANY = 64;
    private static final int MAX_LISTED = IdListEncodingDecoder.numInGroupMaxValue();

    private final KeepAliveDecoder keepAlive = new KeepAliveDecoder();
    private final ExistsCall call = new ExistsCall(1);

    @BeforeEach
    void before()
    {
        connect();
    }

    @Test
    void shouldSayThatItHasAllAnswers()
    {
        ask(3);
        passAlive(1, TimeUnit.SECONDS);
        takeKeepAlive();

        assertThat(keepAlive.answeredBelow()).isEqualTo(keepAlive.correlationId());
        assertThat(keepAlive.resultsBelow()).isEqualTo(keepAlive.correlationId());
    }

    @Test
    void shouldListARequestWithoutAnAnswer()
    {
        assertThat(client.getStart(get, keys(1), true, null)).isZero();
        final long pending = owner.takeId(GetStartRequestDecoder.TEMPLATE_ID);
        ask(200);
        passAlive(1, TimeUnit.SECONDS);
        takeKeepAlive();
        assertThat(keepAlive.answeredBelow()).isEqualTo(keepAlive.correlationId());
        assertThat(keepAlive.resultsBelow()).isEqualTo(keepAlive.correlationId());
        assertThat(unanswered()).containsExactly(pending);
        assertThat(unfinished()).isEmpty();

        client.cancelGetTransfer(get);
        passAlive(1, TimeUnit.SECONDS);
        takeKeepAlive();
        assertThat(unanswered()).as("its call gave up").containsExactly(pending);

        owner.getStartRemote(pending, 0, 0, 0);
        passAlive(1, TimeUnit.SECONDS);
        takeKeepAlive();
        assertThat(unanswered()).isEmpty();
    }

    @Test
    @Tag("BOUND-1")
    void shouldNotPassMoreRequestsWithoutAnAnswerThanCanBeListed()
    {
        final int tooMany = MAX_LISTED + 10;
        final long[] ids = new long[tooMany];
        for (int i = 0; i < tooMany; i++)
        {
            final PutPlan each = new PutPlan(1);
            startPut(each, 1, i + 1);
            ids[i] = commitPut(each);
        }
        client.poll();
        passAlive(1, TimeUnit.SECONDS);
        takeKeepAlive();
        assertThat(keepAlive.answeredBelow()).isEqualTo(ids[MAX_LISTED]);
        assertThat(unanswered()).hasSize(MAX_LISTED).startsWith(ids[0]).endsWith(ids[MAX_LISTED - 1]);

        for (int i = 1; i < 10; i++)
        {
            owner.commitLocal(ids[i], i + 1, 0);
        }
        passAlive(1, TimeUnit.SECONDS);
        takeKeepAlive();
        assertThat(keepAlive.answeredBelow()).isEqualTo(ids[MAX_LISTED + 9]);
        assertThat(keepAlive.resultsBelow()).isEqualTo(ids[MAX_LISTED]);
        assertThat(unanswered()).hasSize(MAX_LISTED).startsWith(ids[0], ids[10]).endsWith(ids[MAX_LISTED + 8]);
    }

    @Test
    @Tag("V1")
    void shouldNotHoldAnswersBackForACommitThatWaitsForItsResults()
    {
        startPut(put, 1, 9);
        final long commit = commitPut(put);
        passAlive(1, TimeUnit.SECONDS);
        takeKeepAlive();
        assertThat(unanswered()).containsExactly(commit);
        assertThat(unfinished()).containsExactly(commit);

        owner.commitLocal(commit, 9, 0);
        passAlive(1, TimeUnit.SECONDS);
        takeKeepAlive();
        assertThat(keepAlive.answeredBelow()).isEqualTo(keepAlive.correlationId());
        assertThat(unanswered()).isEmpty();
        assertThat(unfinished()).containsExactly(commit);

        owner.commitResult(commit, 9, 0);
        passAlive(1, TimeUnit.SECONDS);
        takeKeepAlive();
        assertThat(keepAlive.resultsBelow()).isEqualTo(keepAlive.correlationId());
        assertThat(unfinished()).isEmpty();
    }

    @Test
    void shouldListACommitWhoseCallGaveUp()
    {
        startPut(put, 1, 9);
        final long commit = commitPut(put);
        passAlive(ctx.putTimeoutNs() + ctx.answerGraceNs(), TimeUnit.NANOSECONDS);
        assertThat(put.errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);
        owner.commitLocal(commit, 9, 0);
        passAlive(1, TimeUnit.SECONDS);
        takeKeepAlive();

        assertThat(unanswered()).isEmpty();
        assertThat(unfinished()).containsExactly(commit);
    }

    @Test
    @Tag("BOUND-1")
    void shouldTellTheOwnerBeforeAKeepAliveIsDueWhenItCouldDropMany()
    {
        owner.received.clear();
        ask(MANY - 3);
        assertThat(owner.count(KeepAliveDecoder.TEMPLATE_ID)).isZero();
        ask(4);
        takeKeepAlive();
        final long first = keepAlive.answeredBelow();
        ask(MANY);
        takeKeepAlive();
        assertThat(keepAlive.answeredBelow()).isBetween(first + MANY, first + MANY + 2);
    }

    private void ask(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            assertThat(client.exists(call, keys(1))).isZero();
            owner.exists(lastOf(ExistsRequestDecoder.TEMPLATE_ID), 0, 0, 0);
            client.poll();
            assertThat(call.state()).isEqualTo(ExistsCall.State.DONE);
        }
    }

    private long lastOf(final int templateId)
    {
        assertThat(ScriptedOwner.templateOf(owner.received.peekLast())).isEqualTo(templateId);
        return ScriptedOwner.correlationId(owner.received.peekLast());
    }

    private List<Long> unanswered()
    {
        final List<Long> ids = new ArrayList<>();
        keepAlive.sbeRewind();
        keepAlive.unanswered().forEach((item) -> ids.add(item.requestId()));
        return ids;
    }

    private List<Long> unfinished()
    {
        final List<Long> ids = new ArrayList<>();
        keepAlive.sbeRewind();
        keepAlive.unanswered().forEach((item) -> item.requestId());
        keepAlive.unfinished().forEach((item) -> ids.add(item.requestId()));
        return ids;
    }

    /** Takes the latest keep-alive; all messages before it are dropped, too. */
    private void takeKeepAlive()
    {
        do
        {
            keepAlive.wrapAndApplyHeader(owner.take(KeepAliveDecoder.TEMPLATE_ID), 0, new MessageHeaderDecoder());
        }
        while (owner.count(KeepAliveDecoder.TEMPLATE_ID) > 0);
    }
}
