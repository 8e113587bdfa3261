package io.fluxon.engine.master;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * One operation of an owner on its way through the master: a cursor over the retained message, and the answer as far as
 * it is written. Pooled.
 */
final class Operation
{
    /** Where an operation stands. */
    enum Stage
    {
        /** The entries are checked; nothing has been changed yet. */
        CHECK,
        /** Entry by entry is executed. */
        EXECUTE,
        /** Waits for other owners, behind its owner's queue; the answer comes when these have done their part. */
        PARKED,
        /** The answer is whole. */
        DONE,
        /** Not executed: {@link #refusal} says why; nothing is recorded. */
        REFUSED,
        /** Nothing was done, as what it is about is in use; that is no outcome, but its id is over (EVICT-2). */
        BUSY
    }

    /** Where the atomic group stands that a publish works on or a pull appends, or the cohort of an eviction. */
    enum GroupPhase
    {
        /** The next group, or the cohort, has not been looked at. */
        BEGIN,
        /** Its members are compared with routes and reservations; those of a cohort are fenced. */
        VERIFY,
        /** No member is in conflict: routes are made, hidden until the last one is there, or replicas removed. */
        APPLY,
        /** The group as a whole is refused (contract A2, PUT-1), the cohort's fences go. */
        REFUSE
    }

    final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    final UnsafeBuffer answer = new UnsafeBuffer(0, 0);
    final UnsafeBuffer pull = new UnsafeBuffer(0, 0);
    Operation next;
    OwnerSession owner;
    int templateId;
    long operationId;
    boolean isRecorded;
    long messageAddress;
    long answerAddress;
    Stage stage;
    int refusal;

    int entriesOffset;
    int blockLength;
    int count;
    int index;
    int position;
    int subIndex;
    int settled;
    int reservationSet;
    int options;
    long reserveOperationId;
    int groupsOffset;
    int groupCount;
    int groupIndex;
    GroupPhase groupPhase;
    boolean isGroupRefused;
    int groupRefusal;
    long groupId;
    int groupLength;
    int groupFirstIndex;
    int groupFirstPosition;
    int groupEndIndex;
    int fencedCount;
    int absentCount;
    boolean isBusy;
    long pullAddress;
    int pullLength;
    long replicaBytes;
    OwnerSession holder;
    boolean isComplete;
    long replicaTaskId;
    int[] joined = new int[0];
    long removalId;
    int removalIndex;

    void begin(final OwnerSession owner, final int templateId, final long operationId)
    {
        this.owner = owner;
        this.templateId = templateId;
        this.operationId = operationId;
        next = null;
        stage = Stage.CHECK;
        refusal = 0;
        messageAddress = BytePool.NONE;
        answerAddress = BytePool.NONE;
        reservationSet = LineSlab.NONE;
        groupsOffset = 0;
        groupCount = 0;
        groupIndex = 0;
        groupPhase = GroupPhase.BEGIN;
        subIndex = 0;
        settled = 0;
        fencedCount = 0;
        absentCount = 0;
        isBusy = false;
        pullAddress = BytePool.NONE;
        pullLength = 0;
        replicaBytes = 0;
        holder = null;
        isComplete = false;
        replicaTaskId = 0;
        removalId = 0;
        removalIndex = -1;
    }

    /** Places the cursor on the first entry. */
    void rewind()
    {
        index = 0;
        position = entriesOffset;
    }

    void refuse(final int code)
    {
        refusal = code;
        stage = Stage.REFUSED;
    }

    boolean isFinished()
    {
        return Stage.DONE == stage || Stage.REFUSED == stage || Stage.BUSY == stage;
    }

    int keyLength()
    {
        return Entries.keyLength(message, position + blockLength);
    }

    int keyOffset()
    {
        return position + blockLength + Entries.KEY_HEADER_LENGTH;
    }

    /** Moves the cursor behind an entry that ends in a key. */
    void advanceKey()
    {
        position = keyOffset() + keyLength();
        index++;
    }

    /** Moves the cursor behind an entry without a key. */
    void advanceFixed()
    {
        position += blockLength;
        index++;
    }

    void reset()
    {
        message.wrap(0, 0);
        answer.wrap(0, 0);
        pull.wrap(0, 0);
        owner = null;
        holder = null;
        next = null;
    }
}
