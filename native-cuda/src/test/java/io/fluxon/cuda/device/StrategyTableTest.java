package io.fluxon.cuda.device;

import org.junit.jupiter.api.Test;

import static io.fluxon.codecs.data.CopyStrategy.DMA;
import static io.fluxon.codecs.data.CopyStrategy.KERNEL;
import static io.fluxon.codecs.data.CopyStrategy.STAGED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StrategyTableTest
{
    @Test
    void shouldTakeTheFirstRowThatFitsAndCanCopy()
    {
        final StrategyTable table = StrategyTable.parse("65536,1048576=STAGED; 1048576,0=DMA");

        assertThat(table.choose(65536, 4 << 20, true, true)).isEqualTo(STAGED);
        assertThat(table.choose(65535, 4 << 20, true, true)).isEqualTo(KERNEL);
        assertThat(table.choose(1 << 20, 4 << 20, false, true)).isEqualTo(DMA);
        assertThat(table.choose(1 << 20, 4 << 20, false, false)).isEqualTo(KERNEL);
        assertThat(table.choose(1 << 20, 4 << 10, true, true)).isEqualTo(DMA);
    }

    @Test
    void shouldNameTheRowThatItCannotRead()
    {
        assertThatThrownBy(() -> StrategyTable.parse("0,0=FAST"))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("0,0=FAST");
        assertThatThrownBy(() -> StrategyTable.parse("1=DMA"))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("1=DMA");
    }
}
