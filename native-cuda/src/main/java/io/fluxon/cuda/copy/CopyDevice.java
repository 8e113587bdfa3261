package io.fluxon.cuda.copy;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.kernel.CopyCommand;

/**
 * What makes copies. Belongs to the thread of the agent that has it; a lock may hand it from thread to thread.
 */
public interface CopyDevice extends AutoCloseable
{
    /**
     * The calling thread uses the device from here on, until it leaves. It makes what the device needs of a thread so,
     * each time: others may change it between two turns.
     */
    void enter();

    /**
     * The thread that entered last uses the device no more, and is as it was.
     */
    void leave();

    /**
     * Number of streams that tasks may name.
     *
     * @return 1 or more.
     */
    int streamCount();

    /**
     * The way a command will be copied.
     *
     * @param command   to copy, checked.
     * @param direction of it.
     * @param wanted    by its sender.
     * @return the strategy, never AUTO.
     * @throws IllegalArgumentException when the wanted one cannot copy it.
     */
    CopyStrategy choose(CopyCommand command, CopyDirection direction, CopyStrategy wanted);

    /**
     * Starts the copies of a batch. When it throws, what was started before ends before {@link #isDone} says so.
     *
     * @param batch of tasks of one stream, direction and strategy.
     * @throws RuntimeException that says why they were not all started.
     */
    void submit(CopyBatch batch);

    /**
     * Have all started copies of a batch ended?
     *
     * @param batch that was submitted.
     * @return true if so.
     * @throws RuntimeException that says why they never will.
     */
    boolean isDone(CopyBatch batch);

    /**
     * What the device refused in a task: finally when it is done, so far when it was submitted.
     *
     * @param task of a batch that was submitted.
     * @return null for nothing, else what was wrong; nothing was written then.
     */
    String refusal(CopyTask task);

    /**
     * Events to be recorded behind the layers of a copy.
     *
     * @param layers of the copy, 1 or more.
     * @return the events, {@link LayerEvents#NONE} where there are none.
     */
    LayerEvents layerEvents(int layers);

    @Override
    void close();
}
