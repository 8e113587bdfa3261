package io.fluxon.engine.owner;

import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.codecs.control.ReplicaStartRequestDecoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an owner does when another one got wrong bytes of its value.
 */
@Tag("CRC-1")
class OwnerRecheckTest
{
    private final OwnerFixture owner = new OwnerFixture(Rechecks.MAX_OPEN + 8);
    private TestWorker worker;
    private SlotTable table;
    private int slotId;

    @BeforeEach
    void before()
    {
        owner.run();
        owner.master.join();
        worker = TestWorker.connected(owner, 1001);
        worker.put("a");
        table = owner.pool.table();
        slotId = committed(0);
    }

    @AfterEach
    void after()
    {
        owner.close();
    }

    @Test
    void shouldKeepAValueThatIsRightHere()
    {
        recheck(OwnerFixture.RIGHT_CHECKSUM);
        owner.run();
        assertThat(owner.count(OwnerCounter.RECHECKS_RIGHT)).isOne();
        assertThat(owner.count(OwnerCounter.RECHECKS_WRONG)).isZero();
        assertThat(owner.count(OwnerCounter.EVICT_SELECTED)).isZero();
        assertThat(owner.errors).isEmpty();
        owner.assertBalanced();
    }

    @Test
    void shouldTellTheOperatorOfAValueThatIsWrongHereAndEvictIt()
    {
        recheckWrong();
        assertThat(owner.count(OwnerCounter.RECHECKS_WRONG)).isOne();
        assertThat(owner.errors).singleElement().satisfies((error) -> assertThat(error)
            .isInstanceOf(WrongValueException.class)
            .hasMessageContaining("slot " + table.slotIndex(slotId) + " of grant " + table.grantId(slotId)));
        owner.errors.clear();
        owner.run();
        owner.master.answerAll();
        assertThat(owner.count(OwnerCounter.EVICT_SELECTED)).isOne();
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isOne();
        assertThat(table.state(slotId)).isEqualTo(SlotState.FREE);
        owner.assertBalanced();
    }

    @Test
    @Tag("EVICT-2")
    void shouldNotLookAtAValueThatIsHiddenForItsEviction()
    {
        recheckWrong();
        owner.errors.clear();
        owner.run();
        final int holders = table.holderCount(slotId);

        recheck(OwnerFixture.RIGHT_CHECKSUM);
        owner.run();
        assertThat(owner.count(OwnerCounter.RECHECKS_SKIPPED)).isOne();
        assertThat(table.holderCount(slotId)).isEqualTo(holders);
        owner.master.answerAll();
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isOne();
        owner.assertBalanced();
    }

    @Test
    void shouldGoOnEvictingAWrongValueThatWasInUseForTooLong()
    {
        owner.pool.holderAdd(slotId);
        recheckWrong();
        owner.errors.clear();
        passAnswered(6_000);
        assertThat(owner.count(OwnerCounter.EVICT_RESTORED)).isPositive();
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isZero();

        owner.pool.holderRelease(slotId);
        passAnswered(6_000);
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isOne();
        owner.assertBalanced();
    }

    @Test
    @Tag("REPL-3")
    void shouldNotCopyAWrongValueBeforeItGoes()
    {
        owner.master.peerRole = OwnerRole.REMOTE_CACHE;
        owner.master.sendPeers(1, 9);
        owner.run();
        recheckWrong();
        owner.errors.clear();
        owner.run();
        assertThat(owner.master.has(ReplicaStartRequestDecoder.TEMPLATE_ID)).isFalse();

        owner.master.answerAll();
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isOne();
        assertThat(owner.count(OwnerCounter.DEMOTION_PAGES_SELECTED)).isZero();
        owner.assertBalanced();
    }

    @Test
    @Tag("SLOT-7")
    void shouldHoldTheValueWhileItLooks()
    {
        owner.checksums.isHeld = true;
        final int holders = table.holderCount(slotId);
        recheck(OwnerFixture.RIGHT_CHECKSUM);
        recheck(OwnerFixture.RIGHT_CHECKSUM);
        owner.run();
        assertThat(table.holderCount(slotId)).isEqualTo(holders + 1);
        assertThat(owner.count(OwnerCounter.RECHECKS_SKIPPED)).isOne();
        owner.assertBalanced();

        owner.checksums.isHeld = false;
        owner.run();
        assertThat(table.holderCount(slotId)).isEqualTo(holders);
        assertThat(owner.count(OwnerCounter.RECHECKS_RIGHT)).isOne();
        owner.assertBalanced();
    }

    @Test
    void shouldLookAtNoOtherUseOfTheSlot()
    {
        final int grant = table.grantId(slotId);
        final int index = table.slotIndex(slotId);
        final long use = table.useCounter(slotId);
        owner.master.sendRecheck(grant, index, use + 1, 7);
        owner.master.sendRecheck(grant, index, use - 1, 7);
        owner.master.sendRecheck(grant, index + 1, use, 7);
        owner.master.sendRecheck(grant + 1, index, use, 7);
        owner.master.sendRecheck(-1, index, use, 7);
        owner.master.sendRecheck(Integer.MAX_VALUE, Integer.MAX_VALUE, use, 7);
        owner.run();
        assertThat(owner.count(OwnerCounter.RECHECKS_SKIPPED)).isEqualTo(6);
        assertThat(owner.errors).isEmpty();
        owner.assertBalanced();
    }

    @Test
    @Tag("BOUND-1")
    void shouldLookAtABoundedNumberOfValuesAtOnce()
    {
        final String[] keys = new String[Rechecks.MAX_OPEN + 1];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = "b" + i;
        }
        worker.put(keys);
        owner.checksums.isHeld = true;
        for (int i = 0; i < keys.length; i++)
        {
            slotId = committed(i);
            recheck(OwnerFixture.RIGHT_CHECKSUM);
        }
        owner.run();
        assertThat(owner.count(OwnerCounter.RECHECKS_SKIPPED)).isOne();
        owner.checksums.isHeld = false;
        owner.run();
        assertThat(owner.count(OwnerCounter.RECHECKS_RIGHT)).isEqualTo(Rechecks.MAX_OPEN);
        owner.assertBalanced();
    }

    @Test
    void shouldIgnoreWhatComesInAnotherSession()
    {
        owner.master.sessionId++;
        recheck(7);
        owner.master.sessionId--;
        owner.run();
        assertThat(owner.count(OwnerCounter.RECHECKS_SKIPPED)).isZero();
        assertThat(owner.count(OwnerCounter.RECHECKS_WRONG)).isZero();
    }

    private void passAnswered(final int millis)
    {
        for (int i = 0; i < millis; i += 50)
        {
            owner.pass(50);
            owner.master.answerAll();
        }
    }

    private void recheckWrong()
    {
        owner.checksums.next = OwnerFixture.RIGHT_CHECKSUM + 1;
        recheck(OwnerFixture.RIGHT_CHECKSUM);
        for (int i = 0; i < 4; i++)
        {
            owner.agent.doWork();
        }
    }

    private void recheck(final long checksum)
    {
        owner.master.sendRecheck(
            table.grantId(slotId), table.slotIndex(slotId), table.useCounter(slotId), checksum);
    }

    private int committed(final int number)
    {
        int seen = 0;
        for (int slot = 0; slot < table.capacity(); slot++)
        {
            if (SlotState.COMMITTED == table.state(slot) && number == seen++)
            {
                return slot;
            }
        }
        throw new AssertionError("no such slot");
    }
}
