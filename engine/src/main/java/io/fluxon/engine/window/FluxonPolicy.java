package io.fluxon.engine.window;

/**
 * The default: {@link ReturnPolicy}, until a sample of the pages shows that {@link ArcPolicy} would have more hits;
 * then that one for a while. Both follow the window at any time, and one of them chooses the victims.
 * <p>
 * Each use of a sampled page says which of the two had it. What ARC is ahead is summed up, less a little for each use
 * and never below zero. When it would have had about a whole window of hits more, it takes over. Returns are tried
 * again later, and each time that they fail again, twice as late.
 */
final class FluxonPolicy implements WindowPolicy
{
    private static final int NONE = SlotLists.NONE;

    private static final double MARGIN = 0.01;
    private static final int LIMIT_RUNS = 32;
    private static final double RUN_WEIGHT = 1.0 / 64;
    private static final int MIN_SAMPLED_PAGES = 32;
    private static final double MIN_ARC_LIMITS = 32;
    private static final double MAX_ARC_LIMITS = 2048;

    private final ReturnPolicy returns;
    private final ArcPolicy arc;
    private final SampledArc sample;
    private double arcLead;
    private double arcLimits = MIN_ARC_LIMITS;
    private double arcUsesLeft;
    private double runLead;
    private int runUses;
    private double meanRunUses;

    FluxonPolicy(final MemoryCarver memory, final int slotCount, final int capacitySlots)
    {
        returns = new ReturnPolicy(memory, slotCount);
        arc = new ArcPolicy(memory, slotCount, capacitySlots);
        sample = new SampledArc(memory, slotCount, capacitySlots);
    }

    static long requiredLength(final int slotCount)
    {
        return ReturnPolicy.requiredLength(slotCount) + ArcPolicy.requiredLength(slotCount) +
            SampledArc.requiredLength(slotCount);
    }

    @Override
    public void touch(final SlotRun run, final long nowMs)
    {
        judgeHits(run);
        for (int i = run.size() - 1; i >= 0; i--)
        {
            if (sample.isSampled(run.keyHash(i)) && contains(run.slotId(i)))
            {
                sample.use(run.keyHash(i), nowMs);
            }
        }
        returns.touch(run, nowMs);
        arc.touch(run, nowMs);
    }

    @Override
    public void add(final SlotRun run, final long nowMs)
    {
        judgeMisses(run);
        for (int i = run.size() - 1; i >= 0; i--)
        {
            if (!sample.isSampled(run.keyHash(i)))
            {
                continue;
            }
            if (contains(run.slotId(i)))
            {
                sample.renew(run.keyHash(i), nowMs);
            }
            else
            {
                sample.use(run.keyHash(i), nowMs);
            }
        }
        returns.add(run, nowMs);
        arc.add(run, nowMs);
    }

    /** ARC has a page only when it has all those before it, too: others are no hits. */
    private void judgeHits(final SlotRun run)
    {
        boolean isLeading = true;
        for (int i = 0; i < run.size(); i++)
        {
            if (sample.isSampled(run.keyHash(i)) && contains(run.slotId(i)))
            {
                isLeading &= sample.contains(run.keyHash(i));
                judge(isLeading, true);
            }
        }
        conclude();
    }

    private void judgeMisses(final SlotRun run)
    {
        boolean isLeading = true;
        for (int i = 0; i < run.size(); i++)
        {
            if (sample.isSampled(run.keyHash(i)))
            {
                if (contains(run.slotId(i)))
                {
                    isLeading &= sample.wasHit(run.keyHash(i));
                }
                else
                {
                    isLeading &= sample.contains(run.keyHash(i));
                    judge(isLeading, false);
                }
            }
        }
        conclude();
    }

    private void judge(final boolean isHitOfArc, final boolean isHit)
    {
        runUses++;
        runLead += (isHitOfArc ? 1 : 0) - (isHit ? 1 : 0) - MARGIN;
    }

    private void conclude()
    {
        if (0 == runUses)
        {
            return;
        }

        meanRunUses += (runUses - meanRunUses) * RUN_WEIGHT;
        final int sampledPages = sample.share(size());
        final double limit = sampledPages + LIMIT_RUNS * meanRunUses;
        if (isArc())
        {
            arcUsesLeft -= runUses;
        }
        else if (sampledPages >= MIN_SAMPLED_PAGES)
        {
            arcLead = Math.max(0, arcLead + runLead);
            if (arcLead >= limit)
            {
                arcLead = 0;
                arcUsesLeft = arcLimits * limit;
                arcLimits = Math.min(2 * arcLimits, MAX_ARC_LIMITS);
            }
        }
        runUses = 0;
        runLead = 0;
    }

    /** Does ARC choose now? */
    boolean isArc()
    {
        return 0 < arcUsesLeft;
    }

    @Override
    public int evict()
    {
        final int victim = isArc() ? arc.evict() : returns.evict();
        if (NONE == victim)
        {
            return NONE;
        }

        if (isArc())
        {
            returns.evict(victim);
        }
        else
        {
            arc.evict(victim);
        }
        sample.shrinkTo(sample.share(size()));
        return victim;
    }

    @Override
    public boolean remove(final int slotId)
    {
        arc.remove(slotId);
        return returns.remove(slotId);
    }

    @Override
    public boolean contains(final int slotId)
    {
        return returns.contains(slotId);
    }

    @Override
    public int size()
    {
        return returns.size();
    }
}
