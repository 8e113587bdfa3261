package io.fluxon.sim.check;

import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.owner.OwnerView;
import io.fluxon.ipc.client.core.WorkerClient;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What must be true when nothing is outstanding: all temporary state is zero, and owners and master agree.
 */
public final class QuietCheck
{
    private static final List<OwnerCounter> ZERO_AT_OWNERS = List.of(
        OwnerCounter.SLOTS_PREPARED,
        OwnerCounter.SLOTS_PENDING,
        OwnerCounter.SLOTS_PENDING_LOCAL_VISIBLE,
        OwnerCounter.SLOTS_QUARANTINED,
        OwnerCounter.CLAIMS_WAITING,
        OwnerCounter.PUT_PLANS,
        OwnerCounter.READ_PLANS,
        OwnerCounter.HANDLES,
        OwnerCounter.HOLDINGS,
        OwnerCounter.FLIGHTS,
        OwnerCounter.RESERVATIONS,
        OwnerCounter.PUBLISH_JOBS,
        OwnerCounter.PUBLISH_KEYS_UNACKNOWLEDGED,
        OwnerCounter.OPERATIONS_OPEN,
        OwnerCounter.EVICTION_JOBS,
        OwnerCounter.REPLICA_JOBS,
        OwnerCounter.REPLICA_PULLS,
        OwnerCounter.EVICT_IN_PROGRESS,
        OwnerCounter.EVICT_IN_RETRY,
        OwnerCounter.EXCEPTIONS,
        OwnerCounter.AUDIT_MISMATCHES);

    private static final List<MasterCounter> ZERO_AT_MASTER = List.of(
        MasterCounter.GETS_IN_FLIGHT,
        MasterCounter.REPLICA_TASKS,
        MasterCounter.RESERVATIONS,
        MasterCounter.FENCES,
        MasterCounter.REMOVALS,
        MasterCounter.OPERATIONS_QUEUED,
        MasterCounter.TENURES_DRAINING,
        MasterCounter.AUDIT_DIFFERENCES);

    private QuietCheck()
    {
    }

    /**
     * Checks a cluster in which nothing is outstanding.
     *
     * @param cluster to check.
     * @throws Violation of LIFE-1 when something is left over.
     */
    public static void check(final VirtualCluster cluster)
    {
        cluster.master().agent().requestAudit();
        cluster.owners().forEach((owner) -> owner.agent().requestAudit());
        cluster.runFor(100_000_000L);
        long committed = 0;
        for (final VirtualOwner owner : cluster.owners())
        {
            checkOwner(owner);
            checkSessions(cluster, owner);
            committed += owner.get(OwnerCounter.SLOTS_COMMITTED);
        }
        for (final MasterCounter counter : ZERO_AT_MASTER)
        {
            final long value = cluster.master().get(counter);
            Violation.unless(0 == value, "LIFE-1", "master: %s = %d, expected 0", counter, value);
        }
        Violation.unless(cluster.master().get(MasterCounter.AUDITS) > 0, "LIFE-1", "master: no audit was made");
        final long replicas = cluster.master().get(MasterCounter.REPLICAS);
        Violation.unless(replicas == committed, "V3", "%d replicas in routes, %d slots committed", replicas, committed);
    }

    private static void checkOwner(final VirtualOwner owner)
    {
        if (!owner.errors().isEmpty())
        {
            final Violation violation = new Violation(
                "SLOT-2", "owner " + owner.ownerId() + " reports " + owner.errors().getFirst());
            violation.initCause(owner.errors().getFirst());
            throw violation;
        }
        final StringBuilder left = new StringBuilder();
        for (final OwnerCounter counter : ZERO_AT_OWNERS)
        {
            final long value = owner.get(counter);
            left.append(0 == value ? "" : " " + counter + " = " + value);
        }
        new OwnerView(owner.agent()).sessions((session) -> left.append(
            0 == session.underWay() || OwnerView.SessionState.ACTIVE != session.state() ? "" :
                " requests under way = " + session.underWay() + " of session " + session.sessionId()));
        Violation.unless(left.isEmpty(), "LIFE-1", "owner %d has left over:%s", owner.ownerId(), left);
        Violation.unless(
            owner.get(OwnerCounter.AUDITS) > 0, "LIFE-1", "owner %d: no audit was made", owner.ownerId());
        equal(owner, "S2", OwnerCounter.AUDIT_HOLDERS_HELD, OwnerCounter.AUDIT_HOLDERS_FOUND);
        equal(owner, "S2", OwnerCounter.AUDIT_HOLDERS_HELD, OwnerCounter.SLOTS_COMMITTED);
        equal(owner, "P2", OwnerCounter.PUT_PLANS_OPENED, OwnerCounter.PUT_PLANS_CLOSED);
        equal(owner, "P2", OwnerCounter.READ_PLANS_OPENED, OwnerCounter.READ_PLANS_CLOSED);
        equal(owner, "P2", OwnerCounter.HANDLES_OPENED, OwnerCounter.HANDLES_CLOSED);
        equal(owner, "P2", OwnerCounter.HOLDINGS_OPENED, OwnerCounter.HOLDINGS_CLOSED);
        equal(owner, "P2", OwnerCounter.PUBLISH_JOBS_OPENED, OwnerCounter.PUBLISH_JOBS_CLOSED);
        equal(owner, "P2", OwnerCounter.EVICTION_JOBS_OPENED, OwnerCounter.EVICTION_JOBS_CLOSED);
        final long started = owner.get(OwnerCounter.GETS_STARTED);
        final long done = owner.get(OwnerCounter.GETS_DONE);
        final long revoked = owner.get(OwnerCounter.GETS_REVOKED);
        Violation.unless(started == done + revoked, "T1",
            "owner %d: %d gets started, %d done, %d revoked", owner.ownerId(), started, done, revoked);
    }

    /** Each client that lives has a session, and nobody else has one. */
    private static void checkSessions(final VirtualCluster cluster, final VirtualOwner owner)
    {
        final Map<Long, VirtualWorker> living = new HashMap<>();
        for (final VirtualWorker worker : cluster.workers())
        {
            if (owner == worker.owner() && !worker.isDead() && WorkerClient.State.READY == worker.client().state())
            {
                living.put(worker.client().sessionId(), worker);
            }
        }
        final int count = living.size();
        new OwnerView(owner.agent()).sessions((session) ->
        {
            final VirtualWorker worker = living.remove(session.sessionId());
            Violation.unless(null != worker, "LIFE-1", "%s has left over: %s, of no client that lives", owner, session);
            Violation.unless(OwnerView.SessionState.ACTIVE == session.state(), "LIFE-1",
                "%s has left over: %s, of %s, which is ready", owner, session, worker);
        });
        Violation.unless(living.isEmpty(), "LIFE-1", "%s has no session of %s", owner, living);
        Violation.unless(count == owner.get(OwnerCounter.SESSIONS) && 0 == owner.get(OwnerCounter.SESSIONS_HUNG),
            "P2", "%s: SESSIONS = %d, SESSIONS_HUNG = %d, %d clients are connected",
            owner, owner.get(OwnerCounter.SESSIONS), owner.get(OwnerCounter.SESSIONS_HUNG), count);
        Violation.unless(count == owner.processes().watched(), "LIFE-1",
            "%s: %d processes are watched, for %d sessions", owner, owner.processes().watched(), count);
    }

    private static void equal(
        final VirtualOwner owner, final String rule, final OwnerCounter left, final OwnerCounter right)
    {
        final long leftValue = owner.get(left);
        final long rightValue = owner.get(right);
        Violation.unless(leftValue == rightValue, rule,
            "owner %d: %s = %d, %s = %d", owner.ownerId(), left, leftValue, right, rightValue);
    }
}
