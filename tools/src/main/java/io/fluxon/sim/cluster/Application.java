package io.fluxon.sim.cluster;

/**
 * What a worker's process does beside its client.
 */
public interface Application
{
    /** Does nothing. */
    Application NONE = new Application()
    {
        @Override
        public void run()
        {
        }

        @Override
        public long nextNs()
        {
            return Long.MAX_VALUE;
        }
    };

    /** One step, before each poll of the client. */
    void run();

    /**
     * When it wants to do something next.
     *
     * @return nanoseconds, {@link Long#MAX_VALUE} when it waits for the client.
     */
    long nextNs();
}
