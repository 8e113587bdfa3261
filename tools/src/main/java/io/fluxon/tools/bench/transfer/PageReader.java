package io.fluxon.tools.bench.transfer;

import io.fluxon.engine.boundary.ChecksumListener;
import io.fluxon.engine.boundary.TransferListener;
import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.page.PageContent;
import org.agrona.concurrent.IdleStrategy;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * Fetches all pages as one batch, as an owner's core does: offers the descriptors in slices of one duty cycle each,
 * which go out together, hands what has arrived to the checksum thread, and is done when the last page is what it
 * should be (contract CRC-1).
 */
final class PageReader
{
    private static final int POLL_LIMIT = 64;
    private static final int SLICE_PAGES = 64;
    private static final int BATCH = 1;
    private static final long FETCH_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private final TransferEnd end;
    private final int pages;
    private final int peers;
    private final IdleStrategy idleStrategy;
    private final long[] expected;
    private final TransferListener transferListener = this::onTransferCompleted;
    private final ChecksumListener checksumListener = this::onChecksumCompleted;
    private boolean isChecked;
    private int open;
    private String failure;

    PageReader(final TransferEnd end, final int pages, final List<String> sources, final IdleStrategy idleStrategy)
    {
        this.end = end;
        this.pages = pages;
        this.peers = sources.size();
        this.idleStrategy = idleStrategy;
        expected = new long[pages];
        for (int i = 0; i < pages; i++)
        {
            expected[i] = checksumOf(i);
        }
        for (int i = 0; i < peers; i++)
        {
            end.transfers().peerAdded(PageSource.ownerId(i), TransferEnd.GENERATION, 0, "", sources.get(i));
        }
    }

    /**
     * Fetches all pages.
     *
     * @param withChecksum true if their checksums are part of it.
     * @return nanoseconds from the first descriptor to the last page.
     * @throws ClusterException when a page is not what it should be.
     */
    long fetch(final boolean withChecksum)
    {
        spoil();
        isChecked = withChecksum;
        open = pages;
        failure = null;

        final long beginNs = System.nanoTime();
        offerAll();
        while (open > 0 && null == failure)
        {
            idleStrategy.idle(poll());
            if (System.nanoTime() - beginNs > FETCH_TIMEOUT_NS)
            {
                failure = open + " pages have not come in time";
            }
        }
        final long durationNs = System.nanoTime() - beginNs;

        if (null != failure)
        {
            throw new ClusterException(failure);
        }
        verify();
        return durationNs;
    }

    private int poll()
    {
        return end.transfers().poll(transferListener, POLL_LIMIT) + end.checksums().poll(checksumListener, POLL_LIMIT);
    }

    private void offerAll()
    {
        final boolean isSliced = pages > SLICE_PAGES;
        boolean isTaken = true;
        for (int i = 0; i < peers && isSliced; i++)
        {
            isTaken &= end.transfers().gather(BATCH, PageSource.ownerId(i), TransferEnd.GENERATION);
        }
        for (int i = 0; i < pages; i++)
        {
            isTaken &= offer(i);
            if (0 == (i + 1) % SLICE_PAGES)
            {
                poll();
            }
        }
        for (int i = 0; i < peers && isSliced; i++)
        {
            isTaken &= end.transfers().submit(BATCH, PageSource.ownerId(i), TransferEnd.GENERATION);
        }
        if (!isTaken)
        {
            failure = "the transfer thread takes no more descriptors";
        }
    }

    private boolean offer(final int page)
    {
        return end.transfers().offer(page, BATCH, PageSource.ownerId(page % peers),
            TransferEnd.GENERATION, end.pageOffset(page / peers), end.pageOffset(page), end.pageBytes());
    }

    private void onTransferCompleted(final long page, final int status)
    {
        if (0 != status)
        {
            failure = "page " + page + " was not transferred: error code " + status;
        }
        else if (!isChecked)
        {
            open--;
        }
        else if (!end.checksums().offer(page, end.pageOffset((int) page), end.pageBytes()))
        {
            failure = "the checksum thread takes no more values";
        }
    }

    private void onChecksumCompleted(final long page, final long checksum)
    {
        open--;
        if (expected[(int) page] != checksum)
        {
            failure = "page " + page + " has a wrong checksum";
        }
    }

    /** No page may be right because it was right before. */
    private void spoil()
    {
        for (int i = 0; i < pages; i++)
        {
            end.memory().asSlice(end.pageOffset(i), end.pageBytes()).fill((byte) 0);
        }
    }

    private void verify()
    {
        for (int i = 0; i < pages; i++)
        {
            final long wrongAt =
                PageContent.firstDifference(i, end.memory(), end.pageOffset(i), end.pageBytes());
            if (wrongAt >= 0)
            {
                throw new ClusterException("page " + i + " is wrong from byte " + wrongAt + " on");
            }
        }
    }

    private long checksumOf(final int page)
    {
        PageContent.fill(page, end.memory(), end.pageOffset(page), end.pageBytes());
        final CRC32C crc = new CRC32C();
        crc.update(end.memory().asSlice(end.pageOffset(page), end.pageBytes()).asByteBuffer());
        return crc.getValue();
    }
}
