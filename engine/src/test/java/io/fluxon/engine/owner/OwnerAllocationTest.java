package io.fluxon.engine.owner;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("ZERO-1")
class OwnerAllocationTest
{
    private static final int WARM_UP = 30_000;
    private static final int ROUNDS = 20_000;

    private final OwnerFixture owner = new OwnerFixture(64);

    @AfterEach
    void after()
    {
        owner.close();
    }

    @Test
    void shouldAllocateNothingInSteadyState()
    {
        owner.run();
        owner.master.join();
        final TestWorker worker = TestWorker.connected(owner, 1001);
        worker.put("here");
        final RawDriver driver = new RawDriver(owner, worker);

        driver.run(WARM_UP);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long before = threads.getCurrentThreadAllocatedBytes();
        driver.run(ROUNDS);
        final long bytes = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(driver.puts).isEqualTo(WARM_UP + ROUNDS);
        assertThat(driver.inlineGets).isEqualTo(WARM_UP + ROUNDS);
        assertThat(driver.remoteGets).isEqualTo(WARM_UP + ROUNDS);
        assertThat((double)bytes / ROUNDS).isLessThan(0.5);
        assertThat(owner.errors).isEmpty();
    }
}
