package io.fluxon.engine.config;

import io.aeron.logbuffer.FrameDescriptor;
import io.fluxon.ipc.aeron.DriverSettings;

/**
 * Buffers of the control channels; fields of {@code aeron}. A channel needs three terms; the longest message that goes
 * in one piece is an eighth of a term.
 *
 * @param ipcTermBufferBytes {@code ipc_term_buffer_bytes}: term of the channels to workers, a power of two of 64 KiB to
 *                           64 MiB. Default 4 MiB.
 * @param udpTermBufferBytes {@code udp_term_buffer_bytes}: term of the channels between owner and master, likewise.
 *                           Default 4 MiB.
 * @param udpMtuBytes        {@code udp_mtu_bytes}: longest datagram between owner and master, a multiple of 32 of 1,024
 *                           to 65,504; the same at both, and no more than the network's frames carry. Default 1,408.
 * @param clientLivenessMs   {@code client_liveness_timeout_ms}: pause of a process that its connection to the driver
 *                           survives. A worker that was stopped for longer connects anew and resumes its session
 *                           (contract API-10); the process of the driver itself must not be stopped for longer. Default
 *                           120,000.
 */
public record AeronConfig(int ipcTermBufferBytes, int udpTermBufferBytes, int udpMtuBytes, int clientLivenessMs)
{
    private static final int LEAST_MS = 1_000;
    private static final int MOST_MS = 3_600_000;
    private static final int LEAST = 64 << 10;
    private static final int MOST = 64 << 20;

    static AeronConfig read(final ConfigSection section)
    {
        return new AeronConfig(
            term(section, "ipc_term_buffer_bytes", 4 << 20),
            term(section, "udp_term_buffer_bytes", 4 << 20),
            mtu(section),
            section.integer("client_liveness_timeout_ms", 120_000, LEAST_MS, MOST_MS));
    }

    private static int term(final ConfigSection section, final String name, final int defaultValue)
    {
        final int length = (int) section.bytes(name, (long) defaultValue, LEAST, MOST);
        if (1 != Integer.bitCount(length))
        {
            section.refuse(name, length, "a power of two of " + LEAST + " to " + MOST);
        }
        return length;
    }

    private static int mtu(final ConfigSection section)
    {
        final int length = (int) section.bytes("udp_mtu_bytes", (long) DriverSettings.DEFAULT_MTU_LENGTH,
            DriverSettings.MIN_MTU_LENGTH, DriverSettings.MAX_MTU_LENGTH);
        if (0 != length % FrameDescriptor.FRAME_ALIGNMENT)
        {
            section.refuse("udp_mtu_bytes", length, "a multiple of " + FrameDescriptor.FRAME_ALIGNMENT);
        }
        return length;
    }
}
