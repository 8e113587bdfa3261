package io.fluxon.engine.config;

/**
 * Bounds of what workers may ask of an owner; fields of {@code limits}.
 *
 * @param maxKeysPerBatch          {@code max_keys_per_batch}: most keys of one call, 1 to 8192. Default 8192.
 * @param maxSessions              {@code max_sessions}: most workers attached at once; the plan arena is split evenly
 *                                 between them. Default 32.
 * @param maxOutstandingPerSession {@code max_outstanding_per_session}: most plans and handles that one worker has at
 *                                 once. Default 256.
 */
public record LimitsConfig(int maxKeysPerBatch, int maxSessions, int maxOutstandingPerSession)
{
    static LimitsConfig read(final ConfigSection section)
    {
        return new LimitsConfig(
            section.integer("max_keys_per_batch", 8192, 1, 8192),
            section.integer("max_sessions", 32, 1, 1024),
            section.integer("max_outstanding_per_session", 256, 1, 65_536));
    }
}
