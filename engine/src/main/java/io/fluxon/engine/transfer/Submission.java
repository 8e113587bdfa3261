package io.fluxon.engine.transfer;

/**
 * Transfers from one peer that go to the transport together, with one flush (contract G8). Pooled by the {@link
 * TransferAgent}; belongs to the transport until each of its transfers has been completed.
 */
public final class Submission
{
    Submission nextFree;
    boolean isGathering;
    private int batch;
    private int peerOwnerId;
    private long peerGeneration;
    private Transfer first;
    private Transfer last;
    private int size;
    private int open;

    void init(final int peerOwnerId, final long peerGeneration)
    {
        this.peerOwnerId = peerOwnerId;
        this.peerGeneration = peerGeneration;
        this.isGathering = false;
        this.first = null;
        this.last = null;
        this.size = 0;
        this.open = 0;
    }

    void append(final Transfer transfer)
    {
        transfer.submission = this;
        if (null == last)
        {
            first = transfer;
        }
        else
        {
            last.next = transfer;
        }
        last = transfer;
        size++;
        open++;
    }

    /** Waits for more of a batch. */
    void gather(final int ofBatch)
    {
        isGathering = true;
        batch = ofBatch;
    }

    boolean isGathering(final int ofBatch)
    {
        return isGathering && batch == ofBatch;
    }

    boolean isFor(final int ownerId, final long generation)
    {
        return peerOwnerId == ownerId && peerGeneration == generation;
    }

    boolean closeOne()
    {
        return 0 == --open;
    }

    /**
     * The peer all its transfers pull from.
     *
     * @return owner id.
     */
    public int peerOwnerId()
    {
        return peerOwnerId;
    }

    /**
     * The incarnation of the peer; another one must not be asked.
     *
     * @return generation.
     */
    public long peerGeneration()
    {
        return peerGeneration;
    }

    /**
     * Head of its list of transfers.
     *
     * @return first transfer, never null once submitted.
     */
    public Transfer first()
    {
        return first;
    }

    /**
     * Number of transfers it was submitted with.
     *
     * @return count.
     */
    public int size()
    {
        return size;
    }
}
