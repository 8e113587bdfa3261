package io.fluxon.sim.check;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.ClientOperation;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WorkerClient;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Every operation that a client has begun comes to one end (API-8, LIFE-1): before its object is used again, at the
 * latest when its session ends, and then with an error, or when all is quiet. A put that is done was committed, and has
 * 0 or a negative code for every key (PUT-2); what has failed says why. What is open when a process closes its client
 * fails with SHUTDOWN, and not otherwise. A process that was killed waits for nothing: of
 * it nothing may stay at its owner, which other checkers see to (API-9).
 */
@Watches({"API-8", "LIFE-1", "PUT-2"})
final class Futures implements Checker
{
    private final Map<ClientOperation, Begun> open = new IdentityHashMap<>();
    private final Set<VirtualWorker> closed = new HashSet<>();
    private final Checks checks;

    Futures(final Checks checks)
    {
        this.checks = checks;
    }

    /** A put or get, and who waits for it. */
    private record Begun(Object attempt, VirtualWorker worker)
    {
    }

    @Override
    public void onPutAsked(final PutAttempt put)
    {
        begin(put.plan, put, put.worker);
    }

    @Override
    public void onGetAsked(final ReadAttempt get)
    {
        begin(get.get, get, get.worker);
    }

    @Override
    public void onPutDone(final PutAttempt put)
    {
        end(put.plan, put);
        if (PutAttempt.NEVER == put.committedNs)
        {
            throw new Violation("PUT-2", put + ": is done and was not committed");
        }
        for (int i = 0; i < put.count(); i++)
        {
            if (put.plan.result(i) > ErrorCode.OK)
            {
                throw new Violation("PUT-2", put + ": key " + i + " has result " + put.plan.result(i));
            }
        }
    }

    @Override
    public void onPutFailed(final PutAttempt put)
    {
        end(put.plan, put);
        checkReason(put.plan, put, put.worker);
    }

    @Override
    public void onGetStarted(final ReadAttempt get)
    {
        if (get.get.isReusable())
        {
            end(get.get, get);
        }
    }

    @Override
    public void onViewsGone(final ReadAttempt get)
    {
        end(get.get, get);
    }

    /** The client may have refused to take the views back. */
    @Override
    public void onReadable(final ReadAttempt get)
    {
        open.put(get.get, new Begun(get, get.worker));
    }

    @Override
    public void onGetFailed(final ReadAttempt get)
    {
        open.remove(get.get);
        checkReason(get.get, get, get.worker);
    }

    /** The end of a session is the end of all that was begun in it. */
    @Override
    public void afterWorker(final VirtualWorker worker)
    {
        if (WorkerClient.State.CLOSED == worker.client().state() && closed.add(worker))
        {
            if (0 != worker.client().liveOperations())
            {
                throw new Violation("API-8", worker + ": its session has ended, " +
                    worker.client().liveOperations() + " operations have not");
            }
            checkEnds(worker, "its session has ended");
        }
    }

    @Override
    public void atQuiet()
    {
        checks.cluster().workers().stream().filter((worker) -> !worker.isDead())
            .forEach((worker) -> checkEnds(worker, "all is quiet"));
    }

    private void begin(final ClientOperation operation, final Object attempt, final VirtualWorker worker)
    {
        final Begun before = open.put(operation, new Begun(attempt, worker));
        if (null != before)
        {
            throw new Violation(
                "API-8", before.attempt + ": has had no end, and its object is used again by " + attempt);
        }
    }

    private void end(final ClientOperation operation, final Object attempt)
    {
        final Begun begun = open.remove(operation);
        if (null == begun || attempt != begun.attempt)
        {
            throw new Violation("API-8", attempt + ": ends twice");
        }
    }

    private void checkEnds(final VirtualWorker worker, final String when)
    {
        open.forEach((operation, begun) ->
        {
            if (worker == begun.worker)
            {
                if (!operation.isReusable())
                {
                    throw new Violation("API-8", begun.attempt + ": has no end although " + when);
                }
                checkReason(operation, begun.attempt, worker);
            }
        });
    }

    private static void checkReason(
        final ClientOperation operation, final Object attempt, final VirtualWorker worker)
    {
        final boolean hasFailed = switch (operation)
        {
            case PutPlan put -> PutPlan.State.FAILED == put.state();
            case GetHandle get -> GetHandle.State.FAILED == get.state();
            default -> false;
        };
        if (hasFailed && ErrorCode.OK == operation.errorCode())
        {
            throw new Violation("API-8", attempt + ": has failed without a code");
        }
        if (worker.isShutDown() && (!hasFailed || ErrorCode.SHUTDOWN != operation.errorCode()))
        {
            throw new Violation("API-8", attempt + ": its client was closed, and it has ended otherwise than with " +
                "SHUTDOWN: " + operation.errorCode() + " " + operation.errorMessage());
        }
    }
}
