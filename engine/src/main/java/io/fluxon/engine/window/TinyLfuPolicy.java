package io.fluxon.engine.window;

/**
 * W-TinyLFU (Einziger, Friedman and Manes, 2017): a new slot starts in a small window; when it falls out of there it
 * competes with the slot that is next to go from the main part, and the one whose key was used less goes. A hit in the
 * main part protects. How large the window is follows the hit rate by hill climbing.
 */
final class TinyLfuPolicy implements WindowPolicy
{
    private static final int WINDOW = 0;
    private static final int CANDIDATES = 1;
    private static final int PROBATION = 2;
    private static final int PROTECTED = 3;
    private static final int LISTS = 4;

    private static final double PROTECTED_SHARE = 0.8;
    private static final double MAIN_SHARE = 0.99;
    private static final int MIN_FREQUENCY_BY_CHANCE = 6;
    private static final int CHANCE_MASK = 127;

    private static final int SAMPLE_USES_PER_SLOT = 10;
    private static final int MAX_MOVES = 1000;
    private static final double INITIAL_STEP = 0.0625;
    private static final double STEP_DECAY = 0.98;
    private static final double RESTART_CHANGE = 0.05;

    private final SlotLists lists;
    private final KeyHashes keyHashes;
    private final FrequencySketch sketch;
    private final int capacitySlots;
    private int maxWindow;
    private int maxProtected;
    private long chance = 1;

    private long sampleHits;
    private long sampleMisses;
    private double lastHitRatio;
    private double step;
    private int windowGain;

    TinyLfuPolicy(final MemoryCarver memory, final int slotCount, final int capacitySlots)
    {
        lists = new SlotLists(memory.next(SlotLists.requiredLength(slotCount)), slotCount, LISTS);
        keyHashes = new KeyHashes(memory, slotCount);
        sketch = new FrequencySketch(memory, slotCount, capacitySlots);
        this.capacitySlots = capacitySlots;
        step = -INITIAL_STEP * capacitySlots;
        maxWindow = Math.max(1, capacitySlots - (int)(MAIN_SHARE * capacitySlots));
        maxProtected = (int)(PROTECTED_SHARE * (capacitySlots - maxWindow));
    }

    static long requiredLength(final int slotCount)
    {
        return SlotLists.requiredLength(slotCount) + KeyHashes.requiredLength(slotCount) +
            FrequencySketch.requiredLength(slotCount);
    }

    @Override
    public void touch(final SlotRun run, final long nowMs)
    {
        climb();
        for (int i = run.size() - 1; i >= 0; i--)
        {
            final int list = lists.listOf(run.slotId(i));
            if (SlotLists.NONE != list)
            {
                sketch.increment(run.keyHash(i));
                lists.unlink(run.slotId(i));
                lists.append(WINDOW == list ? WINDOW : PROTECTED, run.slotId(i));
                sampleHits++;
            }
        }
        demote();
    }

    @Override
    public void add(final SlotRun run, final long nowMs)
    {
        climb();
        for (int i = run.size() - 1; i >= 0; i--)
        {
            final int slotId = run.slotId(i);
            final int list = lists.listOf(slotId);
            if (SlotLists.NONE == list)
            {
                sketch.increment(run.keyHash(i));
                keyHashes.set(slotId, run.keyHash(i));
                sampleMisses++;
            }
            lists.unlink(slotId);
            lists.append(SlotLists.NONE == list ? WINDOW : list, slotId);
            shrinkWindow();
        }
    }

    private void shrinkWindow()
    {
        while (lists.size(WINDOW) > maxWindow)
        {
            lists.append(size() <= capacitySlots ? PROBATION : CANDIDATES, lists.unlinkOldest(WINDOW));
        }
    }

    private void demote()
    {
        while (lists.size(PROTECTED) > maxProtected)
        {
            lists.append(PROBATION, lists.unlinkOldest(PROTECTED));
        }
    }

    private void climb()
    {
        if (sampleHits + sampleMisses >= (long)SAMPLE_USES_PER_SLOT * capacitySlots)
        {
            judgeLastStep();
        }
        demote();
        if (0 < windowGain)
        {
            growWindow();
        }
        else if (0 > windowGain)
        {
            cutWindow();
        }
    }

    private void judgeLastStep()
    {
        final double hitRatio = (double)sampleHits / (sampleHits + sampleMisses);
        final double change = hitRatio - lastHitRatio;
        final double amount = change >= 0 ? step : -step;
        step = Math.abs(change) >= RESTART_CHANGE ?
            Math.copySign(INITIAL_STEP * capacitySlots, amount) : STEP_DECAY * amount;
        lastHitRatio = hitRatio;
        sampleHits = 0;
        sampleMisses = 0;
        windowGain = (int)amount;
    }

    /** What the window gains, the protected part gives, and the slots move with the room. */
    private void growWindow()
    {
        final int gain = Math.min(windowGain, maxProtected);
        maxProtected -= gain;
        demote();
        int left = gain;
        for (int i = 0; i < MAX_MOVES && 0 < left; i++)
        {
            final int slotId = lists.unlinkOldest(0 < lists.size(PROBATION) ? PROBATION : PROTECTED);
            if (SlotLists.NONE == slotId)
            {
                break;
            }
            lists.append(WINDOW, slotId);
            left--;
        }
        maxProtected += left;
        maxWindow += gain - left;
        windowGain = left;
    }

    private void cutWindow()
    {
        int left = Math.min(-windowGain, maxWindow - 1);
        final int loss = left;
        for (int i = 0; i < MAX_MOVES && 0 < left; i++)
        {
            final int slotId = lists.unlinkOldest(WINDOW);
            if (SlotLists.NONE == slotId)
            {
                break;
            }
            lists.append(PROBATION, slotId);
            left--;
        }
        maxWindow -= loss - left;
        maxProtected += loss - left;
        windowGain = -left;
    }

    @Override
    public boolean remove(final int slotId)
    {
        return lists.unlink(slotId);
    }

    @Override
    public boolean contains(final int slotId)
    {
        return SlotLists.NONE != lists.listOf(slotId);
    }

    @Override
    public int evict()
    {
        final int candidates = 0 < lists.size(CANDIDATES) ? CANDIDATES : WINDOW;
        final int candidate = lists.oldest(candidates);
        final int victim = lists.oldest(PROBATION);
        if (SlotLists.NONE == candidate || SlotLists.NONE == victim)
        {
            return lists.unlinkOldest(SlotLists.NONE != candidate ? candidates :
                SlotLists.NONE != victim ? PROBATION : PROTECTED);
        }
        if (!isAdmitted(candidate, victim))
        {
            return lists.unlinkOldest(candidates);
        }
        if (CANDIDATES == candidates)
        {
            lists.append(PROBATION, lists.unlinkOldest(CANDIDATES));
        }
        return lists.unlinkOldest(PROBATION);
    }

    private boolean isAdmitted(final int candidate, final int victim)
    {
        final int frequency = sketch.frequency(keyHashes.get(candidate));
        if (frequency > sketch.frequency(keyHashes.get(victim)))
        {
            return true;
        }

        chance ^= chance << 13;
        chance ^= chance >>> 7;
        chance ^= chance << 17;
        return frequency >= MIN_FREQUENCY_BY_CHANCE && 0 == (chance & CHANCE_MASK);
    }

    @Override
    public int size()
    {
        return lists.size(WINDOW) + lists.size(CANDIDATES) + lists.size(PROBATION) + lists.size(PROTECTED);
    }
}
