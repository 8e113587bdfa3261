package io.fluxon.tools;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * What a number on the command line may be.
 */
final class OptionRange
{
    private OptionRange()
    {
    }

    /**
     * Refuses a number that is out of its range.
     *
     * @param spec   of the command.
     * @param option name of the option.
     * @param value  that was given.
     * @param least  that is allowed.
     * @param most   that is allowed.
     * @throws ParameterException with the option, the value and what is allowed.
     */
    static void check(
        final CommandSpec spec, final String option, final long value, final long least, final long most)
    {
        if (value < least || value > most)
        {
            throw new ParameterException(
                spec.commandLine(), option + " must be from " + least + " to " + most + ", is " + value);
        }
    }
}
