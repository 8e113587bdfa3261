package io.fluxon.sim.check;

import io.fluxon.codecs.control.MessagePartDecoder;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.ipc.channel.MessageAssembler;
import io.fluxon.ipc.channel.OutboundQueue;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualNetwork;
import io.fluxon.sim.cluster.VirtualProcess;
import io.fluxon.sim.cluster.WireObserver;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Puts the parts of long messages together again, as sent and as delivered, and hands whole messages to checkers.
 */
final class Wire implements WireObserver
{
    private final VirtualCluster cluster;
    private final List<Checker> checkers;
    private final Map<VirtualNetwork.Link, Parts> sentParts = new HashMap<>();
    private final Map<VirtualProcess, MessageAssembler> assemblers = new HashMap<>();
    private final Message sent = new Message();
    private final Message delivered = new Message();
    private VirtualNetwork.Link deliveringLink;

    Wire(final VirtualCluster cluster, final List<Checker> checkers)
    {
        this.cluster = cluster;
        this.checkers = checkers;
    }

    @Override
    public void onSent(final VirtualNetwork.Link link, final DirectBuffer message)
    {
        sent.wrap(link, cluster.clock().nanoTime(), message, 0, message.capacity());
        if (MessagePartDecoder.TEMPLATE_ID != sent.templateId())
        {
            tellSent();
            return;
        }
        final Parts parts = sentParts.computeIfAbsent(link, (key) -> new Parts());
        if (parts.add(message))
        {
            sent.wrap(link, cluster.clock().nanoTime(), parts.bytes, 0, parts.length);
            tellSent();
        }
    }

    @Override
    public void onDelivered(final VirtualNetwork.Link link, final DirectBuffer message)
    {
        deliveringLink = link;
        assemblers.computeIfAbsent(link.to(), this::assembler)
            .onMessage(link.connectionId(), message, 0, message.capacity());
    }

    private MessageAssembler assembler(final VirtualProcess receiver)
    {
        return new MessageAssembler(Limits.MAX_MESSAGE_BYTES, (connectionId, buffer, offset, length) ->
        {
            delivered.wrap(deliveringLink, cluster.clock().nanoTime(), buffer, offset, offset + length);
            for (int i = 0; i < checkers.size(); i++)
            {
                checkers.get(i).onDelivered(delivered);
            }
        });
    }

    private void tellSent()
    {
        for (int i = 0; i < checkers.size(); i++)
        {
            checkers.get(i).onSent(sent);
        }
    }

    /** A message that is being sent in parts: they go in order. */
    private static final class Parts
    {
        private final MessagePartDecoder part = new MessagePartDecoder();
        private final ExpandableArrayBuffer bytes = new ExpandableArrayBuffer();
        private int length;

        private boolean add(final DirectBuffer message)
        {
            part.wrap(
                message, Message.BLOCK_OFFSET, MessagePartDecoder.BLOCK_LENGTH, MessagePartDecoder.SCHEMA_VERSION);
            if (0 == part.partOffset())
            {
                length = 0;
            }
            bytes.putBytes(part.partOffset(), message, OutboundQueue.PART_HEADER_LENGTH, part.partLength());
            length += part.partLength();
            return length == part.totalLength();
        }
    }
}
