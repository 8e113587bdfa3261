package io.fluxon.sim.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.codecs.control.InspectResponseDecoder;
import io.fluxon.codecs.control.InspectSubject;
import io.fluxon.codecs.control.RouteInspectRequestDecoder;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.window.WindowPolicyKind;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.InspectCall;
import io.fluxon.sim.cluster.MessageTap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What tools see of a running cluster, by asking its owners.
 */
class InspectTest extends RuleTest
{
    private static final int NONE = -1;

    private InspectCall inspecting(final int worker, final InspectSubject subject, final String key, final int... slot)
    {
        final InspectCall call = new InspectCall();
        assertThat(worker(worker).client().inspect(call, subject, null == key ? null : worker(worker).batch(key),
            slot.length > 0 ? slot[0] : NONE, slot.length > 1 ? slot[1] : NONE)).isZero();
        worker(worker).await(call, 20 * SECOND_NS);
        return call;
    }

    private InspectResponseDecoder inspected(
        final int worker, final InspectSubject subject, final String key, final int... slot)
    {
        final InspectCall call = inspecting(worker, subject, key, slot);
        assertThat(call.state()).as(call.errorMessage()).isEqualTo(InspectCall.State.DONE);
        return call.answer(new InspectResponseDecoder());
    }

    private void assertRefused(final InspectCall call, final int code, final String message)
    {
        assertThat(call.state()).isEqualTo(InspectCall.State.FAILED);
        assertThat(call.errorCode()).isEqualTo(code);
        assertThat(call.errorMessage()).isEqualTo(message);
    }

    @Test
    void shouldShowAKeyAtItsOwnerAndItsRouteAtTheMaster()
    {
        startCluster(2, 2);
        put(worker(0), inGroups(2), "a", "b");
        read(worker(1), "a");
        final InspectResponseDecoder answer = inspected(0, InspectSubject.KEY, "a");

        assertThat(answer.ownerId()).isEqualTo(owner(0).ownerId());
        assertThat(answer.members()).isEqualTo(1);
        assertThat(answer.isRouteKnown() + answer.hasRoute()).isEqualTo(2);
        assertThat(answer.isBeingDeleted()).isZero();
        assertThat(answer.routeGroupLength()).isEqualTo(2);
        assertThat(answer.routeValueLength()).isEqualTo(LENGTH);
        final InspectResponseDecoder.SlotsDecoder slot = answer.slots().next();
        final SlotTable table = owner(0).table();
        final int slotId = table.slotId(slot.backing().grantId(), slot.backing().slotIndex());
        assertThat(slot.state()).isEqualTo((short)SlotState.COMMITTED.code());
        assertThat(slot.residence()).isEqualTo((short)Residence.HOT.code());
        assertThat(slot.holders()).isEqualTo(table.holderCount(slotId));
        assertThat(slot.version().sequence()).isEqualTo(table.putSequence(slotId));
        assertThat(slot.groupLength()).isEqualTo(2);
        assertThat(slot.key()).isEqualTo("a");
        final InspectResponseDecoder.ReplicasDecoder replicas = answer.replicas();
        assertThat(replicas.count()).isEqualTo(2);
        assertThat(replicas.next().ownerId() + replicas.next().ownerId())
            .isEqualTo(owner(0).ownerId() + owner(1).ownerId());
    }

    @Test
    void shouldSayThatNobodyHasAKeyAndWhenTheMasterDoesNotAnswer()
    {
        startCluster(1, 1);
        final InspectResponseDecoder nothing = inspected(0, InspectSubject.KEY, "nothing");
        assertThat(nothing.members() + nothing.hasRoute()).isZero();
        assertThat(nothing.isRouteKnown()).isEqualTo((short)1);
        owner(0).toMaster.drop(RouteInspectRequestDecoder.TEMPLATE_ID, MessageTap.ALL);
        put(worker(0), "a");
        final InspectResponseDecoder answer = inspected(0, InspectSubject.KEY, "a");
        assertThat(answer.members()).isEqualTo(1);
        assertThat(answer.isRouteKnown()).isZero();
        answer.slots().next().key();
        answer.replicas();
        assertThat(answer.message()).startsWith("the master did not answer");
    }

    @Test
    void shouldShowACohortAndAGrantAndASlotOfIt()
    {
        startCluster(1, 1);
        put(worker(0), inGroups(3, 1), "a", "b", "c", "d");
        assertThat(inspected(0, InspectSubject.COHORT, "b").members()).isEqualTo(3);
        assertThat(inspected(0, InspectSubject.COHORT, "d").members()).isEqualTo(1);

        final InspectResponseDecoder.SlotsDecoder slot = inspected(0, InspectSubject.KEY, "c").slots().next();
        final int grantId = slot.backing().grantId();
        final int index = slot.backing().slotIndex();
        final InspectResponseDecoder grant = inspected(0, InspectSubject.GRANT, null, grantId);
        assertThat(grant.grantId()).isEqualTo(grantId);
        assertThat(grant.grantSlots()).isEqualTo(16);
        assertThat(grant.grantUsed()).isEqualTo(4).isEqualTo(grant.members());
        assertThat(inspected(0, InspectSubject.SLOT, null, grantId, index).slots().next().key()).isEqualTo("c");
        assertThat(inspected(0, InspectSubject.GRANT, null, (grantId + 1) % 16).grantSlotSize()).isZero();
    }

    @Test
    void shouldNameWhatIsOutside()
    {
        startCluster(1, 1);
        put(worker(0), "a");
        final int grantId = inspected(0, InspectSubject.KEY, "a").slots().next().backing().grantId();

        assertRefused(inspecting(0, InspectSubject.GRANT, null, 16), ErrorCode.INVALID_ARGUMENT,
            "grant: 16 is not within 0 to 15");
        assertRefused(inspecting(0, InspectSubject.SLOT, null, grantId, 16), ErrorCode.INVALID_ARGUMENT,
            "slot: 16 is not within 0 to 15 of grant " + grantId);
        assertRefused(inspecting(0, InspectSubject.SLOT, null, grantId, 15), ErrorCode.KEY_NOT_FOUND,
            "slot: 15 of grant " + grantId + " was never used");
        assertRefused(inspecting(0, InspectSubject.SLOT, null, (grantId + 1) % 16, 0), ErrorCode.INVALID_ARGUMENT,
            "grant: " + (grantId + 1) % 16 + " serves no slot class yet, so it has no slots");
        assertRefused(inspecting(0, InspectSubject.COHORT, "nothing"), ErrorCode.KEY_NOT_FOUND,
            "key: has no committed value on this owner");
    }

    @Test
    @Tag("PRESS-2")
    void shouldNeitherHoldNorRenewWhatItShows()
    {
        options.grantsPerOwner = 1;
        settings.hotWindowPolicy(WindowPolicyKind.LRU);
        startCluster(1, 1);
        put(worker(0), names("v", 15));
        for (int i = 0; i < 16; i++)
        {
            assertThat(inspected(0, InspectSubject.KEY, "v0").members()).isEqualTo(1);
        }
        put(worker(0), "last");
        put(worker(0), "one more");
        assertThat(cluster.runUntil(() -> owner(0).get(OwnerCounter.EVICT_FREED) > 0, SECOND_NS)).isTrue();
        assertThat(existing(worker(0), "last")).containsExactly(true);
    }
}
