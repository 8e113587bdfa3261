package io.fluxon.tools.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest
{
    @Test
    void shouldAlignColumns()
    {
        assertThat(new Table().row("name", "count").row("a", "1,000,000").row("longer name", "7").toString())
            .isEqualTo("""
                name             count
                a            1,000,000
                longer name          7
                """);
    }
}
