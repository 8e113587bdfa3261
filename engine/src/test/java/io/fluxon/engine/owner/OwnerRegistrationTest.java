package io.fluxon.engine.owner;

import io.fluxon.ipc.ErrorCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the operator hears of a master that refuses the owner.
 */
class OwnerRegistrationTest
{
    private final OwnerFixture owner = new OwnerFixture(16);

    @AfterEach
    void after()
    {
        owner.close();
    }

    @Test
    @Tag("API-8")
    void shouldReportOnceWhyTheMasterRefusesToRegister()
    {
        owner.master.registerStatus = ErrorCode.OWNER_GENERATION_MISMATCH;
        owner.master.registerText = "owner id 1 is taken by gpu-0";
        register(5);

        assertThat(owner.errors).hasSize(1);
        assertThat(owner.errors.get(0))
            .isInstanceOf(RegistrationRefusedException.class)
            .hasMessageContaining("OWNER_GENERATION_MISMATCH")
            .hasMessageContaining("owner id 1 is taken by gpu-0");

        owner.master.registerText = "generation 3 is over";
        register(2);
        assertThat(owner.errors).hasSize(2);
        owner.errors.clear();
    }

    private void register(final int times)
    {
        for (int i = 0; i < times; i++)
        {
            owner.nowNs += 2_000_000_000L;
            owner.agent.doWork();
            owner.master.pump();
            owner.agent.doWork();
        }
    }
}
