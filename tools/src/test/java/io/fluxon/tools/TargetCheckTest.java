package io.fluxon.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.tools.bench.Target;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;

import java.util.List;

class TargetCheckTest
{
    private static final Target REACHED = Target.atLeast("reached", 0.9, 0.9);
    private static final Target MISSED = Target.atMost("missed", 2, 1);

    @Test
    void shouldFailForAMissedTargetOnlyWhenThatIsWanted()
    {
        final TargetCheck wanted = CommandLine.populateCommand(new TargetCheck(), "--check");
        assertThat(wanted.exitCode(List.of(REACHED, MISSED))).isEqualTo(1);
        assertThat(wanted.exitCode(List.of(REACHED))).isZero();
        assertThat(wanted.exitCode(List.of())).isZero();
        assertThat(new TargetCheck().exitCode(List.of(MISSED))).isZero();
    }

    @Test
    void shouldMissAFigureThatIsNoNumber()
    {
        assertThat(Target.areReached(List.of(Target.atLeast("ratio", Double.NaN, 0.5)))).isFalse();
        assertThat(Target.areReached(List.of(Target.atMost("ratio", Double.NaN, 0.5)))).isFalse();
    }

    @Test
    void shouldPrintEachTargetWithWhatWasMeasured()
    {
        assertThat(Target.text(List.of(REACHED, MISSED))).isEqualToNormalizingNewlines("""
            reached: 0.900, target at least 0.900: reached
            missed: 2, target at most 1: MISSED
            """);
    }
}
