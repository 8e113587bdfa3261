package io.fluxon.engine.owner;

/**
 * A read-only picture of the copies that an owner has made and makes (contract REPL-1), for inspection, like
 * {@link OwnerView}. Only for the core's own thread.
 */
public final class ReplicaView
{
    private final OwnerCore core;

    /**
     * A view of an owner.
     *
     * @param agent the owner.
     */
    public ReplicaView(final OwnerAgent agent)
    {
        core = agent.core();
    }

    /**
     * Hears of each pull.
     */
    public interface PullVisitor
    {
        /**
         * One pull.
         *
         * @param pull as it is now.
         */
        void onPull(PullPicture pull);
    }

    /**
     * A pull, at the target of a replica task (contract REPL-1).
     *
     * @param taskId  of the task.
     * @param flights that it waits for.
     * @param claim   of slots for all of them.
     */
    public record PullPicture(long taskId, long[] flights, OwnerView.ClaimPicture claim)
    {
    }

    /**
     * Hears of each replica job.
     */
    public interface ReplicaVisitor
    {
        /**
         * One job.
         *
         * @param job as it is now.
         */
        void onReplica(ReplicaPicture job);
    }

    /**
     * A replica job (contract REPL-1).
     *
     * @param operationId by which it has asked the master last.
     * @param isAsked     does it wait for the master, or for the end of a copy?
     * @param isDemotion  is it of values that are about to be evicted?
     * @param pinned      members whose values it holds in place.
     * @param slots       its members.
     */
    public record ReplicaPicture(long operationId, boolean isAsked, boolean isDemotion, int pinned, int[] slots)
    {
    }

    /**
     * Visits the replica jobs under way, at the source of copies.
     *
     * @param visitor hears of each.
     */
    public void replicas(final ReplicaVisitor visitor)
    {
        core.replicas.forEachUnderWay((job) -> visitor.onReplica(job.picture()));
    }

    /**
     * Visits the copies that this owner is bringing here.
     *
     * @param visitor hears of each.
     */
    public void pulls(final PullVisitor visitor)
    {
        core.pulls.forEachPull((pull) -> visitor.onPull(pull.picture()));
    }
}
