package io.fluxon.engine.memory;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * How the configured capacity is cut into grants, and which grants are reserved: the arithmetic of contract SLOT-1 and
 * SLOT-3 and the validation of its settings. Set the fields, then call {@link #conclude()} once.
 * <p>
 * Capacity counts grants only. {@code slot size = align_up(max(value length, 4 KiB), 4 KiB)}, so a class of slots fits
 * its values exactly; all weights use the slot size (contract SLOT-6).
 */
public final class CapacityPlan
{
    /** Slots are multiples of this many bytes, and no smaller. */
    public static final long SLOT_ALIGNMENT_BYTES = 4096;

    /** Default length of a grant: 512 MiB. */
    public static final long DEFAULT_GRANT_QUANTUM_BYTES = 512L << 20;

    /** Largest value: 512 MiB. */
    public static final long MAX_VALUE_LENGTH_BYTES = 512L << 20;

    /** Default wait of a get for a slot: 10 ms. */
    public static final long DEFAULT_SOFT_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Default wait of a put for its slots: 30 s. */
    public static final long DEFAULT_HARD_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    /** Default bound of the number of slot classes. */
    public static final int DEFAULT_MAX_SLOT_CLASSES = 64;

    /** Default bound of the number of waiting claims. */
    public static final int DEFAULT_MAX_WAITING_CLAIMS = 65_536;

    private static final int MAX_GRANTS = 1 << 20;
    private static final String CAPACITY_FIELD = "capacity_bytes";
    private static final String QUANTUM_FIELD = "grant_quantum_bytes";
    private static final String SOFT_FIELD = "owner_local_reserve_soft_wait_timeout_ms";
    private static final String HARD_FIELD = "owner_local_reserve_hard_wait_timeout_ms";
    private static final String EXPECTED_FIELD = "owner_local_reserve_expected_capacity";

    private long capacityBytes;
    private long grantQuantumBytes = DEFAULT_GRANT_QUANTUM_BYTES;
    private long softTimeoutNs = DEFAULT_SOFT_TIMEOUT_NS;
    private long hardTimeoutNs = DEFAULT_HARD_TIMEOUT_NS;
    private int maxSlotClasses = DEFAULT_MAX_SLOT_CLASSES;
    private int maxWaitingClaims = DEFAULT_MAX_WAITING_CLAIMS;
    private int expectedCount;
    private long[] expectedValueLengths = new long[0];
    private long[] expectedPayloads = new long[0];
    private int grantCount;
    private boolean isConcluded;

    /**
     * Length of the slot that holds a value.
     *
     * @param valueLength in bytes, more than 0.
     * @return length in bytes, a multiple of {@link #SLOT_ALIGNMENT_BYTES}.
     */
    public static long slotSize(final long valueLength)
    {
        return (valueLength + SLOT_ALIGNMENT_BYTES - 1) & -SLOT_ALIGNMENT_BYTES;
    }

    /**
     * Number of slots in a grant of the class that holds values of this length.
     *
     * @param valueLength       in bytes, more than 0.
     * @param grantQuantumBytes length of a grant.
     * @return number of slots, 0 when the value is longer than a grant.
     */
    public static int slotsPerGrant(final long valueLength, final long grantQuantumBytes)
    {
        return (int) (grantQuantumBytes / slotSize(valueLength));
    }

    /**
     * Number of grants whose slots hold a payload, {@code ceil(payload / (slots per grant * slot size))}.
     *
     * @param valueLength       in bytes, more than 0, not longer than a grant.
     * @param payloadBytes      slot bytes that are wanted.
     * @param grantQuantumBytes length of a grant.
     * @return number of grants.
     */
    public static long expectedGrants(final long valueLength, final long payloadBytes, final long grantQuantumBytes)
    {
        return Math.ceilDiv(payloadBytes, slotsPerGrant(valueLength, grantQuantumBytes) * slotSize(valueLength));
    }

    /**
     * Most slots that a grant can have.
     *
     * @param grantQuantumBytes length of a grant.
     * @return number of slots of the smallest size in a grant.
     */
    public static int maxSlotsPerGrant(final long grantQuantumBytes)
    {
        return Math.toIntExact(grantQuantumBytes / SLOT_ALIGNMENT_BYTES);
    }

    /**
     * Number of slot ids of a segment.
     *
     * @param grantCount        number of grants.
     * @param grantQuantumBytes length of a grant.
     * @return number of slots when all had the smallest size.
     * @throws IllegalArgumentException when there would be more slots than slot ids (2^31 - 1, 8 TiB).
     */
    public static long maxSlots(final int grantCount, final long grantQuantumBytes)
    {
        final long slots = (long) grantCount * maxSlotsPerGrant(grantQuantumBytes);
        if (slots > Integer.MAX_VALUE)
        {
            throw new IllegalArgumentException(CAPACITY_FIELD + ": " + grantCount + " grants of " + grantQuantumBytes +
                " B have up to " + slots + " slots, one owner can have " + Integer.MAX_VALUE +
                " (8 TiB): run more owners");
        }

        return slots;
    }

    /**
     * Sets the configured capacity: the bytes of all grants.
     *
     * @param capacityBytes a multiple of the grant quantum, more than 0.
     * @return this.
     */
    public CapacityPlan capacityBytes(final long capacityBytes)
    {
        this.capacityBytes = capacityBytes;
        return this;
    }

    /**
     * Sets the length of a grant.
     *
     * @param grantQuantumBytes a multiple of {@link #SLOT_ALIGNMENT_BYTES}, more than 0.
     * @return this.
     */
    public CapacityPlan grantQuantumBytes(final long grantQuantumBytes)
    {
        this.grantQuantumBytes = grantQuantumBytes;
        return this;
    }

    /**
     * Sets how long a get waits for a slot.
     *
     * @param softTimeoutNs more than 0.
     * @return this.
     */
    public CapacityPlan softTimeoutNs(final long softTimeoutNs)
    {
        this.softTimeoutNs = softTimeoutNs;
        return this;
    }

    /**
     * Sets how long a put waits for its slots.
     *
     * @param hardTimeoutNs more than the soft timeout.
     * @return this.
     */
    public CapacityPlan hardTimeoutNs(final long hardTimeoutNs)
    {
        this.hardTimeoutNs = hardTimeoutNs;
        return this;
    }

    /**
     * Sets how many slot classes there can be at once.
     *
     * @param maxSlotClasses at least 1, and at least the number of expected capacities.
     * @return this.
     */
    public CapacityPlan maxSlotClasses(final int maxSlotClasses)
    {
        this.maxSlotClasses = maxSlotClasses;
        return this;
    }

    /**
     * Sets how many claims can wait at once.
     *
     * @param maxWaitingClaims at least 1.
     * @return this.
     */
    public CapacityPlan maxWaitingClaims(final int maxWaitingClaims)
    {
        this.maxWaitingClaims = maxWaitingClaims;
        return this;
    }

    /**
     * Adds an expected capacity (contract SLOT-3): that many grants are reserved for the class, and are its hard upper
     * bound.
     *
     * @param valueLength  in bytes, more than 0, not longer than a grant.
     * @param payloadBytes slot bytes that are wanted, more than 0.
     * @return this.
     */
    public CapacityPlan expect(final long valueLength, final long payloadBytes)
    {
        expectedValueLengths = Arrays.copyOf(expectedValueLengths, expectedCount + 1);
        expectedPayloads = Arrays.copyOf(expectedPayloads, expectedCount + 1);
        expectedValueLengths[expectedCount] = valueLength;
        expectedPayloads[expectedCount] = payloadBytes;
        expectedCount++;
        return this;
    }

    /**
     * Validates all fields.
     *
     * @return this, complete.
     * @throws IllegalArgumentException that begins with the name of the field that is wrong.
     */
    public CapacityPlan conclude()
    {
        check(grantQuantumBytes > 0, QUANTUM_FIELD, grantQuantumBytes, "must be more than 0");
        check(0 == grantQuantumBytes % SLOT_ALIGNMENT_BYTES, QUANTUM_FIELD, grantQuantumBytes,
            "must be a multiple of " + SLOT_ALIGNMENT_BYTES);
        check(grantQuantumBytes / SLOT_ALIGNMENT_BYTES <= Integer.MAX_VALUE, QUANTUM_FIELD, grantQuantumBytes,
            "must have at most 2^31 - 1 slots of " + SLOT_ALIGNMENT_BYTES + " B");
        check(capacityBytes > 0, CAPACITY_FIELD, capacityBytes, "must be more than 0");
        check(0 == capacityBytes % grantQuantumBytes, CAPACITY_FIELD, capacityBytes,
            "must be a multiple of " + QUANTUM_FIELD + " " + grantQuantumBytes);
        check(softTimeoutNs > 0, SOFT_FIELD, softTimeoutNs / 1e6, "must be more than 0");
        check(hardTimeoutNs > 0, HARD_FIELD, hardTimeoutNs / 1e6, "must be more than 0");
        check(hardTimeoutNs > softTimeoutNs, HARD_FIELD, hardTimeoutNs / 1e6,
            "must be more than " + SOFT_FIELD + " " + softTimeoutNs / 1e6);
        check(maxWaitingClaims > 0, "max_waiting_claims", maxWaitingClaims, "must be more than 0");
        check(maxSlotClasses > 0 && maxSlotClasses <= 4096, "max_slot_classes", maxSlotClasses,
            "must be from 1 to 4096");
        check(maxSlotClasses >= expectedCount, "max_slot_classes", maxSlotClasses,
            "must be at least the number of expected capacities, " + expectedCount);

        check(capacityBytes / grantQuantumBytes <= MAX_GRANTS, CAPACITY_FIELD, capacityBytes,
            "must have at most " + MAX_GRANTS + " grants of " + grantQuantumBytes + " B");
        grantCount = (int) (capacityBytes / grantQuantumBytes);
        maxSlots(grantCount, grantQuantumBytes);
        concludeExpected();
        isConcluded = true;

        return this;
    }

    /**
     * Have the fields been validated?
     *
     * @return true after {@link #conclude()}.
     */
    public boolean isConcluded()
    {
        return isConcluded;
    }

    /**
     * Configured capacity: the bytes of all grants.
     *
     * @return length in bytes.
     */
    public long capacityBytes()
    {
        return capacityBytes;
    }

    /**
     * Length of a grant.
     *
     * @return length in bytes.
     */
    public long grantQuantumBytes()
    {
        return grantQuantumBytes;
    }

    /**
     * Number of grants.
     *
     * @return capacity divided by the quantum.
     */
    public int grantCount()
    {
        return grantCount;
    }

    /**
     * How long a get waits for a slot.
     *
     * @return nanoseconds.
     */
    public long softTimeoutNs()
    {
        return softTimeoutNs;
    }

    /**
     * How long a put waits for its slots.
     *
     * @return nanoseconds.
     */
    public long hardTimeoutNs()
    {
        return hardTimeoutNs;
    }

    /**
     * Bound of the number of slot classes.
     *
     * @return number of classes.
     */
    public int maxSlotClasses()
    {
        return maxSlotClasses;
    }

    /**
     * Bound of the number of waiting claims.
     *
     * @return number of claims.
     */
    public int maxWaitingClaims()
    {
        return maxWaitingClaims;
    }

    /**
     * Longest value that a slot can hold.
     *
     * @return the smaller of {@link #MAX_VALUE_LENGTH_BYTES} and the quantum.
     */
    public long maxValueLength()
    {
        return Math.min(MAX_VALUE_LENGTH_BYTES, grantQuantumBytes);
    }

    /**
     * Number of expected capacities.
     *
     * @return 0 when all grants are handed out on demand.
     */
    public int expectedCount()
    {
        return expectedCount;
    }

    /**
     * Value length of an expected capacity.
     *
     * @param i from 0 to {@link #expectedCount()} - 1.
     * @return length in bytes.
     */
    public long expectedValueLength(final int i)
    {
        return expectedValueLengths[i];
    }

    /**
     * Number of grants reserved for an expected capacity.
     *
     * @param i from 0 to {@link #expectedCount()} - 1.
     * @return number of grants.
     */
    public int expectedGrants(final int i)
    {
        return (int) expectedGrants(expectedValueLengths[i], expectedPayloads[i], grantQuantumBytes);
    }

    /**
     * Number of grants reserved for all expected capacities. They are the first grants of the segment, so the bytes to
     * touch before ready are the first {@code expectedGrantsTotal() * grantQuantumBytes()} of the grants.
     *
     * @return number of grants.
     */
    public int expectedGrantsTotal()
    {
        int total = 0;
        for (int i = 0; i < expectedCount; i++)
        {
            total += expectedGrants(i);
        }

        return total;
    }

    /**
     * Number of slots reserved for all expected capacities.
     *
     * @return number of slots.
     */
    public long expectedSlotsTotal()
    {
        long total = 0;
        for (int i = 0; i < expectedCount; i++)
        {
            total += (long) expectedGrants(i) * slotsPerGrant(expectedValueLengths[i], grantQuantumBytes);
        }

        return total;
    }

    private void concludeExpected()
    {
        long grantsLeft = grantCount;
        for (int i = 0; i < expectedCount; i++)
        {
            final long valueLength = expectedValueLengths[i];
            final long payloadBytes = expectedPayloads[i];
            check(valueLength > 0, EXPECTED_FIELD + ".value_len", valueLength, "must be more than 0");
            check(valueLength <= maxValueLength(), EXPECTED_FIELD + ".value_len", valueLength,
                "must be at most " + maxValueLength());
            check(payloadBytes > 0, EXPECTED_FIELD + ".payload_capacity_bytes", payloadBytes, "must be more than 0");
            for (int j = 0; j < i; j++)
            {
                check(slotSize(valueLength) != slotSize(expectedValueLengths[j]), EXPECTED_FIELD + ".value_len",
                    valueLength, "has the slot size of another expected capacity, " + slotSize(valueLength));
            }

            final long grants = expectedGrants(valueLength, payloadBytes, grantQuantumBytes);
            check(grants <= grantsLeft, EXPECTED_FIELD + ".payload_capacity_bytes", payloadBytes,
                "needs " + grants + " grants of " + grantQuantumBytes + " B, the segment has " + grantsLeft + " left");
            grantsLeft -= grants;
        }
    }

    private static void check(final boolean isValid, final String field, final Object value, final String rule)
    {
        if (!isValid)
        {
            throw new IllegalArgumentException(field + ": " + value + " " + rule);
        }
    }
}
