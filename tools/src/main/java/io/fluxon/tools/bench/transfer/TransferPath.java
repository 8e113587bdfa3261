package io.fluxon.tools.bench.transfer;

import java.util.ArrayList;
import java.util.List;

/**
 * Between which two hosts, or what stands for them, the bytes go.
 *
 * @param text     that tells it to the reader of the report.
 * @param source   where the pages are.
 * @param reader   where they are read.
 */
record TransferPath(String text, Host source, Host reader)
{
    /**
     * A host.
     *
     * @param address at which it is reached.
     * @param prefix  of a command line that is to run there.
     */
    record Host(String address, List<String> prefix)
    {
        /** UCX of both sides is held to TCP: on one machine it could find the memory that the hosts share. */
        List<String> run(final List<String> command)
        {
            final List<String> line = new ArrayList<>(prefix);
            line.addAll(List.of("env", "UCX_TLS=tcp"));
            line.addAll(command);
            return line;
        }
    }

    static TransferPath loopback(final String reason)
    {
        final Host here = new Host("127.0.0.1", List.of());
        return new TransferPath("loopback of this machine (" + reason + ")", here, here);
    }
}
