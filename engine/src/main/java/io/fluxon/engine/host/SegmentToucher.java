package io.fluxon.engine.host;

import io.fluxon.ipc.segment.SegmentFile;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Puts memory behind a range of the segment, with several threads (contract SLOT-3, DEP-1).
 */
final class SegmentToucher
{
    /** Bytes that a thread takes at a time. */
    static final long PIECE_BYTES = 64L << 20;

    private static final int MAX_THREADS = 8;

    private SegmentToucher()
    {
    }

    /** Takes the memory of a range and touches each page of it. */
    static void touch(final SegmentFile segment, final long offset, final long length)
    {
        inPieces(segment::touch, offset, length);
    }

    /** Takes the memory of a range. */
    static void allocate(final SegmentFile segment, final long offset, final long length)
    {
        inPieces(segment::allocate, offset, length);
    }

    /** What is done to a piece of a range, by any thread. */
    @FunctionalInterface
    interface Piece
    {
        void take(long offset, long length);
    }

    /** Gives each piece of a range to one of several threads. */
    static void inPieces(final Piece piece, final long offset, final long length)
    {
        final AtomicLong next = new AtomicLong(offset);
        final AtomicReference<RuntimeException> failure = new AtomicReference<>();
        final long pieces = Math.ceilDiv(length, PIECE_BYTES);
        final int threadCount = (int) Math.min(
            pieces, Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MAX_THREADS));
        final Thread[] threads = new Thread[threadCount];
        for (int i = 0; i < threadCount; i++)
        {
            threads[i] = new Thread(() -> take(piece, next, offset + length, failure), "touch-" + i);
            threads[i].start();
        }
        for (final Thread thread : threads)
        {
            join(thread);
        }
        if (null != failure.get())
        {
            throw failure.get();
        }
    }

    private static void take(
        final Piece piece,
        final AtomicLong next,
        final long end,
        final AtomicReference<RuntimeException> failure)
    {
        try
        {
            long position = next.getAndAdd(PIECE_BYTES);
            while (position < end && null == failure.get())
            {
                piece.take(position, Math.min(PIECE_BYTES, end - position));
                position = next.getAndAdd(PIECE_BYTES);
            }
        }
        catch (final RuntimeException ex)
        {
            failure.compareAndSet(null, ex);
        }
    }

    private static void join(final Thread thread)
    {
        boolean isInterrupted = false;
        while (thread.isAlive())
        {
            try
            {
                thread.join();
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
