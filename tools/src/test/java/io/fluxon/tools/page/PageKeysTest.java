package io.fluxon.tools.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PageKeysTest
{
    @Test
    void shouldMakeKeysAsTheStorageAdapterDoes()
    {
        final PageKeys keys = new PageKeys("fluxon");

        assertThat(keys.block(5).toString()).matches("fluxon:[0-9a-f]{64}_Qwen3-8B_0_1");
        assertThat(keys.length()).isBetween(60, 100).isEqualTo(keys.toString().length());
        assertThat(keys.buffer().getStringWithoutLengthAscii(0, keys.length())).isEqualTo(keys.toString());
    }

    @Test
    void shouldMakeOneKeyForEachBlock()
    {
        final PageKeys keys = new PageKeys("fluxon");
        final Set<String> seen = new HashSet<>();
        final Set<Long> hashes = new HashSet<>();
        for (int i = 0; i < 10_000; i++)
        {
            seen.add(keys.block(i).toString());
            hashes.add(keys.contentHash());
        }

        assertThat(seen).hasSize(10_000);
        assertThat(hashes).hasSize(10_000);
        assertThat(new PageKeys("other").block(0).contentHash()).isNotEqualTo(keys.block(0).contentHash());
        assertThat(new PageKeys("fluxon").block(0).toString()).isEqualTo(keys.toString());
    }

    @Test
    void shouldRefuseABadPrefix()
    {
        assertThatThrownBy(() -> new PageKeys("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PageKeys("a:b")).hasMessageContaining("key prefix");
    }
}
