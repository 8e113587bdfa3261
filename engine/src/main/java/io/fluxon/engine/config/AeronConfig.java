package io.fluxon.engine.config;

import io.aeron.logbuffer.FrameDescriptor;
import io.fluxon.ipc.aeron.DriverSettings;

/**
 * Control channels; fields of {@code aeron}. A channel needs three terms; the longest message that goes in one piece is
 * an eighth of a term.
 *
 * @param ipcTermBufferBytes  {@code ipc_term_buffer_bytes}: term of the channels to workers, a power of two of 64 KiB
 *                            to 64 MiB. Default 4 MiB.
 * @param udpTermBufferBytes  {@code udp_term_buffer_bytes}: term of the channels between owner and master, likewise.
 *                            Default 4 MiB.
 * @param receiverWindowBytes {@code receiver_window_bytes}: most bytes that may be on their way here on one channel
 *                            between owner and master, which is its flow control: a datagram to half a term, and no
 *                            more than the system gives a socket. Default 128 KiB, or half a term where that is less.
 * @param udpMtuBytes         {@code udp_mtu_bytes}: longest datagram between owner and master, a multiple of 32 of
 *                            1,024 to 65,504 and half a term; the same at both, and no more than the frames carry.
 *                            Default 1,408.
 * @param networkInterface    {@code interface}: address of this machine, or a network such as 10.1.0.0/24 that has one,
 *                            from which datagrams between owner and master are sent. Default empty: the system
 *                            chooses by its routes.
 * @param clientLivenessMs    {@code client_liveness_timeout_ms}: pause of a process that its connection to the driver
 *                            survives. A worker that was stopped for longer connects anew and resumes its session
 *                            (contract API-10); the process of the driver itself must not be stopped for longer.
 *                            Default 120,000.
 * @param imageLivenessMs     {@code image_liveness_timeout_ms}: silence between owner and master after which a channel
 *                            is given up; it is made anew when datagrams arrive again. Default 10,000.
 */
public record AeronConfig(
    int ipcTermBufferBytes,
    int udpTermBufferBytes,
    int receiverWindowBytes,
    int udpMtuBytes,
    String networkInterface,
    int clientLivenessMs,
    int imageLivenessMs)
{
    private static final int LEAST_MS = 1_000;
    private static final int MOST_MS = 3_600_000;

    static AeronConfig read(final ConfigSection section)
    {
        final int udpTerm = term(section, "udp_term_buffer_bytes");
        final int mtu = mtu(section, udpTerm / 2);
        return new AeronConfig(
            term(section, "ipc_term_buffer_bytes"),
            udpTerm,
            (int) section.bytes("receiver_window_bytes",
                (long) Math.min(DriverSettings.DEFAULT_WINDOW_LENGTH, udpTerm / 2), mtu, udpTerm / 2),
            mtu,
            section.text("interface", "", Patterns.INTERFACE, Patterns.INTERFACE_TEXT),
            section.integer("client_liveness_timeout_ms", 120_000, LEAST_MS, MOST_MS),
            section.integer("image_liveness_timeout_ms", 10_000, LEAST_MS, MOST_MS));
    }

    private static int term(final ConfigSection section, final String name)
    {
        final int length = (int) section.bytes(
            name, 4L << 20, DriverSettings.MIN_TERM_LENGTH, DriverSettings.MAX_TERM_LENGTH);
        if (1 != Integer.bitCount(length))
        {
            section.refuse(name, length, "a power of two of " + DriverSettings.MIN_TERM_LENGTH + " to " +
                DriverSettings.MAX_TERM_LENGTH);
        }
        return length;
    }

    private static int mtu(final ConfigSection section, final int mostBytes)
    {
        final int length = (int) section.bytes("udp_mtu_bytes", (long) DriverSettings.DEFAULT_MTU_LENGTH,
            DriverSettings.MIN_MTU_LENGTH, Math.min(DriverSettings.MAX_MTU_LENGTH, mostBytes));
        if (0 != length % FrameDescriptor.FRAME_ALIGNMENT)
        {
            section.refuse("udp_mtu_bytes", length, "a multiple of " + FrameDescriptor.FRAME_ALIGNMENT);
        }
        return length;
    }
}
