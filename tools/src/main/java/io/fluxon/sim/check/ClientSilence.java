package io.fluxon.sim.check;

import io.fluxon.codecs.control.SessionSuspendedDecoder;
import io.fluxon.engine.owner.OwnerSettings;
import io.fluxon.ipc.client.core.WorkerClient;
import io.fluxon.sim.cluster.VirtualNetwork;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.HashMap;
import java.util.Map;

/**
 * A client gives its session up to a resume by itself only after a full timeout of its own running time in which it
 * heard nothing of its owner (LIFE-2).
 */
@Watches("LIFE-2")
final class ClientSilence implements Checker
{
    private final Map<VirtualWorker, Silence> silences = new HashMap<>();
    private final Checks checks;
    private final long timeoutNs;
    private final long keepAliveNs;

    ClientSilence(final Checks checks)
    {
        this.checks = checks;
        final OwnerSettings settings = checks.cluster().options().ownerSettings.get();
        timeoutNs = settings.sessionTimeoutNs();
        keepAliveNs = settings.keepAliveNs();
    }

    /** What a worker has heard, and not heard, of its owner. */
    private static final class Silence
    {
        private WorkerClient.State state = WorkerClient.State.CONNECTING;
        private VirtualNetwork.Link way;
        private boolean isHeard;
        private boolean isTold;
        private long lastNs;
        private long runningNs;
    }

    @Override
    public void onDelivered(final Message message)
    {
        if (message.isToWorker())
        {
            final VirtualWorker worker = (VirtualWorker)message.to();
            final Silence silence = silences.computeIfAbsent(worker, (key) -> new Silence());
            // a late copy of a suspension is no sign of life: the session was resumed since
            final boolean isSuspension = SessionSuspendedDecoder.TEMPLATE_ID == message.templateId();
            silence.isHeard |= !isSuspension && message.sessionId() == worker.client().sessionId();
            silence.isTold |= isSuspension;
        }
    }

    @Override
    public void afterWorker(final VirtualWorker worker)
    {
        final Silence silence = silences.computeIfAbsent(worker, (key) -> new Silence());
        final WorkerClient.State state = worker.client().state();
        final long nowNs = checks.cluster().clock().nanoTime();
        silence.runningNs = silence.isHeard || WorkerClient.State.READY != silence.state ?
            0 : silence.runningNs + Math.min(keepAliveNs, nowNs - silence.lastNs);
        if (WorkerClient.State.READY == silence.state && WorkerClient.State.RESUMING == state &&
            silence.way == worker.requests() && !silence.isTold && silence.runningNs < timeoutNs - keepAliveNs)
        {
            throw new Violation("LIFE-2", worker + ": takes " + worker.owner() + " for silent after " +
                silence.runningNs + " ns of its own running time");
        }
        silence.state = state;
        silence.way = worker.requests();
        silence.isHeard = false;
        silence.isTold = false;
        silence.lastNs = nowNs;
    }
}
