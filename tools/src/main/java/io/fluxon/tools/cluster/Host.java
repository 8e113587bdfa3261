package io.fluxon.tools.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a process runs: this machine, or a network namespace that stands for a machine of its own.
 *
 * @param namespace name of the network namespace, or null for this machine's own network.
 * @param address   at which the others reach it.
 */
public record Host(String namespace, String address)
{
    /** This machine, reached by its own processes only. */
    public static final Host LOCAL = new Host(null, "127.0.0.1");

    /**
     * Is it another machine to the others, whose memory they cannot map?
     *
     * @return true if it is.
     */
    public boolean isRemote()
    {
        return null != namespace;
    }

    /**
     * Makes the command line that runs a command here. The process has the id of the one that is started. In a
     * namespace UCX reads over TCP: it could find the memory that hosts of one machine share.
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
        if (isRemote())
        {
            line.addAll(List.of("ip", "netns", "exec", namespace));
        }
        line.addAll(List.of("env", "UCX_TLS=tcp"));
        line.addAll(command);
        return line;
    }
}
