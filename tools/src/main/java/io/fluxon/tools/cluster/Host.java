package io.fluxon.tools.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a process runs: this machine, or a network namespace that stands for a machine of its own.
 *
 * @param namespace name of the network namespace, or null for this machine's own network.
 * @param address   at which the others reach it.
 * @param isRemote  true if it is another machine to the others, whose memory they cannot map.
 */
public record Host(String namespace, String address, boolean isRemote)
{
    /** This machine, reached by its own processes only. */
    public static final Host LOCAL = new Host(null, "127.0.0.1", false);

    /** This machine, to whose processes the others are as on another one. */
    public static final Host APART = new Host(null, "127.0.0.1", true);

    /**
     * Makes the command line that runs a command here. The process has the id of the one that is started. On
     * another machine UCX reads over TCP: it could find the memory that hosts of one machine share.
     *
     * @param command line.
     * @return command line.
     */
    public List<String> run(final List<String> command)
    {
        return isRemote() ? runOverTcp(command) : command;
    }

    /**
     * Makes the command line that runs a command here, with UCX kept to TCP in any case.
     *
     * @param command line.
     * @return command line.
     */
    public List<String> runOverTcp(final List<String> command)
    {
        final List<String> line = new ArrayList<>();
        if (null != namespace)
        {
            line.addAll(List.of("ip", "netns", "exec", namespace));
        }
        line.addAll(List.of("env", "UCX_TLS=tcp"));
        line.addAll(command);
        return line;
    }
}
