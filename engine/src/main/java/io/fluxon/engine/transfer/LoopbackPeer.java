package io.fluxon.engine.transfer;

import io.fluxon.ipc.segment.SegmentMapping;

import java.nio.file.Path;

/**
 * One incarnation of a peer on this host, and the mapping of its segment once there is one.
 */
final class LoopbackPeer
{
    private final long generation;
    private final Path path;
    private SegmentMapping mapping;

    LoopbackPeer(final long generation, final Path path)
    {
        this.generation = generation;
        this.path = path;
    }

    long generation()
    {
        return generation;
    }

    Path path()
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
