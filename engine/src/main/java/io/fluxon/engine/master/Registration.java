package io.fluxon.engine.master;

import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.codecs.control.RegisterRequestDecoder;

/**
 * What an owner says of itself when it registers.
 */
record Registration(
    int ownerId,
    long generation,
    long correlationId,
    int protocolVersion,
    OwnerRole role,
    long segmentLength,
    long committedValues,
    long tenureEpoch,
    long tenureId,
    String responseChannel,
    String segmentPath,
    String name,
    String hostName,
    String transferAddress)
{
    private static final int MAX_TEXT_LENGTH = 4096;

    /**
     * Reads a request.
     *
     * @return what it says, or null when a value is not allowed.
     */
    static Registration of(final RegisterRequestDecoder request)
    {
        final Registration registration = new Registration(
            request.ownerId(),
            request.generation(),
            request.correlationId(),
            request.protocolVersion(),
            request.role(),
            request.segmentLength(),
            request.committedValues(),
            request.tenureEpoch(),
            request.tenureId(),
            request.responseChannel(),
            request.segmentPath(),
            request.name(),
            request.hostName(),
            request.transferAddress());

        return registration.isValid() ? registration : null;
    }

    private boolean isValid()
    {
        return generation > 0 && committedValues >= 0 &&
            (OwnerRole.GPU == role || OwnerRole.REMOTE_CACHE == role) &&
            isText(responseChannel) && isText(segmentPath) && isText(name) && isText(hostName) &&
            isText(transferAddress);
    }

    /** Every owner gets these texts: what no path, name or channel has must not reach them. */
    private static boolean isText(final String text)
    {
        for (int i = 0; i < text.length(); i++)
        {
            if (Character.isISOControl(text.charAt(i)))
            {
                return false;
            }
        }

        return text.length() <= MAX_TEXT_LENGTH;
    }
}
