package io.fluxon.sim.run;

import io.fluxon.codecs.control.GetCancelRequestEncoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.GetTransferRequestEncoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PutAbortRequestEncoder;
import io.fluxon.codecs.control.PutCommitRequestEncoder;
import io.fluxon.codecs.control.PutStartResponseDecoder;
import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualNetwork;
import io.fluxon.sim.cluster.VirtualWorker;
import io.fluxon.sim.cluster.WireObserver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Requests that no client makes: they name a plan of the wrong kind, or one of another session. Whatever they name must
 * stay alive and usable (contract API-4).
 */
final class Rudeness implements WireObserver
{
    private static final long FIRST_REQUEST_ID = 1L << 40;
    private static final int REMEMBERED = 8;

    /** Of each worker: what comes of them is kept to the end of its session, since nobody says that he has it. */
    private static final int MOST_EACH = 48;
    private static final int MESSAGE_BYTES = 128;

    private final Map<VirtualWorker, Names> names = new LinkedHashMap<>();
    private final PutStartResponseDecoder putStart = new PutStartResponseDecoder();
    private final GetStartResponseDecoder getStart = new GetStartResponseDecoder();
    private final MessageHeaderDecoder headerIn = new MessageHeaderDecoder();
    private final MessageHeaderEncoder headerOut = new MessageHeaderEncoder();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_BYTES]);
    private final VirtualCluster cluster;
    private final Choices.Stream choices;
    private final double rate;
    private long lastRequestId = FIRST_REQUEST_ID;

    /** What an owner has told a worker lately. */
    private static final class Names
    {
        private final List<Long> puts = new ArrayList<>();
        private final List<Long> gets = new ArrayList<>();
        private long generation;
        private long sessionId;
        private int sent;
    }

    Rudeness(final VirtualCluster cluster, final double rate)
    {
        this.cluster = cluster;
        this.rate = rate;
        choices = cluster.choices().stream("rudeness");
        cluster.network().observe(this);
    }

    @Override
    public void onSent(final VirtualNetwork.Link link, final DirectBuffer sent)
    {
    }

    @Override
    public void onDelivered(final VirtualNetwork.Link link, final DirectBuffer delivered)
    {
        if (link.to() instanceof VirtualWorker worker)
        {
            headerIn.wrap(delivered, 0);
            if (PutStartResponseDecoder.TEMPLATE_ID == headerIn.templateId())
            {
                putStart.wrapAndApplyHeader(delivered, 0, headerIn);
                remember(worker, putStart.generation(), putStart.sessionId(), putStart.planId(), true);
            }
            else if (GetStartResponseDecoder.TEMPLATE_ID == headerIn.templateId())
            {
                getStart.wrapAndApplyHeader(delivered, 0, headerIn);
                remember(worker, getStart.generation(), getStart.sessionId(), getStart.handle(), false);
            }
        }
    }

    private void remember(
        final VirtualWorker worker, final long generation, final long sessionId, final long id, final boolean isPut)
    {
        final Names known = names.computeIfAbsent(worker, (key) -> new Names());
        final List<Long> ids = isPut ? known.puts : known.gets;
        known.generation = generation;
        known.sessionId = sessionId;
        if (0 != id && !ids.contains(id))
        {
            ids.addLast(id);
        }
        if (ids.size() > REMEMBERED)
        {
            ids.removeFirst();
        }
    }

    /** Now and then one worker is rude. */
    void tend()
    {
        if (choices.chance(rate))
        {
            final VirtualWorker worker = cluster.worker(choices.below(cluster.workers().size()));
            final VirtualWorker other = cluster.worker(choices.below(cluster.workers().size()));
            // only plans of one owner have different ids
            if (!worker.isDead() && !worker.isPaused() && worker.owner() == other.owner() &&
                names.containsKey(worker) && names.containsKey(other))
            {
                send(worker, names.get(worker), names.get(other));
            }
        }
    }

    private void send(final VirtualWorker worker, final Names own, final Names others)
    {
        final boolean isOfPut = choices.chance(0.5);
        final List<Long> ids = own == others || choices.chance(0.5) ?
            isOfPut ? own.gets : own.puts :
            choices.chance(0.5) ? others.gets : others.puts;
        if (!ids.isEmpty() && own.sent++ < MOST_EACH)
        {
            final long id = ids.get(choices.below(ids.size()));
            worker.send(message, 0, isOfPut ? ofPut(own, id) : ofGet(own, id));
        }
    }

    private int ofPut(final Names own, final long id)
    {
        if (choices.chance(0.5))
        {
            return MessageHeaderEncoder.ENCODED_LENGTH + new PutCommitRequestEncoder()
                .wrapAndApplyHeader(message, 0, headerOut)
                .generation(own.generation).sessionId(own.sessionId).correlationId(++lastRequestId)
                .planId(id).encodedLength();
        }
        return MessageHeaderEncoder.ENCODED_LENGTH + new PutAbortRequestEncoder()
            .wrapAndApplyHeader(message, 0, headerOut)
            .generation(own.generation).sessionId(own.sessionId).correlationId(++lastRequestId)
            .planId(id).encodedLength();
    }

    private int ofGet(final Names own, final long id)
    {
        if (choices.chance(0.5))
        {
            return MessageHeaderEncoder.ENCODED_LENGTH + new GetCancelRequestEncoder()
                .wrapAndApplyHeader(message, 0, headerOut)
                .generation(own.generation).sessionId(own.sessionId).correlationId(++lastRequestId)
                .handle(id).encodedLength();
        }
        return MessageHeaderEncoder.ENCODED_LENGTH + new GetTransferRequestEncoder()
            .wrapAndApplyHeader(message, 0, headerOut)
            .generation(own.generation).sessionId(own.sessionId).correlationId(++lastRequestId)
            .handle(id).consumePrefixLen(-1).timeoutNs(1_000_000_000L).encodedLength();
    }
}
