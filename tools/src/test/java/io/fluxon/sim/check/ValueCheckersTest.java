package io.fluxon.sim.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.fluxon.engine.memory.SlotState;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutPlan;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ValueCheckersTest extends CheckerTest
{
    private AllowedValues values;

    @BeforeEach
    void before()
    {
        start(2, 2);
        values = checker(AllowedValues.class);
    }

    private static UnsafeBuffer page(final PutAttempt put, final int index, final String key)
    {
        final UnsafeBuffer page = new UnsafeBuffer(new byte[LENGTH]);
        for (final PageStamp.Part part : PageStamp.Part.values())
        {
            PageStamp.write(page, 0, LENGTH, part, PageStamp.hash(key), put.first + index);
        }
        return page;
    }

    @Test
    void shouldAllowWhatWasPut()
    {
        final PutAttempt put = done(0, "a");
        final ReadAttempt get = readable(1, "a");
        final UnsafeBuffer read = new UnsafeBuffer(get.get.valueAddress(0), LENGTH);
        assertThat(read).isEqualTo(page(put, 0, "a"));
        assertThatCode(() -> checks.clients().onPage(get, 0, read)).doesNotThrowAnyException();
    }

    @Test
    @Tag("CRC-1")
    void shouldSeeATornPage()
    {
        final PutAttempt put = done(0, "a");
        final ReadAttempt get = readable(0, "a");
        for (int at = 0; at < LENGTH; at += 37)
        {
            final UnsafeBuffer torn = page(put, 0, "a");
            torn.putByte(at, (byte)(torn.getByte(at) ^ 1));
            assertThat(catchRule(() -> values.onPage(get, 0, torn))).isIn("CRC-1", "ID-1");
        }
        final UnsafeBuffer torn = page(put, 0, "a");
        torn.putByte(LENGTH - 1, (byte)(torn.getByte(LENGTH - 1) ^ 1));
        assertBroken(AllowedValues.class, "CRC-1", () -> values.onPage(get, 0, torn));
    }

    private static String catchRule(final Runnable action)
    {
        try
        {
            action.run();
            return null;
        }
        catch (final Violation violation)
        {
            return violation.rule();
        }
    }

    @Test
    @Tag("ID-1")
    void shouldSeeThePageOfAnotherKey()
    {
        final PutAttempt put = done(0, "a", "b");
        final ReadAttempt get = readable(0, "a");
        assertBroken(AllowedValues.class, "ID-1", () -> values.onPage(get, 0, page(put, 1, "b")));
    }

    @Test
    @Tag("V1")
    void shouldSeeAPageThatWasNotCommitted()
    {
        done(0, "a");
        final ReadAttempt get = readable(0, "a");
        final PutAttempt open = started(1, "a");
        assertBroken(AllowedValues.class, "V1", () -> values.onPage(get, 0, page(open, 0, "a")));
    }

    @Test
    @Tag("PUT-4")
    void shouldSeeAPageThatHadFailed()
    {
        final PutAttempt put = done(0, "a");
        put.failedNs[0] = cluster.clock().nanoTime() - 1;
        final ReadAttempt get = readable(0, "a");
        assertBroken(AllowedValues.class, "PUT-4", () -> values.onPage(get, 0, page(put, 0, "a")));
    }

    @Test
    @Tag("PUT-1")
    void shouldSeeThePageOfAPutThatHasJoined()
    {
        done(0, "a");
        final PutAttempt joined = done(0, "a");
        assertThat(joined.plan.result(0)).isZero();
        cluster.runFor(1_000);
        final ReadAttempt get = readable(0, "a");
        assertBroken(AllowedValues.class, "PUT-1", () -> values.onPage(get, 0, page(joined, 0, "a")));
    }

    @Test
    @Tag("PUT-1")
    void shouldSeeAConflictThatNoFlagForbids()
    {
        final PutAttempt put = done(0, "a");
        ((int[])get(put.plan, "results"))[0] = -ErrorCode.KEY_ALREADY_EXISTS;
        assertBroken(AllowedValues.class, "PUT-1", () -> values.onPutDone(put));
    }

    @Test
    @Tag("A2")
    void shouldSeeAGroupWithOneResultOfItsOwn()
    {
        final PutAttempt put = done(0, "a", "b");
        set(put, "groups", new int[]{2});
        ((int[])get(put.plan, "results"))[0] = -ErrorCode.INVALID_ARGUMENT;
        assertBroken(AllowedValues.class, "A2", () -> values.onPutDone(put));
    }

    @Test
    @Tag("SLOT-7")
    void shouldSeeASlotThatIsTakenFromItsWriter()
    {
        started(0, "a");
        owner(0).pool().quarantine(slot(0, "a"));
        owner(0).look();
        checker(WritablePages.class).afterOwner(owner(0));
        state(0, slot(0, "a"), SlotState.FREE);
        owner(0).look();
        assertBroken(WritablePages.class, "SLOT-7", () -> checker(WritablePages.class).afterOwner(owner(0)));
    }

    @Test
    @Tag("GET-3")
    void shouldSeeAPageThatIsFreedWhileItIsRead()
    {
        done(0, "a");
        final ReadAttempt get = readable(0, "a");
        final int slotId = slot(0, "a");
        call(owner(0).table(), "holderCount", new Class<?>[]{int.class, int.class}, slotId, 0);
        assertBroken(ReadablePages.class, "GET-3", () -> checker(ReadablePages.class).onViewsGone(get));
    }

    @Test
    @Tag("S2")
    void shouldSeeAPageThatIsWrittenWhileItIsRead()
    {
        done(0, "a");
        final ReadAttempt get = readable(0, "a");
        state(0, slot(0, "a"), SlotState.PREPARED);
        assertBroken(ReadablePages.class, "S2", () -> checker(ReadablePages.class).onViewsGone(get));
    }

    private ReadAttempt ofFour(final boolean isBestEffort)
    {
        final String[] names = {"a", "b", "c", "d"};
        return new ReadAttempt(worker(0), null, isBestEffort, new int[]{2, 2}, names, 0);
    }

    @Test
    @Tag("API-6")
    void shouldSeeAResultThatDoesNotAddUp()
    {
        final ReadAttempt get = ofFour(true);
        PrefixArithmetic.check(get, "example", 3, 2, 1, 3, 1);
        assertBroken(PrefixArithmetic.class, "API-6", () -> PrefixArithmetic.check(get, "cut", 3, 3, 1, 3, 1));
        assertBroken(PrefixArithmetic.class, "API-6", () -> PrefixArithmetic.check(get, "miss", 3, 2, 1, 2, 1));
        assertBroken(PrefixArithmetic.class, "API-6", () -> PrefixArithmetic.check(get, "group", 3, 2, 1, 3, 2));
    }

    @Test
    @Tag("API-6")
    void shouldSeeAPartThatWasNotAskedFor()
    {
        final ReadAttempt get = ofFour(false);
        PrefixArithmetic.check(get, "example", 2, 0, 0, 2, 1);
        assertBroken(PrefixArithmetic.class, "API-6", () -> PrefixArithmetic.check(get, "part", 2, 2, 1, 2, 1));
    }

    @Test
    @Tag("GET-6")
    void shouldSeeAReadableGroupThatIsCut()
    {
        done(0, "a", "b");
        final ReadAttempt get = readable(0, "a", "b");
        set(get, "groups", new int[]{3});
        assertBroken(PrefixArithmetic.class, "GET-6", () -> checker(PrefixArithmetic.class).onReadable(get));
    }

    @Test
    @Tag("API-8")
    void shouldSeeAPutWithoutAnEnd()
    {
        cluster.owner(0).toMaster.cut(true);
        final PutAttempt put = localReady(0, "a");
        assertThat(put.plan.state()).isEqualTo(PutPlan.State.LOCAL_READY);
        assertBroken(Futures.class, "API-8", () -> checker(Futures.class).atQuiet());
    }

    @Test
    @Tag("LIFE-1")
    void shouldSeeAGetWithoutAnEnd()
    {
        cluster.owner(0).toMaster.cut(true);
        final GetHandle handle = new GetHandle(1);
        assertThat(worker(0).getStart(handle, true, null, "a")).isZero();
        checks.clients().onGetAsked(worker(0), handle, true, null, "a");
        assertBroken(Futures.class, "API-8", () -> checker(Futures.class).atQuiet());
    }

    @Test
    @Tag("API-8")
    void shouldSeeAFutureThatOutlivesItsSession()
    {
        final PutAttempt put = localReady(0, "a");
        worker(0).client().fail(ErrorCode.SHUTDOWN, "the host ends it");
        set(put.plan, "state", PutPlan.State.LOCAL_READY);
        assertBroken(Futures.class, "API-8", () -> checker(Futures.class).afterWorker(worker(0)));
    }

    @Test
    @Tag("API-8")
    void shouldSeeAFutureThatEndsWithItsSessionWithoutAnError()
    {
        final PutAttempt put = localReady(0, "a");
        worker(0).client().fail(ErrorCode.OK, "");
        assertThat(put.plan.state()).isEqualTo(PutPlan.State.FAILED);
        assertBroken(Futures.class, "API-8", () -> checker(Futures.class).afterWorker(worker(0)));
    }

    @Test
    @Tag("API-8")
    void shouldSeeAFutureThatIsForgotten()
    {
        final PutAttempt put = localReady(0, "a");
        assertBroken(Futures.class, "API-8", () -> checks.clients().onPutAsked(
            worker(0), put.plan, new PutRequest(LENGTH, null, false, false, null, "b")));
    }

    @Test
    @Tag("API-8")
    void shouldSeeAFutureThatEndsTwice()
    {
        final PutAttempt put = done(0, "a");
        assertBroken(Futures.class, "API-8", () -> checker(Futures.class).onPutDone(put));
    }

    @Test
    @Tag("PUT-2")
    void shouldSeeAResultThatIsNone()
    {
        final PutAttempt put = localReady(0, "a");
        until(put.plan, PutPlan.State.DONE);
        ((int[])get(put.plan, "results"))[0] = ErrorCode.NO_SPACE;
        assertBroken(Futures.class, "PUT-2", () -> checker(Futures.class).onPutDone(put));
    }
}
