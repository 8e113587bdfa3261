package io.fluxon.engine.master;

import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.engine.protocol.Limits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class PlacementTest
{
    private static final long GIB = 1L << 30;
    private static final long PAGE = 4096;
    private static final int ROUNDS = 1600;
    private static final long RAMP_NS = TimeUnit.SECONDS.toNanos(16);

    private final BytePool pool = new BytePool(1 << 20);
    private final OwnerRegistry owners = new OwnerRegistry(8, 1);
    private final Placement placement = new Placement(
        new MasterContext().heartbeatIntervalNs(TimeUnit.SECONDS.toNanos(1)).replicaRampNs(RAMP_NS), owners);
    private final OwnerSession source = joined(1, OwnerRole.GPU, GIB, 0);
    private final long nowNs = 2 * RAMP_NS;

    @AfterEach
    void close()
    {
        pool.close();
    }

    private OwnerSession joined(final int ownerId, final OwnerRole role, final long freeBytes, final long sinceNs)
    {
        final OwnerSession owner = new OwnerSession(ownerId, 10, new OutcomeLog(pool, 16));
        owner.registration(new Registration(
            ownerId, 10, 1, Limits.PROTOCOL_VERSION, role, GIB, 0, 0, 0, "to", "path", "name", "host", "address"),
            null);
        owners.add(owner);
        owners.begin(owner, ownerId, 1, ownerId, sinceNs);
        owner.mustReport(false);
        owner.space(freeBytes, 0, 0);
        owner.heard(2 * RAMP_NS);

        return owner;
    }

    private int[] shares(final OwnerSession... targets)
    {
        final int[] shares = new int[targets.length];
        for (int i = 0; i < ROUNDS; i++)
        {
            final OwnerSession chosen = placement.choose(source, null, PAGE, nowNs);
            for (int k = 0; k < targets.length; k++)
            {
                shares[k] += targets[k] == chosen ? 1 : 0;
            }
        }

        return shares;
    }

    @Test
    @Tag("REPL-4")
    void shouldSpreadByFreeCapacity()
    {
        final OwnerSession small = joined(2, OwnerRole.REMOTE_CACHE, GIB, 0);
        final OwnerSession large = joined(3, OwnerRole.REMOTE_CACHE, 3 * GIB, 0);
        joined(4, OwnerRole.GPU, 100 * GIB, 0);

        assertThat(shares(small, large)).containsExactly(ROUNDS / 4, 3 * ROUNDS / 4);
    }

    @Test
    @Tag("REPL-4")
    void shouldCountWhatIsOnItsWay()
    {
        final OwnerSession first = joined(2, OwnerRole.REMOTE_CACHE, 2 * GIB, 0);
        final OwnerSession second = joined(3, OwnerRole.REMOTE_CACHE, 2 * GIB, 0);
        first.expect(GIB);
        assertThat(shares(first, second)).containsExactly(ROUNDS / 3, ROUNDS - ROUNDS / 3);

        first.expectNoMore(GIB, true);
        assertThat(first.roomBytes()).isEqualTo(GIB);
        first.space(GIB + 1, 0, 0);
        assertThat(first.roomBytes()).isEqualTo(GIB + 1);
    }

    @Test
    @Tag("REPL-4")
    void shouldLetAnOwnerThatHasJustJoinedComeToItsShareByAndBy()
    {
        final OwnerSession old = joined(2, OwnerRole.REMOTE_CACHE, GIB, 0);
        final OwnerSession fresh = joined(3, OwnerRole.REMOTE_CACHE, GIB, nowNs);
        assertThat(shares(old, fresh)[1]).isBetween(ROUNDS / 17 - 1, ROUNDS / 17 + 1);

        final OwnerSession half = joined(4, OwnerRole.REMOTE_CACHE, 16 * GIB, nowNs - RAMP_NS / 2 + 1);
        final int[] shares = shares(old, half);
        assertThat(shares[1]).isBetween(7 * shares[0], 8 * shares[0]);
    }

    @Test
    @Tag("REPL-4")
    @Tag("CAP-1")
    void shouldCountWhatHotWindowsGiveUpAsRoomButPreferWhatIsFree()
    {
        final OwnerSession full = joined(2, OwnerRole.REMOTE_CACHE, 0, 0);
        full.space(0, GIB, GIB);
        assertThat(placement.choose(source, null, GIB, nowNs)).isSameAs(full);
        assertThat(placement.choose(source, null, GIB + 1, nowNs)).isNull();
        full.expect(1);
        assertThat(placement.choose(source, null, GIB, nowNs)).isNull();

        final OwnerSession free = joined(3, OwnerRole.REMOTE_CACHE, GIB, 0);
        assertThat(shares(full, free)).containsExactly(0, ROUNDS);
    }

    @Test
    @Tag("REPL-4")
    void shouldHaveNoTargetBesideSuspectsAndTheSource()
    {
        final OwnerSession only = joined(2, OwnerRole.REMOTE_CACHE, GIB, 0);
        assertThat(placement.choose(only, null, PAGE, nowNs)).isNull();
        assertThat(placement.choose(source, only, PAGE, nowNs)).isSameAs(only);
        assertThat(placement.choose(source, null, GIB + 1, nowNs)).isNull();

        only.heard(nowNs - TimeUnit.SECONDS.toNanos(2) - 1);
        assertThat(placement.choose(source, only, PAGE, nowNs)).isNull();
        only.heard(nowNs);
        only.mustReport(true);
        assertThat(placement.choose(source, null, PAGE, nowNs)).isNull();
    }
}
