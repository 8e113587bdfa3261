package io.fluxon.tools.fault;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.ipc.client.FluxonClient;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.PutFuture;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.KeyBatch;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.Random;

/**
 * Named batches of values that can be told from each other by their bytes.
 */
final class HostValues
{
    static final int KEYS = 24;
    static final int VALUE_BYTES = 1 << 20;

    private static final long WAIT_SECONDS = 90;
    private static final int MAX_KEY_BYTES = 64;

    private HostValues()
    {
    }

    static KeyBatch keys(final String name)
    {
        final KeyBatch keys = new KeyBatch(KEYS, MAX_KEY_BYTES * KEYS);
        for (int i = 0; i < KEYS; i++)
        {
            keys.add(key(name, i));
        }
        return keys;
    }

    static String key(final String name, final int index)
    {
        return "prefix:" + name + "-" + index;
    }

    static byte[] value(final String name, final int index)
    {
        final byte[] value = new byte[VALUE_BYTES];
        new Random(31L * name.hashCode() + index).nextBytes(value);
        return value;
    }

    /** Puts a batch, and waits until all owners can find it. */
    static void put(final FluxonClient writer, final String name)
    {
        assertThat(results(putLocally(writer, name))).containsOnly(0);
    }

    /** Puts a batch, and waits until its own owner's workers can read it. */
    static PutFuture putLocally(final FluxonClient writer, final String name)
    {
        final PutPlan plan = writer.localFastPutStart(keys(name), VALUE_BYTES, new PutOptions());
        for (int i = 0; i < KEYS; i++)
        {
            new UnsafeBuffer(plan.valueAddress(i), VALUE_BYTES).putBytes(0, value(name, i));
        }
        final PutFuture future = writer.localFastPutCommit(plan);
        assertThat(future.awaitLocalReady(WAIT_SECONDS, SECONDS)).isTrue();
        return future;
    }

    static int[] results(final PutFuture future)
    {
        assertThat(future.await(WAIT_SECONDS, SECONDS)).isTrue();
        return future.results();
    }

    /** Reads a whole batch, and compares every byte. */
    static void read(final FluxonClient reader, final String name)
    {
        assertThat(isRead(reader, name)).isTrue();
    }

    /** Reads a whole batch, if there is one, and compares every byte. */
    static boolean isRead(final FluxonClient reader, final String name)
    {
        final GetHandle handle = reader.getStart(keys(name), true, null);
        if (KEYS != handle.transferableLen())
        {
            reader.cancelGetTransfer(handle);
            return false;
        }
        final GetHandle plan = reader.getTransfer(handle);
        final byte[] bytes = new byte[VALUE_BYTES];
        for (int i = 0; i < KEYS; i++)
        {
            new UnsafeBuffer(plan.valueAddress(i), VALUE_BYTES).getBytes(0, bytes);
            assertThat(bytes).isEqualTo(value(name, i));
        }
        reader.releaseViews(plan);
        return true;
    }

    /** Would a read get the whole batch? */
    static boolean isOffered(final FluxonClient reader, final String name)
    {
        try
        {
            return KEYS == reader.exists(keys(name)).leadingCount();
        }
        catch (final FluxonException ex)
        {
            return false;
        }
    }
}
