package io.fluxon.engine.config;

/**
 * How claims for slots wait, and what is reserved for one slot class; fields of {@code test_spec_config}.
 *
 * @param softTimeoutMs        {@code owner_local_reserve_soft_wait_timeout_ms}: longest wait of a get for a slot, then
 *                             its restorable prefix ends there (contract SLOT-4). Default 10.
 * @param hardTimeoutMs        {@code owner_local_reserve_hard_wait_timeout_ms}: longest wait of a put for its slots,
 *                             then it fails with RESERVE_TIMEOUT. Above the soft one. Default 30,000.
 * @param expectedValueLength  {@code owner_local_reserve_expected_capacity.value_len}: length in bytes of the values
 *                             that grants are reserved and touched for before ready (contract SLOT-3); 0 = none.
 * @param expectedPayloadBytes {@code owner_local_reserve_expected_capacity.payload_capacity_bytes}: how many bytes of
 *                             such values the reserved grants hold.
 */
public record ReserveConfig(
    int softTimeoutMs,
    int hardTimeoutMs,
    long expectedValueLength,
    long expectedPayloadBytes)
{
    private static final long MAX_VALUE_LENGTH = 512L << 20;
    private static final int MAX_TIMEOUT_MS = 3_600_000;

    static ReserveConfig read(final ConfigSection section)
    {
        final int softTimeoutMs = section.integer("owner_local_reserve_soft_wait_timeout_ms", 10, 1, MAX_TIMEOUT_MS);
        final int hardTimeoutMs = section.integer(
            "owner_local_reserve_hard_wait_timeout_ms", 30_000, 1, MAX_TIMEOUT_MS);
        if (hardTimeoutMs <= softTimeoutMs)
        {
            section.refuse("owner_local_reserve_hard_wait_timeout_ms", hardTimeoutMs,
                "more than owner_local_reserve_soft_wait_timeout_ms, " + softTimeoutMs);
        }

        final String expectedName = "owner_local_reserve_expected_capacity";
        final boolean isExpected = section.has(expectedName);
        final ConfigSection expected = section.section(expectedName);
        final Long absent = isExpected ? null : Long.valueOf(0);
        return new ReserveConfig(
            softTimeoutMs,
            hardTimeoutMs,
            expected.bytes("value_len", absent, 1, MAX_VALUE_LENGTH),
            expected.bytes("payload_capacity_bytes", absent, 1, Long.MAX_VALUE));
    }
}
