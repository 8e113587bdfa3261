package io.fluxon.engine.owner;

/**
 * The last requests to connect that are over: their session has ended, or their worker has given them up. A late copy
 * of one must not make a session that nobody knows of. Confined to one thread.
 */
final class OverConnects
{
    private static final int CAPACITY = 256;

    private final long[] connectionIds = new long[CAPACITY];
    private final long[] requestIds = new long[CAPACITY];
    private int next;
    private int size;

    /** Takes a request in, the oldest out when there are too many. */
    void add(final long connectionId, final long requestId)
    {
        if (!contains(connectionId, requestId))
        {
            connectionIds[next] = connectionId;
            requestIds[next] = requestId;
            next = (next + 1) % CAPACITY;
            size = Math.min(size + 1, CAPACITY);
        }
    }

    boolean contains(final long connectionId, final long requestId)
    {
        for (int i = 0; i < size; i++)
        {
            if (connectionId == connectionIds[i] && requestId == requestIds[i])
            {
                return true;
            }
        }

        return false;
    }
}
