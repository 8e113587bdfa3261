package io.fluxon.engine.owner;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Workers that do not read, or are not read.
 */
class OwnerSessionTest
{
    private static final int KEYS = 100;
    private static final int READS = 8;
    private static final long SECOND_NS = 1_000_000_000L;

    private OwnerFixture owner;
    private TestWorker deaf;
    private TestWorker other;
    private long startedBefore;

    @BeforeEach
    void before()
    {
        owner = new OwnerFixture(256, new OwnerSettings()
            .maxSessions(4)
            .maxQueuedBytesPerSession(4096)
            .workerMessageLimit(1)
            .maxRunnableJobs(2));
        owner.run();
        owner.master.join();
        deaf = TestWorker.connected(owner, 1001);
        other = TestWorker.connected(owner, 1002);
    }

    @AfterEach
    void after()
    {
        owner.close();
    }

    @Test
    @Tag("API-9")
    @Tag("BOUND-1")
    void shouldRestWhileAWorkerDoesNotReadItsAnswers()
    {
        final String[] keys = readsOfDeaf();
        assertThat(owner.agent.doWork()).isZero();

        other.getStart(false, keys[0]);
        owner.run();
        assertThat(other.getStartResponse().transferableLen()).isEqualTo(1);

        owner.sessions.get(1001).isConnected = true;
        owner.run();
        for (int i = 0; i < READS; i++)
        {
            assertThat(deaf.getStartResponse().transferableLen()).isEqualTo(KEYS);
        }
        assertThat(owner.count(OwnerCounter.READ_PLANS)).isZero();
        owner.assertBalanced();
    }

    @Test
    @Tag("API-9")
    void shouldReleaseAnswersThatWaitWhenTheirWorkerDies()
    {
        final String[] keys = readsOfDeaf();
        deaf.commit(startedBefore);
        owner.run();
        deaf.die();
        owner.run();
        owner.master.answerAll();
        assertThat(owner.count(OwnerCounter.READ_PLANS)).isZero();
        assertThat(owner.count(OwnerCounter.HOLDINGS)).isZero();
        assertThat(owner.count(OwnerCounter.PUBLISH_JOBS)).isZero();
        assertThat(owner.count(OwnerCounter.SESSIONS)).isEqualTo(1);
        other.getStart(false, keys[0]);
        owner.run();
        assertThat(other.getStartResponse().transferableLen()).isEqualTo(1);
        owner.assertBalanced();
    }

    @Test
    @Tag("LIFE-2")
    void shouldNotCallAWorkerSilentWhoseMessagesLieUnread()
    {
        for (int i = 0; i < 20; i++)
        {
            deaf.keepAlive();
        }
        other.keepAlive();
        for (int i = 0; i < 19; i++)
        {
            owner.nowNs += SECOND_NS;
            owner.agent.doWork();
        }
        assertThat(owner.count(OwnerCounter.SESSIONS_HUNG)).isZero();

        owner.run();
        assertThat(owner.count(OwnerCounter.SESSIONS_HUNG)).isZero();
        owner.pass(11_000);
        assertThat(owner.count(OwnerCounter.SESSIONS_HUNG)).isEqualTo(2);
    }

    private String[] readsOfDeaf()
    {
        final String[] keys = new String[KEYS];
        for (int i = 0; i < KEYS; i++)
        {
            keys[i] = "k" + i;
        }
        other.put(keys);
        startedBefore = deaf.startedPut("own");
        owner.master.answerAll();

        owner.sessions.get(1001).isConnected = false;
        for (int i = 0; i < READS; i++)
        {
            deaf.getStart(false, keys);
        }
        owner.run();
        assertThat(owner.count(OwnerCounter.READ_PLANS)).isPositive();

        return keys;
    }
}
