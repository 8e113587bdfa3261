package io.fluxon.tools.bench.transfer;

import io.fluxon.tools.cluster.Host;
import io.fluxon.tools.cluster.HostNetwork;

/**
 * Between which two hosts, or what stands for them, the bytes go. UCX of both sides is kept to TCP: on one machine it
 * could find the memory that the hosts share.
 *
 * @param text   that tells it to the reader of the report.
 * @param source where the pages are.
 * @param reader where they are read.
 */
record TransferPath(String text, Host source, Host reader)
{
    static TransferPath of(final HostNetwork network)
    {
        return new TransferPath(
            "veth pair between two network namespaces of this machine", network.host(0), network.host(1));
    }

    static TransferPath loopback(final String reason)
    {
        return new TransferPath("loopback of this machine (" + reason + ")", Host.APART, Host.APART);
    }
}
