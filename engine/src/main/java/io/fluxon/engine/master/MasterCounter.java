package io.fluxon.engine.master;

import io.fluxon.ipc.ErrorCode;

/**
 * Counters of a master process; the operator's manual (contract 9). "Now" counters say what there is at this moment and
 * fall again, all others only rise.
 */
public enum MasterCounter
{
    /** Now: owners that are registered and heard from. */
    OWNERS_LIVE("owners: live"),
    /** Registrations accepted, also repeated ones of a generation. */
    OWNERS_REGISTERED("owners: registered"),
    /** Registrations refused: protocol version, duplicate owner id, older generation, no room. */
    OWNERS_REFUSED("owners: registrations refused"),
    /** Owners not heard from for the liveness timeout; their routes went at once. */
    OWNERS_EXPIRED("owners: expired"),
    /** Generations that a newer one of the same owner id has replaced. */
    OWNERS_REPLACED("owners: replaced"),
    /** Now: tenures of lost owners whose records are being taken back. */
    TENURES_DRAINING("owners: being cleared"),
    /** Times the master itself did not run for so long that all owners got a fresh grace (contract LIFE-2). */
    STALLS("master: stalls"),
    /** Longest duty cycle so far that had work, in nanoseconds: of the clock, so what the system took is in it. */
    CYCLE_LONGEST_NS("master: longest duty cycle ns"),
    /** Duty cycles with work that took longer than 1 ms. */
    CYCLES_LONG("master: duty cycles over 1 ms"),

    /** Now: keys with a route, also those whose last owner has just been lost. */
    ROUTES("routes: now"),
    /** Routes created by a publish. */
    ROUTES_CREATED("routes: created"),
    /** Now: bytes of the records of routes and replicas. */
    ROUTE_BYTES("routes: bytes of records"),
    /** Now: bytes of the index of the routes. */
    INDEX_BYTES("routes: bytes of index"),
    /** Now: replicas in routes. */
    REPLICAS("replicas: now"),
    /** Replicas added to a route by a publish of another owner (contract PUT-1). */
    JOINS("replicas: joined by publish"),
    /** Replicas added to a route by a get-done. */
    GETS_JOINED("replicas: joined by get"),
    /** Now: replicas out of their routes that a get still reads from. */
    REPLICAS_DETACHED("replicas: detached"),

    /** Publish operations executed. */
    PUBLISHES("publish: operations"),
    /** Keys published with success, joined ones included. */
    KEYS_PUBLISHED("publish: keys"),
    /** Keys published again under the put id that the route has. */
    KEYS_REPUBLISHED("publish: keys again"),
    /** Atomic groups refused as a whole (contract A2). */
    GROUPS_REFUSED("publish: groups refused"),

    /** Owners whose committed values are all reported (contract LIFE-4). */
    REPORTS("reports: complete"),
    /** Values reported that have a route now. */
    VALUES_REPORTED("reports: values"),
    /** Values reported under another put id or length than their route's, or without room: their owner drops them. */
    VALUES_DROPPED("reports: values dropped"),

    /** Now: keys reserved (contract PUT-1). */
    RESERVATIONS("reservations: now"),
    /** Keys reserved. */
    RESERVED("reservations: made"),
    /** Reserved sets ended by time. */
    RESERVATIONS_EXPIRED("reservations: sets expired"),

    /** Now: gets that were started and not ended; each holds the activity of its source. */
    GETS_IN_FLIGHT("gets: in flight"),
    /** Gets started: a source was leased. */
    GETS_STARTED("gets: started"),
    /** Keys asked for that have no live replica elsewhere. */
    GETS_MISSED("gets: missed"),
    /** Gets confirmed as done with success, or by an owner that is a replica already (contract T2). */
    GETS_DONE("gets: done"),
    /** Get-dones that came too late: expired, revoked, superseded, or the source was lost. */
    GETS_STALE("gets: stale"),
    /** Gets revoked by their owner. */
    GETS_REVOKED("gets: revoked"),
    /** Owners asked to look at a backing of which a reader got wrong bytes (contract CRC-1). */
    RECHECKS("gets: rechecks"),
    /** Gets ended by time. */
    GETS_EXPIRED("gets: expired"),
    /** Gets ended because their owner started another of the same key (contract G6). */
    GETS_SUPERSEDED("gets: superseded"),
    /** Gets ended because requester or source was lost. */
    GETS_LOST("gets: lost"),

    /** Evictions answered REMOVED: none of the members has a replica of the owner in a route (contract EVICT-2). */
    EVICTIONS_REMOVED("evict: removed"),
    /** Evictions answered BUSY, since a get reads from a member; nothing was removed. */
    EVICTIONS_BUSY("evict: busy"),
    /** Evictions answered STALE, since some members, but not all, are absent; nothing was removed. */
    EVICTIONS_STALE("evict: stale"),
    /** Replicas that evictions and deletes have removed. */
    REPLICAS_EVICTED("evict: replicas"),
    /** Routes that went with their last replica by an eviction or delete (contract S3). */
    ROUTES_EVICTED("evict: routes"),
    /** Now: groups that are being copied to a target (contract REPL-1). */
    REPLICA_TASKS("replica tasks: now"),
    /** Pages of groups for which a target was chosen (contract P2). */
    REPLICA_PAGES_TARGETED("replica tasks: pages targeted"),
    /** Pages of groups that their target has wholly. */
    REPLICA_PAGES_APPENDED("replica tasks: pages appended"),
    /** Pages of groups that their target has not got: given up by it, by time, or lost with it. */
    REPLICA_PAGES_GIVEN_UP("replica tasks: pages given up"),
    /** Values of remote_cache owners that gpu owners got or put, so that they may go first (contract REPL-3). */
    COPIES_NOTED("replicas: noted as copied elsewhere"),
    /** Values of remote_cache owners that no gpu owner has any more, so that they do not go first (contract REPL-3). */
    LAST_COPIES_NOTED("replicas: noted as not elsewhere any more"),
    /** Pages of groups that a remote_cache owner had wholly and was asked to go on holding (contract REPL-3). */
    REPLICA_PAGES_RENEWED("replica tasks: pages renewed"),
    /** Now: replicas fenced by evictions and deletes under way, or since the rest of their group is not there yet. */
    FENCES("fences: now"),

    /** Keys deleted: their values are gone from all owners (contract EVICT-2). */
    KEYS_DELETED("delete: keys"),
    /** Keys not deleted, since they were in use in all rounds, or are being written. */
    DELETES_BUSY("delete: keys in use"),
    /** Keys to be deleted that have no route. */
    DELETES_MISSED("delete: keys not found"),
    /** Rounds in which the owners of a value were asked to prepare its removal. */
    REMOVAL_ROUNDS("delete: rounds"),
    /** Now: values that are being deleted. */
    REMOVALS("delete: values under way"),
    /** Now: put ids that were deleted and cannot return (contract LIFE-4). */
    PUT_IDS_DELETED("delete: put ids kept"),
    /** Values of deleted put ids that came back with a report or publish, and were refused. */
    DELETED_REFUSED("delete: returns refused"),

    /** Now: recorded outcomes and operations in execution (contract T1). */
    OUTCOMES("outcomes: held"),
    /** Now: bytes of recorded outcomes. */
    OUTCOME_BYTES("outcomes: bytes"),
    /** Repeated operations answered from the record. */
    OPERATIONS_REPEATED("operations: repeated"),
    /** Operations at or below the acknowledged watermark, ignored. */
    OPERATIONS_ACKNOWLEDGED("operations: acknowledged, ignored"),
    /** Outcomes left for operations that have not been seen, so that they execute nothing when they come. */
    TOMBSTONES("operations: tombstones"),
    /** Operations of owners whose report is not complete, ignored (contract LIFE-4). */
    OPERATIONS_TOO_EARLY("operations: before the report, ignored"),
    /** Now: operations that wait for their turn. */
    OPERATIONS_QUEUED("operations: queued"),
    /** Now: bytes of waiting operations. */
    OPERATION_BYTES("operations: bytes"),

    /** Register messages. */
    MESSAGES_REGISTER("messages: register"),
    /** Heartbeats. */
    MESSAGES_HEARTBEAT("messages: heartbeat"),
    /** Parts of reports, repeated ones included. */
    MESSAGES_REPORT("messages: report"),
    /** Reserve messages, repeated ones included. */
    MESSAGES_RESERVE("messages: reserve"),
    /** Unreserve messages, repeated ones included. */
    MESSAGES_UNRESERVE("messages: unreserve"),
    /** Publish messages, repeated ones included. */
    MESSAGES_PUBLISH("messages: publish"),
    /** Get-start messages, repeated ones included. */
    MESSAGES_GET_START("messages: get start"),
    /** Get-done messages, repeated ones included. */
    MESSAGES_GET_DONE("messages: get done"),
    /** Get-revoke messages, repeated ones included. */
    MESSAGES_GET_REVOKE("messages: get revoke"),
    /** Route-exists messages. */
    MESSAGES_ROUTE_EXISTS("messages: route exists"),
    /** Evict messages, repeated ones included. */
    MESSAGES_EVICT("messages: evict"),
    /** Replica-start and replica-give-up messages, repeated ones included. */
    MESSAGES_REPLICA("messages: replica"),
    /** Delete messages, repeated ones included. */
    MESSAGES_DELETE("messages: delete"),
    /** Route-inspect messages. */
    MESSAGES_ROUTE_INSPECT("messages: route inspect"),
    /** Words of owners about removals. */
    MESSAGES_REMOVAL("messages: removal report"),
    /** Messages of no kind that a master takes. */
    MESSAGES_OTHER("messages: other"),
    /** Messages that were not whole, or held a bad key, count or length; nothing was changed by them. */
    MESSAGES_MALFORMED("messages: malformed"),
    /** Messages of an unknown or older session or generation, refused (contract T1). */
    SESSIONS_REFUSED("messages: session refused"),
    /** Refused messages whose sender is not known, so that it could not be told. */
    REFUSALS_UNSENT("messages: refusals unsent"),
    /** Answers dropped because their owner's queue was full; the owner asks again. */
    ANSWERS_DROPPED("messages: answers dropped"),
    /** Peer lists sent. */
    PEER_UPDATES("messages: peer updates"),

    /** Answers with NO_SPACE (101). */
    ERROR_NO_SPACE("errors: NO_SPACE"),
    /** Answers with INVALID_ARGUMENT (118). */
    ERROR_INVALID_ARGUMENT("errors: INVALID_ARGUMENT"),
    /** Answers with KEY_BEING_WRITTEN (122). */
    ERROR_KEY_BEING_WRITTEN("errors: KEY_BEING_WRITTEN"),
    /** Answers with KEY_ALREADY_EXISTS (123). */
    ERROR_KEY_ALREADY_EXISTS("errors: KEY_ALREADY_EXISTS"),
    /** Answers with STALE_GET_PLAN (124). */
    ERROR_STALE_GET_PLAN("errors: STALE_GET_PLAN"),
    /** Answers with OWNER_GENERATION_MISMATCH (117). */
    ERROR_OWNER_GENERATION_MISMATCH("errors: OWNER_GENERATION_MISMATCH"),
    /** Answers with BACK_PRESSURED (1002): a bound was reached. */
    ERROR_BACK_PRESSURED("errors: BACK_PRESSURED"),
    /** Answers with PROTOCOL (1004). */
    ERROR_PROTOCOL("errors: PROTOCOL"),
    /** Answers with GROUP_ABORTED (1005). */
    ERROR_GROUP_ABORTED("errors: GROUP_ABORTED"),
    /** Answers with any other code. */
    ERROR_OTHER("errors: other"),

    /** Audits finished. */
    AUDITS("audits: finished"),
    /** Differences that the last audit found between tables and books; not 0 is a bug. */
    AUDIT_DIFFERENCES("audits: differences");

    /** First counter type id of the master's counters; a counter's is this plus its ordinal. */
    public static final int TYPE_ID_BASE = 7300;

    private final String label;

    MasterCounter(final String label)
    {
        this.label = label;
    }

    /**
     * What a reader of the counters file sees.
     *
     * @return the label.
     */
    public String label()
    {
        return label;
    }

    /**
     * Type id in the counters file.
     *
     * @return the id.
     */
    public int typeId()
    {
        return TYPE_ID_BASE + ordinal();
    }

    /**
     * Counter of an error code.
     *
     * @param code positive or negative.
     * @return its counter.
     */
    public static MasterCounter ofError(final int code)
    {
        return switch (Math.abs(code))
        {
            case ErrorCode.NO_SPACE -> ERROR_NO_SPACE;
            case ErrorCode.INVALID_ARGUMENT -> ERROR_INVALID_ARGUMENT;
            case ErrorCode.KEY_BEING_WRITTEN -> ERROR_KEY_BEING_WRITTEN;
            case ErrorCode.KEY_ALREADY_EXISTS -> ERROR_KEY_ALREADY_EXISTS;
            case ErrorCode.STALE_GET_PLAN -> ERROR_STALE_GET_PLAN;
            case ErrorCode.OWNER_GENERATION_MISMATCH -> ERROR_OWNER_GENERATION_MISMATCH;
            case ErrorCode.BACK_PRESSURED -> ERROR_BACK_PRESSURED;
            case ErrorCode.PROTOCOL -> ERROR_PROTOCOL;
            case ErrorCode.GROUP_ABORTED -> ERROR_GROUP_ABORTED;
            default -> ERROR_OTHER;
        };
    }
}
