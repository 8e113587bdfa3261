package io.fluxon.engine.owner;

import io.fluxon.codecs.control.MessageHeaderEncoder;
import org.agrona.ExpandableArrayBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * One operation at the master: its encoded request, kept until there is an answer, since it is repeated under the same
 * id (contract T1). All requests begin alike, so session and watermark are written anew for each send.
 * <pre>
 *   0               8               16              24              32              40
 *  +---------------+---------------+---------------+---------------+---------------+----
 *  | header        | generation    | session id    | operation id  | watermark     | ...
 *  +---------------+---------------+---------------+---------------+---------------+----
 * </pre>
 */
final class MasterOperation implements OwnerTimers.TimerListener
{
    /** First byte of the block. */
    static final int BLOCK_OFFSET = MessageHeaderEncoder.ENCODED_LENGTH;

    private static final int SESSION_ID_OFFSET = BLOCK_OFFSET + Long.BYTES;
    private static final int WATERMARK_OFFSET = SESSION_ID_OFFSET + 2 * Long.BYTES;
    private static final int INITIAL_CAPACITY = 256;

    final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(INITIAL_CAPACITY);
    final MasterLink link;
    OperationListener listener;
    OwnerCounter sent;
    boolean hasWatermark;
    int length;
    long operationId;
    long giveUpNs;
    long delayNs;
    long timerId = OwnerTimers.NONE;
    int sends;
    boolean isOpen;

    MasterOperation(final MasterLink link)
    {
        this.link = link;
    }

    /** Writes what differs from send to send. */
    void stamp(final long sessionId, final long watermark)
    {
        buffer.putLong(SESSION_ID_OFFSET, sessionId, LITTLE_ENDIAN);
        if (hasWatermark)
        {
            buffer.putLong(WATERMARK_OFFSET, watermark, LITTLE_ENDIAN);
        }
    }

    /** {@inheritDoc} */
    @Override
    public void onTimer(final long expiredTimerId, final long nowNs)
    {
        timerId = OwnerTimers.NONE;
        link.onRetry(this, nowNs);
    }
}
