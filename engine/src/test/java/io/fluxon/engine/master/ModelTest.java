package io.fluxon.engine.master;

import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.EvictResult;
import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.ipc.ErrorCode;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random operations of some owners against a model that is as simple as the rules.
 */
class ModelTest
{
    private static final int OWNERS = 4;
    private static final int KEYS = 12;
    private static final int STEPS = 1500;
    private static final int ALL_STEPS = 15_000;
    private static final int TTL_STEPS = 60;

    private final Map<String, Route> routes = new TreeMap<>();
    private final Map<String, Get> gets = new TreeMap<>();
    private final List<Reservation> reservations = new ArrayList<>();
    private final TestOwner[] owners = new TestOwner[OWNERS];
    private final long[] startIds = new long[OWNERS];
    private final String[][] startKeys = new String[OWNERS][];
    private MasterFixture fixture;
    private Random random;
    private long now;
    private long order;
    private long evicted;

    @ParameterizedTest
    @ValueSource(longs = { 1, 2, 3 })
    @Tag("T1")
    @Tag("T2")
    @Tag("PUT-1")
    @Tag("G6")
    @Tag("EVICT-2")
    void shouldDoWhatTheModelDoes(final long seed)
    {
        random = new Random(seed);
        fixture = new MasterFixture((context) -> context.sliceKeys(2 + random.nextInt(6)));
        for (int i = 0; i < OWNERS; i++)
        {
            owners[i] = fixture.registered(i + 1);
        }

        final int steps = Boolean.getBoolean("fluxon.test.all") ? ALL_STEPS : STEPS;
        for (int step = 0; step < steps; step++)
        {
            step(owners[random.nextInt(OWNERS)]);
            if (0 == step % 50)
            {
                compare();
            }
        }

        assertThat(evicted).isGreaterThan(steps / 100);
        for (final TestOwner owner : owners)
        {
            replace(owner);
        }
        fixture.assertNothingTemporary();
        assertThat(fixture.get(MasterCounter.ROUTES)).isZero();
        assertThat(fixture.get(MasterCounter.REPLICAS)).isZero();
        fixture.close();
    }

    private void step(final TestOwner owner)
    {
        switch (random.nextInt(27))
        {
            case 0, 1, 2, 3, 4, 5 -> publish(owner);
            case 6, 7, 8 -> reserve(owner);
            case 9 -> unreserve(owner);
            case 10, 11, 12, 13, 14 -> start(owner);
            case 15, 16, 17, 18 -> done(owner);
            case 19, 20 -> revoke(owner);
            case 21 -> acknowledge(owner);
            case 22 -> passTime();
            case 23, 24, 25 -> evict(owner);
            default ->
            {
                if (0 == random.nextInt(10))
                {
                    replace(owner);
                }
            }
        }
    }

    private String[] someKeys(final int max)
    {
        final TreeSet<String> keys = new TreeSet<>();
        final int count = 1 + random.nextInt(max);
        while (keys.size() < count)
        {
            keys.add("key-" + random.nextInt(KEYS));
        }
        return keys.toArray(new String[0]);
    }

    private void publish(final TestOwner owner)
    {
        final String[] keys = someKeys(6);
        final int options = random.nextInt(4);
        final boolean isGrouped = random.nextBoolean();
        final int split = isGrouped ? random.nextInt(keys.length + 1) : 0;
        final int[] lengths = 0 == split || split == keys.length ?
            new int[]{ keys.length } : new int[]{ split, keys.length - split };
        final long length = random.nextInt(8) == 0 ? 8192 : 4096;
        final Reservation consumed = reservationOf(owner);
        final TestOwner.Put put = new TestOwner.Put().keys(keys).options(options).length(length);
        if (isGrouped)
        {
            put.groups(lengths);
        }
        put.reserveId = null == consumed ? 0 : consumed.operationId;
        final long firstSequence = owner.nextSequence;
        final long id = owner.sendPublish(put);
        final UnsafeBuffer answer = owner.answer(id);

        final int[] expected = new int[keys.length];
        final int groups = isGrouped ? lengths.length : keys.length;
        int first = 0;
        for (int g = 0; g < groups; g++)
        {
            final int end = first + (isGrouped ? lengths[g] : 1);
            publishGroup(owner, keys, first, end, options, length, firstSequence, expected);
            first = end;
        }
        reservations.remove(consumed);

        assertThat(TestOwner.codes(answer)).isEqualTo(expected);
        for (int i = 0; i < keys.length; i++)
        {
            if (0 == expected[i])
            {
                final PublishResponseDecoder.ResultsDecoder item = TestOwner.publishItem(answer, i);
                final Route route = routes.get(keys[i]);
                assertThat(item.canonical().ownerId()).isEqualTo(route.ownerId);
                assertThat(item.canonical().sequence()).isEqualTo(route.sequence);
                route.backings.putIfAbsent(owner.ownerId, firstSequence + i);
            }
        }
        if (0 == random.nextInt(4))
        {
            owner.sendPublishAs(id, new TestOwner.Put().keys("never"));
            assertThat(TestOwner.codes(owner.answer(id))).isEqualTo(expected);
        }
    }

    private void publishGroup(
        final TestOwner owner,
        final String[] keys,
        final int first,
        final int end,
        final int options,
        final long length,
        final long firstSequence,
        final int[] expected)
    {
        boolean isRefused = false;
        for (int i = first; i < end; i++)
        {
            expected[i] = -publishCode(owner, keys[i], options, length);
            isRefused |= 0 != expected[i];
        }

        for (int i = first; i < end; i++)
        {
            if (isRefused)
            {
                expected[i] = 0 == expected[i] ? -ErrorCode.GROUP_ABORTED : expected[i];
            }
            else
            {
                final long sequence = firstSequence + i;
                routes.computeIfAbsent(
                    keys[i], (key) -> new Route(owner.ownerId, owner.generation, sequence, length))
                    .replicas.add(owner.ownerId);
            }
        }
    }

    private int publishCode(final TestOwner owner, final String key, final int options, final long length)
    {
        final Route route = routes.get(key);
        if (null != route && route.length != length)
        {
            return ErrorCode.INVALID_ARGUMENT;
        }
        if (null != route && 0 != (options & TestOwner.EXIST))
        {
            return ErrorCode.KEY_ALREADY_EXISTS;
        }
        return 0 != (options & TestOwner.INFLIGHT) && isTaken(owner, key) ? ErrorCode.KEY_BEING_WRITTEN : 0;
    }

    private boolean isTaken(final TestOwner owner, final String key)
    {
        long own = Long.MAX_VALUE;
        long other = Long.MAX_VALUE;
        for (final Reservation reservation : reservations)
        {
            final Long at = reservation.keys.get(key);
            if (null != at)
            {
                if (reservation.owner == owner)
                {
                    own = Math.min(own, at);
                }
                else
                {
                    other = Math.min(other, at);
                }
            }
        }
        return other < own;
    }

    private Reservation reservationOf(final TestOwner owner)
    {
        final List<Reservation> mine = new ArrayList<>();
        for (final Reservation reservation : reservations)
        {
            if (owner == reservation.owner)
            {
                mine.add(reservation);
            }
        }
        return mine.isEmpty() || random.nextBoolean() ? null : mine.get(random.nextInt(mine.size()));
    }

    private void reserve(final TestOwner owner)
    {
        final String[] keys = someKeys(4);
        final int options = random.nextInt(4);
        final long id = owner.sendReserve(options, keys);
        final Reservation reservation = new Reservation(owner, id, now + TTL_STEPS);
        final int[] expected = new int[keys.length];
        for (int i = 0; i < keys.length; i++)
        {
            if (0 != (options & TestOwner.EXIST) && routes.containsKey(keys[i]))
            {
                expected[i] = ErrorCode.KEY_ALREADY_EXISTS;
            }
            else if (0 != (options & TestOwner.INFLIGHT) && isTaken(owner, keys[i]))
            {
                expected[i] = ErrorCode.KEY_BEING_WRITTEN;
            }
            else
            {
                reservation.keys.put(keys[i], order++);
            }
        }
        reservations.add(reservation);
        assertThat(owner.readCodes(id)).isEqualTo(expected);
    }

    private void unreserve(final TestOwner owner)
    {
        final Reservation reservation = reservationOf(owner);
        if (null != reservation)
        {
            reservations.remove(reservation);
            assertThat(owner.unreserve(reservation.operationId)).isZero();
        }
    }

    private void start(final TestOwner owner)
    {
        final String[] keys = someKeys(5);
        final long id = owner.sendGetStart(keys);
        final UnsafeBuffer answer = owner.answer(id);
        for (int i = 0; i < keys.length; i++)
        {
            final BatchGetStartResponseDecoder.ItemsDecoder item = TestOwner.startItem(answer, i);
            final Route route = routes.get(keys[i]);
            final boolean hasSource = null != route &&
                route.replicas.size() > (route.replicas.contains(owner.ownerId) ? 1 : 0);
            assertThat(item.code()).isEqualTo(hasSource ? 0 : ErrorCode.KEY_NOT_FOUND);
            if (hasSource)
            {
                assertThat(item.sourceOwnerId()).isNotEqualTo(owner.ownerId).isIn(route.replicas);
                assertThat(item.version().sequence()).isEqualTo(route.sequence);
                assertThat(item.valueLength()).isEqualTo(route.length);
                final String key = keys[i];
                gets.values().removeIf((get) -> get.owner == owner && get.key.equals(key));
                gets.put(name(owner, id, i), new Get(owner, key, route, item.sourceOwnerId(), now + TTL_STEPS));
            }
        }
        startIds[owner.ownerId - 1] = id;
        startKeys[owner.ownerId - 1] = keys;
    }

    private void done(final TestOwner owner)
    {
        final String[] keys = startKeys[owner.ownerId - 1];
        if (null == keys)
        {
            return;
        }

        final long startId = startIds[owner.ownerId - 1];
        final int index = random.nextInt(keys.length);
        final Get get = gets.remove(name(owner, startId, index));
        int expected = ErrorCode.STALE_GET_PLAN;
        if (null != get)
        {
            expected = get.route.replicas.add(owner.ownerId) ? 0 : ErrorCode.KEY_ALREADY_EXISTS;
            get.route.backings.putIfAbsent(owner.ownerId, TestOwner.doneBacking(owner.nextId));
        }
        assertThat(owner.done(startId, index, keys[index])).isEqualTo(expected);
    }

    private void revoke(final TestOwner owner)
    {
        final String[] keys = startKeys[owner.ownerId - 1];
        if (null == keys)
        {
            return;
        }

        final long startId = startIds[owner.ownerId - 1];
        final int index = random.nextInt(keys.length + 1) - 1;
        for (int i = 0; i < keys.length; i++)
        {
            if (-1 == index || i == index)
            {
                gets.remove(name(owner, startId, i));
            }
        }
        assertThat(owner.revoke(startId, index)).isZero();
    }

    /** Mostly of what is there, sometimes of another put or backing: all members go, or none. */
    private void evict(final TestOwner owner)
    {
        final String[] here = routes.keySet().stream()
            .filter((key) -> routes.get(key).replicas.contains(owner.ownerId))
            .skip(random.nextInt(4)).limit(1 + random.nextInt(3)).toArray(String[]::new);
        final String[] keys = 0 == here.length || 0 == random.nextInt(4) ? someKeys(4) : here;
        final TestOwner.Member[] members = new TestOwner.Member[keys.length];
        int absent = 0;
        boolean isBusy = false;
        for (int i = 0; i < keys.length; i++)
        {
            final Route route = routes.get(keys[i]);
            final boolean isThere = null != route && route.replicas.contains(owner.ownerId);
            members[i] = isThere ? new TestOwner.Member(
                keys[i], route.ownerId, route.generation, route.sequence, route.backings.get(owner.ownerId)) :
                owner.member(keys[i], 1);
            final boolean isWrong = isThere && 0 == random.nextInt(12);
            if (isWrong)
            {
                members[i] = random.nextBoolean() ? members[i].sequence(-1) : members[i].backing(0);
            }
            absent += isThere && !isWrong ? 0 : 1;
            isBusy |= gets.values().stream().anyMatch(
                (get) -> get.route == route && get.sourceId == owner.ownerId);
        }

        final int code = owner.evict(members)[0];
        if (absent == keys.length)
        {
            assertThat(code).isEqualTo(EvictResult.REMOVED.value());
        }
        else if (absent > 0)
        {
            assertThat(code).isEqualTo(EvictResult.STALE.value());
        }
        else
        {
            assertThat(code).isEqualTo((isBusy ? EvictResult.BUSY : EvictResult.REMOVED).value());
            if (!isBusy)
            {
                evicted += keys.length;
                for (final String key : keys)
                {
                    remove(key, owner);
                }
            }
        }
    }

    private void remove(final String key, final TestOwner owner)
    {
        final Route route = routes.get(key);
        route.replicas.remove(owner.ownerId);
        route.backings.remove(owner.ownerId);
        if (route.replicas.isEmpty())
        {
            routes.remove(key);
        }
    }

    private void acknowledge(final TestOwner owner)
    {
        owner.watermark = owner.nextId - 1;
        owner.sendHeartbeat();
        fixture.settle();
    }

    private void passTime()
    {
        final int seconds = 1 + random.nextInt(5);
        fixture.run(seconds * 1_000_000_000L, owners);
        now += seconds;
        gets.values().removeIf((get) -> get.deadline <= now);
        reservations.removeIf((reservation) -> reservation.deadline <= now);
    }

    private void replace(final TestOwner owner)
    {
        final int index = Arrays.asList(owners).indexOf(owner);
        final TestOwner newer = fixture.owner(owner.ownerId, owner.generation + 1);
        newer.nextSequence = owner.nextSequence;
        assertThat(newer.register()).isZero();
        owners[index] = newer;
        startKeys[index] = null;
        reservations.removeIf((reservation) -> reservation.owner == owner);
        gets.values().removeIf((get) -> get.owner == owner || get.sourceId == owner.ownerId);
        routes.values().forEach((route) ->
        {
            route.replicas.remove(owner.ownerId);
            route.backings.remove(owner.ownerId);
        });
        routes.values().removeIf((route) -> route.replicas.isEmpty());
    }

    private void compare()
    {
        fixture.settle();
        assertThat(fixture.get(MasterCounter.ROUTES)).isEqualTo(routes.size());
        assertThat(fixture.get(MasterCounter.REPLICAS)).isEqualTo(
            routes.values().stream().mapToLong((route) -> route.replicas.size()).sum());
        assertThat(fixture.get(MasterCounter.GETS_IN_FLIGHT)).isEqualTo(gets.size());
        assertThat(fixture.get(MasterCounter.RESERVATIONS)).isEqualTo(
            reservations.stream().mapToLong((reservation) -> reservation.keys.size()).sum());
        fixture.audit();
    }

    private static String name(final TestOwner owner, final long startId, final int index)
    {
        return owner.ownerId + "/" + owner.generation + "/" + startId + "/" + index;
    }

    private static final class Route
    {
        private final int ownerId;
        private final long generation;
        private final long sequence;
        private final long length;
        private final TreeSet<Integer> replicas = new TreeSet<>();
        private final Map<Integer, Long> backings = new TreeMap<>();

        private Route(final int ownerId, final long generation, final long sequence, final long length)
        {
            this.ownerId = ownerId;
            this.generation = generation;
            this.sequence = sequence;
            this.length = length;
        }
    }

    private record Get(TestOwner owner, String key, Route route, int sourceId, long deadline)
    {
    }

    private static final class Reservation
    {
        private final TestOwner owner;
        private final long operationId;
        private final long deadline;
        private final Map<String, Long> keys = new TreeMap<>();

        private Reservation(final TestOwner owner, final long operationId, final long deadline)
        {
            this.owner = owner;
            this.operationId = operationId;
            this.deadline = deadline;
        }
    }
}
