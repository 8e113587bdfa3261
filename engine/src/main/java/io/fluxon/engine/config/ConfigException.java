package io.fluxon.engine.config;

import java.util.List;

/**
 * A configuration cannot be used. The message names every problem, one a line: field, value, what is allowed.
 */
public final class ConfigException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * All problems of one configuration.
     *
     * @param origin   of the configuration, a file name.
     * @param problems that were found, at least one.
     */
    public ConfigException(final String origin, final List<String> problems)
    {
        super(origin + ": " + String.join(System.lineSeparator() + origin + ": ", problems));
    }
}
