package io.fluxon.engine.transfer;

import io.fluxon.codecs.data.GatherTransfersDecoder;
import io.fluxon.codecs.data.PeerAddedDecoder;
import io.fluxon.codecs.data.PeerRemovedDecoder;
import io.fluxon.codecs.data.SubmitTransfersDecoder;
import io.fluxon.codecs.data.TransferCompletionEncoder;
import io.fluxon.codecs.data.TransferDescriptorDecoder;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;

/**
 * Drains transfer descriptors from a ring, groups them by peer, hands each group to the transport as one submission
 * (contract G8), progresses the transport and posts completions to a second ring.
 * <p>
 * Every descriptor that was taken is completed exactly once. No more are taken than there is room to remember, so an
 * owner that does not poll its completions meets a full ring, never a lost completion.
 */
public final class TransferAgent implements Agent
{
    private static final int NONE = -1;

    private final OneToOneRingBuffer requests;
    private final OneToOneRingBuffer completions;
    private final Transport transport;
    private final TransferCounters counters;
    private final TransferDescriptorDecoder descriptorDecoder = new TransferDescriptorDecoder();
    private final GatherTransfersDecoder gatherDecoder = new GatherTransfersDecoder();
    private final SubmitTransfersDecoder submitDecoder = new SubmitTransfersDecoder();
    private final PeerAddedDecoder peerAddedDecoder = new PeerAddedDecoder();
    private final PeerRemovedDecoder peerRemovedDecoder = new PeerRemovedDecoder();
    private final TransferCompletionEncoder completionEncoder = new TransferCompletionEncoder();
    private final MessageHandler requestHandler = this::onRequest;
    private final TransportListener transportListener = this::onTransferred;

    private final Submission[] groups;
    private final int maxGathering;
    private int groupCount;
    private int gathering;
    private Submission freeSubmissions;
    private Transfer freeTransfers;
    private int freeCount;
    private Transfer firstFinished;
    private Transfer lastFinished;

    /**
     * An agent for the far ends of a {@link TransferProxy}'s rings.
     *
     * @param requests    descriptors and peer events from the owner.
     * @param completions to the owner.
     * @param transport   that moves the bytes; closed with the agent.
     * @param counters    to count in.
     * @param maxInFlight descriptors that are remembered at once.
     */
    public TransferAgent(
        final OneToOneRingBuffer requests,
        final OneToOneRingBuffer completions,
        final Transport transport,
        final TransferCounters counters,
        final int maxInFlight)
    {
        this.requests = requests;
        this.completions = completions;
        this.transport = transport;
        this.counters = counters;
        this.maxGathering = maxInFlight;
        this.groups = new Submission[maxGathering + maxInFlight];
        for (int i = 0; i < maxInFlight; i++)
        {
            release(new Transfer());
        }
    }

    @Override
    public int doWork()
    {
        int workCount = requests.read(requestHandler, freeCount);
        // a read ends at the ring's end, but a batch may go on at its beginning (contract G8)
        workCount += requests.read(requestHandler, freeCount);
        if (0 == freeCount)
        {
            // what is gathered fills the memory, and more of it cannot come
            endGathering();
        }
        submitGroups();
        workCount += transport.progress(transportListener);
        workCount += postCompletions();
        return workCount;
    }

    @Override
    public String roleName()
    {
        return "transfer";
    }

    @Override
    public void onClose()
    {
        transport.close();
    }

    private void onRequest(
        final int templateId, final MutableDirectBuffer buffer, final int index, final int length)
    {
        switch (templateId)
        {
            case TransferDescriptorDecoder.TEMPLATE_ID -> onDescriptor(buffer, index);
            case GatherTransfersDecoder.TEMPLATE_ID -> onGather(buffer, index);
            case SubmitTransfersDecoder.TEMPLATE_ID -> onSubmit(buffer, index);
            case PeerAddedDecoder.TEMPLATE_ID -> onPeerAdded(buffer, index);
            case PeerRemovedDecoder.TEMPLATE_ID -> onPeerRemoved(buffer, index);
            default -> throw new IllegalStateException("unknown record on the transfer ring: " + templateId);
        }
    }

    private void onDescriptor(final MutableDirectBuffer buffer, final int index)
    {
        final TransferDescriptorDecoder decoder = descriptorDecoder;
        decoder.wrap(buffer, index, TransferDescriptorDecoder.BLOCK_LENGTH, TransferDescriptorDecoder.SCHEMA_VERSION);

        final Transfer transfer = freeTransfers;
        freeTransfers = transfer.next;
        freeCount--;
        transfer.init(decoder.token(), decoder.remoteOffset(), decoder.localOffset(), decoder.length());
        groupOf(decoder.batch(), decoder.peerOwnerId(), decoder.peerGeneration()).append(transfer);
        counters.descriptors().incrementRelease();
    }

    private void onGather(final MutableDirectBuffer buffer, final int index)
    {
        final GatherTransfersDecoder decoder = gatherDecoder;
        decoder.wrap(buffer, index, GatherTransfersDecoder.BLOCK_LENGTH, GatherTransfersDecoder.SCHEMA_VERSION);
        if (gathering < maxGathering &&
            NONE == gatheredAt(decoder.batch(), decoder.peerOwnerId(), decoder.peerGeneration()))
        {
            gathering++;
            newGroup(decoder.peerOwnerId(), decoder.peerGeneration()).gather(decoder.batch());
        }
    }

    private void onSubmit(final MutableDirectBuffer buffer, final int index)
    {
        final SubmitTransfersDecoder decoder = submitDecoder;
        decoder.wrap(buffer, index, SubmitTransfersDecoder.BLOCK_LENGTH, SubmitTransfersDecoder.SCHEMA_VERSION);
        final int at = gatheredAt(decoder.batch(), decoder.peerOwnerId(), decoder.peerGeneration());
        if (NONE == at)
        {
            return;
        }

        final Submission gathered = groups[at];
        gathered.isGathering = false;
        gathering--;
        if (0 == gathered.size())
        {
            groups[at] = groups[--groupCount];
            groups[groupCount] = null;
            recycle(gathered);
        }
    }

    private void endGathering()
    {
        for (int i = 0; i < groupCount; i++)
        {
            groups[i].isGathering = false;
        }
        gathering = 0;
    }

    private int gatheredAt(final int batch, final int peerOwnerId, final long peerGeneration)
    {
        for (int i = 0, left = gathering; left > 0; i++)
        {
            if (groups[i].isGathering(batch) && groups[i].isFor(peerOwnerId, peerGeneration))
            {
                return i;
            }
            left -= groups[i].isGathering ? 1 : 0;
        }
        return NONE;
    }

    private Submission groupOf(final int batch, final int peerOwnerId, final long peerGeneration)
    {
        final int gathered = gatheredAt(batch, peerOwnerId, peerGeneration);
        if (NONE != gathered)
        {
            return groups[gathered];
        }

        for (int i = groupCount - 1; i >= 0; i--)
        {
            if (!groups[i].isGathering && groups[i].isFor(peerOwnerId, peerGeneration))
            {
                return groups[i];
            }
        }

        return newGroup(peerOwnerId, peerGeneration);
    }

    private Submission newGroup(final int peerOwnerId, final long peerGeneration)
    {
        final Submission submission = null == freeSubmissions ? new Submission() : freeSubmissions;
        freeSubmissions = submission.nextFree;
        submission.nextFree = null;
        submission.init(peerOwnerId, peerGeneration);
        groups[groupCount++] = submission;
        return submission;
    }

    /** All but those that are gathered further, which keep their order. */
    private void submitGroups()
    {
        int kept = 0;
        for (int i = 0, count = groupCount; i < count; i++)
        {
            final Submission submission = groups[i];
            groups[i] = null;
            if (submission.isGathering)
            {
                groups[kept++] = submission;
            }
            else if (0 == submission.size())
            {
                recycle(submission);
            }
            else
            {
                counters.submissions().incrementRelease();
                transport.submit(submission);
            }
        }
        groupCount = kept;
    }

    private void recycle(final Submission submission)
    {
        submission.nextFree = freeSubmissions;
        freeSubmissions = submission;
    }

    private void onPeerAdded(final MutableDirectBuffer buffer, final int index)
    {
        submitGroups();
        peerAddedDecoder.wrap(buffer, index, PeerAddedDecoder.BLOCK_LENGTH, PeerAddedDecoder.SCHEMA_VERSION);
        transport.onPeerAdded(
            peerAddedDecoder.ownerId(),
            peerAddedDecoder.generation(),
            peerAddedDecoder.segmentLength(),
            peerAddedDecoder.segmentPath(),
            peerAddedDecoder.transferAddress());
    }

    private void onPeerRemoved(final MutableDirectBuffer buffer, final int index)
    {
        submitGroups();
        peerRemovedDecoder.wrap(buffer, index, PeerRemovedDecoder.BLOCK_LENGTH, PeerRemovedDecoder.SCHEMA_VERSION);
        transport.onPeerRemoved(peerRemovedDecoder.ownerId(), peerRemovedDecoder.generation());
    }

    private void onTransferred(final Transfer transfer, final int status)
    {
        if (0 == status)
        {
            counters.bytes().getAndAddRelease(transfer.length());
        }
        else
        {
            counters.failures().incrementRelease();
        }

        final Submission submission = transfer.submission;
        if (submission.closeOne())
        {
            recycle(submission);
        }
        transfer.submission = null;
        transfer.status = status;
        transfer.next = null;
        if (null == lastFinished)
        {
            firstFinished = transfer;
        }
        else
        {
            lastFinished.next = transfer;
        }
        lastFinished = transfer;
    }

    private int postCompletions()
    {
        int workCount = 0;
        while (null != firstFinished)
        {
            final int index = completions.tryClaim(
                TransferCompletionEncoder.TEMPLATE_ID, TransferCompletionEncoder.BLOCK_LENGTH);
            if (index < 0)
            {
                break;
            }
            final Transfer transfer = firstFinished;
            completionEncoder.wrap(completions.buffer(), index).token(transfer.token()).status(transfer.status);
            completions.commit(index);

            firstFinished = transfer.next;
            lastFinished = null == firstFinished ? null : lastFinished;
            release(transfer);
            workCount++;
        }
        return workCount;
    }

    private void release(final Transfer transfer)
    {
        transfer.next = freeTransfers;
        freeTransfers = transfer;
        freeCount++;
    }
}
