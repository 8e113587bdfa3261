package io.fluxon.ipc.client.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxon.codecs.control.DeleteRequestDecoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.ipc.ErrorCode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WorkerClientDeleteTest extends WorkerClientTestBase
{
    private final DeleteCall call = new DeleteCall(8);

    @BeforeEach
    void before()
    {
        connect();
    }

    private long asked()
    {
        return owner.takeId(DeleteRequestDecoder.TEMPLATE_ID);
    }

    @Test
    void shouldSayForEachKeyWhatHasBecomeOfIt()
    {
        assertThat(client.delete(call, keys(3))).isZero();
        assertThat(call.state()).isEqualTo(DeleteCall.State.ASKED);
        assertThat(call.isReusable()).isFalse();
        owner.deleted(asked(), 0, Stage.NONE, 0, -ErrorCode.KEY_NOT_FOUND, -ErrorCode.KEY_BEING_WRITTEN);
        client.poll();

        assertThat(call.state()).isEqualTo(DeleteCall.State.DONE);
        assertThat(call.count()).isEqualTo(3);
        assertThat(call.code(0)).isZero();
        assertThat(call.code(1)).isEqualTo(-ErrorCode.KEY_NOT_FOUND);
        assertThat(call.code(2)).isEqualTo(-ErrorCode.KEY_BEING_WRITTEN);
        assertThatThrownBy(() -> call.code(3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertNothingHeld();
    }

    @Test
    @Tag("API-1")
    void shouldCheckTheKeysBeforeAnythingIsSent()
    {
        assertRefused(client.delete(call, keys.clear()));
        assertRefused(client.delete(new DeleteCall(2), keys(3)));
        assertRefused(client.delete(call, keys(1), 0));
        assertThat(call.state()).isEqualTo(DeleteCall.State.IDLE);
        assertNothingHeld();
    }

    @Test
    @Tag("API-8")
    void shouldSayWhichWaitEndedByTime()
    {
        assertThat(client.delete(call, keys(2))).isZero();
        owner.deleted(asked(), ErrorCode.GET_TIMEOUT, Stage.MASTER_AWAY);
        client.poll();
        assertThat(call.errorCode()).isEqualTo(ErrorCode.GET_TIMEOUT);
        assertThat(call.stage()).isEqualTo(WaitStage.MASTER_AWAY);

        assertThat(client.delete(call, keys(2))).isZero();
        owner.deleted(asked(), ErrorCode.GET_TIMEOUT, Stage.REMOVAL);
        client.poll();
        assertThat(call.stage()).isEqualTo(WaitStage.REMOVAL);

        assertThat(client.delete(call, keys(2), TimeUnit.SECONDS.toNanos(1))).isZero();
        passAlive(2, TimeUnit.SECONDS);
        assertThat(call.stage()).isEqualTo(WaitStage.ANSWER);
        assertThat(call.isReusable()).isTrue();
        assertNothingHeld();
    }

    @Test
    void shouldRefuseAnAnswerThatDoesNotFit()
    {
        client.delete(call, keys(3));
        owner.deleted(asked(), 0, Stage.NONE, 0, 0);
        client.poll();
        assertThat(call.errorCode()).isEqualTo(ErrorCode.PROTOCOL);
        assertThat(call.state()).isEqualTo(DeleteCall.State.FAILED);
        assertNothingHeld();
    }
}
