package io.fluxon.cuda.driver;

import java.util.ArrayList;
import java.util.List;

/**
 * What was made one after the other, to be closed from the last to the first. Belongs to one thread at a time.
 */
public final class CloseList implements AutoCloseable
{
    private final List<AutoCloseable> made = new ArrayList<>();

    /**
     * Something was made.
     *
     * @param thing to be closed before what was made before it.
     * @param <T>   its type.
     * @return the same.
     */
    public <T extends AutoCloseable> T add(final T thing)
    {
        made.add(thing);
        return thing;
    }

    /**
     * Closes all of it because something could not be made.
     *
     * @param reason why; gets what could not be closed as suppressed.
     * @return the reason, to be thrown.
     */
    public RuntimeException closeAfter(final RuntimeException reason)
    {
        try
        {
            close();
        }
        catch (final RuntimeException ex)
        {
            reason.addSuppressed(ex);
        }
        return reason;
    }

    /**
     * Closes all that is not closed yet.
     *
     * @throws RuntimeException of the first that cannot be closed, the others suppressed: all were tried, and a
     *                          repeated call tries again those that threw.
     */
    @Override
    public void close()
    {
        RuntimeException failure = null;
        for (int i = made.size() - 1; i >= 0; i--)
        {
            try
            {
                made.get(i).close();
                made.remove(i);
            }
            catch (final Exception ex)
            {
                if (null == failure)
                {
                    failure = ex instanceof final RuntimeException known ? known : new IllegalStateException(ex);
                }
                else
                {
                    failure.addSuppressed(ex);
                }
            }
        }
        if (null != failure)
        {
            throw failure;
        }
    }
}
