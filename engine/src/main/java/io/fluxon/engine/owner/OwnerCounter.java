package io.fluxon.engine.owner;

import io.fluxon.ipc.ErrorCode;

/**
 * Counters of an owner process; the operator's manual (contract 9). "Now" counters say what there is at this moment and
 * fall again, all others only rise. Those marked "refreshed" are copied from the tables every 100 ms and at each audit.
 */
public enum OwnerCounter
{
    /** Now, refreshed: slots of assigned grants, in any state. */
    SLOTS_TOTAL("slots: total"),
    /** Now, refreshed: slots of assigned grants that can be claimed. */
    SLOTS_FREE("slots: free"),
    /** Now, refreshed: slots a put or a get has claimed and not yet handed on. */
    SLOTS_PREPARED("slots: prepared"),
    /** Now, refreshed: committed local puts that the master has not confirmed (contract V1, V2). */
    SLOTS_PENDING_LOCAL_VISIBLE("slots: pending local visible"),
    /** Now, refreshed: targets of transfers and of gets that are being confirmed. */
    SLOTS_PENDING("slots: pending"),
    /** Now, refreshed: values with a live route. */
    SLOTS_COMMITTED("slots: committed"),
    /** Now, refreshed: slots that a hung worker may still write to (contract SLOT-7). Falls when its process ends. */
    SLOTS_QUARANTINED("slots: quarantined"),
    /** Now, refreshed: bytes that can be claimed, in free slots and unassigned grants. */
    BYTES_FREE("bytes: free"),
    /** Now, refreshed: bytes of slots in use, in slot sizes (contract SLOT-6). */
    BYTES_USED("bytes: used"),
    /**
     * Now, refreshed: claims that wait for slots. Not zero for long: the class is too small or everything is pinned.
     */
    CLAIMS_WAITING("claims: waiting"),

    /** Now: worker sessions, hung ones included. */
    SESSIONS("sessions: open"),
    /** Now: sessions that timed out and whose process is not proven gone. */
    SESSIONS_HUNG("sessions: hung"),
    /** Sessions opened. */
    SESSIONS_OPENED("sessions: opened"),
    /** Sessions resumed by workers that came back (contract API-10). */
    SESSIONS_RESUMED("sessions: resumed"),
    /** Sessions ended, by the worker, by its death or by expiry and death. */
    SESSIONS_CLOSED("sessions: closed"),
    /** Connects refused: version, generation, or no room. */
    SESSIONS_REFUSED("sessions: refused"),
    /** Worker processes that were proven gone while their session was open. */
    PROCESSES_GONE("processes: gone"),

    /** Now: put plans between start and commit or abort. */
    PUT_PLANS("put plans: open"),
    /** Put plans started. */
    PUT_PLANS_OPENED("put plans: opened"),
    /** Put plans committed, aborted, or lost with their session. */
    PUT_PLANS_CLOSED("put plans: closed"),
    /** Now: read operations between their request and the end of their handle. */
    READ_PLANS("read plans: open"),
    /** Read operations begun. */
    READ_PLANS_OPENED("read plans: opened"),
    /** Read operations ended. */
    READ_PLANS_CLOSED("read plans: closed"),
    /** Now: handles that wait for their transfer or cancel. */
    HANDLES("handles: open"),
    /** Handles given out. */
    HANDLES_OPENED("handles: opened"),
    /** Handles consumed, cancelled, timed out, or lost with their session. */
    HANDLES_CLOSED("handles: closed"),
    /** Handles ended by their TTL (contract GET-3). */
    HANDLES_EXPIRED("handles: expired"),
    /** Now: holders that are exported to workers. */
    HOLDINGS("holdings: open"),
    /** Holdings given out. */
    HOLDINGS_OPENED("holdings: opened"),
    /** Holdings released, by name or with their session. */
    HOLDINGS_CLOSED("holdings: closed"),
    /** Now: flights, from start to their end. */
    FLIGHTS("flights: running"),
    /** Flights started: keys asked from the master (leaders, contract G1). */
    FLIGHTS_STARTED("flights: started"),
    /** Flights that ended with the value here. */
    FLIGHTS_READY("flights: ready"),
    /** Flights that ended otherwise: miss, failure, revoke. */
    FLIGHTS_FAILED("flights: failed"),
    /** Now: reservations at the master that are open. */
    RESERVATIONS("reservations: open"),
    /** Now: publish jobs, from commit to the terminal result. */
    PUBLISH_JOBS("publish jobs: running"),
    /** Now: keys whose publish the master has not answered (contract P1's limit). */
    PUBLISH_KEYS_UNACKNOWLEDGED("publish keys: unacknowledged"),
    /** Publish jobs begun. */
    PUBLISH_JOBS_OPENED("publish jobs: opened"),
    /** Publish jobs whose every key has its terminal result. */
    PUBLISH_JOBS_CLOSED("publish jobs: closed"),
    /**
     * Slots that fell out of a hot window into an eviction job (contract S4): the sum of in progress, in retry, freed,
     * restored and obsolete.
     */
    EVICT_SELECTED("evictions: slots selected"),
    /** Now: slots of eviction jobs that hide, ask or carry out an answer. */
    EVICT_IN_PROGRESS("evictions: slots in progress"),
    /** Now: slots of eviction jobs that wait for their next round. Not zero for long: what goes first is in use. */
    EVICT_IN_RETRY("evictions: slots in retry"),
    /** Slots whose value was evicted. */
    EVICT_FREED("evictions: slots freed"),
    /** Slots that went back to their hot window because they were in use for too long. */
    EVICT_RESTORED("evictions: slots restored"),
    /** Slots that lost their route by other means while an eviction job had them. */
    EVICT_OBSOLETE("evictions: slots obsolete"),
    /**
     * Now, refreshed: nanoseconds that half of the evicted slots took at most from selection until they were free, all
     * rounds included; at most a sixteenth too high. Slots that a reader still had when they were evicted do not count.
     */
    EVICT_FREE_P50_NS("evictions: p50 ns from selected to free"),
    /** Now, refreshed: the same of 99 of 100 evicted slots. */
    EVICT_FREE_P99_NS("evictions: p99 ns from selected to free"),
    /** Now: eviction jobs, each a cohort (contract EVICT-1). */
    EVICTION_JOBS("eviction jobs: running"),
    /** Eviction jobs begun. */
    EVICTION_JOBS_OPENED("eviction jobs: opened"),
    /** Eviction jobs that have ended. */
    EVICTION_JOBS_CLOSED("eviction jobs: closed"),
    /** Rounds of eviction jobs that ended because a member was in use, or the master busy or away. */
    EVICT_BUSY("evictions: busy rounds"),
    /** Answers that a part of a cohort was absent. */
    EVICT_STALE("evictions: stale"),
    /** Slots selected since another owner has got their values from here (contract REPL-3). */
    EVICT_COPIED("evictions: slots selected that are copied elsewhere"),
    /** Times that a class was short and victims were selected for it (contract PRESS-1). */
    PRESSURE_STEPS("pressure: steps"),
    /** Now, refreshed: values in the hot windows. */
    HOT_VALUES("hot windows: values"),
    /** Now, refreshed: values that eviction jobs have hidden. */
    HIDDEN_VALUES("evictions: values hidden"),
    /** Now: operations the master has not answered. */
    OPERATIONS_OPEN("operations: open"),

    /** Pages committed with result 0. */
    PAGES_WRITTEN("pages: written"),
    /** Pages committed with a negative result. */
    PAGES_REFUSED("pages: refused"),
    /** Committed pages that joined a value which was here (contract PUT-1). */
    PAGES_MERGED("pages: merged"),
    /** Keys of gets that were here. */
    HITS_LOCAL("hits: local"),
    /** Keys of gets that another owner has. */
    HITS_REMOTE("hits: remote"),
    /** Keys of gets that nobody has, or that could not be brought here. */
    MISSES("misses"),
    /** Keys of gets that joined a running flight (contract G1). */
    JOINS("joins"),
    /** Reads answered in the start response (contract GET-1). */
    GETS_INLINE("gets: inline"),
    /** Reads answered with a handle. */
    GETS_REMOTE("gets: remote"),
    /** Keys given back because they lie beyond the transferable prefix (contract G5). */
    SUFFIX_RELEASES("suffix releases"),
    /** Values that arrived and could be read here. */
    TRANSFERS_OK("transfers: ok"),
    /** Transfers that ended with an error. */
    TRANSFERS_FAILED("transfers: failed"),
    /** Transferred bytes that could be read here. */
    TRANSFER_BYTES("transfers: bytes"),
    /** Values that arrived with another checksum than their route's (contract CRC-1); each was a miss. */
    CHECKSUM_MISMATCHES("checksum mismatches"),
    /** Values that other owners got wrong and that are right here (contract CRC-1). */
    RECHECKS_RIGHT("rechecks: right"),
    /** Values that other owners got wrong and that are wrong here, each with an error in the log (contract CRC-1). */
    RECHECKS_WRONG("rechecks: wrong"),
    /** Rechecks of values that are gone, or for which there was no room; the next reader's mismatch brings another. */
    RECHECKS_SKIPPED("rechecks: skipped"),
    /** Gets whose prefix was cut because no slot came free within the soft limit (contract SLOT-4). */
    PREFIXES_CUT("prefixes cut by claims"),

    /** Payload descriptors handed to the transport (contract G8). */
    DESCRIPTORS("transport: descriptors"),
    /** Submissions of the transport; counted by the transfer agent (contract G8). */
    SUBMISSIONS("transport: submissions"),
    /** Descriptors or checksums that had to wait because a queue was full. */
    QUEUE_FULL("boundary queues: full"),

    /** Messages sent: batch get start (contract G8: one for a batch's leaders, G9: or for those of several). */
    BATCH_GET_STARTS("messages: batch get start"),
    /** Keys that another read's batch get start asked for as well, since one was in flight (contract G9). */
    LEADERS_GATHERED("leaders gathered"),
    /** Now: groups of which a copy is wished, queued or under way (contract REPL-1). */
    REPLICA_JOBS("replicas: jobs now"),
    /** Pages of groups whose put wished a copy; each ends in one of the six below (contract P2). */
    REPLICA_PAGES_WISHED("replicas: pages wished"),
    /** Pages of groups that were copied to a remote_cache owner. */
    REPLICA_PAGES_DONE("replicas: pages done"),
    /** Pages of groups that a remote_cache owner had already. */
    REPLICA_PAGES_SATISFIED("replicas: pages satisfied"),
    /** Pages of groups for which there was no target. */
    REPLICA_PAGES_NO_SPACE("replicas: pages without space"),
    /** Pages of groups of which a value had gone before it was copied. */
    REPLICA_PAGES_OBSOLETE("replicas: pages obsolete"),
    /** Pages of groups whose copy failed, or was not heard of in time. */
    REPLICA_PAGES_GAVE_UP("replicas: pages given up"),
    /** Pages of groups for which the queue had no room (contract BOUND-1). */
    REPLICA_PAGES_DROPPED("replicas: pages dropped"),
    /** Further tries of groups whose target was busy. */
    REPLICA_RETRIES("replicas: retries"),
    /** Pages of victims that could get a copy before they go; each ends in one of the five below (contract REPL-3). */
    DEMOTION_PAGES_SELECTED("demotions: pages selected"),
    /** Pages of victims that were copied to a remote_cache owner first. */
    DEMOTION_PAGES_DONE("demotions: pages done"),
    /** Pages of victims that a remote_cache owner had already. */
    DEMOTION_PAGES_SATISFIED("demotions: pages satisfied"),
    /** Pages of victims that no remote_cache owner has room for. */
    DEMOTION_PAGES_NO_SPACE("demotions: pages without space"),
    /** Pages of victims whose copy failed, or was not there within the bound. */
    DEMOTION_PAGES_GAVE_UP("demotions: pages given up"),
    /** Pages of victims for which too many bytes were on their way, or too many copies to be made in time. */
    DEMOTION_PAGES_SKIPPED("demotions: pages skipped"),
    /** Now: groups that are being brought here for the master (contract REPL-1). */
    REPLICA_PULLS("replica pulls: now"),
    /** Pages that came here for groups that the master asked for. */
    REPLICA_PAGES_TRANSFERRED("replica pulls: pages transferred"),
    /** Pages of these that were appended to their routes. */
    REPLICA_PAGES_APPENDED("replica pulls: pages appended"),
    /** Pages of groups that were given up here, since they are being written, moved, or do not fit. */
    REPLICA_PAGES_REFUSED("replica pulls: pages refused"),
    /** Messages sent: replica start. */
    REPLICA_STARTS("messages: replica start"),
    /** Messages sent: replica give-up. */
    REPLICA_GIVE_UPS("messages: replica give-up"),
    /** Messages sent: batch get done. */
    BATCH_GET_DONES("messages: batch get done"),
    /** Messages sent: batch get revoke. */
    BATCH_GET_REVOKES("messages: batch get revoke"),
    /** Messages sent: reserve. */
    RESERVES("messages: reserve"),
    /** Messages sent: unreserve. */
    UNRESERVES("messages: unreserve"),
    /** Messages sent: publish. */
    PUBLISHES("messages: publish"),
    /** Messages sent: evict source. */
    EVICT_SOURCES("messages: evict source"),
    /** Messages sent: route exists. */
    ROUTE_EXISTS("messages: route exists"),
    /** Messages sent: route delete. */
    ROUTE_DELETES("messages: route delete"),
    /** Messages sent: route inspect. */
    ROUTE_INSPECTS("messages: route inspect"),
    /** Operations sent again under their id (contract T1). */
    RETRIES("operations: retries"),
    /** Gets that the master has started for this owner. Equals gets done + gets revoked when nothing runs. */
    GETS_STARTED("master gets: started"),
    /** Gets confirmed to the master. */
    GETS_DONE("master gets: done"),
    /** Gets revoked at the master. */
    GETS_REVOKED("master gets: revoked"),

    /** Now: 1 while the master answers. */
    MASTER_AVAILABLE("master: available"),
    /** Registrations accepted. */
    MASTER_REGISTRATIONS("master: registrations"),
    /** Sessions with the master that ended: it was silent, restarted, or had lost this owner. */
    MASTER_SESSIONS_LOST("master: sessions lost"),
    /** Parts of reports sent, repeated ones included (contract LIFE-4). */
    REPORTS("messages: report"),
    /** Committed values dropped because their key has another put id at the master (contract LIFE-4). */
    VALUES_DROPPED("reports: values dropped"),
    /** Now: other owners known. */
    PEERS("peers: known"),

    /** Messages from workers. */
    WORKER_MESSAGES("worker messages: received"),
    /** Messages from the master. */
    MASTER_MESSAGES("master messages: received"),
    /** Messages that were malformed, of another schema or version. */
    MESSAGES_MALFORMED("messages: malformed"),
    /** Messages that name a session which is not known. */
    MESSAGES_UNKNOWN_SESSION("messages: unknown session"),
    /** Requests that were repeated and got their recorded outcome (contract API-4). */
    REQUESTS_REPEATED("requests: repeated"),
    /** Copies of requests that came after the worker had their answers; they are ignored (contract API-4). */
    REQUESTS_LATE("requests: late copies"),
    /** Exceptions in a message or job; each is in the error log. */
    EXCEPTIONS("exceptions"),

    /** Audits finished. */
    AUDITS("audits: finished"),
    /** Last audit: holders that the slot records count. */
    AUDIT_HOLDERS_HELD("audit: holders held"),
    /**
     * Last audit: holders found in plans, jobs, flights, holdings and residents. Equal to those held, or there is a
     * leak.
     */
    AUDIT_HOLDERS_FOUND("audit: holders found"),
    /** Last audit: slots whose record disagrees with the indexes. Always 0. */
    AUDIT_MISMATCHES("audit: mismatches"),

    /** Answers with NO_SPACE. */
    ERROR_NO_SPACE("errors: NO_SPACE", ErrorCode.NO_SPACE),
    /** Answers with UNKNOWN. */
    ERROR_UNKNOWN("errors: UNKNOWN", ErrorCode.UNKNOWN),
    /** Answers with KEY_NOT_FOUND. */
    ERROR_KEY_NOT_FOUND("errors: KEY_NOT_FOUND", ErrorCode.KEY_NOT_FOUND),
    /** Answers with SHUTDOWN. */
    ERROR_SHUTDOWN("errors: SHUTDOWN", ErrorCode.SHUTDOWN),
    /** Answers with GET_TIMEOUT. */
    ERROR_GET_TIMEOUT("errors: GET_TIMEOUT", ErrorCode.GET_TIMEOUT),
    /** Answers with OWNER_GENERATION_MISMATCH. */
    ERROR_OWNER_GENERATION_MISMATCH("errors: OWNER_GENERATION_MISMATCH", ErrorCode.OWNER_GENERATION_MISMATCH),
    /** Answers with INVALID_ARGUMENT. */
    ERROR_INVALID_ARGUMENT("errors: INVALID_ARGUMENT", ErrorCode.INVALID_ARGUMENT),
    /** Answers with TRANSPORT. */
    ERROR_TRANSPORT("errors: TRANSPORT", ErrorCode.TRANSPORT),
    /** Answers with KEY_BEING_WRITTEN. */
    ERROR_KEY_BEING_WRITTEN("errors: KEY_BEING_WRITTEN", ErrorCode.KEY_BEING_WRITTEN),
    /** Answers with KEY_ALREADY_EXISTS. */
    ERROR_KEY_ALREADY_EXISTS("errors: KEY_ALREADY_EXISTS", ErrorCode.KEY_ALREADY_EXISTS),
    /** Answers with STALE_GET_PLAN. */
    ERROR_STALE_GET_PLAN("errors: STALE_GET_PLAN", ErrorCode.STALE_GET_PLAN),
    /** Answers with RESERVE_TIMEOUT. */
    ERROR_RESERVE_TIMEOUT("errors: RESERVE_TIMEOUT", ErrorCode.RESERVE_TIMEOUT),
    /** Answers with BACK_PRESSURED. */
    ERROR_BACK_PRESSURED("errors: BACK_PRESSURED", ErrorCode.BACK_PRESSURED),
    /** Answers with UNAUTHORIZED. */
    ERROR_UNAUTHORIZED("errors: UNAUTHORIZED", ErrorCode.UNAUTHORIZED),
    /** Answers with PROTOCOL. */
    ERROR_PROTOCOL("errors: PROTOCOL", ErrorCode.PROTOCOL),
    /** Answers with GROUP_ABORTED. */
    ERROR_GROUP_ABORTED("errors: GROUP_ABORTED", ErrorCode.GROUP_ABORTED),
    /** Answers with GATE_UNKNOWN. */
    ERROR_GATE_UNKNOWN("errors: GATE_UNKNOWN", ErrorCode.GATE_UNKNOWN);

    /** Type id of the first counter; a counter's type id is this plus its ordinal. */
    public static final int FIRST_TYPE_ID = 7200;

    private static final OwnerCounter[] COUNTERS = values();

    private final String label;
    private final int errorCode;

    OwnerCounter(final String label)
    {
        this(label, ErrorCode.OK);
    }

    OwnerCounter(final String label, final int errorCode)
    {
        this.label = label;
        this.errorCode = errorCode;
    }

    /**
     * Label in the counters file.
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
        return FIRST_TYPE_ID + ordinal();
    }

    /**
     * Counter of an error code.
     *
     * @param code positive or negative error code.
     * @return its counter; that of UNKNOWN for a code without one.
     */
    public static OwnerCounter ofError(final int code)
    {
        final int positive = Math.abs(code);
        for (int i = ERROR_NO_SPACE.ordinal(); i < COUNTERS.length; i++)
        {
            if (positive == COUNTERS[i].errorCode)
            {
                return COUNTERS[i];
            }
        }

        return ERROR_UNKNOWN;
    }
}
