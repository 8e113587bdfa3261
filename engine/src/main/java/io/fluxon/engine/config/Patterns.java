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

    static final Pattern INTERFACE = Pattern.compile("|(\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-fA-F:.]{2,45}])(/\\d{1,3})?");
    static final String INTERFACE_TEXT = "an address such as 10.1.0.5 or [fd00::5], a network such as 10.1.0.0/24, " +
        "or nothing";

    private Patterns()
    {
    }
}
