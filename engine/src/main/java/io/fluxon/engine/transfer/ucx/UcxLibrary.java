package io.fluxon.engine.transfer.ucx;

import org.openucx.jucx.NativeLibs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The native library of UCX, which the system brings and a process may do without.
 */
public final class UcxLibrary
{
    private static final String REMEDY = "install libucp.so.0 (Debian: apt-get install libucx0)";
    private static final String BINDING = "/libjucx.so";
    private static final Path MAPPINGS = Path.of("/proc/self/maps");

    private UcxLibrary()
    {
    }

    /**
     * Loads it, once for the process.
     *
     * @return null when it is there, else one line that says what is missing and what to install.
     */
    public static String load()
    {
        try
        {
            NativeLibs.load();
            removeUnpacked();
            return null;
        }
        catch (final LinkageError ex)
        {
            final String reason = String.valueOf(ex.getMessage()).lines().findFirst().orElse("");
            return "UCX cannot be used here: " + REMEDY + "; " + reason.substring(reason.lastIndexOf(BINDING) + 1);
        }
    }

    /** The binding is unpacked into a directory that a killed process would leave behind; mapped, it needs no name. */
    private static void removeUnpacked()
    {
        try (Stream<String> mappings = Files.lines(MAPPINGS))
        {
            final String unpacked = mappings.filter((line) -> line.endsWith(BINDING)).findFirst().orElse(null);
            if (null != unpacked)
            {
                final Path path = Path.of(unpacked.substring(unpacked.indexOf('/')));
                Files.deleteIfExists(path);
                Files.deleteIfExists(path.getParent());
            }
        }
        catch (final IOException ex)
        {
            // then it goes with the process, unless that is killed
            return;
        }
    }
}
