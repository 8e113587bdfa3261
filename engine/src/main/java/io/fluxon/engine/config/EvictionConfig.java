package io.fluxon.engine.config;

import io.fluxon.engine.window.WindowPolicyKind;

/**
 * Which values go when room is needed, and how room is made for claims that wait; fields of {@code eviction}.
 *
 * @param policy              {@code policy}: which value of a hot window goes first (contract HOT-1): {@code fluxon},
 *                            {@code lru}, {@code slru}, {@code arc} or {@code tinylfu}. Default fluxon.
 * @param pressureIntervalMs  {@code pressure_interval_ms}: shortest time between two pressure steps, each of which
 *                            selects values of classes that are short (contract PRESS-1). Default 200.
 * @param pressureLimitBytes  {@code pressure_limit_bytes}: slot bytes that one pressure step selects at most; its last
 *                            cohort may pass that. Default 256 MiB.
 * @param pressureHeadroomBytes {@code pressure_headroom_bytes}: slot bytes of each slot class that pressure steps keep
 *                            free beyond what claims wait for. Default 0.
 * @param demotionBoundMs     {@code demotion_bound_ms}: how long a victim of a gpu owner waits for a copy at a
 *                            remote_cache owner before it goes anyway (contract REPL-3); 0 = victims get no copy.
 *                            Default 100.
 * @param demotionLimitBytes  {@code demotion_limit_bytes}: slot bytes of victims that wait for their copy at once; what
 *                            is more goes without one. Default 256 MiB.
 */
public record EvictionConfig(
    WindowPolicyKind policy,
    int pressureIntervalMs,
    long pressureLimitBytes,
    long pressureHeadroomBytes,
    int demotionBoundMs,
    long demotionLimitBytes)
{
    private static final int MAX_MS = 3_600_000;
    private static final long MAX_BYTES = 8L << 40;

    static EvictionConfig read(final ConfigSection section)
    {
        return new EvictionConfig(
            section.word("policy", WindowPolicyKind.FLUXON, WindowPolicyKind.class),
            section.integer("pressure_interval_ms", 200, 1, MAX_MS),
            section.bytes("pressure_limit_bytes", 256L << 20, 4096, MAX_BYTES),
            section.bytes("pressure_headroom_bytes", 0L, 0, MAX_BYTES),
            section.integer("demotion_bound_ms", 100, 0, MAX_MS),
            section.bytes("demotion_limit_bytes", 256L << 20, 4096, MAX_BYTES));
    }
}
