package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.Stage;

/**
 * Which wait ended by time (contract API-8).
 */
public enum WaitStage
{
    /** The operation did not end by time. */
    NONE,
    /** Owner: other claims for slots came first (SLOT-4). */
    CLAIM_TURN,
    /** Owner: the claim was first in line, but too few slots came free (SLOT-4). */
    REFILL,
    /** Owner: slots cannot come free, because the master is away (LIFE-3). */
    MASTER_AWAY,
    /** Owner: the master did not answer the start of a get. */
    GET_START,
    /** Owner: bytes did not arrive from another owner. */
    TRANSFER,
    /** Owner: the master did not confirm a get that was done. */
    GET_DONE,
    /** Owner: the master did not confirm a delete. */
    REMOVAL,
    /** Client: the owner did not answer the request to connect. */
    CONNECT,
    /** Client: the owner did not answer the request. */
    ANSWER,
    /** Client: the values are readable on this owner, but the global publish has no result yet (PUT-2). */
    PUBLISH;

    /**
     * The stage that an answer names.
     *
     * @param stage of the message.
     * @return the same stage, {@link #NONE} for one that is not known.
     */
    static WaitStage of(final Stage stage)
    {
        return switch (stage)
        {
            case CLAIM_TURN -> CLAIM_TURN;
            case REFILL -> REFILL;
            case MASTER_AWAY -> MASTER_AWAY;
            case GET_START -> GET_START;
            case TRANSFER -> TRANSFER;
            case GET_DONE -> GET_DONE;
            case REMOVAL -> REMOVAL;
            default -> NONE;
        };
    }
}
