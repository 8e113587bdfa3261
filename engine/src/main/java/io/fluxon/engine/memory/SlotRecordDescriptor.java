package io.fluxon.engine.memory;

/**
 * Layout of one slot's record in the slot table. Native byte order: the table belongs to one process.
 * <pre>
 *   0        1        2        3        4                 8
 *  +--------+--------+--------+--------+-----------------+-----------------------------------+
 *  | state  |quarant.| route  | resi-  | index in batch  | use counter                       |  0
 *  |        | from   | live   | dence  |                 |                                   |
 *  +--------+--------+--------+--------+-----------------+-----------------------------------+
 *  | holder count                      | key length      | value length                      |  16
 *  +-----------------------------------+-----------------+-----------------------------------+
 *  | slot size                                           | digest, low word                  |  32
 *  +-----------------------------------------------------+-----------------------------------+
 *  | digest, high word                                   | next free       | next put        |  48
 *  +-----------------------------------------------------+-----------------+-----------------+
 *  | next in chain, local visible      | next, committed | put owner id    | group length    |  64
 *  +-----------------------------------+-----------------+-----------------+-----------------+
 *  | put generation                                      | put sequence                      |  80
 *  +-----------------------------------------------------+-----------------------------------+
 *  | checksum                                            | session id                        |  96
 *  +-----------------------------------------------------+-----------------------------------+
 *  | plan or job id                                      | group id                          |  112
 *  +-----------------------------------------------------+-----------------------------------+
 *  | cohort id                                           | cohort rank     | cohort size     |  128
 *  +-----------------------------------------------------+-----------------+-----------------+
 *  | reserved                                            | eviction job id                   |  144
 *  +-----------------------------------+-----------------+-----------------------------------+
 *  | next of cohort  | previous        | index in job    | reserved                          |  160
 *  +-----------------+-----------------+-----------------+-----------------------------------+
 *  | cohort digest                                       | reserved                          |  176
 *  +-----------------------------------------------------------------------------------------+
 *  | key, up to 512 bytes                                                                    |  192
 *  +-----------------------------------------------------------------------------------------+
 * </pre>
 */
public final class SlotRecordDescriptor
{
    /** State code, one byte. */
    public static final int STATE_OFFSET = 0;
    /** State code before quarantine, one byte. */
    public static final int QUARANTINED_FROM_OFFSET = 1;
    /** 1 while the master has a route to the slot, one byte. */
    public static final int ROUTE_LIVE_OFFSET = 2;
    /** Code of the residence, one byte. */
    public static final int RESIDENCE_OFFSET = 3;
    /** Index of the key in the batch of its job, an int. */
    public static final int BATCH_INDEX_OFFSET = 4;
    /** Number of uses of the slot, a long. */
    public static final int USE_COUNTER_OFFSET = 8;
    /** Number of holders, an int. */
    public static final int HOLDER_COUNT_OFFSET = 16;
    /** Length of the key in bytes, an int. */
    public static final int KEY_LENGTH_OFFSET = 20;
    /** Length of the value in bytes, a long. */
    public static final int VALUE_LENGTH_OFFSET = 24;
    /** Length of the slot in bytes, a long. */
    public static final int SLOT_SIZE_OFFSET = 32;
    /** Low word of the key's digest, a long. */
    public static final int DIGEST_LOW_OFFSET = 40;
    /** High word of the key's digest, a long. */
    public static final int DIGEST_HIGH_OFFSET = 48;
    /** Next slot in the grant's free list, an int. */
    public static final int NEXT_FREE_OFFSET = 56;
    /** Next put in line, an int. */
    public static final int NEXT_PUT_OFFSET = 60;
    /** Next slot in the chain of the local-visible index, an int. */
    public static final int CHAIN_LOCAL_OFFSET = 64;
    /** Next slot in the chain of the committed index, an int. */
    public static final int CHAIN_COMMITTED_OFFSET = 68;
    /** Owner id of the put id, an int. */
    public static final int PUT_OWNER_ID_OFFSET = 72;
    /** Number of members of the atomic group, an int. */
    public static final int GROUP_LENGTH_OFFSET = 76;
    /** Owner generation of the put id, a long. */
    public static final int PUT_GENERATION_OFFSET = 80;
    /** Sequence of the put id, a long. */
    public static final int PUT_SEQUENCE_OFFSET = 88;
    /** Checksum of the value, a long. */
    public static final int CHECKSUM_OFFSET = 96;
    /** Session that may write to the slot, a long. */
    public static final int SESSION_ID_OFFSET = 104;
    /** Put plan, after its commit publish job, that the slot belongs to, a long. */
    public static final int JOB_ID_OFFSET = 112;
    /** Atomic group, a long. */
    public static final int GROUP_ID_OFFSET = 120;
    /** TP cohort, a long. */
    public static final int COHORT_ID_OFFSET = 128;
    /** Rank in the cohort, an int. */
    public static final int COHORT_RANK_OFFSET = 136;
    /** Size of the cohort, an int. */
    public static final int COHORT_SIZE_OFFSET = 140;
    /** Not used yet. */
    public static final int RESERVED_OFFSET = 144;
    /** Eviction job that has the value, a long. */
    public static final int EVICTION_JOB_OFFSET = 152;
    /** Next committed slot of the cohort, an int. */
    public static final int COHORT_NEXT_OFFSET = 160;
    /** Previous committed slot of the cohort, an int. */
    public static final int COHORT_PREVIOUS_OFFSET = 164;
    /** Index of the value in its eviction job, an int. */
    public static final int EVICTION_INDEX_OFFSET = 168;
    /** What the groups of a TP cohort have in common, a long. */
    public static final int COHORT_DIGEST_OFFSET = 176;
    /** First byte of the key. */
    public static final int KEY_OFFSET = 192;
    /** Longest key in bytes. */
    public static final int MAX_KEY_LENGTH = 512;
    /** Length of a record in bytes, a multiple of the cache line. */
    public static final int RECORD_LENGTH = KEY_OFFSET + MAX_KEY_LENGTH;

    private SlotRecordDescriptor()
    {
    }
}
