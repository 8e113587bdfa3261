package io.fluxon.engine.host;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;

import static org.assertj.core.api.Assertions.assertThat;

class LateMasterTest
{
    private InetAddress address;
    private int lookups;

    @Test
    void shouldNameTheFieldWhenTheMasterTurnsOutToBeElsewhere()
    {
        final LateMaster master = new LateMaster("127.0.0.1:0", "master.invalid:9", this::lookUp);
        assertThat(master.look()).isNull();
        assertThat(master.look()).isNull();

        address = InetAddress.ofLiteral("203.0.113.7");
        assertThat(master.look())
            .hasMessageContaining("field listen_endpoint is 127.0.0.1:0, allowed is an address of this machine")
            .hasMessageContaining("the master, master.invalid:9, reaches it");
        assertThat(master.look()).isNull();
        assertThat(lookups).isEqualTo(3);
    }

    @Test
    void shouldLookNoFurtherWhenTheMasterReachesTheOwner()
    {
        final LateMaster master = new LateMaster("127.0.0.1:0", "master.invalid:9", this::lookUp);
        address = InetAddress.getLoopbackAddress();
        assertThat(master.look()).isNull();
        assertThat(master.look()).isNull();
        assertThat(lookups).isOne();
    }

    private InetAddress lookUp(final String endpoint)
    {
        assertThat(endpoint).isEqualTo("master.invalid:9");
        lookups++;
        return address;
    }
}
