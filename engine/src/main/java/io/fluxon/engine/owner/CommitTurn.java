package io.fluxon.engine.owner;

import java.util.ArrayDeque;

/**
 * The order in which groups are committed, so that groups never wait for each other in a circle.
 * <p>
 * A group waits for those that committed one of its keys before it (contract PUT-1), and is not published before they
 * have their outcome (contract A2). If two groups {@code [a, b]} and {@code [b, a]} were committed key by key and at
 * the same time, each could come first with one key and wait for the other's.
 * <p>
 * Here a group not longer than a slice is committed in one step. A longer one needs several steps, and for these its
 * plan has the turn: no second group stands in its middle, and meanwhile only groups that wait for nobody are
 * committed.
 * Call <em>end</em> the moment at which a group's last key is committed. Then each wait points to a group with an
 * earlier end: when a key of g is put behind one of h, h has committed that key; would h still be in its middle, h had
 * the turn and g, which waits for h, would not be committed now. Ends are totally ordered, so there is no circle. A
 * group that waits for nobody at its end never waits later, and a wait that moves on to the next in line, because the
 * first has failed, still points to an earlier one.
 */
final class CommitTurn
{
    private final OwnerCore core;
    private final ArrayDeque<PutPlan> waiting = new ArrayDeque<>();
    private PutPlan holder;

    CommitTurn(final OwnerCore core)
    {
        this.core = core;
    }

    /**
     * Asks to commit keys of a group.
     *
     * @param plan   that commits; it calls {@link #leave} when the group is committed.
     * @param batch  of the plan.
     * @param group  in the batch.
     * @param isLong the group needs several steps.
     * @return false when it has to wait; the plan is resumed with the turn as its own.
     */
    boolean enter(final PutPlan plan, final PutBatch batch, final int group, final boolean isLong)
    {
        if (plan == holder)
        {
            return true;
        }

        if (null == holder)
        {
            holder = isLong ? plan : null;
            return true;
        }

        if (!isLong && waitsForNobody(batch, group))
        {
            return true;
        }

        if (!plan.isWaitingForTurn())
        {
            plan.isWaitingForTurn(true);
            waiting.addLast(plan);
        }

        return false;
    }

    /** A group is committed: its plan's turn goes to the plan that waits longest. */
    void leave(final PutPlan plan)
    {
        if (plan == holder)
        {
            holder = waiting.pollFirst();
            if (null != holder)
            {
                holder.isWaitingForTurn(false);
                core.resume(holder);
            }
        }
    }

    private boolean waitsForNobody(final PutBatch batch, final int group)
    {
        for (int i = batch.groupStart(group); i < batch.groupEnds[group]; i++)
        {
            if (LocalValues.NONE != core.values.findPendingSameKey(batch.slots[i]))
            {
                return false;
            }
        }

        return true;
    }
}
