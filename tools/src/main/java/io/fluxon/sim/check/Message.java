package io.fluxon.sim.check;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.sim.cluster.VirtualMaster;
import io.fluxon.sim.cluster.VirtualNetwork;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.sim.cluster.VirtualProcess;
import io.fluxon.sim.cluster.VirtualWorker;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A whole message between two processes, as checkers see it. Reused: what is kept must be copied.
 */
public final class Message
{
    /** First byte of the block. */
    static final int BLOCK_OFFSET = MessageHeaderDecoder.ENCODED_LENGTH;

    private static final int BLOCK_LENGTH_OFFSET = 0;
    private static final int TEMPLATE_ID_OFFSET = 2;
    private static final int VERSION_OFFSET = 6;
    private static final int GENERATION_OFFSET = 8;
    private static final int SESSION_ID_OFFSET = 16;
    private static final int CORRELATION_ID_OFFSET = 24;
    private static final int WATERMARK_OFFSET = 32;

    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private VirtualNetwork.Link link;
    private long nowNs;

    void wrap(final VirtualNetwork.Link onLink, final long atNs, final DirectBuffer bytes, final int from, final int to)
    {
        link = onLink;
        nowNs = atNs;
        buffer.wrap(bytes, from, to - from);
    }

    /**
     * Who sent it.
     *
     * @return the process.
     */
    public VirtualProcess from()
    {
        return link.from();
    }

    /**
     * Who gets it.
     *
     * @return the process.
     */
    public VirtualProcess to()
    {
        return link.to();
    }

    /**
     * Link that carries it.
     *
     * @return the link.
     */
    public VirtualNetwork.Link link()
    {
        return link;
    }

    /**
     * Does it go from an owner to the master?
     *
     * @return true when it does.
     */
    public boolean isToMaster()
    {
        return link.to() instanceof VirtualMaster;
    }

    /**
     * Does it go from the master to an owner?
     *
     * @return true when it does.
     */
    public boolean isFromMaster()
    {
        return link.from() instanceof VirtualMaster;
    }

    /**
     * Does it go from a worker to an owner?
     *
     * @return true when it does.
     */
    public boolean isFromWorker()
    {
        return link.from() instanceof VirtualWorker;
    }

    /**
     * Does it go from an owner to a worker?
     *
     * @return true when it does.
     */
    public boolean isToWorker()
    {
        return link.to() instanceof VirtualWorker;
    }

    /**
     * The owner at one of its ends.
     *
     * @return the owner.
     */
    public VirtualOwner owner()
    {
        return (VirtualOwner)(link.from() instanceof VirtualOwner ? link.from() : link.to());
    }

    /**
     * When it was seen.
     *
     * @return virtual time in nanoseconds.
     */
    public long nowNs()
    {
        return nowNs;
    }

    /**
     * The bytes.
     *
     * @return the whole message with its header, in a buffer of exact bounds.
     */
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /**
     * Length of its block, for decoders.
     *
     * @return in bytes.
     */
    public int blockLength()
    {
        return buffer.getShort(BLOCK_LENGTH_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * Version of its schema, for decoders.
     *
     * @return the version.
     */
    public int version()
    {
        return buffer.getShort(VERSION_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * What it is.
     *
     * @return its template id.
     */
    public int templateId()
    {
        return buffer.getShort(TEMPLATE_ID_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * The sender's incarnation.
     *
     * @return generation or epoch.
     */
    public long generation()
    {
        return buffer.getLong(GENERATION_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Session that it belongs to.
     *
     * @return the session.
     */
    public long sessionId()
    {
        return buffer.getLong(SESSION_ID_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Request or operation that it is, or answers.
     *
     * @return the id.
     */
    public long correlationId()
    {
        return buffer.getLong(CORRELATION_ID_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Watermark of an operation.
     *
     * @return every operation up to here has its answer.
     */
    public long watermark()
    {
        return buffer.getLong(WATERMARK_OFFSET, LITTLE_ENDIAN);
    }

    /** Bytes of a key as text. */
    static String text(final DirectBuffer key)
    {
        final byte[] bytes = new byte[key.capacity()];
        key.getBytes(0, bytes);
        return new String(bytes, ISO_8859_1);
    }

    @Override
    public String toString()
    {
        return from() + " to " + to() + " template " + templateId() + " id " + correlationId() + " session " +
            sessionId() + " generation " + generation() + " at " + nowNs;
    }
}
