package io.fluxon.cuda.copy;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.kernel.CopyCommand;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes batches, and is done with them when the test says so.
 */
final class ScriptedDevice implements CopyDevice
{
    record Submission(int stream, CopyDirection direction, CopyStrategy strategy, List<Long> tokens, CopyBatch batch)
    {
    }

    final List<Submission> submissions = new ArrayList<>();
    final Set<Long> unsubmittable = new HashSet<>();
    final Set<Long> refused = new HashSet<>();
    private final Set<CopyBatch> running = new HashSet<>();
    boolean isLost;
    boolean isClosed;

    @Override
    public void enter()
    {
    }

    @Override
    public void leave()
    {
    }

    @Override
    public int streamCount()
    {
        return 2;
    }

    @Override
    public CopyStrategy choose(final CopyCommand command, final CopyDirection direction, final CopyStrategy wanted)
    {
        return CopyStrategy.AUTO == wanted ? CopyStrategy.STAGED : wanted;
    }

    @Override
    public void submit(final CopyBatch batch)
    {
        final List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < batch.count(); i++)
        {
            tokens.add(batch.task(i).token());
        }
        submissions.add(new Submission(batch.stream(), batch.direction(), batch.strategy(), tokens, batch));
        running.add(batch);
        if (tokens.stream().anyMatch(unsubmittable::contains))
        {
            throw new IllegalStateException("cuMemcpyBatchAsync failed: CUDA_ERROR_INVALID_VALUE (1)");
        }
    }

    void finishAll()
    {
        running.clear();
    }

    void finish(final int submission)
    {
        running.remove(submissions.get(submission).batch());
    }

    @Override
    public boolean isDone(final CopyBatch batch)
    {
        if (isLost)
        {
            throw new IllegalStateException("cuEventQuery failed: CUDA_ERROR_ILLEGAL_ADDRESS (700)");
        }
        return !running.contains(batch);
    }

    @Override
    public String refusal(final CopyTask task)
    {
        return refused.contains(task.token()) ? "a value of the plan has no address" : null;
    }

    @Override
    public LayerEvents layerEvents(final int layers)
    {
        return LayerEvents.NONE;
    }

    @Override
    public void close()
    {
        isClosed = true;
    }
}
