package io.fluxon.tools.cluster;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line of a further process of this program: the same Java, class path and JVM flags as this process, but
 * a heap of its own size.
 */
public final class JavaCommand
{
    private static final String MAIN_CLASS = "io.fluxon.tools.FluxonCli";
    private static final String[] NOT_INHERITED =
    {
        "-Xmx", "-Xms", "-Xlog", "-Xrun", "-agentlib", "-agentpath", "-javaagent", "-XX:", "-Dcom.sun.management",
        "-Dsurefire", "-Dbasedir"
    };

    private JavaCommand()
    {
    }

    /**
     * Makes a command line.
     *
     * @param heapMegabytes most heap of the process.
     * @param arguments     of the {@code fluxon} command.
     * @return the command line.
     */
    public static List<String> of(final int heapMegabytes, final List<String> arguments)
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (final String flag : ManagementFactory.getRuntimeMXBean().getInputArguments())
        {
            if (isInherited(flag))
            {
                command.add(flag);
            }
        }
        command.add("-Xmx" + heapMegabytes + "m");
        command.add("-XX:+UseSerialGC");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(MAIN_CLASS);
        command.addAll(arguments);
        return command;
    }

    private static boolean isInherited(final String flag)
    {
        for (final String prefix : NOT_INHERITED)
        {
            if (flag.startsWith(prefix))
            {
                return false;
            }
        }
        return true;
    }
}
