package io.fluxon.cuda.copy;

/**
 * Events behind the layers of one copy, used again for the next. Belongs to who asked the device for it.
 */
public interface LayerEvents extends AutoCloseable
{
    /** Of a device that has no events: its layers are done with the copy. */
    LayerEvents NONE = new LayerEvents()
    {
        @Override
        public long address()
        {
            return CopyProxy.NONE;
        }

        @Override
        public long event(final int layer)
        {
            return CopyProxy.NONE;
        }

        @Override
        public boolean isDone(final int layer)
        {
            return false;
        }

        @Override
        public void close()
        {
        }
    };

    /**
     * What a descriptor names.
     *
     * @return address of one CUevent a layer, {@link CopyProxy#NONE} where there are none.
     */
    long address();

    /**
     * The event behind a layer, for streams to wait for, once {@link CopyListener#onRecorded} was called.
     *
     * @param layer 0 or more.
     * @return CUevent, {@link CopyProxy#NONE} where there is none.
     */
    long event(int layer);

    /**
     * Is a layer where it belongs, with those before it? Asked after {@link CopyListener#onRecorded}, by a thread that
     * uses the device.
     *
     * @param layer 0 or more.
     * @return true if so.
     */
    boolean isDone(int layer);

    /** Gives the events back, by a thread that uses the device. */
    @Override
    void close();
}
