package io.fluxon.engine.memory;

import org.agrona.concurrent.AgentTerminationException;

/**
 * A bug in the engine was seen: an illegal transition, a reference released twice, counters that do not agree. It stops
 * the agent that runs the core, since going on could hand out wrong bytes (contract SLOT-2).
 */
public final class InvariantViolation extends AgentTerminationException
{
    private static final long serialVersionUID = 1L;

    /**
     * A violation.
     *
     * @param message what does not hold, with the slot and its state.
     */
    public InvariantViolation(final String message)
    {
        super(message);
    }
}
