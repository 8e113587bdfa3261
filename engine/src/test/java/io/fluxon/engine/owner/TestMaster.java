package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetDoneResponseEncoder;
import io.fluxon.codecs.control.BatchGetRevokeRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseEncoder;
import io.fluxon.codecs.control.EvictResult;
import io.fluxon.codecs.control.CopiedElsewhereEncoder;
import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.EvictSourceResponseEncoder;
import io.fluxon.codecs.control.HeartbeatAckEncoder;
import io.fluxon.codecs.control.HeartbeatDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.OperationAckEncoder;
import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.codecs.control.PeerUpdateEncoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.PublishResponseEncoder;
import io.fluxon.codecs.control.PullReplicaEncoder;
import io.fluxon.codecs.control.RecheckEncoder;
import io.fluxon.codecs.control.RegisterRequestDecoder;
import io.fluxon.codecs.control.RegisterResponseEncoder;
import io.fluxon.codecs.control.ReplicaEndEncoder;
import io.fluxon.codecs.control.ReplicaGiveUpRequestDecoder;
import io.fluxon.codecs.control.ReplicaResult;
import io.fluxon.codecs.control.ReplicaStartRequestDecoder;
import io.fluxon.codecs.control.ReplicaStartResponseEncoder;
import io.fluxon.codecs.control.ReportRequestDecoder;
import io.fluxon.codecs.control.ReportResponseEncoder;
import io.fluxon.codecs.control.ReserveRequestDecoder;
import io.fluxon.codecs.control.ReserveResponseEncoder;
import io.fluxon.codecs.control.RouteExistsRequestDecoder;
import io.fluxon.codecs.control.RouteExistsResponseEncoder;
import io.fluxon.codecs.control.SessionRefusedEncoder;
import io.fluxon.codecs.control.UnreserveRequestDecoder;
import io.fluxon.engine.memory.SlotTable;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A master that answers as the test says: at once what it is asked of the session, the operations when the test lets
 * it.
 */
final class TestMaster
{
    static final long EPOCH = 50;
    static final int SOURCE_OWNER_ID = 9;

    final ArrayDeque<Request> requests = new ArrayDeque<>();
    final Set<String> routes = new TreeSet<>();
    private final OwnerFixture owner;
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    long epoch = EPOCH;
    long sessionId = 300;
    long lastCommittedValues;
    long lastWatermark;
    int registrations;
    int heartbeats;
    boolean isSilent;
    boolean mustReport;
    OwnerRole peerRole = OwnerRole.GPU;
    ReplicaResult replicaResult = ReplicaResult.NO_SPACE;
    int publishCode;
    int reportCode;
    EvictResult evictResult = EvictResult.REMOVED;
    int doneCode;
    int sourceOwnerId = SOURCE_OWNER_ID;
    final Map<String, Integer> sourcesByKey = new TreeMap<>();
    long valueLength = TestWorker.VALUE_LENGTH;
    int registerStatus;
    String registerText = "";

    TestMaster(final OwnerFixture owner)
    {
        this.owner = owner;
    }

    /**
     * One operation as it arrived.
     */
    record Request(int templateId, long operationId, UnsafeBuffer message)
    {
        <T extends org.agrona.sbe.MessageDecoderFlyweight> T as(final T decoder)
        {
            decoder.wrap(message, MessageHeaderDecoder.ENCODED_LENGTH, decoder.sbeBlockLength(), 1);

            return decoder;
        }
    }

    /** Lets the owner register. */
    void join()
    {
        pump();
        owner.run();
        pump();
    }

    /** Reads what the owner has sent. */
    void pump()
    {
        while (!owner.ownerToMaster.messages.isEmpty())
        {
            final UnsafeBuffer message = owner.ownerToMaster.messages.pollFirst();
            headerDecoder.wrap(message, 0);
            final int templateId = headerDecoder.templateId();
            if (RegisterRequestDecoder.TEMPLATE_ID == templateId)
            {
                onRegister(message);
            }
            else if (HeartbeatDecoder.TEMPLATE_ID == templateId)
            {
                onHeartbeat(message);
            }
            else
            {
                if (RouteExistsRequestDecoder.TEMPLATE_ID != templateId &&
                    ReportRequestDecoder.TEMPLATE_ID != templateId)
                {
                    lastWatermark = message.getLong(32, LITTLE_ENDIAN);
                }
                requests.addLast(new Request(templateId, message.getLong(24, LITTLE_ENDIAN), message));
            }
        }
    }

    /** Answers all operations that are there as the fields say, and those that follow from it. */
    void answerAll()
    {
        pump();
        while (!requests.isEmpty())
        {
            answer(requests.pollFirst());
            owner.run();
            pump();
        }
    }

    /** Takes the only operation of a kind that is there, as it was sent last. */
    Request take(final int templateId)
    {
        pump();
        Request found = null;
        for (final Request request : requests)
        {
            if (templateId == request.templateId)
            {
                assertThat(null == found || found.operationId == request.operationId)
                    .as("one operation %d", templateId).isTrue();
                found = request;
            }
        }
        assertThat(found).as("request %d", templateId).isNotNull();
        requests.remove(found);

        return found;
    }

    boolean has(final int templateId)
    {
        pump();

        return requests.stream().anyMatch((request) -> templateId == request.templateId);
    }

    /** Forgets the operations that are there. */
    void lose()
    {
        pump();
        requests.clear();
    }

    void answer(final Request request)
    {
        switch (request.templateId)
        {
            case ReserveRequestDecoder.TEMPLATE_ID -> answerReserve(request);
            case PublishRequestDecoder.TEMPLATE_ID -> answerPublish(request);
            case BatchGetStartRequestDecoder.TEMPLATE_ID -> answerGetStart(request);
            case BatchGetDoneRequestDecoder.TEMPLATE_ID -> answerGetDone(request);
            case RouteExistsRequestDecoder.TEMPLATE_ID -> answerExists(request);
            case ReportRequestDecoder.TEMPLATE_ID -> answerReport(request);
            case EvictSourceRequestDecoder.TEMPLATE_ID -> answerEvict(request, evictResult);
            case ReplicaStartRequestDecoder.TEMPLATE_ID -> answerReplicaStart(request, replicaResult);
            case ReplicaGiveUpRequestDecoder.TEMPLATE_ID, UnreserveRequestDecoder.TEMPLATE_ID,
                BatchGetRevokeRequestDecoder.TEMPLATE_ID -> ack(request, 0);
            default -> throw new AssertionError("request " + request.templateId);
        }
    }

    void ack(final Request request, final int status)
    {
        send(new OperationAckEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(epoch).sessionId(sessionId).correlationId(request.operationId).status(status)
            .encodedLength());
    }

    void answerReserve(final Request request)
    {
        final int count = request.as(new ReserveRequestDecoder()).keys().count();
        final ReserveResponseEncoder response = new ReserveResponseEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(epoch).sessionId(sessionId).correlationId(request.operationId);
        final ReserveResponseEncoder.ResultsEncoder results = response.resultsCount(count);
        for (int i = 0; i < count; i++)
        {
            results.next().code(0);
        }
        send(response.encodedLength());
    }

    void answerPublish(final Request request, final int... codes)
    {
        final PublishResponseEncoder response = new PublishResponseEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(epoch).sessionId(sessionId).correlationId(request.operationId);
        final List<Long> sequences = new ArrayList<>();
        final PublishRequestDecoder publish = request.as(new PublishRequestDecoder());
        for (final PublishRequestDecoder.AtomicGroupsDecoder group : publish.atomicGroups())
        {
            assertThat(group.keyCount() + group.mergedCount()).isEqualTo(group.groupLength());
        }
        for (final PublishRequestDecoder.EntriesDecoder entry : publish.entries())
        {
            sequences.add(entry.putSequence());
            entry.skipKey();
        }
        final PublishResponseEncoder.ResultsEncoder results = response.resultsCount(sequences.size());
        for (int i = 0; i < sequences.size(); i++)
        {
            results.next().code(0 == codes.length ? publishCode : codes[i]);
            results.canonical()
                .ownerId(OwnerFixture.OWNER_ID).generation(OwnerFixture.GENERATION).sequence(sequences.get(i));
        }
        send(response.encodedLength());
    }

    void answerGetStart(final Request request)
    {
        final List<String> keys = keys(request);
        final BatchGetStartResponseEncoder response = new BatchGetStartResponseEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(epoch).sessionId(sessionId).correlationId(request.operationId);
        final BatchGetStartResponseEncoder.ItemsEncoder items = response.itemsCount(keys.size());
        for (final String key : keys)
        {
            items.next()
                .code(routes.contains(key) ? 0 : 105)
                .sourceOwnerId(sourcesByKey.getOrDefault(key, sourceOwnerId))
                .sourceGeneration(2000)
                .sourceOffset(1 << 21)
                .valueLength(valueLength)
                .checksum(OwnerFixture.RIGHT_CHECKSUM);
            items.version().ownerId(sourceOwnerId).generation(2000).sequence(5);
        }
        send(response.encodedLength());
    }

    void answerGetDone(final Request request)
    {
        final int count = request.as(new BatchGetDoneRequestDecoder()).items().count();
        final BatchGetDoneResponseEncoder response = new BatchGetDoneResponseEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(epoch).sessionId(sessionId).correlationId(request.operationId);
        final BatchGetDoneResponseEncoder.ItemsEncoder items = response.itemsCount(count);
        for (int i = 0; i < count; i++)
        {
            items.next().code(doneCode);
            items.canonical().ownerId(sourceOwnerId).generation(2000).sequence(5);
        }
        send(response.encodedLength());
    }

    /** Answers a removal; of a stale one the named members are absent. */
    void answerEvict(final Request request, final EvictResult result, final String... absent)
    {
        final List<String> keys = evictedKeys(request);
        final EvictSourceResponseEncoder response = new EvictSourceResponseEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(epoch).sessionId(sessionId).correlationId(request.operationId).result(result);
        final int count = EvictResult.BUSY == result ? 0 : keys.size();
        final EvictSourceResponseEncoder.MembersEncoder members = response.membersCount(count);
        for (int i = 0; i < count; i++)
        {
            members.next().absent((short)(List.of(absent).contains(keys.get(i)) ? 1 : 0));
        }
        send(response.encodedLength());
    }

    static List<String> evictedKeys(final Request request)
    {
        final List<String> keys = new ArrayList<>();
        final byte[] bytes = new byte[512];
        for (final EvictSourceRequestDecoder.MembersDecoder member :
            request.as(new EvictSourceRequestDecoder()).members())
        {
            keys.add(new String(bytes, 0, member.getKey(bytes, 0, bytes.length), StandardCharsets.UTF_8));
        }

        return keys;
    }

    void answerReplicaStart(final Request request, final ReplicaResult result)
    {
        send(new ReplicaStartResponseEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(epoch).sessionId(sessionId).correlationId(request.operationId)
            .result(result).targetOwnerId(0).encodedLength());
    }

    static List<String> replicatedKeys(final Request request)
    {
        final List<String> keys = new ArrayList<>();
        final byte[] bytes = new byte[512];
        for (final ReplicaStartRequestDecoder.MembersDecoder member :
            request.as(new ReplicaStartRequestDecoder()).members())
        {
            keys.add(new String(bytes, 0, member.getKey(bytes, 0, bytes.length), StandardCharsets.UTF_8));
        }

        return keys;
    }

    /** Tells the source how a task has ended. */
    void sendReplicaEnd(final long operationId, final int code)
    {
        send(new ReplicaEndEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(epoch).sessionId(sessionId).correlationId(operationId).code(code).encodedLength());
    }

    /** Asks a target for a copy. */
    void sendPull(final long taskId, final long timeoutNs, final String... keys)
    {
        final PullReplicaEncoder pull = new PullReplicaEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(epoch).sessionId(sessionId).correlationId(taskId).timeoutNs(timeoutNs);
        final PullReplicaEncoder.KeysEncoder encoder = pull.keysCount(keys.length);
        for (final String key : keys)
        {
            final byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            encoder.next().putKey(bytes, 0, bytes.length);
        }
        send(pull.encodedLength());
    }

    void refuseSession()
    {
        final SessionRefusedEncoder refused = new SessionRefusedEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(epoch).sessionId(sessionId).correlationId(0).status(117).message("gone");
        sessionId++;
        send(refused.encodedLength());
    }

    void sendPeers(final long version, final int... ownerIds)
    {
        sendPeersOf(sessionId, version, ownerIds);
    }

    void sendPeersOf(final long ofSessionId, final long version, final int... ownerIds)
    {
        final PeerUpdateEncoder update = new PeerUpdateEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(epoch).sessionId(ofSessionId).correlationId(0).peerVersion(version);
        final PeerUpdateEncoder.PeersEncoder peers = update.peersCount(ownerIds.length);
        for (final int ownerId : ownerIds)
        {
            peers.next().ownerId(ownerId).ownerGeneration(2000).role(peerRole).segmentLength(1 << 22)
                .segmentPath("/dev/shm/" + ownerId).name("o" + ownerId).hostName("h")
                    .transferAddress("t" + ownerId);
        }
        send(update.encodedLength());
    }

    /** A reader got wrong bytes of a slot of 4 KiB. */
    void sendRecheck(final int grantId, final int slotIndex, final long useCounter, final long checksum)
    {
        final RecheckEncoder recheck = new RecheckEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(epoch).sessionId(sessionId).correlationId(0).checksum(checksum);
        recheck.backing().grantId(grantId).slotIndex(slotIndex).slotSize(4096).useCounter(useCounter).slotOffset(0);
        send(recheck.encodedLength());
    }

    /** Another owner has got values from here, in slots of a table. */
    void sendCopied(final SlotTable table, final long useDelta, final int... slots)
    {
        sendCopied(true, table, useDelta, slots);
    }

    /** Another owner has got values from here, in slots of a table, or has evicted them. */
    void sendCopied(final boolean isElsewhere, final SlotTable table, final long useDelta, final int... slots)
    {
        final CopiedElsewhereEncoder copied = new CopiedElsewhereEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(epoch).sessionId(sessionId).correlationId(0).isElsewhere((short)(isElsewhere ? 1 : 0));
        final CopiedElsewhereEncoder.ValuesEncoder values = copied.valuesCount(slots.length);
        for (final int slotId : slots)
        {
            values.next().backing().grantId(table.grantId(slotId)).slotIndex(table.slotIndex(slotId))
                .slotSize(table.slotSize(slotId)).useCounter(table.useCounter(slotId) + useDelta).slotOffset(0);
        }
        send(copied.encodedLength());
    }

    static List<String> keys(final Request request)
    {
        final List<String> keys = new ArrayList<>();
        final byte[] bytes = new byte[512];
        for (final BatchGetStartRequestDecoder.KeysDecoder key : request.as(new BatchGetStartRequestDecoder()).keys())
        {
            keys.add(new String(bytes, 0, key.getKey(bytes, 0, bytes.length), StandardCharsets.UTF_8));
        }

        return keys;
    }

    private void answerExists(final Request request)
    {
        final List<String> keys = new ArrayList<>();
        final byte[] bytes = new byte[512];
        for (final RouteExistsRequestDecoder.KeysDecoder key : request.as(new RouteExistsRequestDecoder()).keys())
        {
            keys.add(new String(bytes, 0, key.getKey(bytes, 0, bytes.length), StandardCharsets.UTF_8));
        }
        final RouteExistsResponseEncoder response = new RouteExistsResponseEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(epoch).sessionId(sessionId).correlationId(request.operationId);
        final RouteExistsResponseEncoder.FlagsEncoder flags = response.flagsCount(keys.size());
        for (final String key : keys)
        {
            flags.next().present((short)(routes.contains(key) ? 1 : 0));
        }
        send(response.encodedLength());
    }

    private void answerReport(final Request request)
    {
        final ReportRequestDecoder report = request.as(new ReportRequestDecoder());
        final int isLast = report.isLast();
        final int count = report.values().count();
        final ReportResponseEncoder response = new ReportResponseEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(epoch).sessionId(sessionId).correlationId(request.operationId).isComplete((short)isLast);
        final ReportResponseEncoder.ResultsEncoder results = response.resultsCount(count);
        for (int i = 0; i < count; i++)
        {
            results.next().code(reportCode);
        }
        send(response.encodedLength());
    }

    private void onRegister(final UnsafeBuffer message)
    {
        registrations++;
        lastCommittedValues = new RegisterRequestDecoder()
            .wrap(message, MasterOperation.BLOCK_OFFSET, RegisterRequestDecoder.BLOCK_LENGTH, 1).committedValues();
        if (!isSilent)
        {
            send(new RegisterResponseEncoder().wrapAndApplyHeader(buffer, 0, header)
                .generation(epoch)
                .sessionId(sessionId)
                .correlationId(message.getLong(24, LITTLE_ENDIAN))
                .status(registerStatus)
                .protocolVersion(1)
                .heartbeatIntervalNs(100_000_000L)
                .livenessTimeoutNs(1_000_000_000L)
                .inflightTtlNs(60_000_000_000L)
                .tenureId(1)
                .mustReport((short)(mustReport ? 1 : 0))
                .message(registerText)
                .encodedLength());
        }
    }

    private void onHeartbeat(final UnsafeBuffer message)
    {
        heartbeats++;
        lastWatermark = message.getLong(32, LITTLE_ENDIAN);
        if (!isSilent)
        {
            send(new HeartbeatAckEncoder().wrapAndApplyHeader(buffer, 0, header)
                .generation(epoch).sessionId(sessionId).correlationId(0).peerVersion(0).encodedLength());
        }
    }

    private void send(final int encodedLength)
    {
        owner.masterToOwner.put(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encodedLength);
    }
}
