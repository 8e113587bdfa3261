package io.fluxon.tools.bench.eviction;

/**
 * Where the victims of the full pool come from, and what becomes of them.
 */
public enum VictimSource
{
    /** Its hot window overflows with each put (contract HOT-1); the victims go. */
    WINDOW("window"),
    /** Its hot window may fill all of it: puts wait until a pressure step at its default limits has made room. */
    PRESSURE("pressure"),
    /** Its hot window overflows, and what goes is copied to a remote_cache owner first (contract REPL-3). */
    DEMOTION("demotion");

    private final String label;

    VictimSource(final String label)
    {
        this.label = label;
    }

    /**
     * Name in reports.
     *
     * @return the name.
     */
    public String label()
    {
        return label;
    }
}
