package io.fluxon.engine.transfer.ucx;

import io.fluxon.codecs.transfer.MessageHeaderEncoder;
import io.fluxon.codecs.transfer.ReadRequestEncoder;
import io.fluxon.engine.transfer.Submission;
import io.fluxon.engine.transfer.Transfer;
import io.fluxon.engine.transfer.TransportListener;
import io.fluxon.ipc.ErrorCode;
import org.agrona.collections.IntArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucs.UcsConstants;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A submission under way: asked for with one message, answered item by item, in any order. Pooled; belongs to UCX while
 * it is not {@link #isAtRest() at rest}.
 */
final class UcxWork
{
    private static final int FIRST_CAPACITY = 64;
    /** No value is longer. */
    private static final long MAX_LENGTH = 1L << 30;
    /** Status of an item that was not answered. */
    private static final int OPEN = Integer.MIN_VALUE;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ReadRequestEncoder request = new ReadRequestEncoder();
    /** Items that were answered, of which not all bytes may be there yet. */
    private final IntArrayList answered = new IntArrayList();
    private UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private Transfer[] items = new Transfer[FIRST_CAPACITY];
    private UcpRequest[] receives = new UcpRequest[FIRST_CAPACITY];
    private int[] statuses = new int[FIRST_CAPACITY];
    private UcpRequest asking;
    private long id;
    private long longest;
    private int size;
    private int open;

    void init(final long newId, final Submission submission)
    {
        id = newId;
        size = submission.size();
        open = size;
        longest = 0;
        asking = null;
        if (size > items.length)
        {
            items = new Transfer[2 * size];
            receives = new UcpRequest[2 * size];
            statuses = new int[2 * size];
        }
        int i = 0;
        for (Transfer transfer = submission.first(); null != transfer; transfer = transfer.next())
        {
            longest = Math.max(longest, Math.min(transfer.length(), MAX_LENGTH));
            statuses[i] = OPEN;
            items[i++] = transfer;
        }
    }

    long id()
    {
        return id;
    }

    /** Length of its longest value. */
    long longest()
    {
        return longest;
    }

    /** All its items have ended. */
    boolean isDone()
    {
        return 0 == open;
    }

    /** Could not be asked for. */
    boolean isRefused()
    {
        return null != asking && asking.isCompleted() && UcsConstants.STATUS.UCS_OK != asking.getStatus();
    }

    /** UCX touches nothing of it: not its message, not the targets of its items. */
    boolean isAtRest()
    {
        if (null != asking && !asking.isCompleted())
        {
            return false;
        }
        for (int i = 0; i < answered.size(); i++)
        {
            final UcpRequest receive = receives[answered.getInt(i)];
            if (null != receive && !receive.isCompleted())
            {
                return false;
            }
        }
        return true;
    }

    /** Sends the one message that asks for all of it (contract G8). */
    void ask(final UcpEndpoint endpoint, final long generation)
    {
        final int capacity = MessageHeaderEncoder.ENCODED_LENGTH + ReadRequestEncoder.BLOCK_LENGTH +
            ReadRequestEncoder.ItemsEncoder.sbeHeaderSize() + size * ReadRequestEncoder.ItemsEncoder.sbeBlockLength();
        if (capacity > message.capacity())
        {
            message = new UnsafeBuffer(ByteBuffer.allocateDirect(2 * capacity));
        }
        final ReadRequestEncoder.ItemsEncoder encoder = request.wrapAndApplyHeader(message, 0, header)
            .generation(generation)
            .submissionId(id)
            .itemsCount(size);
        for (int i = 0; i < size; i++)
        {
            encoder.next().valueOffset(items[i].remoteOffset()).length(items[i].length());
        }
        asking = endpoint.sendAmNonBlocking(
            UcxTransport.READ_REQUEST, 0, 0, message.addressOffset(), capacity,
            UcpConstants.UCP_AM_SEND_FLAG_REPLY | UcpConstants.UCP_AM_SEND_FLAG_EAGER, null);
    }

    /** An answer has come; its value is received into the slot. Called from within UCX. */
    void onAnswer(final int item, final int status, final UcpAmData value, final UcxLocal local)
    {
        if (item >= 0 && item < size && OPEN == statuses[item])
        {
            statuses[item] = 0 == status ? receive(item, value, local) : status;
            answered.addInt(item);
        }
    }

    private int receive(final int item, final UcpAmData value, final UcxLocal local)
    {
        final Transfer transfer = items[item];
        if (!local.contains(transfer.localOffset(), transfer.length()))
        {
            return ErrorCode.INVALID_ARGUMENT;
        }
        if (transfer.length() != value.getLength())
        {
            return ErrorCode.TRANSPORT;
        }
        if (value.isDataValid())
        {
            // short enough to have come with the message
            local.write(transfer.localOffset(), value.getDataAddress(), (int) value.getLength());
            return 0;
        }
        try
        {
            receives[item] = value.receive(local.addressOf(transfer.localOffset()), null);
            return 0;
        }
        catch (final UcxException ex)
        {
            return ErrorCode.TRANSPORT;
        }
    }

    /** Ends the items whose bytes are there; returns their number. */
    int complete(final TransportListener listener)
    {
        int count = 0;
        for (int i = answered.size() - 1; i >= 0; i--)
        {
            final int item = answered.getInt(i);
            final UcpRequest receive = receives[item];
            if (null == receive || receive.isCompleted())
            {
                final boolean isLost = null != receive && UcsConstants.STATUS.UCS_OK != receive.getStatus();
                answered.fastUnorderedRemove(i);
                end(item, isLost ? ErrorCode.TRANSPORT : statuses[item], listener);
                count++;
            }
        }
        return count;
    }

    /** Ends what is left. */
    void fail(final TransportListener listener)
    {
        complete(listener);
        for (int i = 0; i < size; i++)
        {
            if (null != items[i])
            {
                end(i, ErrorCode.TRANSPORT, listener);
            }
        }
        answered.clear();
        Arrays.fill(receives, 0, size, null);
    }

    private void end(final int item, final int status, final TransportListener listener)
    {
        final Transfer transfer = items[item];
        items[item] = null;
        receives[item] = null;
        open--;
        listener.onTransferred(transfer, status);
    }
}
