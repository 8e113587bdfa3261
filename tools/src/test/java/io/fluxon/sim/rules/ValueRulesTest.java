package io.fluxon.sim.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.sim.cluster.CollidingKeyDigest;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.owner.OwnerView;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import java.util.zip.CRC32C;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The right bytes of the right key, or a miss.
 */
class ValueRulesTest extends RuleTest
{
    @Test
    @Tag("CRC-1")
    void shouldTakeAValueThatArrivesTornForAMissAndCountIt()
    {
        startCluster(2, 2);
        put(worker(0), "a", "b");
        owner(1).transferFaults.tornRate = 1;
        for (final String name : new String[]{"a", "b"})
        {
            final GetHandle get = got(worker(1), name);
            worker(1).client().getTransfer(get, -1);
            until(get, GetHandle.State.FAILED);
            assertThat(get.errorCode()).isEqualTo(ErrorCode.STALE_GET_PLAN);
        }
        assertThat(owner(1).get(OwnerCounter.CHECKSUM_MISMATCHES)).isEqualTo(2);
        assertThat(atMaster(MasterCounter.GETS_JOINED)).isZero();
        assertThat(owner(1).slotsOf("a")).isEmpty();
        assertThat(cluster.runUntil(() -> 2 == owner(0).get(OwnerCounter.RECHECKS_RIGHT), 10_000_000)).isTrue();

        owner(1).transferFaults.tornRate = 0;
        read(worker(1), "a", "b");
    }

    @Test
    @Tag("CRC-1")
    @Tag("S2")
    void shouldHoldWhatItLooksAtAgain()
    {
        startCluster(2, 2);
        put(worker(0), "a");
        owner(1).transferFaults.tornRate = 1;
        owner(0).checksumFaults.held = true;
        final GetHandle get = got(worker(1), "a");
        worker(1).client().getTransfer(get, -1);
        until(get, GetHandle.State.FAILED);
        final int slotId = owner(0).slotsOf("a").getFirst();
        assertThat(cluster.runUntil(() -> 2 == owner(0).table().holderCount(slotId), 10_000_000)).isTrue();
        final List<OwnerView.Holder> holders = new ArrayList<>();
        new OwnerView(owner(0).agent()).holders((kind, id, slot) ->
        {
            if (slotId == slot)
            {
                holders.add(kind);
            }
        });
        assertThat(holders).containsExactlyInAnyOrder(OwnerView.Holder.RESIDENT, OwnerView.Holder.RECHECK);

        owner(0).checksumFaults.held = false;
        assertThat(cluster.runUntil(() -> 1 == owner(0).get(OwnerCounter.RECHECKS_RIGHT), 10_000_000)).isTrue();
        assertThat(owner(0).table().holderCount(slotId)).isEqualTo(1);
    }

    @Test
    @Tag("CRC-1")
    void shouldCarryTheChecksumOfItsOwnBytesWithEachReplica()
    {
        startCluster(2, 2);
        put(worker(0), "a");
        read(worker(1), "a");
        assertThat(checksumOf(owner(0), "a")).isEqualTo(computedChecksum(owner(0), "a"));
        assertThat(checksumOf(owner(1), "a")).isEqualTo(computedChecksum(owner(1), "a"));
    }

    @Test
    @Tag("CRC-1")
    void shouldPublishOnlyWhatHasItsChecksumAndGoOnMeanwhile()
    {
        startCluster(1, 1);
        put(worker(0), "here");
        owner(0).checksumFaults.held = true;
        final PutPlan put = localReady(worker(0), new PutOptions(), "a");
        for (int i = 0; i < 20; i++)
        {
            read(worker(0), "here", "a");
        }
        assertThat(owner(0).toMaster.count(PublishRequestDecoder.TEMPLATE_ID)).isEqualTo(1);
        owner(0).checksumFaults.held = false;
        until(put, PutPlan.State.DONE);
        assertThat(checksumOf(owner(0), "a")).isEqualTo(computedChecksum(owner(0), "a"));
    }

    @Test
    @Tag("CRC-1")
    void shouldNotReadASourceThatWasOverwrittenAndEvictIt()
    {
        startCluster(2, 2);
        put(worker(0), "a");
        owner(1).transferFaults.held = true;
        final GetHandle get = got(worker(1), "a");
        final int offset = (int)owner(0).pool().offset(owner(0).slotsOf("a").getFirst()) + LENGTH - 1;
        owner(0).segment().putByte(offset, (byte)(owner(0).segment().getByte(offset) + 1));
        worker(1).client().getTransfer(get, -1);
        owner(1).transferFaults.held = false;
        until(get, GetHandle.State.FAILED);
        assertThat(cluster.runUntil(() -> 1 == owner(0).get(OwnerCounter.RECHECKS_WRONG), 10_000_000)).isTrue();
        assertThat(owner(0).get(OwnerCounter.RECHECKS_RIGHT)).isZero();
        assertThat(owner(0).errors()).singleElement().satisfies((error) ->
            assertThat(error).hasMessageContaining("slot 0 of grant 0 at use 1 has changed"));
        owner(0).errors().clear();
        assertThat(cluster.runUntil(() -> 1 == owner(0).get(OwnerCounter.EVICT_FREED), 10_000_000)).isTrue();
        assertThat(owner(0).slotsOf("a")).isEmpty();
        put(worker(0), "a");
        read(worker(1), "a");
    }

    @Test
    @Tag("ID-1")
    void shouldTellKeysApartWhoseDigestsAreEqual()
    {
        options.digest = () -> new CollidingKeyDigest(3);
        startCluster(2, 2);
        final String[] names = names("page", 30);
        put(worker(0), names);
        read(worker(0), names);
        read(worker(1), names);
        read(worker(1), names);
        for (final String absent : names("other", 30))
        {
            assertThat(reachable(worker(0), absent)).isZero();
            assertThat(reachable(worker(1), absent)).isZero();
        }
        assertThat(existing(worker(1), "page7", "other7", "page29")).containsExactly(true, false, true);
        assertThat(atMaster(MasterCounter.ROUTES)).isEqualTo(30);
    }

    @Test
    @Tag("ID-1")
    void shouldSeeConflictsOnlyBetweenEqualKeys()
    {
        options.digest = () -> new CollidingKeyDigest(1);
        startCluster(2, 4);
        put(worker(0), "a");
        final PutOptions strict = new PutOptions().rejectIfExistSameKey(true).rejectIfInflightSameKey(true);
        final PutPlan prepared = started(worker(0), strict, "b", "c");
        final PutPlan beside = started(worker(2), strict, "d", "e");
        final PutPlan elsewhere = started(worker(1), strict, "f");
        final PutPlan refused = asked(worker(2), strict, LENGTH, "g", "c");
        until(refused, PutPlan.State.FAILED);
        assertThat(refused.errorCode()).isEqualTo(ErrorCode.KEY_BEING_WRITTEN);
        commit(worker(2), beside, "d", "e");
        commit(worker(1), elsewhere, "f");
        commit(worker(0), prepared, "b", "c");
        for (final PutPlan put : new PutPlan[]{prepared, beside, elsewhere})
        {
            until(put, PutPlan.State.DONE);
            assertThat(put.failedCount()).isZero();
        }
        read(worker(3), "a", "b", "c", "d", "e", "f");
    }

    @Test
    @Tag("ID-1")
    void shouldJoinOnlyTheFlightOfTheSameKey()
    {
        options.digest = () -> new CollidingKeyDigest(1);
        startCluster(2, 4);
        put(worker(0), "a", "b", "c");
        owner(1).transferFaults.held = true;
        final GetHandle first = got(worker(1), "a", "b");
        final GetHandle second = got(worker(3), "b", "c");
        assertThat(owner(1).get(OwnerCounter.FLIGHTS_STARTED)).isEqualTo(3);
        assertThat(owner(1).get(OwnerCounter.JOINS)).isEqualTo(1);
        owner(1).transferFaults.held = false;
        release(worker(1), readable(worker(1), first, "a", "b"));
        release(worker(3), readable(worker(3), second, "b", "c"));
    }

    private static int checksumOf(final VirtualOwner owner, final String key)
    {
        return (int)owner.table().checksum(owner.slotsOf(key).getFirst());
    }

    private static int computedChecksum(final VirtualOwner owner, final String key)
    {
        final byte[] bytes = new byte[LENGTH];
        owner.segment().getBytes((int)owner.pool().offset(owner.slotsOf(key).getFirst()), bytes);
        final CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int)crc.getValue();
    }
}
