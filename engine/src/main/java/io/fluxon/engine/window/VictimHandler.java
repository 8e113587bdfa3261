package io.fluxon.engine.window;

/**
 * Takes the victims of a hot window, which are out of the window already.
 */
@FunctionalInterface
public interface VictimHandler
{
    /**
     * A slot fell out of the window.
     *
     * @param slotId of the victim; the window does not free it.
     */
    void onVictim(int slotId);
}
