package io.fluxon.engine.transfer.ucx;

import io.fluxon.codecs.transfer.GroupSizeEncodingDecoder;
import io.fluxon.codecs.transfer.MessageHeaderDecoder;
import io.fluxon.codecs.transfer.ReadAnswerDecoder;
import io.fluxon.codecs.transfer.ReadRequestDecoder;
import io.fluxon.engine.transfer.Submission;
import io.fluxon.engine.transfer.Transport;
import io.fluxon.engine.transfer.TransportListener;
import org.agrona.ErrorHandler;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpAmRecvCallback;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucs.UcsConstants;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;

/**
 * Transport between hosts, over UCX, which takes the fastest way that it finds. One message asks a peer for all values
 * of a submission (contract G8); the peer offers them one by one, by reference where they are long, and UCX moves each
 * straight from slot to slot: pulled by the reader's network card where there is RDMA, sent by the peer's kernel over
 * TCP. Wrong bytes are the checksum's to find (contract CRC-1).
 * <p>
 * Built by any thread, then used by one. {@link #progress} serves those who read here, too.
 */
public final class UcxTransport implements Transport
{
    /** Active message with a {@code ReadRequest} as its payload. */
    static final int READ_REQUEST = 1;
    /** Active message with a {@code ReadAnswer} as its header and the value as its payload. */
    static final int READ_ANSWER = 2;

    private static final long MAX_STEP_NS = 100_000_000;
    private static final long CLOSE_TIMEOUT_NS = 1_000_000_000;

    private final long generation;
    private final NanoClock clock;
    private final ErrorHandler errorHandler;
    private final UcxLocal local;
    private final UcxGuests guests;
    private final InetAddress listener;
    private final String address;
    private final UcxPeer nobody;
    private final Int2ObjectHashMap<UcxPeer> peers = new Int2ObjectHashMap<>();
    private final ArrayList<UcxPeer> active = new ArrayList<>();
    private final UcpAmRecvCallback requestHandler = this::onRequest;
    private final UcpAmRecvCallback answerHandler = this::onAnswer;
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final GroupSizeEncodingDecoder groupSize = new GroupSizeEncodingDecoder();
    private final ReadRequestDecoder request = new ReadRequestDecoder();
    private final ReadAnswerDecoder answer = new ReadAnswerDecoder();
    private long lastNs;
    private long runningNs;
    private boolean isClosed;

    /**
     * A transport into one segment, which others may read from then on.
     *
     * @param segment      the own segment file, whole: local offsets are offsets in it.
     * @param grantsOffset of the first byte in it that a transfer may write to, and others read.
     * @param generation   of the segment's owner; who asks for another one gets errors.
     * @param listener     address to listen at; with port 0 the system chooses one.
     * @param timeoutNs    for which a peer may be silent, beside the time that its values take at 64 MiB a second.
     * @param clock        for that.
     * @param errorHandler that is told why a peer could not be read.
     * @throws UcxFailure when UCX cannot listen there, or cannot register the segment.
     */
    public UcxTransport(
        final MemorySegment segment,
        final long grantsOffset,
        final long generation,
        final InetSocketAddress listener,
        final long timeoutNs,
        final NanoClock clock,
        final ErrorHandler errorHandler)
    {
        this.generation = generation;
        this.clock = clock;
        this.errorHandler = errorHandler;
        lastNs = clock.nanoTime();
        try
        {
            local = new UcxLocal(segment, grantsOffset, timeoutNs);
        }
        catch (final UcxException ex)
        {
            throw new UcxFailure("UCX cannot register the segment: " + ex.getMessage(), ex);
        }
        try
        {
            local.worker().setAmRecvHandler(READ_REQUEST, requestHandler, UcpConstants.UCP_AM_FLAG_WHOLE_MSG);
            local.worker().setAmRecvHandler(READ_ANSWER, answerHandler, UcpConstants.UCP_AM_FLAG_WHOLE_MSG);
            guests = new UcxGuests(local, listener, errorHandler);
        }
        catch (final UcxException ex)
        {
            local.close();
            throw new UcxFailure("UCX cannot listen there: " + ex.getMessage() +
                "; it has to be an address of this host, and the port free", ex);
        }
        this.listener = listener.getAddress();
        address = UcxAddress.text(this.listener, guests.port());
        nobody = new UcxPeer(0, null, local, errorHandler);
        active.add(nobody);
    }

    /**
     * What the other owners have to know to read here.
     *
     * @return text that {@link #onPeerAdded} takes.
     */
    public String address()
    {
        return address;
    }

    @Override
    public void onPeerAdded(
        final int ownerId,
        final long peerGeneration,
        final long segmentLength,
        final String segmentPath,
        final String transferAddress)
    {
        final UcxPeer known = peers.get(ownerId);
        if (null != known && known.generation() >= peerGeneration)
        {
            return;
        }
        if (null != known)
        {
            known.leave();
        }
        final UcxPeer peer = new UcxPeer(
            peerGeneration, reachable(ownerId, UcxAddress.parse(transferAddress)), local, errorHandler);
        peers.put(ownerId, peer);
        active.add(peer);
    }

    @Override
    public void onPeerRemoved(final int ownerId, final long peerGeneration)
    {
        final UcxPeer peer = peers.get(ownerId);
        if (null != peer && peer.generation() == peerGeneration)
        {
            peers.remove(ownerId);
            peer.leave();
        }
    }

    @Override
    public void submit(final Submission submission)
    {
        final UcxPeer peer = peers.get(submission.peerOwnerId());
        final boolean isKnown = null != peer && peer.generation() == submission.peerGeneration();
        (isKnown ? peer : nobody).submit(local.begin(submission));
    }

    @Override
    public int progress(final TransportListener listener)
    {
        final long nowNs = clock.nanoTime();
        // a process that was stopped must not take its own pause for a peer's (contract LIFE-2)
        runningNs += Math.min(nowNs - lastNs, MAX_STEP_NS);
        lastNs = nowNs;

        int workCount = local.progress() + guests.doWork();
        for (int i = active.size() - 1; i >= 0; i--)
        {
            final UcxPeer peer = active.get(i);
            workCount += peer.doWork(listener, runningNs);
            if (peer.isOver())
            {
                active.remove(i);
            }
        }
        return workCount;
    }

    @Override
    public void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        guests.close();
        active.forEach(UcxPeer::leave);
        final long deadlineNs = clock.nanoTime() + CLOSE_TIMEOUT_NS;
        while (!(guests.isEmpty() && active.isEmpty()) && clock.nanoTime() - deadlineNs < 0)
        {
            progress((transfer, status) -> {});
            Thread.yield();
        }
        local.close();
    }

    /** A loopback address is one of the peer's own host only, which need not be this one. */
    private InetSocketAddress reachable(final int ownerId, final InetSocketAddress peer)
    {
        if (null == peer || !peer.getAddress().isLoopbackAddress() || listener.isLoopbackAddress())
        {
            return peer;
        }
        errorHandler.onError(new UcxFailure("owner " + ownerId + " cannot be read: it listens at " +
            UcxAddress.text(peer.getAddress(), peer.getPort()) + ", this one at " + address, null));
        return null;
    }

    private int onRequest(
        final long headerAddress, final long headerLength, final UcpAmData data, final UcpEndpoint replyEndpoint)
    {
        final UcxGuest guest = null == replyEndpoint ? null : guests.byEndpoint(replyEndpoint.getNativeId());
        if (null != guest && data.isDataValid() &&
            isMessage(data.getDataAddress(), data.getLength(), ReadRequestDecoder.TEMPLATE_ID))
        {
            request.wrap(
                message, MessageHeaderDecoder.ENCODED_LENGTH, header.blockLength(), header.version());
            guest.onRequest(request, generation == request.generation());
        }
        return UcsConstants.STATUS.UCS_OK;
    }

    private int onAnswer(
        final long headerAddress, final long headerLength, final UcpAmData value, final UcpEndpoint replyEndpoint)
    {
        if (isMessage(headerAddress, headerLength, ReadAnswerDecoder.TEMPLATE_ID))
        {
            answer.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, header.blockLength(), header.version());
            final UcxWork work = local.work(answer.submissionId());
            if (null != work)
            {
                work.onAnswer(answer.item(), answer.status(), value, local);
            }
        }
        return UcsConstants.STATUS.UCS_OK;
    }

    /** Points to a message of another process, if it is one as agreed. */
    private boolean isMessage(final long messageAddress, final long length, final int templateId)
    {
        if (length < MessageHeaderDecoder.ENCODED_LENGTH || length > Integer.MAX_VALUE)
        {
            return false;
        }
        message.wrap(messageAddress, (int) length);
        header.wrap(message, 0);
        if (ReadRequestDecoder.SCHEMA_ID != header.schemaId() || templateId != header.templateId())
        {
            return false;
        }
        final boolean isRequest = ReadRequestDecoder.TEMPLATE_ID == templateId;
        final int blockLength = isRequest ? ReadRequestDecoder.BLOCK_LENGTH : ReadAnswerDecoder.BLOCK_LENGTH;
        final int blockEnd = MessageHeaderDecoder.ENCODED_LENGTH + blockLength;
        return blockLength == header.blockLength() && length >= blockEnd && (!isRequest || hasItems(blockEnd));
    }

    private boolean hasItems(final int blockEnd)
    {
        final int itemsBegin = blockEnd + GroupSizeEncodingDecoder.ENCODED_LENGTH;
        if (message.capacity() < itemsBegin)
        {
            return false;
        }
        groupSize.wrap(message, blockEnd);
        return ReadRequestDecoder.ItemsDecoder.sbeBlockLength() == groupSize.blockLength() &&
            message.capacity() == itemsBegin + groupSize.numInGroup() * groupSize.blockLength();
    }
}
