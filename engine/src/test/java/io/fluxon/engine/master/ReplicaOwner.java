package io.fluxon.engine.master;

import io.fluxon.codecs.control.BatchGetDoneRequestEncoder;
import io.fluxon.codecs.control.CopiedElsewhereDecoder;
import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.codecs.control.PullReplicaDecoder;
import io.fluxon.codecs.control.ReplicaEndDecoder;
import io.fluxon.codecs.control.ReplicaGiveUpRequestEncoder;
import io.fluxon.codecs.control.ReplicaResult;
import io.fluxon.codecs.control.ReplicaStartRequestEncoder;
import io.fluxon.codecs.control.ReplicaStartResponseDecoder;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an owner and the master say of replicas, on either side of a task.
 */
final class ReplicaOwner
{
    final TestOwner owner;
    int lastTarget;
    long timeoutNs = TimeUnit.SECONDS.toNanos(15);

    ReplicaOwner(final TestOwner owner)
    {
        this.owner = owner;
    }

    /** A remote_cache owner that has said how much room it has. */
    static ReplicaOwner remote(final MasterFixture fixture, final int ownerId, final long freeBytes)
    {
        final TestOwner owner = fixture.owner(ownerId, 10);
        owner.role = OwnerRole.REMOTE_CACHE;
        owner.freeBytes = freeBytes;
        owner.register();
        owner.sendHeartbeat();
        fixture.settle();

        return new ReplicaOwner(owner);
    }

    /**
     * A pull as it arrived.
     */
    record Pull(long taskId, long timeoutNs, List<String> keys)
    {
    }

    long sendStart(final TestOwner.Member... members)
    {
        final long id = owner.nextId++;
        sendStartAs(id, members);

        return id;
    }

    void sendStartAs(final long id, final TestOwner.Member... members)
    {
        final ReplicaStartRequestEncoder request = new ReplicaStartRequestEncoder()
            .wrapAndApplyHeader(owner.buffer, 0, owner.header)
            .generation(owner.generation).sessionId(owner.sessionId).correlationId(id)
            .ackedWatermark(owner.watermark).timeoutNs(timeoutNs);
        final ReplicaStartRequestEncoder.MembersEncoder encoder = request.membersCount(members.length);
        for (final TestOwner.Member member : members)
        {
            encoder.next();
            encoder.version().ownerId(member.putOwnerId()).generation(member.putGeneration())
                .sequence(member.putSequence());
            owner.backing(encoder.backing(), member.backing());
            final byte[] bytes = TestOwner.bytes(member.key());
            encoder.putKey(bytes, 0, bytes.length);
        }
        owner.send(request.encodedLength());
    }

    ReplicaResult start(final TestOwner.Member... members)
    {
        return result(sendStart(members));
    }

    /** Result of a start; {@link #lastTarget} is what it says of the target. */
    ReplicaResult result(final long id)
    {
        final ReplicaStartResponseDecoder answer =
            new ReplicaStartResponseDecoder().wrapAndApplyHeader(owner.answer(id), 0, owner.headerDecoder);
        lastTarget = answer.targetOwnerId();

        return answer.result();
    }

    /** What the master has asked this owner to bring to itself. */
    List<Pull> pulls()
    {
        owner.fixture.settle();
        final List<Pull> pulls = new ArrayList<>();
        for (final UnsafeBuffer message : owner.wire().takeAll(PullReplicaDecoder.TEMPLATE_ID))
        {
            final PullReplicaDecoder pull =
                new PullReplicaDecoder().wrapAndApplyHeader(message, 0, owner.headerDecoder);
            final List<String> keys = new ArrayList<>();
            final long taskId = pull.correlationId();
            final long timeoutNs = pull.timeoutNs();
            for (final PullReplicaDecoder.KeysDecoder key : pull.keys())
            {
                final byte[] bytes = new byte[key.keyLength()];
                key.getKey(bytes, 0, bytes.length);
                keys.add(new String(bytes, StandardCharsets.UTF_8));
            }
            pulls.add(new Pull(taskId, timeoutNs, keys));
        }

        return pulls;
    }

    /** Codes of the tasks whose end the master has told this owner, by the start's operation id. */
    List<String> ends()
    {
        owner.fixture.settle();
        final List<String> ends = new ArrayList<>();
        for (final UnsafeBuffer message : owner.wire().takeAll(ReplicaEndDecoder.TEMPLATE_ID))
        {
            final ReplicaEndDecoder end = new ReplicaEndDecoder().wrapAndApplyHeader(message, 0, owner.headerDecoder);
            ends.add(end.correlationId() + ":" + end.code());
        }

        return ends;
    }

    /** Slots of this owner of which the master has said that others have got their values. */
    List<Integer> copied()
    {
        return copied(true);
    }

    /** Slots of this owner of which the master has said that others have their values, or have them no more. */
    List<Integer> copied(final boolean isElsewhere)
    {
        owner.fixture.settle();
        final List<Integer> slots = new ArrayList<>();
        for (final UnsafeBuffer message : owner.wire().takeAll(CopiedElsewhereDecoder.TEMPLATE_ID))
        {
            final CopiedElsewhereDecoder copied =
                new CopiedElsewhereDecoder().wrapAndApplyHeader(message, 0, owner.headerDecoder);
            assertThat(0 != copied.isElsewhere()).isEqualTo(isElsewhere);
            copied.values().forEach((value) -> slots.add(value.backing().slotIndex()));
        }

        return slots;
    }

    int[] append(final long taskId, final long startId, final String... keys)
    {
        return owner.readCodes(sendAppend(taskId, startId, keys));
    }

    long sendAppend(final long taskId, final long startId, final String... keys)
    {
        final long id = owner.nextId++;
        final BatchGetDoneRequestEncoder request = new BatchGetDoneRequestEncoder()
            .wrapAndApplyHeader(owner.buffer, 0, owner.header)
            .generation(owner.generation).sessionId(owner.sessionId).correlationId(id)
            .ackedWatermark(owner.watermark).replicaTaskId(taskId);
        final BatchGetDoneRequestEncoder.ItemsEncoder items = request.itemsCount(keys.length);
        for (int i = 0; i < keys.length; i++)
        {
            final BatchGetDoneRequestEncoder.ItemsEncoder item = items.next().startOperationId(startId).index(i);
            owner.backing(item.backing(), TestOwner.doneBacking(id) + i);
            item.checksum(TestOwner.checksum(keys[i]));
        }
        owner.send(request.encodedLength());

        return id;
    }

    int giveUp(final long taskId, final int code)
    {
        return owner.readCodes(sendGiveUp(taskId, code))[0];
    }

    long sendGiveUp(final long taskId, final int code)
    {
        final long id = owner.nextId++;
        owner.send(new ReplicaGiveUpRequestEncoder().wrapAndApplyHeader(owner.buffer, 0, owner.header)
            .generation(owner.generation).sessionId(owner.sessionId).correlationId(id)
            .ackedWatermark(owner.watermark).replicaTaskId(taskId).code(code).encodedLength());

        return id;
    }
}
