package io.fluxon.ipc.client;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WaitStage;

import java.util.concurrent.TimeUnit;

/**
 * A put that was committed. It is done when every key has a terminal result (contract PUT-2).
 */
public final class PutFuture
{
    private final FluxonClient client;
    private final PutPlan plan;

    PutFuture(final FluxonClient client, final PutPlan plan)
    {
        this.client = client;
        this.plan = plan;
    }

    /**
     * Are the values readable on this owner (contract V1)?
     *
     * @return true from the owner's first answer on, unless the commit was refused.
     */
    public boolean isLocalReady()
    {
        final PutPlan.State state = client.stateOf(plan);
        return PutPlan.State.LOCAL_READY == state || PutPlan.State.DONE == state;
    }

    /**
     * Has every key its result, or has the commit failed?
     *
     * @return true when done.
     */
    public boolean isDone()
    {
        final PutPlan.State state = client.stateOf(plan);
        return PutPlan.State.DONE == state || PutPlan.State.FAILED == state;
    }

    /**
     * Waits until the put is done.
     *
     * @param timeout longest wait.
     * @param unit    of the timeout.
     * @return true when it is done, false when the time is over; waiting again is possible.
     * @throws FluxonException when the commit failed as a whole.
     */
    public boolean await(final long timeout, final TimeUnit unit)
    {
        final boolean done = client.awaitDone(this, unit.toNanos(timeout));
        if (done)
        {
            checkNotFailed();
        }
        return done;
    }

    /**
     * Waits until the values are readable on this owner.
     *
     * @param timeout longest wait.
     * @param unit    of the timeout.
     * @return true when they are, false when the time is over.
     * @throws FluxonException when the commit failed as a whole.
     */
    public boolean awaitLocalReady(final long timeout, final TimeUnit unit)
    {
        final boolean ready = client.awaitLocalReady(this, unit.toNanos(timeout));
        if (ready)
        {
            checkNotFailed();
        }
        return ready;
    }

    /**
     * Number of keys.
     *
     * @return number of keys.
     */
    public int count()
    {
        return plan.count();
    }

    /**
     * Result of a key.
     *
     * @param index of the key in its batch.
     * @return 0, or a negative error code.
     * @throws FluxonException when the put is not done, or failed as a whole.
     */
    public int result(final int index)
    {
        checkDone();
        return plan.result(index);
    }

    /**
     * Results of all keys.
     *
     * @return one item a key: 0, or a negative error code.
     * @throws FluxonException when the put is not done, or failed as a whole.
     */
    public int[] results()
    {
        checkDone();
        final int[] results = new int[plan.count()];
        for (int i = 0; i < results.length; i++)
        {
            results[i] = plan.result(i);
        }
        return results;
    }

    private void checkDone()
    {
        if (!isDone())
        {
            throw new FluxonException(
                ErrorCode.INVALID_ARGUMENT, WaitStage.PUBLISH, "the put is not done: wait for it first");
        }
        checkNotFailed();
    }

    private void checkNotFailed()
    {
        if (PutPlan.State.FAILED == client.stateOf(plan))
        {
            throw new FluxonException(plan.errorCode(), plan.stage(), plan.errorMessage());
        }
    }
}
