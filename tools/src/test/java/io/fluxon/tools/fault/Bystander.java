package io.fluxon.tools.fault;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.ipc.client.FluxonClient;

/**
 * Two workers who have nothing to do with a fault, on a thread of their own: one puts values all the time, the other,
 * at another owner, reads them. It takes the time of each call.
 */
final class Bystander implements AutoCloseable
{
    private static final int VALUE_BYTES = 4096;
    private static final int LEAST_ROUNDS = 20;
    private static final long PAUSE_MS = 5;

    private final FluxonClient reader;
    private final FluxonClient writer;
    private final Thread thread = new Thread(this::run, "bystander");
    private volatile boolean isRunning = true;
    private volatile Throwable failure;
    private volatile long longestNs;
    private volatile int rounds;

    Bystander(final FluxonClient reader, final FluxonClient writer)
    {
        this.reader = reader;
        this.writer = writer;
        thread.start();
    }

    void assertNotDelayed(final long limitMs)
    {
        final String told = rounds + " rounds of others meanwhile, the longest call took " +
            NANOSECONDS.toMillis(longestNs) + " ms";
        System.out.println(told);
        assertThat(failure).as(told).isNull();
        assertThat(rounds).as(told).isGreaterThan(LEAST_ROUNDS);
        assertThat(NANOSECONDS.toMillis(longestNs)).as(told).isLessThan(limitMs);
    }

    private void run()
    {
        try
        {
            final String run = "prefix:bystander-" + System.nanoTime() + "-";
            final byte[] value = new byte[VALUE_BYTES];
            for (int i = 0; isRunning; i++)
            {
                value[0] = (byte)i;
                final long putNs = System.nanoTime();
                assertThat(writer.put(run + i, value)).isZero();
                final long getNs = System.nanoTime();
                assertThat(reader.get(run + i)).isEqualTo(value);
                longestNs = Math.max(longestNs, Math.max(getNs - putNs, System.nanoTime() - getNs));
                rounds = i + 1;
                Thread.sleep(PAUSE_MS);
            }
        }
        catch (final Throwable ex)
        {
            failure = ex;
        }
    }

    @Override
    public void close() throws InterruptedException
    {
        isRunning = false;
        thread.join(SECONDS.toMillis(60));
        reader.close();
        writer.close();
    }
}
