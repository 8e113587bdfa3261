package io.fluxon.cuda;

import io.fluxon.cuda.driver.CudaHostRegistrar;
import io.fluxon.cuda.driver.HostRegistrar;
import io.fluxon.cuda.driver.PinnedRegion;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Segments that are registered with CUDA, each once however many use it (contract REG-1): a registration is found again
 * by address, length and generation. It ends with its last user, before the memory is unmapped. Memory of a generation
 * that is still registered is never taken for that of another. May be used by any thread.
 */
public final class SegmentRegistry
{
    /** The registry of this process, in which all its copies are made. */
    public static final SegmentRegistry OF_PROCESS = new SegmentRegistry(CudaHostRegistrar::new);

    private final IntFunction<HostRegistrar> registrars;
    private final List<Entry> entries = new ArrayList<>();

    /**
     * A registry without segments.
     *
     * @param registrars makes what registers, for the ordinal of a device.
     */
    SegmentRegistry(final IntFunction<HostRegistrar> registrars)
    {
        this.registrars = registrars;
    }

    /**
     * Registers a segment, unless it is.
     *
     * @param segment that is mapped, and stays so until the registration is closed.
     * @param device  ordinal of a device that uses it; the registration is good for all.
     * @return the use of the registration.
     * @throws io.fluxon.cuda.driver.CudaFailure when the driver refuses; nothing stays registered then.
     * @throws IllegalStateException when another segment is registered for some of the memory, or there is no driver.
     */
    public synchronized Registration register(final CopySegment segment, final int device)
    {
        for (final Entry entry : entries)
        {
            if (isSame(entry.segment, segment))
            {
                entry.users++;
                return new Registration(entry);
            }
            if (isOverlapping(entry.segment, segment))
            {
                throw new IllegalStateException(segment.name() + " lies where " + entry.segment.name() +
                    " is registered: close what copies with that first");
            }
        }
        final Entry entry = new Entry(segment, registrars.apply(device));
        entries.add(entry);
        return new Registration(entry);
    }

    /**
     * Number of segments that are registered.
     *
     * @return number of segments.
     */
    public synchronized int size()
    {
        return entries.size();
    }

    private synchronized void leave(final Entry entry)
    {
        if (0 == --entry.users)
        {
            entries.remove(entry);
            entry.end();
        }
    }

    private static boolean isSame(final CopySegment a, final CopySegment b)
    {
        return a.address() == b.address() && a.length() == b.length() && a.generation() == b.generation();
    }

    private static boolean isOverlapping(final CopySegment a, final CopySegment b)
    {
        return a.address() < b.address() + b.length() && b.address() < a.address() + a.length();
    }

    /**
     * One use of a registration.
     */
    public final class Registration implements AutoCloseable
    {
        private final Entry entry;
        private boolean isClosed;

        private Registration(final Entry entry)
        {
            this.entry = entry;
        }

        /**
         * What is registered.
         *
         * @return the region, not to be closed.
         */
        public PinnedRegion region()
        {
            return entry.region;
        }

        /** Ends the use, and with the last one the registration; repeated calls do nothing. */
        @Override
        public void close()
        {
            if (!isClosed)
            {
                isClosed = true;
                leave(entry);
            }
        }
    }

    private static final class Entry
    {
        private final CopySegment segment;
        private final HostRegistrar registrar;
        private final PinnedRegion region;
        private int users = 1;

        private Entry(final CopySegment segment, final HostRegistrar registrar)
        {
            this.segment = segment;
            this.registrar = registrar;
            try
            {
                region = new PinnedRegion(segment.name(), segment.address(), segment.length(), segment.grantsOffset(),
                    segment.chunkBytes(), registrar);
            }
            catch (final RuntimeException ex)
            {
                registrar.close();
                throw ex;
            }
        }

        private void end()
        {
            try
            {
                region.close();
            }
            finally
            {
                registrar.close();
            }
        }
    }
}
