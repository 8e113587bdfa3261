package io.fluxon.engine.config;

import java.util.regex.Pattern;

/**
 * Forms of the texts in a configuration, with their descriptions.
 */
final class Patterns
{
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    static final String NAME_TEXT = "a name of 1 to 64 letters, digits, '.', '_' and '-' that begins with one of the " +
        "first two";

    static final Pattern PATH = Pattern.compile("/.{0,255}");
    static final String PATH_TEXT = "an absolute path";

    private Patterns()
    {
    }
}
