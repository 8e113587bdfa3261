package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.ExistsRequestDecoder;
import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.KeepAliveDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a client tells its owner about the answers it has.
 */
@Tag("API-4")
class WorkerClientMarksTest extends WorkerClientTestBase
{
    private static final int MANY = 64;

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
    void shouldNotPassARequestWithoutAnAnswer()
    {
        assertThat(client.getStart(get, keys(1), true, null)).isZero();
        final long pending = owner.takeId(GetStartRequestDecoder.TEMPLATE_ID);
        ask(200);
        passAlive(1, TimeUnit.SECONDS);
        takeKeepAlive();
        assertThat(keepAlive.answeredBelow()).isEqualTo(pending);
        assertThat(keepAlive.resultsBelow()).isGreaterThan(pending + 100);

        client.cancelGetTransfer(get);
        passAlive(1, TimeUnit.SECONDS);
        takeKeepAlive();
        assertThat(keepAlive.answeredBelow()).as("its call gave up").isEqualTo(pending);

        owner.getStartRemote(pending, 0, 0, 0);
        client.poll();
        takeKeepAlive();
        assertThat(keepAlive.answeredBelow()).isGreaterThan(pending + 100);
    }

    @Test
    @Tag("V1")
    void shouldNotHoldAnswersBackForACommitThatWaitsForItsResults()
    {
        startPut(put, 1, 9);
        final long commit = commitPut(put);
        passAlive(1, TimeUnit.SECONDS);
        takeKeepAlive();
        assertThat(keepAlive.answeredBelow()).isEqualTo(commit);
        assertThat(keepAlive.resultsBelow()).isEqualTo(commit);

        owner.commitLocal(commit, 9, 0);
        passAlive(1, TimeUnit.SECONDS);
        takeKeepAlive();
        assertThat(keepAlive.answeredBelow()).isEqualTo(keepAlive.correlationId());
        assertThat(keepAlive.resultsBelow()).isEqualTo(commit);

        owner.commitResult(commit, 9, 0);
        passAlive(1, TimeUnit.SECONDS);
        takeKeepAlive();
        assertThat(keepAlive.resultsBelow()).isEqualTo(keepAlive.correlationId());
    }

    @Test
    void shouldNotPassACommitWhoseCallGaveUp()
    {
        startPut(put, 1, 9);
        final long commit = commitPut(put);
        passAlive(ctx.putTimeoutNs() + ctx.answerGraceNs(), TimeUnit.NANOSECONDS);
        assertThat(put.errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);
        owner.commitLocal(commit, 9, 0);
        passAlive(1, TimeUnit.SECONDS);
        takeKeepAlive();

        assertThat(keepAlive.answeredBelow()).isGreaterThan(commit);
        assertThat(keepAlive.resultsBelow()).isEqualTo(commit);
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
