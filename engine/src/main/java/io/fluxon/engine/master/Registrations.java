package io.fluxon.engine.master;

import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.codecs.control.RegisterRequestDecoder;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.OutboundQueue;
import org.agrona.collections.LongArrayList;

import java.util.ArrayList;

import static io.fluxon.engine.master.MasterCounter.OWNERS_EXPIRED;
import static io.fluxon.engine.master.MasterCounter.OWNERS_REFUSED;
import static io.fluxon.engine.master.MasterCounter.OWNERS_REGISTERED;
import static io.fluxon.engine.master.MasterCounter.OWNERS_REPLACED;

/**
 * Decides who may be an owner, and who is lost (contract T1, LIFE-2).
 * <p>
 * A newer generation of an owner id replaces the older one; an older one is refused; the same generation gets a new
 * session when it is the same process, and keeps its recorded outcomes, and its routes as long as it was not lost. A
 * lost owner's routes, gets and reservations are dead at once.
 */
final class Registrations
{
    private static final int MAX_FAREWELLS = 16;
    private static final long FAREWELL_NS = 5_000_000_000L;
    private static final int UNREAD_FACTOR = 3;

    private final MasterContext context;
    private final MasterState state;
    private final Operations operations;
    private final MasterPublisher publisher;
    private final MasterCounters counters;
    private final ArrayList<Farewell> farewells = new ArrayList<>();
    private final LongArrayList endedConnections = new LongArrayList();
    private long peerVersion;

    Registrations(
        final MasterContext context,
        final MasterState state,
        final Operations operations,
        final MasterPublisher publisher)
    {
        this.context = context;
        this.state = state;
        this.operations = operations;
        this.publisher = publisher;
        counters = context.counters();
    }

    /** Version of the list of live owners. */
    long peerVersion()
    {
        return peerVersion;
    }

    void onRegister(final long connectionId, final RegisterRequestDecoder request, final long nowNs)
    {
        final int ownerId = request.ownerId();
        final long generation = request.generation();
        final long correlationId = request.correlationId();
        final int version = request.protocolVersion();
        final OwnerRole role = request.role();
        final long segmentLength = request.segmentLength();
        final String responseChannel = request.responseChannel();
        final String segmentPath = request.segmentPath();
        final String name = request.name();
        final String hostName = request.hostName();
        final OwnerSession known = state.owners.byOwnerId(ownerId);

        final String refusal = refusal(known, ownerId, generation, version, segmentPath, hostName);
        if (null != refusal)
        {
            final int status = MasterContext.PROTOCOL_VERSION != version ? ErrorCode.PROTOCOL :
                null == known ? ErrorCode.BACK_PRESSURED : ErrorCode.OWNER_GENERATION_MISMATCH;
            refuse(responseChannel, correlationId, status, refusal, nowNs);
            return;
        }

        if (null != known && generation == known.generation() && known.isLive() &&
            connectionId == known.connectionId() && correlationId == known.registerCorrelationId() &&
            responseChannel.equals(known.responseChannel()))
        {
            known.heard(nowNs);
            publisher.registered(known);
            return;
        }

        final OutboundQueue outbound = channel(known, responseChannel);
        if (null == outbound)
        {
            counters.increment(OWNERS_REFUSED);
            return;
        }

        final OwnerSession owner = null != known && generation == known.generation() ?
            known : replace(known, ownerId, generation);
        final int tenure = owner.isLive() ? owner.tenure() : state.tenures.begin(ownerId, generation);
        if (0 != owner.sessionId() && connectionId != owner.connectionId())
        {
            endedConnections.addLong(owner.connectionId());
        }
        owner.identity(role, segmentLength, segmentPath, name, hostName);
        owner.channel(responseChannel, outbound);
        state.owners.begin(owner, connectionId, correlationId, tenure, nowNs);
        peerVersion++;
        counters.increment(OWNERS_REGISTERED);
        publisher.registered(owner);
    }

    /** The master has not run for a while: nobody could be heard, so everybody gets a full grace (contract LIFE-2). */
    void refreshAll(final long nowNs)
    {
        final OwnerRegistry owners = state.owners;
        for (int i = 0, size = owners.size(); i < size; i++)
        {
            owners.get(i).heard(nowNs);
        }
    }

    /** Connections that owners have left. */
    LongArrayList endedConnections()
    {
        return endedConnections;
    }

    /**
     * Ends the owners that were not heard from.
     *
     * @param mayHaveUnread messages wait to be read, perhaps theirs: they get three times as long.
     * @return how many were ended.
     */
    int expire(final long nowNs, final boolean mayHaveUnread)
    {
        final long timeoutNs = context.livenessTimeoutNs() * (mayHaveUnread ? UNREAD_FACTOR : 1);
        final OwnerRegistry owners = state.owners;
        int count = 0;
        for (int i = 0; i < owners.size(); i++)
        {
            final OwnerSession owner = owners.get(i);
            final long silenceNs = nowNs - owner.lastHeardNs();
            if (owner.isLive())
            {
                if (silenceNs > timeoutNs)
                {
                    end(owner, nowNs);
                    counters.increment(OWNERS_EXPIRED);
                    count++;
                }
            }
            else if (null != owner.outbound() && nowNs - owner.goneSinceNs() > context.inflightTtlNs())
            {
                owner.outbound().close();
                owner.channel(owner.responseChannel(), null);
            }
        }

        return count;
    }

    /** Sends what is left for those who were refused, and closes their channels after a while. */
    int sayFarewell(final long nowNs)
    {
        int count = 0;
        for (int i = farewells.size() - 1; i >= 0; i--)
        {
            final Farewell farewell = farewells.get(i);
            count += farewell.outbound.flush(1);
            if (!farewell.outbound.isBackPressured() || nowNs - farewell.sinceNs > FAREWELL_NS)
            {
                farewell.outbound.close();
                farewells.remove(i);
            }
        }

        return count;
    }

    void close()
    {
        for (final Farewell farewell : farewells)
        {
            farewell.outbound.close();
        }
        farewells.clear();

        final OwnerRegistry owners = state.owners;
        for (int i = 0, size = owners.size(); i < size; i++)
        {
            forgetContents(owners.get(i));
        }
    }

    private String refusal(
        final OwnerSession known,
        final int ownerId,
        final long generation,
        final int version,
        final String segmentPath,
        final String hostName)
    {
        if (MasterContext.PROTOCOL_VERSION != version)
        {
            return "protocol version " + version + " is not spoken here, version " + MasterContext.PROTOCOL_VERSION +
                " is";
        }

        if (null == known)
        {
            if (state.owners.isFull() && null == state.owners.longestGone())
            {
                return "the master takes no more than " + context.maxOwners() + " owners";
            }
        }
        else if (generation < known.generation())
        {
            return "owner id " + ownerId + " is registered with the newer generation " + known.generation() +
                " by " + known.name() + " on " + known.hostName() + ": generation " + generation + " is over";
        }
        else if (generation == known.generation() && !known.isSameProcess(segmentPath, hostName))
        {
            return "owner id " + ownerId + " is taken by " + known.name() + " on " + known.hostName() +
                " with segment " + known.segmentPath() + ": every owner needs an id of its own";
        }

        return state.tenures.hasFree() ? null : "lost owners are still being cleared, register again";
    }

    private void refuse(
        final String responseChannel,
        final long correlationId,
        final int status,
        final String message,
        final long nowNs)
    {
        counters.increment(OWNERS_REFUSED);
        if (farewells.size() >= MAX_FAREWELLS)
        {
            farewells.remove(0).outbound.close();
        }

        final ControlChannel channel = context.ownerChannels().open(responseChannel);
        if (null != channel)
        {
            final OutboundQueue outbound = new OutboundQueue(channel, context.maxQueuedBytes());
            publisher.registrationRefused(outbound, correlationId, status, message);
            farewells.add(new Farewell(outbound, nowNs));
        }
    }

    private OutboundQueue channel(final OwnerSession known, final String responseChannel)
    {
        if (null != known && null != known.outbound())
        {
            if (responseChannel.equals(known.responseChannel()) && !known.outbound().isClosed())
            {
                return known.outbound();
            }
        }

        final ControlChannel channel = context.ownerChannels().open(responseChannel);
        if (null == channel)
        {
            return null;
        }

        if (null != known && null != known.outbound())
        {
            known.outbound().close();
        }

        return new OutboundQueue(channel, context.maxQueuedBytes());
    }

    private OwnerSession replace(final OwnerSession known, final int ownerId, final long generation)
    {
        if (null != known)
        {
            if (known.isLive())
            {
                end(known, known.lastHeardNs());
                counters.increment(OWNERS_REPLACED);
            }
            known.channel(known.responseChannel(), null);
            forget(known);
        }
        else if (state.owners.isFull())
        {
            forget(state.owners.longestGone());
        }

        final OwnerSession owner = new OwnerSession(
            ownerId, generation, new OutcomeLog(state.outcomePool, context.maxOpenOperations()));
        state.owners.add(owner);

        return owner;
    }

    private void end(final OwnerSession owner, final long nowNs)
    {
        state.tenures.end(owner.tenure());
        operations.drop(owner);
        state.owners.end(owner);
        owner.gone(nowNs);
        endedConnections.addLong(owner.connectionId());
        peerVersion++;
    }

    private void forget(final OwnerSession owner)
    {
        forgetContents(owner);
        state.owners.remove(owner);
    }

    private void forgetContents(final OwnerSession owner)
    {
        operations.drop(owner);
        owner.outcomes().close();
        if (null != owner.outbound())
        {
            owner.outbound().close();
        }
    }

    private record Farewell(OutboundQueue outbound, long sinceNs)
    {
    }
}
