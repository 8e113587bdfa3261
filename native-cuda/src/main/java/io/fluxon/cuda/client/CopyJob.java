package io.fluxon.cuda.client;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.cuda.copy.CopyAgent;
import io.fluxon.cuda.copy.CopyProxy;
import io.fluxon.cuda.copy.LayerEvents;
import io.fluxon.cuda.kernel.CommandWriter;
import io.fluxon.cuda.kernel.CopyCommand;
import io.fluxon.cuda.kernel.Side;
import io.fluxon.ipc.client.FluxonClient;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.core.ClientOperation;

import java.util.ArrayList;
import java.util.List;

/**
 * One copy, from its offer until its plan is settled. Made once, used again.
 */
final class CopyJob
{
    private final int token;
    private final CopyCommand command = new CopyCommand().allocate();
    private final List<LayerEvents> allEvents = new ArrayList<>();
    private LayerEvents events = LayerEvents.NONE;
    private int eventLayers;
    private CopyFuture future;
    private ClientOperation operation;
    private CopyOptions options;
    private FluxonException failure;
    private boolean isWhole;
    private boolean isRecorded;
    private boolean hasEnded;
    private int layers;
    private int layersDone;
    private long planAddress;

    CopyJob(final int token)
    {
        this.token = token;
    }

    void set(
        final ClientOperation planOperation,
        final boolean isWholePlan,
        final CopyOptions copyOptions,
        final CopyFuture copyFuture)
    {
        operation = planOperation;
        planAddress = PlanCheck.address(planOperation);
        isWhole = isWholePlan;
        options = copyOptions;
        future = copyFuture;
        failure = null;
        isRecorded = false;
        hasEnded = false;
        layersDone = 0;
    }

    void command(
        final CommandWriter writer,
        final CopyDirection direction,
        final int planCount,
        final int first,
        final PagePools pools,
        final PageList pages)
    {
        final Side values = CopyDirection.BACKUP == direction ? Side.TARGET : Side.SOURCE;
        writer.begin(command, pools.geometry(), pages.count())
            .plan(values, planAddress, planCount, first)
            .pools(values.other(), pools.layers())
            .pageIndices(values.other(), pages.address(), pages.indexBytes());
        if (pools.isOnDevice())
        {
            writer.arraysOnDevice(values.other());
        }
        writer.end();
        layers = command.layerCount();
    }

    /** Must the events be replaced by more of them? */
    boolean isShortOfEvents()
    {
        return options.isByLayer() && eventLayers < layers;
    }

    /** The events before stay what they are until the end: a stream may still be told to wait for them. */
    void events(final LayerEvents newEvents)
    {
        allEvents.add(newEvents);
        events = newEvents;
        eventLayers = layers;
    }

    int layers()
    {
        return layers;
    }

    boolean offer(final CopyProxy proxy, final CopyDirection direction)
    {
        return proxy.offer(token, options.stream(), direction, options.strategy(), options.afterEvent(),
            options.isByLayer() ? events.address() : CopyProxy.NONE, command);
    }

    void recorded()
    {
        isRecorded = true;
        future.recorded(events);
    }

    /**
     * Looks which layers are where they belong; a device that cannot say it says at the end what has become of the
     * copy.
     *
     * @return how many more.
     */
    int pollLayers(final CopyAgent agent, final FluxonClient client)
    {
        try
        {
            return countLayers(agent, client);
        }
        catch (final RuntimeException ex)
        {
            isRecorded = false;
            return 0;
        }
    }

    /**
     * Looks which layers are where they belong; returns how many more. An event comes also behind a copy that was
     * refused, or whose pages the owner used again since its session has ended: those count no more (contract GET-6).
     */
    private int countLayers(final CopyAgent agent, final FluxonClient client)
    {
        final int before = layersDone;
        while (isRecorded && !hasEnded && layersDone < layers && events.isDone(layersDone) && agent.isIntact(token) &&
            isPlanOf(client))
        {
            layersDone++;
        }
        if (before < layersDone)
        {
            future.layersDone(layersDone);
        }
        return layersDone - before;
    }

    void ended(final FluxonException reason)
    {
        hasEnded = true;
        failure = reason;
    }

    boolean hasEnded()
    {
        return hasEnded;
    }

    FluxonException failure()
    {
        return failure;
    }

    boolean isWhole()
    {
        return isWhole;
    }

    /** Has the client's session still the plan that was valid when the copy began? */
    boolean isPlanOf(final FluxonClient client)
    {
        return client.planAt(planAddress) == operation;
    }

    ClientOperation operation()
    {
        return operation;
    }

    CopyFuture future()
    {
        return future;
    }

    int token()
    {
        return token;
    }

    /** Forgets the operation and the future; the events stay for the next copy. */
    void clear()
    {
        operation = null;
        future = null;
        failure = null;
    }

    void close()
    {
        while (!allEvents.isEmpty())
        {
            allEvents.getLast().close();
            allEvents.removeLast();
        }
    }
}
