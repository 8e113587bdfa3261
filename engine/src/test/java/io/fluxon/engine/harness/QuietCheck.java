package io.fluxon.engine.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerCounter;
import java.util.List;

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
        OwnerCounter.EXCEPTIONS,
        OwnerCounter.AUDIT_MISMATCHES);

    private static final List<MasterCounter> ZERO_AT_MASTER = List.of(
        MasterCounter.GETS_IN_FLIGHT,
        MasterCounter.RESERVATIONS,
        MasterCounter.FENCES,
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
            committed += owner.get(OwnerCounter.SLOTS_COMMITTED);
        }
        for (final MasterCounter counter : ZERO_AT_MASTER)
        {
            assertThat(cluster.master().get(counter)).as("master %s", counter).isZero();
        }
        assertThat(cluster.master().get(MasterCounter.AUDITS)).isPositive();
        final long replicas = cluster.master().get(MasterCounter.REPLICAS);
        if (0 == cluster.master().get(MasterCounter.OWNERS_EXPIRED))
        {
            assertThat(replicas).as("replicas = committed slots").isEqualTo(committed);
        }
        else
        {
            // an owner that was lost and comes back does not report what it has: LIFE-4
            assertThat(replicas).as("replicas <= committed slots").isLessThanOrEqualTo(committed);
        }
    }

    private static void checkOwner(final VirtualOwner owner)
    {
        final String name = "owner " + owner.ownerId() + " ";
        assertThat(owner.errors()).as(name + "errors").isEmpty();
        for (final OwnerCounter counter : ZERO_AT_OWNERS)
        {
            assertThat(owner.get(counter)).as(name + counter).isZero();
        }
        assertThat(owner.get(OwnerCounter.AUDITS)).as(name + "audits").isPositive();
        assertThat(owner.get(OwnerCounter.AUDIT_HOLDERS_HELD)).as(name + "holders held")
            .isEqualTo(owner.get(OwnerCounter.AUDIT_HOLDERS_FOUND))
            .isEqualTo(owner.get(OwnerCounter.SLOTS_COMMITTED));
        assertEqual(owner, OwnerCounter.PUT_PLANS_OPENED, OwnerCounter.PUT_PLANS_CLOSED);
        assertEqual(owner, OwnerCounter.READ_PLANS_OPENED, OwnerCounter.READ_PLANS_CLOSED);
        assertEqual(owner, OwnerCounter.HANDLES_OPENED, OwnerCounter.HANDLES_CLOSED);
        assertEqual(owner, OwnerCounter.HOLDINGS_OPENED, OwnerCounter.HOLDINGS_CLOSED);
        assertEqual(owner, OwnerCounter.PUBLISH_JOBS_OPENED, OwnerCounter.PUBLISH_JOBS_CLOSED);
        assertThat(owner.get(OwnerCounter.GETS_STARTED)).as(name + "gets started = done + revoked")
            .isEqualTo(owner.get(OwnerCounter.GETS_DONE) + owner.get(OwnerCounter.GETS_REVOKED));
    }

    private static void assertEqual(final VirtualOwner owner, final OwnerCounter left, final OwnerCounter right)
    {
        assertThat(owner.get(left)).as("owner %s: %s = %s", owner.ownerId(), left, right).isEqualTo(owner.get(right));
    }
}
