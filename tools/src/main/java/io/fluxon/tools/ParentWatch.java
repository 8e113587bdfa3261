package io.fluxon.tools;

import java.io.IOException;
import java.io.InputStream;

/**
 * Ends this process, in good order, when its standard input ends: the process that started it has gone then.
 */
final class ParentWatch
{
    private ParentWatch()
    {
    }

    static void start(final InputStream input)
    {
        Thread.ofPlatform().daemon().name("parent-watch").start(() ->
        {
            try
            {
                int read = input.read();
                while (read >= 0)
                {
                    read = input.read();
                }
            }
            catch (final IOException ex)
            {
                System.err.println("standard input: " + ex.getMessage());
            }
            System.exit(0);
        });
    }
}
