package io.fluxon.engine.window;

import java.util.Arrays;

/**
 * The path whose return is least to be expected for each second that it is held goes first, and of a path the deepest
 * page. A path is one use of a prefix and owns the pages that nobody used later. What is learned of returns is in
 * {@link ReturnModel}; paths that went are remembered for a while, so that their return is learned from, too.
 * <p>
 * Paths are in lists by the odds of their return, each in the order of use. How much a path is worth rises with age up
 * to a point and then falls, so that the least of a list is at one of its ends.
 */
final class ReturnPolicy implements WindowPolicy
{
    private static final int NONE = SlotLists.NONE;

    private static final int LEFT_OVER = ReturnModel.LEVELS;
    private static final int PINNED = LEFT_OVER + 1;
    private static final int GONE = PINNED + 1;
    private static final int FREE = GONE + 1;
    private static final int LISTS = FREE + 1;

    private static final int MIN_GONE_PATHS = 4096;
    private static final int GHOSTS_OF_PATH = 4;
    private static final long MIN_TIP_AGE_MS = 1000;

    private final PageTable pages;
    private final PathTable paths;
    private final SlotLists lists;
    private final SlotLists order;
    private final GhostTable ghosts;
    private final ReturnModel model = new ReturnModel();
    private final int[] agingPaths = new int[ReturnModel.BINS];
    private final int pathCount;
    private int usedPaths;
    private int tipPath = NONE;
    private int victimPath = NONE;
    private long nowMs;
    private int size;

    ReturnPolicy(final MemoryCarver memory, final int slotCount)
    {
        final int pathCount = pathCount(slotCount);
        pages = new PageTable(memory, slotCount);
        paths = new PathTable(memory, pathCount);
        lists = new SlotLists(memory.next(SlotLists.requiredLength(pathCount)), pathCount, LISTS);
        order = new SlotLists(memory.next(SlotLists.requiredLength(pathCount)), pathCount, 1);
        ghosts = new GhostTable(memory, ghostCount(slotCount), 1);
        Arrays.fill(agingPaths, NONE);
        this.pathCount = pathCount;
    }

    static long requiredLength(final int slotCount)
    {
        final int pathCount = pathCount(slotCount);
        return PageTable.requiredLength(slotCount) + PathTable.requiredLength(pathCount) +
            2 * SlotLists.requiredLength(pathCount) + GhostTable.requiredLength(ghostCount(slotCount));
    }

    /** Each slot may be a path of its own; those that went are beside them. */
    private static int pathCount(final int slotCount)
    {
        return slotCount + Math.max(MIN_GONE_PATHS, slotCount / 4);
    }

    private static int ghostCount(final int slotCount)
    {
        return GHOSTS_OF_PATH * Math.max(MIN_GONE_PATHS, slotCount / 4);
    }

    @Override
    public void touch(final SlotRun run, final long nowMs)
    {
        advance(nowMs);
        int last = run.size() - 1;
        while (last >= 0 && !contains(run.slotId(last)))
        {
            last--;
        }
        if (last < 0)
        {
            return;
        }

        if (NONE != run.behind() && contains(run.behind()))
        {
            ownBefore(run, last);
            return;
        }

        final int path = openPath(run.slotId(last));
        for (int i = 0; i <= last; i++)
        {
            if (contains(run.slotId(i)))
            {
                own(path, run.slotId(i));
            }
        }
        place(path);
    }

    /** The pages before one that was used before them in the same use: they are of its path. */
    private void ownBefore(final SlotRun run, final int last)
    {
        int deeper = run.behind();
        final int path = pages.path(deeper);
        for (int i = last; i >= 0; i--)
        {
            final int slotId = run.slotId(i);
            if (contains(slotId))
            {
                if (path != pages.path(slotId))
                {
                    disown(pages.path(slotId), slotId);
                    pages.path(slotId, path);
                    pages.link(slotId, pages.shallower(deeper), deeper);
                    paths.pages(path, paths.pages(path) + 1);
                }
                deeper = slotId;
            }
        }
    }

    @Override
    public void add(final SlotRun run, final long nowMs)
    {
        advance(nowMs);
        int parent = NONE;
        int path = NONE;
        for (int i = 0; i < run.size(); i++)
        {
            final int slotId = run.slotId(i);
            if (!contains(slotId))
            {
                path = NONE == path ? pathBehind(parent) : path;
                admit(path, slotId, run.keyHash(i), parent);
            }
            else if (NONE != path)
            {
                own(path, slotId);
            }
            parent = slotId;
        }
        if (NONE != path)
        {
            place(path);
        }
    }

    /** The path that pages behind a page continue: that of the page, unless it goes on otherwise already. */
    private int pathBehind(final int parent)
    {
        if (NONE == parent)
        {
            return open(0, NONE, 0);
        }
        final int path = paths.deepest(pages.path(parent)) == parent && !paths.isReturned(pages.path(parent)) ?
            pages.path(parent) : open(0, NONE, pages.depth(parent) + 1);
        return path;
    }

    private void admit(final int path, final int slotId, final long keyHash, final int parent)
    {
        pages.fill(slotId, keyHash, parent);
        pages.path(slotId, path);
        append(path, slotId);
        size++;

        final int length = pages.depth(slotId) + 1;
        final boolean isKnown = isReturnOfGone(path, keyHash, length);
        paths.lengths(path, Math.max(length, paths.length(path)), isKnown ? 0 : paths.newPages(path) + 1);
    }

    private boolean isReturnOfGone(final int path, final long keyHash, final int length)
    {
        final int ghost = ghosts.find(keyHash);
        if (GhostTable.NONE == ghost)
        {
            return false;
        }

        final int gone = (int)(ghosts.value(ghost) >>> Integer.SIZE);
        final boolean isSame = paths.generation(gone) == (int)ghosts.value(ghost);
        ghosts.remove(ghost);
        if (isSame && gone != path && isReturn(gone, length))
        {
            paths.origin(path, paths.turn(gone) + 1, model.bin(nowMs - paths.timeMs(gone)));
            onReturn(gone, length);
        }
        return true;
    }

    /** A new path for a use that reaches as far as the page in a slot. */
    private int openPath(final int slotId)
    {
        final int last = pages.path(slotId);
        final int length = pages.depth(slotId) + 1;
        if (!isReturn(last, length))
        {
            return open(0, NONE, length);
        }

        final int path = open(paths.turn(last) + 1, model.bin(nowMs - paths.timeMs(last)), length);
        onReturn(last, length);
        return path;
    }

    /** A use that shares less than a quarter of a path, or only its front page, branches off; it may still return. */
    private boolean isReturn(final int path, final int length)
    {
        final int pathLength = paths.length(path);
        return !paths.isReturned(path) && 4L * length >= pathLength && length >= Math.min(2, pathLength);
    }

    private void onReturn(final int path, final int length)
    {
        model.onReturn(paths, path, nowMs - paths.timeMs(path), length >= paths.length(path));
        paths.markReturned(path);
        if (0 < paths.pages(path))
        {
            lists.unlink(path);
            lists.append(LEFT_OVER, path);
        }
        else
        {
            free(path);
        }
    }

    private int open(final int turn, final int gapBin, final int length)
    {
        final int path = takeFree();
        paths.open(path, nowMs, turn, gapBin, length);
        order.append(0, path);
        for (int bin = 1; bin < ReturnModel.BINS; bin++)
        {
            agingPaths[bin] = NONE == agingPaths[bin] ? path : agingPaths[bin];
        }
        tipPath = NONE == tipPath ? path : tipPath;
        return path;
    }

    /** Records are used one after the other, so that memory which was never needed is never touched. */
    private int takeFree()
    {
        if (0 == lists.size(FREE))
        {
            if (usedPaths < pathCount)
            {
                return usedPaths++;
            }
            free(lists.oldest(GONE));
        }
        return lists.unlinkOldest(FREE);
    }

    private void free(final int path)
    {
        final int newer = order.newer(path);
        for (int bin = 1; bin < ReturnModel.BINS; bin++)
        {
            agingPaths[bin] = path == agingPaths[bin] ? newer : agingPaths[bin];
        }
        tipPath = path == tipPath ? newer : tipPath;
        order.unlink(path);
        lists.unlink(path);
        lists.append(FREE, path);
    }

    private void place(final int path)
    {
        final int level = model.level(paths, path);
        paths.level(path, level);
        lists.unlink(path);
        lists.append(level, path);
    }

    private void own(final int path, final int slotId)
    {
        final int last = pages.path(slotId);
        if (last != path)
        {
            disown(last, slotId);
            pages.path(slotId, path);
            append(path, slotId);
        }
    }

    private void append(final int path, final int slotId)
    {
        pages.link(slotId, paths.deepest(path), NONE);
        paths.deepest(path, slotId);
        paths.pages(path, paths.pages(path) + 1);
    }

    private void disown(final int path, final int slotId)
    {
        if (slotId == paths.deepest(path))
        {
            paths.deepest(path, pages.shallower(slotId));
        }
        pages.unlink(slotId);
        paths.pages(path, paths.pages(path) - 1);
        if (0 == paths.pages(path))
        {
            onEmpty(path);
        }
    }

    private void onEmpty(final int path)
    {
        victimPath = path == victimPath ? NONE : victimPath;
        if (paths.isReturned(path))
        {
            free(path);
        }
        else
        {
            lists.unlink(path);
            lists.append(GONE, path);
        }
    }

    /** Tell the model of the paths that got older without a return. */
    private void advance(final long nowMs)
    {
        this.nowMs = nowMs;
        victimPath = NONE;
        for (int bin = 1; bin < ReturnModel.BINS; bin++)
        {
            int path = agingPaths[bin];
            while (NONE != path && nowMs - paths.timeMs(path) >= model.edgeMs(bin))
            {
                if (!paths.isReturned(path))
                {
                    model.onStay(paths, path, bin);
                }
                path = order.newer(path);
            }
            agingPaths[bin] = path;
        }
    }

    @Override
    public boolean remove(final int slotId)
    {
        if (!contains(slotId))
        {
            return false;
        }
        leave(slotId);
        return true;
    }

    private void leave(final int slotId)
    {
        disown(pages.path(slotId), slotId);
        final int parent = pages.clear(slotId);
        if (NONE != parent && contains(parent) && PINNED == lists.listOf(pages.path(parent)) &&
            parent == paths.deepest(pages.path(parent)))
        {
            unpin(pages.path(parent));
        }
        size--;
    }

    private void unpin(final int path)
    {
        lists.unlink(path);
        lists.prepend(paths.isReturned(path) ? LEFT_OVER : paths.level(path), path);
    }

    @Override
    public boolean contains(final int slotId)
    {
        return NONE != pages.path(slotId);
    }

    @Override
    public int evict()
    {
        if (0 == size)
        {
            return NONE;
        }

        int victim = lostTip();
        while (NONE == victim)
        {
            victimPath = NONE == victimPath ? leastPath() : victimPath;
            victim = paths.deepest(victimPath);
            if (pages.hasChildren(victim) && PINNED != lists.listOf(victimPath))
            {
                lists.unlink(victimPath);
                lists.append(PINNED, victimPath);
                victimPath = NONE;
                victim = NONE;
            }
        }
        evict(victim);
        return victim;
    }

    /** A victim that was chosen elsewhere; it is remembered as if it had been chosen here. */
    void evict(final int slotId)
    {
        remember(slotId);
        leave(slotId);
    }

    /** The deepest page of a path, when experience says that such pages are not read again. */
    private int lostTip()
    {
        while (model.isTipLost() && NONE != tipPath && nowMs - paths.timeMs(tipPath) >= MIN_TIP_AGE_MS)
        {
            final int path = tipPath;
            final int tip = paths.deepest(path);
            tipPath = order.newer(path);
            if (NONE != tip && pages.depth(tip) + 1 == paths.length(path) && !pages.hasChildren(tip))
            {
                return tip;
            }
        }
        return NONE;
    }

    private int leastPath()
    {
        if (0 < lists.size(LEFT_OVER))
        {
            return lists.oldest(LEFT_OVER);
        }

        int least = NONE;
        double leastWorth = Double.MAX_VALUE;
        for (int level = 0; level < ReturnModel.LEVELS; level++)
        {
            final int oldest = lists.oldest(level);
            if (NONE != oldest)
            {
                final double oldestWorth = worth(level, oldest);
                final double newestWorth = worth(level, lists.newest(level));
                if (Math.min(oldestWorth, newestWorth) < leastWorth)
                {
                    leastWorth = Math.min(oldestWorth, newestWorth);
                    least = newestWorth < oldestWorth ? lists.newest(level) : oldest;
                }
            }
        }
        return NONE == least ? lists.oldest(PINNED) : least;
    }

    private double worth(final int level, final int path)
    {
        return model.worth(level, model.bin(nowMs - paths.timeMs(path)));
    }

    /** The deepest pages of a path tell later that it returned. */
    private void remember(final int slotId)
    {
        final int path = pages.path(slotId);
        if (paths.isReturned(path) || paths.gonePages(path) >= GHOSTS_OF_PATH)
        {
            return;
        }

        paths.gonePages(path, paths.gonePages(path) + 1);
        final long value = (long)path << Integer.SIZE | paths.generation(path) & 0xffff_ffffL;
        final int ghost = ghosts.find(pages.keyHash(slotId));
        if (GhostTable.NONE != ghost)
        {
            ghosts.remove(ghost);
        }
        else if (ghosts.isFull())
        {
            ghosts.removeOldest(0);
        }
        ghosts.add(0, pages.keyHash(slotId), value);
    }

    @Override
    public int size()
    {
        return size;
    }

    /** How often the path was used again that owns the page in a slot, which is in the window. */
    int turn(final int slotId)
    {
        return paths.turn(pages.path(slotId));
    }
}
