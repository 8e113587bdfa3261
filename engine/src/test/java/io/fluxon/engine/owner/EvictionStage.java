package io.fluxon.engine.owner;

import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.window.WindowPolicyKind;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An owner of 16 slots with one worker, the least recently used value of which goes first, and what tests of eviction
 * do with it.
 */
final class EvictionStage implements AutoCloseable
{
    static final int SLOTS = 16;

    final OwnerFixture owner;
    final TestWorker worker;
    final OwnerView view;

    EvictionStage(final double hotRatio)
    {
        this(hotRatio, new OwnerSettings());
    }

    EvictionStage(final double hotRatio, final OwnerSettings settings)
    {
        this(1, settings.hotCapacityRatio(hotRatio));
    }

    EvictionStage(final int grants, final OwnerSettings settings)
    {
        owner = new OwnerFixture(
            SLOTS, grants, settings.maxSessions(4).hotWindowPolicy(WindowPolicyKind.LRU));
        owner.run();
        owner.master.join();
        view = new OwnerView(owner.agent);
        worker = TestWorker.connected(owner, 1001);
    }

    /** Every book is balanced. */
    @Override
    public void close()
    {
        assertLedger();
        owner.assertBalanced();
        owner.close();
    }

    private void assertLedger()
    {
        final OwnerView.LedgerPicture ledger = view.ledger();
        assertThat(ledger.selected()).isEqualTo(ledger.inProgress() + ledger.inRetry() + ledger.freed() +
            ledger.restored() + ledger.obsolete());
        assertThat(owner.count(OwnerCounter.EVICT_SELECTED)).isEqualTo(ledger.selected());
        assertThat(owner.count(OwnerCounter.EVICT_IN_PROGRESS)).isEqualTo(ledger.inProgress());
        assertThat(owner.count(OwnerCounter.EVICT_IN_RETRY)).isEqualTo(ledger.inRetry());
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isEqualTo(ledger.freed());
        assertThat(owner.count(OwnerCounter.EVICT_RESTORED)).isEqualTo(ledger.restored());
        assertThat(owner.count(OwnerCounter.EVICT_OBSOLETE)).isEqualTo(ledger.obsolete());
    }

    /** Values k0, k1, ... each put alone: k0 is the coldest. */
    void fill(final int count)
    {
        fillFrom(0, count);
    }

    void fillFrom(final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            worker.put("k" + i);
            owner.nowNs += 1_000_000;
        }
    }

    /** A window of so many slots is over its capacity, and k0 is hidden and asked for. */
    void overflow(final int windowSlots)
    {
        overflowBehind(windowSlots);
        assertThat(owner.count(OwnerCounter.EVICT_SELECTED)).isEqualTo(1);
        assertThat(owner.agent.core().values.hidden()).isEqualTo(1);
    }

    /** So many further values, and one more. */
    void overflowBehind(final int count)
    {
        fill(count);
        worker.commit(worker.startedPut("last"));
        owner.run();
        answerPublish();
    }

    void answerPublish()
    {
        for (final TestMaster.Request request : takeAll(PublishRequestDecoder.TEMPLATE_ID))
        {
            owner.master.answer(request);
        }
        owner.run();
        assertThat(worker.commitLocal()).isZero();
        assertThat(worker.commitResult()).containsOnly(0);
    }

    List<TestMaster.Request> takeAll(final int templateId)
    {
        owner.master.pump();
        final List<TestMaster.Request> taken = new ArrayList<>(owner.master.requests);
        taken.removeIf((request) -> templateId != request.templateId());
        owner.master.requests.removeAll(taken);

        return taken;
    }

    TestMaster.Request takeEvict()
    {
        final TestMaster.Request request = owner.master.take(EvictSourceRequestDecoder.TEMPLATE_ID);
        owner.master.requests.removeIf((other) -> request.operationId() == other.operationId());

        return request;
    }

    boolean isAnyIn(final OwnerView.EvictionState state)
    {
        final List<OwnerView.EvictionState> states = new ArrayList<>();
        view.evictions((job) -> states.add(job.state()));

        return states.contains(state);
    }

    int hiddenSlot()
    {
        final List<Integer> hidden = new ArrayList<>();
        view.evictions((job) ->
        {
            for (final int slotId : job.slots())
            {
                if (Residence.HIDDEN == owner.pool.table().residence(slotId))
                {
                    hidden.add(slotId);
                }
            }
        });
        assertThat(hidden).hasSize(1);

        return hidden.getFirst();
    }

    List<String> putAndSeeEvicted(final String key)
    {
        worker.commit(worker.startedPut(key));
        owner.run();
        answerPublish();
        final List<String> evicted = new ArrayList<>();
        for (final TestMaster.Request request : takeAll(EvictSourceRequestDecoder.TEMPLATE_ID))
        {
            evicted.addAll(TestMaster.evictedKeys(request));
            owner.master.answer(request);
        }
        owner.run();
        owner.master.answerAll();

        return evicted;
    }

    /** Puts a key and gets it, and keeps what was got. */
    long hold(final String key)
    {
        worker.put(key);

        return holdAgain(key);
    }

    long holdAgain(final String key)
    {
        worker.getStart(true, key);
        owner.run();
        final GetStartResponseDecoder start = worker.getStartResponse();
        assertThat(start.transferableLen()).isEqualTo(1);

        return start.holdings().next().holdingId();
    }

    void touch(final String... keys)
    {
        worker.getStart(true, keys);
        owner.run();
        final List<Long> holdings = new ArrayList<>();
        worker.getStartResponse().holdings().forEach((holding) -> holdings.add(holding.holdingId()));
        assertThat(holdings).hasSameSizeAs(keys);
        worker.release(holdings.toArray(Long[]::new));
        owner.run();
        assertThat(worker.status()).isZero();
    }

    void touchAllBut(final String... keys)
    {
        for (int i = 0; i < 16; i++)
        {
            for (final String prefix : List.of("k", "x"))
            {
                final String key = prefix + i;
                if (!List.of(keys).contains(key) && SlotTable.NONE != find(key))
                {
                    touch(key);
                }
            }
        }
    }

    void assertMiss(final String key)
    {
        worker.getStart(true, key);
        owner.run();
        owner.master.answerAll();
        assertThat(worker.getStartResponse().transferableLen()).isZero();
    }

    Residence residence(final String key)
    {
        return owner.pool.table().residence(slotOf(key));
    }

    int slotOf(final String key)
    {
        final int slotId = find(key);
        assertThat(slotId).as(key).isNotEqualTo(SlotTable.NONE);

        return slotId;
    }

    int find(final String key)
    {
        final byte[] bytes = key.getBytes(StandardCharsets.UTF_8);

        return view.find(new UnsafeBuffer(bytes), 0, bytes.length);
    }
}
