package io.fluxon.engine.owner;

import io.fluxon.codecs.control.ConnectResponseDecoder;
import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who gets a session: only a process whose end can be proven.
 */
class OwnerAdmissionTest
{
    private final OwnerFixture owner = new OwnerFixture(16);

    @AfterEach
    void after()
    {
        owner.close();
    }

    @Test
    @Tag("SLOT-7")
    @Tag("API-9")
    void shouldRefuseAWorkerWhoseProcessCannotBeSeen()
    {
        owner.watch.isBlind = true;
        final TestWorker worker = new TestWorker(owner, 1001);
        worker.connect(0);
        owner.run();

        final ConnectResponseDecoder response =
            worker.next(new ConnectResponseDecoder(), ConnectResponseDecoder.TEMPLATE_ID);
        assertThat(response.status()).isEqualTo(ErrorCode.UNAUTHORIZED);
        response.skipSegmentPath();
        response.skipNodeId();
        assertThat(response.message()).contains("process 1001").contains("one PID namespace");
        assertThat(owner.watch.watched).isEmpty();
        assertThat(owner.count(OwnerCounter.SESSIONS)).isZero();
    }

    @Test
    @Tag("SLOT-7")
    void shouldAnswerAWorkerOnceItsProcessHasBeenSeen()
    {
        owner.watch.isSlow = true;
        final TestWorker worker = new TestWorker(owner, 1001);
        worker.connect(0);
        owner.run();
        assertThat(owner.count(OwnerCounter.SESSIONS)).isEqualTo(1);
        assertThat(worker.hasMessage()).isFalse();

        owner.watch.isSlow = false;
        owner.run();
        assertThat(worker.next(new ConnectResponseDecoder(), ConnectResponseDecoder.TEMPLATE_ID).status()).isZero();
    }
}
