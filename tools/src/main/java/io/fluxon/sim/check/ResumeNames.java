package io.fluxon.sim.check;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import java.util.HashSet;
import java.util.Set;

/**
 * What a worker names that wants to go on with its session (API-10).
 *
 * @param sessionId to resume, 0 = it wants a new one.
 * @param plans     plans and handles that it still uses.
 * @param holdings  ids of holdings that it still uses.
 * @param requests  ids of requests that it waits for.
 */
record ResumeNames(long sessionId, Set<Long> plans, Set<Long> holdings, Set<Long> requests)
{
    static ResumeNames of(final Message message)
    {
        final ConnectRequestDecoder connect = new ConnectRequestDecoder().wrap(
            message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        final ResumeNames names =
            new ResumeNames(connect.sessionId(), new HashSet<>(), new HashSet<>(), new HashSet<>());
        for (final ConnectRequestDecoder.PlansDecoder plan : connect.plans())
        {
            names.plans.add(plan.planId());
        }
        for (final ConnectRequestDecoder.HoldingsDecoder run : connect.holdings())
        {
            for (int i = 0; i < run.holdingCount(); i++)
            {
                names.holdings.add(run.firstHoldingId() + i);
            }
        }
        for (final ConnectRequestDecoder.RequestsDecoder request : connect.requests())
        {
            names.requests.add(request.requestId());
        }
        return names;
    }
}
