package io.fluxon.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxon.tools.demo.ChaosTarget;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class ChaosTargetConverterTest
{
    private final ChaosTargetConverter converter = new ChaosTargetConverter();

    @Test
    void shouldReadTargetsAsPeopleWriteThem()
    {
        assertThat(converter.convert("worker")).isEqualTo(ChaosTarget.WORKER);
        assertThat(converter.convert("Master")).isEqualTo(ChaosTarget.MASTER);
        assertThat(converter.convert("stop-owner")).isEqualTo(ChaosTarget.STOP_OWNER);
    }

    @Test
    void shouldRefuseOthersAndNameWhatIsAllowed()
    {
        assertThatThrownBy(() -> converter.convert("none"))
            .isInstanceOf(TypeConversionException.class).hasMessageContaining("stop-master");
    }
}
