package io.fluxon.ipc.client.core;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Options of a put (contract API-2); all off at first. Reusable; checked by the call that takes it (API-1).
 */
public final class PutOptions
{
    static final int NOT_GIVEN = -1;

    private final ExpandableArrayBuffer parentKey = new ExpandableArrayBuffer(64);
    private int parentKeyLength = NOT_GIVEN;
    private boolean rejectIfInflightSameKey;
    private boolean rejectIfExistSameKey;
    private boolean writeThrough;
    private boolean makeReplicaTask;
    private boolean[] mask;
    private AtomicGroups atomicGroups;
    private boolean hasCohort;
    private long cohortId;
    private int cohortRank;
    private int cohortSize;
    private int pathDepth = NOT_GIVEN;
    private int pathTurn = NOT_GIVEN;
    private Long leaseId;

    /**
     * Back to the defaults.
     *
     * @return this.
     */
    public PutOptions clear()
    {
        rejectIfInflightSameKey = false;
        rejectIfExistSameKey = false;
        writeThrough = false;
        makeReplicaTask = false;
        mask = null;
        atomicGroups = null;
        hasCohort = false;
        cohortId = 0;
        cohortRank = 0;
        cohortSize = 0;
        leaseId = null;
        return pathHint(null, NOT_GIVEN, NOT_GIVEN);
    }

    /**
     * Refuse when another put of a key is running (KEY_BEING_WRITTEN).
     *
     * @param value true to refuse.
     * @return this.
     */
    public PutOptions rejectIfInflightSameKey(final boolean value)
    {
        rejectIfInflightSameKey = value;
        return this;
    }

    /**
     * Is a put refused when another put of a key is running?
     *
     * @return true when refused.
     */
    public boolean rejectIfInflightSameKey()
    {
        return rejectIfInflightSameKey;
    }

    /**
     * Refuse when a key has a value already (KEY_ALREADY_EXISTS).
     *
     * @param value true to refuse.
     * @return this.
     */
    public PutOptions rejectIfExistSameKey(final boolean value)
    {
        rejectIfExistSameKey = value;
        return this;
    }

    /**
     * Is a put refused when a key has a value already?
     *
     * @return true when refused.
     */
    public boolean rejectIfExistSameKey()
    {
        return rejectIfExistSameKey;
    }

    /**
     * Move the values to a remote owner (contract PUT-3).
     *
     * @param value true to write through.
     * @return this.
     */
    public PutOptions writeThrough(final boolean value)
    {
        writeThrough = value;
        return this;
    }

    /**
     * Are the values moved to a remote owner?
     *
     * @return true when written through.
     */
    public boolean writeThrough()
    {
        return writeThrough;
    }

    /**
     * Make replicas after the commit (contract PUT-3), of all keys or of those of {@link #mask(boolean[])}.
     *
     * @param value true to make replicas.
     * @return this.
     */
    public PutOptions makeReplicaTask(final boolean value)
    {
        makeReplicaTask = value;
        return this;
    }

    /**
     * Are replicas made?
     *
     * @return true when made.
     */
    public boolean makeReplicaTask()
    {
        return makeReplicaTask;
    }

    /**
     * Which keys are to have replicas: one item a key, equal within each atomic group. Kept by reference.
     *
     * @param value the mask, null = all keys.
     * @return this.
     */
    public PutOptions mask(final boolean[] value)
    {
        mask = value;
        return this;
    }

    /**
     * Which keys are to have replicas.
     *
     * @return the mask, null = all keys.
     */
    public boolean[] mask()
    {
        return mask;
    }

    /**
     * The groups that are all or nothing. Kept by reference.
     *
     * @param value the groups, null = every key alone.
     * @return this.
     */
    public PutOptions atomicGroups(final AtomicGroups value)
    {
        atomicGroups = value;
        return this;
    }

    /**
     * The groups that are all or nothing.
     *
     * @return the groups, null = every key alone.
     */
    public AtomicGroups atomicGroups()
    {
        return atomicGroups;
    }

    /**
     * The tensor-parallel cohort of the batch.
     *
     * @param id   of the cohort.
     * @param rank of this worker, 0 to size - 1.
     * @param size number of ranks.
     * @return this.
     */
    public PutOptions cohort(final long id, final int rank, final int size)
    {
        hasCohort = true;
        cohortId = id;
        cohortRank = rank;
        cohortSize = size;
        return this;
    }

    /**
     * Was a cohort named?
     *
     * @return true when named.
     */
    public boolean hasCohort()
    {
        return hasCohort;
    }

    /**
     * Id of the cohort.
     *
     * @return the id, 0 when none was named.
     */
    public long cohortId()
    {
        return cohortId;
    }

    /**
     * Rank of this worker in the cohort.
     *
     * @return the rank, 0 when none was named.
     */
    public int cohortRank()
    {
        return cohortRank;
    }

    /**
     * Number of ranks of the cohort.
     *
     * @return number of ranks, 0 when none was named.
     */
    public int cohortSize()
    {
        return cohortSize;
    }

    /**
     * Advice for replacement, never needed to be right.
     *
     * @param parent key of the page before the batch's first, null = not given.
     * @param depth  of the first page in its prefix, -1 = not given.
     * @param turn   of the conversation, -1 = not given.
     * @return this.
     */
    public PutOptions pathHint(final CharSequence parent, final int depth, final int turn)
    {
        parentKeyLength = null == parent ? NOT_GIVEN : Utf8Encoder.encode(parent, parentKey, 0);
        pathDepth = depth;
        pathTurn = turn;
        return this;
    }

    /**
     * Depth of the first page in its prefix.
     *
     * @return the depth, -1 = not given.
     */
    public int pathDepth()
    {
        return pathDepth;
    }

    /**
     * Turn of the conversation.
     *
     * @return the turn, -1 = not given.
     */
    public int pathTurn()
    {
        return pathTurn;
    }

    /**
     * Reserved: a put with a lease id is refused (contract API-1).
     *
     * @param value null.
     * @return this.
     */
    public PutOptions leaseId(final Long value)
    {
        leaseId = value;
        return this;
    }

    /**
     * The reserved lease id.
     *
     * @return null in an allowed put.
     */
    public Long leaseId()
    {
        return leaseId;
    }

    DirectBuffer parentKey()
    {
        return parentKey;
    }

    int parentKeyLength()
    {
        return parentKeyLength;
    }

    /**
     * Effective replica wish of a key (contract API-2).
     *
     * @param index of the key.
     * @return true when a replica is wished.
     */
    boolean replicaWish(final int index)
    {
        return !writeThrough && makeReplicaTask && (null == mask || mask[index]);
    }
}
