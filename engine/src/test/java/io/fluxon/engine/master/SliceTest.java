package io.fluxon.engine.master;

import io.fluxon.ipc.ErrorCode;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;

class SliceTest
{
    private static final int COUNT = 4096;

    private final MasterFixture fixture = new MasterFixture((context) -> context.sliceKeys(64).maxRoutes(20_000));
    private TestOwner big;
    private TestOwner small;

    @BeforeEach
    void register()
    {
        big = fixture.registered(1);
        small = fixture.registered(2);
        small.publish("s");
    }

    @AfterEach
    void close()
    {
        fixture.audit();
        fixture.close();
    }

    private static String[] keys(final String prefix, final int count)
    {
        final String[] keys = new String[count];
        for (int i = 0; i < count; i++)
        {
            keys[i] = prefix + i;
        }
        return keys;
    }

    private UnsafeBuffer peek(final TestOwner owner, final long id)
    {
        for (final UnsafeBuffer message : owner.wire().messages)
        {
            if (id == Entries.correlationId(message))
            {
                return message;
            }
        }
        return null;
    }

    @Test
    @Tag("G10")
    void shouldServeAnotherOwnerWhileALongBatchIsWorkedOn()
    {
        final long batch = big.sendPublish(new TestOwner.Put().keys(keys("k", COUNT)));
        fixture.tick();
        fixture.tick();
        final long get = small.sendGetStart("x");
        fixture.tick();
        assertThat(peek(small, get)).isNotNull();
        assertThat(peek(big, batch)).isNull();
        final int[] codes = big.readCodes(batch);
        assertThat(codes).hasSize(COUNT).containsOnly(0);
        assertThat(fixture.get(MasterCounter.ROUTES)).isEqualTo(COUNT + 1);
    }

    @Test
    @Tag("G10")
    void shouldKeepTheOrderOfOneOwnersOperations()
    {
        final long first = big.sendPublish(new TestOwner.Put().keys(keys("k", COUNT)));
        final long second = big.sendGetStart("s");
        while (null == peek(big, second))
        {
            assertThat(peek(big, second)).isNull();
            fixture.tick();
        }
        assertThat(peek(big, first)).isNotNull();
    }

    @Test
    @Tag("A2")
    @Tag("V2")
    void shouldShowALongGroupAsAWholeOrNotAtAll()
    {
        final String[] keys = keys("k", 2000);
        final long batch = big.sendPublish(new TestOwner.Put().keys(keys).groups(2000));
        int visibleTicks = 0;
        int ticks = 0;
        while (null == peek(big, batch))
        {
            fixture.tick();
            ticks++;
            final boolean isFirstVisible = isVisible(keys[0]);
            assertThat(isVisible(keys[1999])).isEqualTo(isFirstVisible);
            assertThat(isVisible(keys[700])).isEqualTo(isFirstVisible);
            visibleTicks += isFirstVisible ? 1 : 0;
        }
        assertThat(ticks).isGreaterThan(10);
        assertThat(visibleTicks).isLessThanOrEqualTo(1);
        assertThat(isVisible(keys[0])).isTrue();
    }

    @Test
    @Tag("A2")
    void shouldDecideALongGroupAtOneInstantWhenAnotherOwnerPublishesItsKeys()
    {
        final String[] keys = keys("k", 2000);
        final long batch = big.sendPublish(new TestOwner.Put().keys(keys).groups(2000).options(TestOwner.EXIST));
        while (null == fixture.master.state().owners.byOwnerId(1).head() ||
            Operation.GroupPhase.BEGIN == fixture.master.state().owners.byOwnerId(1).head().groupPhase)
        {
            fixture.tick();
        }
        final long rival = small.sendPublish(new TestOwner.Put().keys(keys[1900]).options(TestOwner.EXIST));
        assertThat(big.readCodes(batch)).containsOnly(0);
        assertThat(small.readCodes(rival)).containsExactly(-ErrorCode.KEY_ALREADY_EXISTS);
    }

    @Test
    @Tag("A2")
    void shouldRefuseALongGroupWholeWhenItsLastMemberExists()
    {
        final String[] keys = keys("k", 2000);
        small.publish(keys[1999]);
        final int[] codes = big.publish(new TestOwner.Put().keys(keys).groups(2000).options(TestOwner.EXIST));
        assertThat(codes[1999]).isEqualTo(-ErrorCode.KEY_ALREADY_EXISTS);
        assertThat(Arrays.copyOf(codes, 1999)).containsOnly(-ErrorCode.GROUP_ABORTED);
        assertThat(fixture.get(MasterCounter.ROUTES)).isEqualTo(2);
    }

    @Test
    @Tag("T1")
    void shouldGoOnWithOtherPublishesWhenTheOneInAGroupIsReplaced()
    {
        final String[] keys = keys("k", 2000);
        big.sendPublish(new TestOwner.Put().keys(keys).groups(2000));
        for (int i = 0; i < 30; i++)
        {
            fixture.tick();
        }
        assertThat(fixture.get(MasterCounter.ROUTES)).isBetween(2L, 1999L);
        final TestOwner newer = fixture.owner(1, 11);
        newer.register();
        assertThat(small.publish(keys[0])).containsExactly(0);
        assertThat(newer.publish(keys[1])).containsExactly(0);
        assertThat(fixture.get(MasterCounter.ROUTES)).isEqualTo(3);
        fixture.assertNothingTemporary();
    }

    @Test
    @Tag("G10")
    void shouldAnswerLongBatchesOfEveryKind()
    {
        final String[] keys = keys("k", COUNT);
        assertThat(big.reserve(0, keys)).hasSize(COUNT).containsOnly(0);
        assertThat(big.unreserve(big.nextId - 1)).isZero();
        assertThat(big.publish(keys)).containsOnly(0);
        final long start = small.sendGetStart(keys);
        assertThat(small.readCodes(start)).hasSize(COUNT).containsOnly(0);
        assertThat(fixture.get(MasterCounter.GETS_IN_FLIGHT)).isEqualTo(COUNT);
        assertThat(small.exists(keys)).hasSize(COUNT).containsOnly(true);
        assertThat(small.revoke(start, -1)).isZero();
        fixture.assertNothingTemporary();
    }

    @Test
    @Tag("LIFE-1")
    void shouldClearALostOwnersRoutesInSlicesAndSkipThemMeanwhile()
    {
        big.publish(keys("k", COUNT));
        final TestOwner newer = fixture.owner(1, 11);
        newer.sendRegister();
        fixture.tick();
        assertThat(isVisible("k0")).isFalse();
        assertThat(isVisible("k4095")).isFalse();
        assertThat(fixture.master.state().routes.routeCount()).isGreaterThan(COUNT / 2);
        fixture.settle();
        assertThat(fixture.get(MasterCounter.ROUTES)).isEqualTo(1);
    }

    private boolean isVisible(final String key)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(key.getBytes(StandardCharsets.UTF_8));
        return LineSlab.NONE != fixture.master.state().routes.findVisible(buffer, 0, buffer.capacity());
    }
}
