package io.fluxon.engine.config;

/**
 * Times of an owner towards its workers and the master; fields of {@code timeouts}.
 *
 * @param sessionMs   {@code session_timeout_ms}: silence after which a worker counts as hung. Default 10,000.
 * @param keepAliveMs {@code keep_alive_ms}: time between two signs of life in both directions, at most a third of the
 *                    session timeout. Default 1,000.
 * @param handleTtlMs {@code handle_ttl_ms}: life of a handle that nobody consumes (contract GET-3). Default 60,000.
 * @param getMs       {@code get_timeout_ms}: longest time that a read waits for the master or a transfer. Default
 *                    5,000.
 * @param startWindowUs {@code start_window_us}: longest time in microseconds that a read which is to ask the master
 *                    waits for others that are, while the master is being asked (contract G9); 0 = it asks at once.
 *                    Default 200.
 */
public record TimeoutsConfig(int sessionMs, int keepAliveMs, int handleTtlMs, int getMs, int startWindowUs)
{
    private static final int MAX_MS = 3_600_000;
    private static final int MAX_WINDOW_US = 10_000;

    static TimeoutsConfig read(final ConfigSection section)
    {
        final TimeoutsConfig config = new TimeoutsConfig(
            section.integer("session_timeout_ms", 10_000, 100, MAX_MS),
            section.integer("keep_alive_ms", 1_000, 10, MAX_MS),
            section.integer("handle_ttl_ms", 60_000, 100, MAX_MS),
            section.integer("get_timeout_ms", 5_000, 10, MAX_MS),
            section.integer("start_window_us", 200, 0, MAX_WINDOW_US));
        if (config.keepAliveMs > config.sessionMs / 3)
        {
            section.refuse("keep_alive_ms", config.keepAliveMs,
                "at most a third of session_timeout_ms, " + config.sessionMs / 3);
        }
        return config;
    }
}
