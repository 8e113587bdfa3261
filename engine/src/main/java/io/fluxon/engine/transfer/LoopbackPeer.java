package io.fluxon.engine.transfer;

import io.fluxon.ipc.segment.SegmentMapping;

/**
 * One incarnation of a peer on this host, and the mapping of its segment once there is one.
 */
final class LoopbackPeer
{
    private final long generation;
    private final String path;
    private SegmentMapping mapping;

    LoopbackPeer(final long generation, final String path)
    {
        this.generation = generation;
        this.path = path;
    }

    long generation()
    {
        return generation;
    }

    String path()
    {
        return path;
    }

    SegmentMapping mapping()
    {
        return mapping;
    }

    void map(final SegmentMapping mapping)
    {
        this.mapping = mapping;
    }

    void close()
    {
        if (null != mapping)
        {
            mapping.close();
            mapping = null;
        }
    }
}
