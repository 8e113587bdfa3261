package io.fluxon.engine.master;

import io.fluxon.engine.protocol.Limits;
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
 * lost owner's routes, gets and reservations are dead at once; coming back, it reports its values (contract LIFE-4).
 */
final class Registrations
{
    private static final int MAX_FAREWELLS = 16;
    private static final int MAX_REPLACED = 16;
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

    void onRegister(final long connectionId, final Registration registration, final long nowNs)
    {
        final OwnerSession known = state.owners.byOwnerId(registration.ownerId());
        if (isRefused(known, registration, nowNs))
        {
            counters.increment(OWNERS_REFUSED);
            return;
        }

        final boolean isSame = null != known && registration.generation() == known.generation();
        if (isSame && registration.correlationId() < known.registerCorrelationId())
        {
            // a late copy: what the owner has registered since is newer (contract T1)
            counters.increment(OWNERS_REFUSED);
            return;
        }

        if (isSame && isRepeated(known, connectionId, registration))
        {
            known.heard(nowNs);
            publisher.registered(known);
            return;
        }

        final OutboundQueue outbound = channel(known, registration.responseChannel());
        if (null == outbound)
        {
            counters.increment(OWNERS_REFUSED);
            return;
        }

        final boolean isContinued = isSame && known.isLive() && known.isReconciled() &&
            context.epoch() == registration.tenureEpoch() && known.tenureId() == registration.tenureId();
        if (isSame && known.isLive() && !isContinued)
        {
            // a report begins with nothing, so that what is known at its end is what was reported
            end(known, nowNs);
        }
        final OwnerSession owner = isSame ? known : replace(known, registration, outbound, nowNs);
        final int tenure = owner.isLive() ?
            owner.tenure() : state.tenures.begin(owner.ownerId(), owner.generation());
        if (isSame)
        {
            if (connectionId != owner.connectionId())
            {
                endedConnections.addLong(owner.connectionId());
            }

            if (null != owner.outbound() && outbound != owner.outbound())
            {
                owner.outbound().close();
            }
        }
        owner.registration(registration, outbound);
        state.owners.begin(owner, connectionId, registration.correlationId(), tenure, nowNs);
        if (!isContinued)
        {
            owner.mustReport(registration.committedValues() > 0);
        }
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
        for (int i = 0, size = owners.size(); i < size; i++)
        {
            final OwnerSession owner = owners.get(i);
            if (owner.isLive())
            {
                if (nowNs - owner.lastHeardNs() > timeoutNs)
                {
                    end(owner, nowNs);
                    counters.increment(OWNERS_EXPIRED);
                    count++;
                }
            }
            else if (nowNs - owner.goneSinceNs() > context.inflightTtlNs())
            {
                owner.closeOutbound();
            }
        }

        final ArrayList<OwnerSession> replaced = owners.replaced();
        while (!replaced.isEmpty() && nowNs - replaced.get(0).goneSinceNs() > context.inflightTtlNs())
        {
            replaced.remove(0).closeOutbound();
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

        final ArrayList<OwnerSession> replaced = state.owners.replaced();
        for (int i = 0, size = replaced.size(); i < size; i++)
        {
            count += replaced.get(i).outbound().flush(1);
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
        for (final OwnerSession older : owners.replaced())
        {
            older.closeOutbound();
        }
        owners.replaced().clear();

        for (int i = 0, size = owners.size(); i < size; i++)
        {
            forgetContents(owners.get(i));
            owners.get(i).closeOutbound();
        }
    }

    private static boolean isRepeated(
        final OwnerSession known, final long connectionId, final Registration registration)
    {
        return known.isLive() && connectionId == known.connectionId() &&
            registration.correlationId() == known.registerCorrelationId() &&
            registration.responseChannel().equals(known.responseChannel());
    }

    private boolean isRefused(final OwnerSession known, final Registration registration, final long nowNs)
    {
        final int version = registration.protocolVersion();
        if (Limits.PROTOCOL_VERSION != version)
        {
            refuse(registration, ErrorCode.PROTOCOL, "protocol version " + version +
                " is not spoken here, version " + Limits.PROTOCOL_VERSION + " is", nowNs);
            return true;
        }

        if (registration.tenureEpoch() > context.epoch())
        {
            refuse(registration, ErrorCode.OWNER_GENERATION_MISMATCH, "this master's epoch " + context.epoch() +
                " is older than epoch " + registration.tenureEpoch() + " that owner id " + registration.ownerId() +
                " knows: start it again when the clock is right", nowNs);
            return true;
        }

        if (null != known && registration.generation() < known.generation())
        {
            refuse(registration, ErrorCode.OWNER_GENERATION_MISMATCH, "owner id " + known.ownerId() +
                " is registered with the newer generation " + known.generation() + " by " + known.name() + " on " +
                known.hostName() + ": generation " + registration.generation() + " is over", nowNs);
            return true;
        }

        if (null != known && registration.generation() == known.generation() && !known.isSameProcess(registration))
        {
            refuse(registration, ErrorCode.OWNER_GENERATION_MISMATCH, "owner id " + known.ownerId() +
                " is taken by " + known.name() + " on " + known.hostName() + " with segment " +
                known.segmentPath() + ": every owner needs an id of its own", nowNs);
            return true;
        }

        if (null == known && state.owners.isFull() && null == state.owners.longestGone())
        {
            refuse(registration, ErrorCode.BACK_PRESSURED,
                "the master takes no more than " + context.maxOwners() + " owners", nowNs);
            return true;
        }

        if (!state.tenures.hasFree())
        {
            refuse(registration, ErrorCode.BACK_PRESSURED,
                "lost owners are still being cleared, register again", nowNs);
            return true;
        }

        return false;
    }

    private void refuse(
        final Registration registration, final int status, final String message, final long nowNs)
    {
        if (farewells.size() >= MAX_FAREWELLS)
        {
            farewells.remove(0).outbound.close();
        }

        final ControlChannel channel = context.ownerChannels().open(registration.responseChannel());
        if (null != channel)
        {
            final OutboundQueue outbound = new OutboundQueue(channel, context.maxQueuedBytes());
            publisher.registrationRefused(outbound, registration.correlationId(), status, message);
            farewells.add(new Farewell(outbound, nowNs));
        }
    }

    private OutboundQueue channel(final OwnerSession known, final String responseChannel)
    {
        if (null != known && null != known.outbound() && !known.outbound().isClosed() &&
            responseChannel.equals(known.responseChannel()))
        {
            return known.outbound();
        }

        final ControlChannel channel = context.ownerChannels().open(responseChannel);

        return null == channel ? null : new OutboundQueue(channel, context.maxQueuedBytes());
    }

    private OwnerSession replace(
        final OwnerSession known,
        final Registration registration,
        final OutboundQueue outbound,
        final long nowNs)
    {
        if (null != known)
        {
            if (known.isLive())
            {
                end(known, nowNs);
                counters.increment(OWNERS_REPLACED);
            }
            forget(known);
            keepToTell(known, outbound);
        }
        else if (state.owners.isFull())
        {
            final OwnerSession longest = state.owners.longestGone();
            forget(longest);
            longest.closeOutbound();
        }

        final OwnerSession owner = new OwnerSession(
            registration.ownerId(),
            registration.generation(),
            new OutcomeLog(state.outcomePool, context.maxOpenOperations()));
        state.owners.add(owner);

        return owner;
    }

    private void keepToTell(final OwnerSession older, final OutboundQueue newer)
    {
        if (null == older.outbound() || newer == older.outbound())
        {
            return;
        }

        final ArrayList<OwnerSession> replaced = state.owners.replaced();
        if (replaced.size() >= MAX_REPLACED)
        {
            replaced.remove(0).closeOutbound();
        }
        replaced.add(older);
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
    }

    private record Farewell(OutboundQueue outbound, long sinceNs)
    {
    }
}
