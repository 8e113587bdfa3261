package io.fluxon.cuda;

import io.fluxon.cuda.SegmentRegistry.Registration;
import io.fluxon.cuda.driver.CudaFailure;
import io.fluxon.cuda.driver.ScriptedRegistrar;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

@Tag("REG-1")
class SegmentRegistryTest
{
    private static final long ADDRESS = 1L << 32;
    private static final long ARENA = 64 << 10;
    private static final long GRANT = 384L << 20;
    private static final long LENGTH = ARENA + 5 * GRANT;
    private static final long SECOND = ADDRESS + ARENA;
    private static final long THIRD = SECOND + 2 * GRANT;

    private final List<ScriptedRegistrar> made = new ArrayList<>();
    private final SegmentRegistry registry = new SegmentRegistry((device) ->
    {
        made.add(new ScriptedRegistrar());
        return made.getLast();
    });

    @Test
    void shouldRegisterTheArenaAndWholeGrantsSoThatNoValueStraddlesTwoRegistrations()
    {
        try (Registration registration = registry.register(segment(7), 0))
        {
            assertThat(made.getFirst().registered).containsExactly(
                entry(ADDRESS, ARENA), entry(SECOND, 2 * GRANT), entry(THIRD, 2 * GRANT),
                entry(THIRD + 2 * GRANT, GRANT));
            for (int grant = 0; grant < 5; grant++)
            {
                assertThat(registration.region().isTogether(SECOND + grant * GRANT, GRANT)).isTrue();
            }
            assertThat(registration.region().isTogether(THIRD - 1, 2)).isFalse();
            assertThat(registration.region().isTogether(SECOND - 8, 16)).isFalse();
            assertThat(registration.region().contains(ADDRESS, LENGTH)).isTrue();
        }
        assertThat(made.getFirst().registered).isEmpty();
        assertThat(made.getFirst().isClosed).isTrue();
    }

    @Test
    void shouldTakeBackWhatWasRegisteredAndNameTheChunkWhenOneIsRefused()
    {
        final SegmentRegistry refusing = new SegmentRegistry((device) ->
        {
            made.add(new ScriptedRegistrar());
            made.getLast().refused = THIRD;
            return made.getLast();
        });

        final CudaFailure failure =
            catchThrowableOfType(CudaFailure.class, () -> refusing.register(segment(7), 0));

        assertThat(failure).hasMessage("segment external_owner:0 of generation 7, " + 2 * GRANT +
            " bytes at offset " + (ARENA + 2 * GRANT) + " of " + LENGTH +
            ": cuMemHostRegister failed: CUDA_ERROR_OUT_OF_MEMORY (2)");
        assertThat(failure.code()).isEqualTo(2);
        assertThat(made.getFirst().registered).isEmpty();
        assertThat(made.getFirst().calls).endsWith("unregister " + ADDRESS, "unregister " + SECOND);
        assertThat(made.getFirst().isClosed).isTrue();
        assertThat(refusing.size()).isZero();
    }

    @Test
    void shouldRegisterOnceForAllUsersOfASegmentAndUnregisterWithTheLast()
    {
        final Registration first = registry.register(segment(7), 0);
        final Registration second = registry.register(segment(7), 1);

        assertThat(made).hasSize(1);
        assertThat(second.region()).isSameAs(first.region());
        first.close();
        first.close();
        assertThat(made.getFirst().registered).hasSize(4);
        second.close();
        assertThat(made.getFirst().registered).isEmpty();
        assertThat(registry.size()).isZero();
    }

    @Test
    void shouldNeverTakeTheRegistrationOfOneGenerationForThatOfAnother()
    {
        final Registration old = registry.register(segment(7), 0);

        assertThatThrownBy(() -> registry.register(segment(8), 0)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("generation 8").hasMessageContaining("generation 7 is registered");
        old.close();
        registry.register(segment(8), 0).close();
        assertThat(made).hasSize(2);
        assertThat(made.getLast().calls).hasSize(8);
    }

    @Test
    void shouldTakeBackTheOthersWhenOneCannotBeTakenBackAndSayWhichItWas()
    {
        final Registration registration = registry.register(segment(7), 0);
        made.getFirst().stuck = SECOND;

        assertThatThrownBy(registration::close).isInstanceOf(CudaFailure.class)
            .hasMessageContaining("at offset " + ARENA + " of").hasMessageContaining("(713)");
        assertThat(made.getFirst().registered).containsOnlyKeys(SECOND);
        assertThat(made.getFirst().isClosed).isTrue();
        assertThat(registry.size()).isZero();
    }

    private static CopySegment segment(final long generation)
    {
        return new CopySegment("external_owner:0", ADDRESS, LENGTH, generation, ARENA, GRANT);
    }

    private static java.util.Map.Entry<Long, Long> entry(final long address, final long length)
    {
        return java.util.Map.entry(address, length);
    }
}
