package io.fluxon.tools.trace;

import org.agrona.collections.LongHashSet;

/**
 * What a run over a trace must count when requests go one after the other and nothing is ever evicted: request i goes
 * to worker {@code i mod workers}, worker j is attached to owner {@code j mod owners}, a page that was fetched stays at
 * the owner that fetched it, and the pages behind the leading hits are put there.
 */
public final class TraceModel
{
    private final LongHashSet[] pagesOfOwners;
    private final LongHashSet allPages = new LongHashSet();
    private final int workers;
    private int requests;
    private int requestedPages;
    private int hitPages;
    private int remoteHitPages;
    private int writtenPages;

    /**
     * Constructs a model of an empty cache.
     *
     * @param owners  that workers are attached to, greater than 0.
     * @param workers of all owners together, greater than 0.
     */
    public TraceModel(final int owners, final int workers)
    {
        if (owners <= 0 || workers <= 0)
        {
            throw new IllegalArgumentException("owners and workers must be greater than 0");
        }
        this.workers = workers;
        pagesOfOwners = new LongHashSet[owners];
        for (int i = 0; i < owners; i++)
        {
            pagesOfOwners[i] = new LongHashSet();
        }
    }

    /**
     * Runs all requests of a trace.
     *
     * @param trace to run.
     * @return this.
     */
    public TraceModel run(final Trace trace)
    {
        for (int i = 0; i < trace.requestCount(); i++)
        {
            onRequest(trace, i);
        }
        return this;
    }

    private void onRequest(final Trace trace, final int request)
    {
        final LongHashSet here = pagesOfOwners[ownerOf(request)];
        final int blocks = trace.blockCount(request);
        int index = 0;
        while (index < blocks && allPages.contains(trace.blockId(request, index)))
        {
            if (here.add(trace.blockId(request, index)))
            {
                remoteHitPages++;
            }
            index++;
        }
        hitPages += index;

        final LongHashSet put = new LongHashSet();
        while (index < blocks)
        {
            final long blockId = trace.blockId(request, index);
            put.add(blockId);
            here.add(blockId);
            allPages.add(blockId);
            index++;
        }
        writtenPages += put.size();
        requestedPages += blocks;
        requests++;
    }

    /**
     * Owner that serves a request.
     *
     * @param request index of the request.
     * @return index of the owner.
     */
    public int ownerOf(final int request)
    {
        return request % workers % pagesOfOwners.length;
    }

    /**
     * Requests that were run.
     *
     * @return number of requests.
     */
    public int requests()
    {
        return requests;
    }

    /**
     * Pages that all requests asked for.
     *
     * @return number of pages.
     */
    public int requestedPages()
    {
        return requestedPages;
    }

    /**
     * Pages of the leading hits of all requests.
     *
     * @return number of pages.
     */
    public int hitPages()
    {
        return hitPages;
    }

    /**
     * Pages of the leading hits that the serving owner had to fetch from another.
     *
     * @return number of pages.
     */
    public int remoteHitPages()
    {
        return remoteHitPages;
    }

    /**
     * Pages that were put.
     *
     * @return number of pages.
     */
    public int writtenPages()
    {
        return writtenPages;
    }

    /**
     * Different pages that one owner holds after the run. It is also the most that it can hold after any concurrent run
     * of the same requests.
     *
     * @param owner index of the owner.
     * @return number of pages.
     */
    public int pagesOf(final int owner)
    {
        return pagesOfOwners[owner].size();
    }
}
