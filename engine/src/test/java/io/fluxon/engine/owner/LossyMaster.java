package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetDoneResponseEncoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseEncoder;
import io.fluxon.codecs.control.EvictResult;
import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.EvictSourceResponseEncoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.PublishResponseEncoder;
import io.fluxon.ipc.ErrorCode;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A master with a table of the owner's replicas that records its answers, and loses, repeats and delays messages.
 */
final class LossyMaster
{
    final Set<String> remoteKeys = new TreeSet<>();
    final Map<String, Long> ownReplicas = new TreeMap<>();
    final Set<Set<String>> declaredGroups = new HashSet<>();
    boolean isLossy;
    private final OwnerFixture owner;
    private final TestMaster master;
    private final Random random;
    private final Long2ObjectHashMap<UnsafeBuffer> outcomes = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<List<String>> startedKeys = new Long2ObjectHashMap<>();
    private final ArrayDeque<TestMaster.Request> delayed = new ArrayDeque<>();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();

    LossyMaster(final OwnerFixture owner, final Random random)
    {
        this.owner = owner;
        this.master = owner.master;
        this.random = random;
    }

    void work()
    {
        master.pump();
        while (!master.requests.isEmpty())
        {
            final TestMaster.Request request = master.requests.pollFirst();
            final int fate = isLossy ? random.nextInt(8) : 7;
            if (fate > 1)
            {
                delayed.addLast(request);
                if (2 == fate)
                {
                    delayed.addLast(request);
                }
            }
        }

        while (!delayed.isEmpty() && (!isLossy || random.nextInt(3) > 0))
        {
            execute(delayed.pollFirst());
        }
    }

    private void execute(final TestMaster.Request request)
    {
        UnsafeBuffer answer = outcomes.get(request.operationId());
        if (null == answer)
        {
            final int length = switch (request.templateId())
            {
                case PublishRequestDecoder.TEMPLATE_ID -> publish(request);
                case BatchGetStartRequestDecoder.TEMPLATE_ID -> getStart(request);
                case BatchGetDoneRequestDecoder.TEMPLATE_ID -> getDone(request);
                case EvictSourceRequestDecoder.TEMPLATE_ID -> evict(request);
                default -> 0;
            };
            if (0 == length)
            {
                master.answer(request);
                return;
            }
            answer = new UnsafeBuffer(new byte[length]);
            answer.putBytes(0, buffer, 0, length);
            outcomes.put(request.operationId(), answer);
        }

        if (!isLossy || random.nextInt(5) > 0)
        {
            answer.putLong(2 * Long.BYTES, master.sessionId, LITTLE_ENDIAN);
            owner.masterToOwner.put(answer, 0, answer.capacity());
        }
    }

    private int publish(final TestMaster.Request request)
    {
        final PublishRequestDecoder publish = request.as(new PublishRequestDecoder());
        final List<int[]> groups = new ArrayList<>();
        for (final PublishRequestDecoder.AtomicGroupsDecoder group : publish.atomicGroups())
        {
            groups.add(new int[]{group.keyCount(), group.mergedCount(), group.groupLength()});
        }
        final PublishRequestDecoder.EntriesDecoder entries = publish.entries();
        final PublishResponseEncoder response = new PublishResponseEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(TestMaster.EPOCH).sessionId(master.sessionId).correlationId(request.operationId());
        final PublishResponseEncoder.ResultsEncoder results = response.resultsCount(entries.count());
        final byte[] bytes = new byte[512];
        for (final int[] group : groups)
        {
            if (group[0] + group[1] != group[2])
            {
                throw new AssertionError("group is not complete");
            }

            final boolean isRefused = 0 == random.nextInt(8);
            final Set<String> members = new TreeSet<>();
            for (int i = 0; i < group[0]; i++)
            {
                entries.next();
                final long sequence = entries.putSequence();
                final long offset = entries.backing().slotOffset();
                final String key = new String(bytes, 0, entries.getKey(bytes, 0, 512), StandardCharsets.UTF_8);
                members.add(key);
                final int refusal = 0 == i ? -ErrorCode.KEY_ALREADY_EXISTS : -ErrorCode.GROUP_ABORTED;
                results.next().code(isRefused ? refusal : 0);
                results.canonical()
                    .ownerId(OwnerFixture.OWNER_ID).generation(OwnerFixture.GENERATION).sequence(sequence);
                if (!isRefused)
                {
                    ownReplicas.putIfAbsent(key, offset);
                }
            }
            verifyDeclared(members, group[2]);
        }

        return MessageHeaderEncoder.ENCODED_LENGTH + response.encodedLength();
    }

    /** A worker declared that group, and all of its keys that are not in the message have a route (contract A2). */
    private void verifyDeclared(final Set<String> members, final int length)
    {
        final boolean isDeclared = 1 == length || declaredGroups.stream().anyMatch((group) ->
            length == group.size() && group.containsAll(members) &&
            group.stream().allMatch((key) -> members.contains(key) || ownReplicas.containsKey(key)));
        if (!isDeclared)
        {
            throw new AssertionError("no worker has declared the group of " + members + " with " + length + " keys");
        }
    }

    /** What is removed has to be what this owner has; sometimes a get reads from it, which keeps it. */
    private int evict(final TestMaster.Request request)
    {
        final Map<String, Long> members = new TreeMap<>();
        final byte[] bytes = new byte[512];
        for (final EvictSourceRequestDecoder.MembersDecoder member :
            request.as(new EvictSourceRequestDecoder()).members())
        {
            final long offset = member.backing().slotOffset();
            members.put(new String(bytes, 0, member.getKey(bytes, 0, 512), StandardCharsets.UTF_8), offset);
        }

        final boolean isBusy = isLossy && 0 == random.nextInt(3);
        if (!isBusy && !ownReplicas.entrySet().containsAll(members.entrySet()))
        {
            throw new AssertionError("the owner evicts what the master does not know: " + members);
        }

        if (!isBusy)
        {
            ownReplicas.keySet().removeAll(members.keySet());
        }
        final EvictSourceResponseEncoder response = new EvictSourceResponseEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(TestMaster.EPOCH).sessionId(master.sessionId).correlationId(request.operationId())
            .result(isBusy ? EvictResult.BUSY : EvictResult.REMOVED);
        final int count = isBusy ? 0 : members.size();
        final EvictSourceResponseEncoder.MembersEncoder encoder = response.membersCount(count);
        for (int i = 0; i < count; i++)
        {
            encoder.next().absent((short)0);
        }

        return MessageHeaderEncoder.ENCODED_LENGTH + response.encodedLength();
    }

    private int getStart(final TestMaster.Request request)
    {
        final List<String> keys = TestMaster.keys(request);
        startedKeys.put(request.operationId(), keys);
        final BatchGetStartResponseEncoder response = new BatchGetStartResponseEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(TestMaster.EPOCH).sessionId(master.sessionId).correlationId(request.operationId());
        final BatchGetStartResponseEncoder.ItemsEncoder items = response.itemsCount(keys.size());
        for (final String key : keys)
        {
            items.next()
                .code(remoteKeys.contains(key) ? 0 : ErrorCode.KEY_NOT_FOUND)
                .sourceOwnerId(9 + random.nextInt(2))
                .sourceGeneration(2000)
                .sourceOffset(1 << 21)
                .valueLength(TestWorker.VALUE_LENGTH)
                .checksum(OwnerFixture.RIGHT_CHECKSUM);
            items.version().ownerId(9).generation(2000).sequence(5);
        }

        return MessageHeaderEncoder.ENCODED_LENGTH + response.encodedLength();
    }

    private int getDone(final TestMaster.Request request)
    {
        final BatchGetDoneRequestDecoder.ItemsDecoder done = request.as(new BatchGetDoneRequestDecoder()).items();
        final BatchGetDoneResponseEncoder response = new BatchGetDoneResponseEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(TestMaster.EPOCH).sessionId(master.sessionId).correlationId(request.operationId());
        final BatchGetDoneResponseEncoder.ItemsEncoder items = response.itemsCount(done.count());
        while (done.hasNext())
        {
            done.next();
            final String key = startedKeys.get(done.startOperationId()).get(done.index());
            final int code;
            if (ownReplicas.containsKey(key))
            {
                code = ErrorCode.KEY_ALREADY_EXISTS;
            }
            else if (0 == random.nextInt(8))
            {
                code = ErrorCode.STALE_GET_PLAN;
            }
            else
            {
                code = 0;
                ownReplicas.put(key, done.backing().slotOffset());
            }
            items.next().code(code);
            items.canonical().ownerId(9).generation(2000).sequence(5);
        }

        return MessageHeaderEncoder.ENCODED_LENGTH + response.encodedLength();
    }
}
