package io.fluxon.engine.transfer;

import io.fluxon.codecs.data.GatherTransfersEncoder;
import io.fluxon.codecs.data.PeerAddedEncoder;
import io.fluxon.codecs.data.PeerRemovedEncoder;
import io.fluxon.codecs.data.SubmitTransfersEncoder;
import io.fluxon.codecs.data.TransferCompletionDecoder;
import io.fluxon.codecs.data.TransferDescriptorEncoder;
import io.fluxon.engine.boundary.TransferListener;
import io.fluxon.engine.boundary.TransferQueue;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The owner core's way to the {@link TransferAgent}: one ring there, one back, no allocation per descriptor.
 * <p>
 * What is offered between two calls of {@link #poll} becomes visible to the agent at once, with the second: the first
 * record is claimed but committed only then, and a ring is read in order. So the descriptors of one duty cycle reach
 * the agent together and go out in one submission per peer; so do those of a batch that is gathered over several duty
 * cycles (contract G8).
 */
public final class TransferProxy implements TransferQueue
{
    private static final int NONE = -1;

    private final OneToOneRingBuffer requests;
    private final OneToOneRingBuffer completions;
    private final TransferDescriptorEncoder descriptorEncoder = new TransferDescriptorEncoder();
    private final GatherTransfersEncoder gatherEncoder = new GatherTransfersEncoder();
    private final SubmitTransfersEncoder submitEncoder = new SubmitTransfersEncoder();
    private final PeerAddedEncoder peerAddedEncoder = new PeerAddedEncoder();
    private final PeerRemovedEncoder peerRemovedEncoder = new PeerRemovedEncoder();
    private final TransferCompletionDecoder completionDecoder = new TransferCompletionDecoder();
    private final MessageHandler completionHandler = this::onCompletion;

    private TransferListener listener;
    private int heldIndex = NONE;

    /**
     * A proxy for the near ends of a {@link TransferAgent}'s rings.
     *
     * @param requests    to the agent.
     * @param completions from the agent.
     */
    public TransferProxy(final OneToOneRingBuffer requests, final OneToOneRingBuffer completions)
    {
        this.requests = requests;
        this.completions = completions;
    }

    @Override
    public boolean offer(
        final long token,
        final int batch,
        final int peerOwnerId,
        final long peerGeneration,
        final long remoteOffset,
        final long localOffset,
        final long length)
    {
        final int index = requests.tryClaim(
            TransferDescriptorEncoder.TEMPLATE_ID, TransferDescriptorEncoder.BLOCK_LENGTH);
        if (index < 0)
        {
            return false;
        }
        descriptorEncoder.wrap(requests.buffer(), index)
            .token(token)
            .peerGeneration(peerGeneration)
            .peerOwnerId(peerOwnerId)
            .batch(batch)
            .remoteOffset(remoteOffset)
            .localOffset(localOffset)
            .length(length);
        commit(index);
        return true;
    }

    @Override
    public boolean gather(final int batch, final int peerOwnerId, final long peerGeneration)
    {
        final int index = requests.tryClaim(GatherTransfersEncoder.TEMPLATE_ID, GatherTransfersEncoder.BLOCK_LENGTH);
        if (index < 0)
        {
            return false;
        }
        gatherEncoder.wrap(requests.buffer(), index)
            .peerGeneration(peerGeneration)
            .peerOwnerId(peerOwnerId)
            .batch(batch);
        commit(index);
        return true;
    }

    @Override
    public boolean submit(final int batch, final int peerOwnerId, final long peerGeneration)
    {
        final int index = requests.tryClaim(SubmitTransfersEncoder.TEMPLATE_ID, SubmitTransfersEncoder.BLOCK_LENGTH);
        if (index < 0)
        {
            return false;
        }
        submitEncoder.wrap(requests.buffer(), index)
            .peerGeneration(peerGeneration)
            .peerOwnerId(peerOwnerId)
            .batch(batch);
        commit(index);
        return true;
    }

    @Override
    public int poll(final TransferListener listener, final int limit)
    {
        flush();
        this.listener = listener;
        return completions.read(completionHandler, limit);
    }

    @Override
    public boolean peerAdded(
        final int ownerId,
        final long generation,
        final long segmentLength,
        final String path,
        final String transferAddress)
    {
        final byte[] pathBytes = path.getBytes(UTF_8);
        final byte[] addressBytes = transferAddress.getBytes(UTF_8);
        final int length = PeerAddedEncoder.BLOCK_LENGTH +
            PeerAddedEncoder.segmentPathHeaderLength() + pathBytes.length +
            PeerAddedEncoder.transferAddressHeaderLength() + addressBytes.length;
        final int index = requests.tryClaim(PeerAddedEncoder.TEMPLATE_ID, length);
        if (index < 0)
        {
            return false;
        }
        peerAddedEncoder.wrap(requests.buffer(), index)
            .generation(generation)
            .ownerId(ownerId)
            .segmentLength(segmentLength)
            .putSegmentPath(pathBytes, 0, pathBytes.length)
            .putTransferAddress(addressBytes, 0, addressBytes.length);
        commit(index);
        return true;
    }

    @Override
    public boolean peerRemoved(final int ownerId, final long generation)
    {
        final int index = requests.tryClaim(PeerRemovedEncoder.TEMPLATE_ID, PeerRemovedEncoder.BLOCK_LENGTH);
        if (index < 0)
        {
            return false;
        }
        peerRemovedEncoder.wrap(requests.buffer(), index).generation(generation).ownerId(ownerId);
        commit(index);
        return true;
    }

    private void commit(final int index)
    {
        if (NONE == heldIndex)
        {
            heldIndex = index;
        }
        else
        {
            requests.commit(index);
        }
    }

    private void flush()
    {
        if (NONE != heldIndex)
        {
            requests.commit(heldIndex);
            heldIndex = NONE;
        }
    }

    private void onCompletion(
        final int templateId, final MutableDirectBuffer buffer, final int index, final int length)
    {
        completionDecoder.wrap(
            buffer, index, TransferCompletionDecoder.BLOCK_LENGTH, TransferCompletionDecoder.SCHEMA_VERSION);
        listener.onTransferCompleted(completionDecoder.token(), completionDecoder.status());
    }
}
