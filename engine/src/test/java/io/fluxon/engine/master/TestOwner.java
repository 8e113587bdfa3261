package io.fluxon.engine.master;

import io.fluxon.codecs.control.BackingEncoder;
import io.fluxon.codecs.control.BatchGetDoneRequestEncoder;
import io.fluxon.codecs.control.BatchGetDoneResponseDecoder;
import io.fluxon.codecs.control.BatchGetRevokeRequestEncoder;
import io.fluxon.codecs.control.BatchGetStartRequestEncoder;
import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.EvictSourceRequestEncoder;
import io.fluxon.codecs.control.EvictSourceResponseDecoder;
import io.fluxon.codecs.control.HeartbeatEncoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.OperationAckDecoder;
import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.codecs.control.PeerUpdateDecoder;
import io.fluxon.codecs.control.PrepareRemovalDecoder;
import io.fluxon.codecs.control.PublishRequestEncoder;
import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.codecs.control.RegisterRequestEncoder;
import io.fluxon.codecs.control.RegisterResponseDecoder;
import io.fluxon.codecs.control.RemovalReportEncoder;
import io.fluxon.codecs.control.RemovalStep;
import io.fluxon.codecs.control.ReportRequestEncoder;
import io.fluxon.codecs.control.ReportResponseDecoder;
import io.fluxon.codecs.control.ReserveRequestEncoder;
import io.fluxon.codecs.control.ReserveResponseDecoder;
import io.fluxon.codecs.control.RouteDeleteRequestEncoder;
import io.fluxon.codecs.control.RouteDeleteResponseDecoder;
import io.fluxon.codecs.control.RouteExistsRequestEncoder;
import io.fluxon.codecs.control.RouteExistsResponseDecoder;
import io.fluxon.codecs.control.SessionRefusedDecoder;
import io.fluxon.codecs.control.UnreserveRequestEncoder;
import io.fluxon.engine.protocol.Limits;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An owner as the master sees it: sends messages, decodes answers. Each call has an operation id of its own unless one
 * is given.
 */
final class TestOwner
{
    static final int EXIST = 1;
    static final int INFLIGHT = 2;
    static final long LENGTH = 4096;

    private static final String LABEL_SEPARATOR = "-";

    final int ownerId;
    final long generation;
    final MasterFixture fixture;
    final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(1 << 16);
    final MessageHeaderEncoder header = new MessageHeaderEncoder();
    final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    String responseChannel;
    String segmentPath;
    String hostName = "host";
    OwnerRole role = OwnerRole.GPU;
    long freeBytes = 5;
    int protocolVersion = Limits.PROTOCOL_VERSION;
    long connectionId;
    long sessionId;
    long registerId = 1;
    long committedValues;
    long tenureEpoch;
    long tenureId;
    boolean mustReport;
    long watermark;
    long nextId = 1;
    long nextSequence = 1;
    long peerVersion;
    String lastMessage;

    TestOwner(final MasterFixture fixture, final int ownerId, final long generation)
    {
        this.fixture = fixture;
        this.ownerId = ownerId;
        this.generation = generation;
        connectionId = ownerId * 1000L + generation;
        responseChannel = "to:" + ownerId + LABEL_SEPARATOR + generation;
        segmentPath = "/shm/" + ownerId + LABEL_SEPARATOR + generation;
    }

    MasterFixture.Wire wire()
    {
        return fixture.wires.computeIfAbsent(responseChannel, (name) -> new MasterFixture.Wire());
    }

    int register()
    {
        sendRegister();
        fixture.settle();
        return readRegistered();
    }

    void sendRegister()
    {
        final RegisterRequestEncoder request = new RegisterRequestEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(0)
            .correlationId(registerId)
            .protocolVersion(protocolVersion)
            .ownerId(ownerId)
            .role(role)
            .capacityBytes(1 << 30)
            .segmentLength(1 << 30)
            .committedValues(committedValues)
            .tenureEpoch(tenureEpoch)
            .tenureId(tenureId)
            .responseChannel(responseChannel)
            .segmentPath(segmentPath)
            .name("owner-" + ownerId)
            .hostName(hostName)
            .transferAddress("t" + ownerId);
        send(request.encodedLength());
    }

    int readRegistered()
    {
        final List<UnsafeBuffer> answers = wire().takeAll(RegisterResponseDecoder.TEMPLATE_ID);
        assertThat(answers).isNotEmpty();
        final RegisterResponseDecoder answer = new RegisterResponseDecoder().wrapAndApplyHeader(
            answers.get(answers.size() - 1), 0, headerDecoder);
        if (0 == answer.status())
        {
            sessionId = answer.sessionId();
            tenureEpoch = answer.generation();
            tenureId = answer.tenureId();
            mustReport = 0 != answer.mustReport();
        }
        final int status = answer.status();
        lastMessage = answer.message();
        return status;
    }

    void sendHeartbeat()
    {
        final HeartbeatEncoder request = new HeartbeatEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(0)
            .ackedWatermark(watermark)
            .peerVersion(peerVersion)
            .freeBytes(freeBytes)
            .evictableBytes(0)
            .usedBytes(6);
        send(request.encodedLength());
    }

    int refusals()
    {
        fixture.settle();
        final List<UnsafeBuffer> answers = wire().takeAll(SessionRefusedDecoder.TEMPLATE_ID);
        for (final UnsafeBuffer answer : answers)
        {
            lastMessage = new SessionRefusedDecoder().wrapAndApplyHeader(answer, 0, headerDecoder).message();
        }
        return answers.size();
    }

    /** Owner ids of the last peer list, or null when none came. */
    List<Integer> peers()
    {
        fixture.settle();
        List<Integer> ids = null;
        for (final UnsafeBuffer message : wire().takeAll(PeerUpdateDecoder.TEMPLATE_ID))
        {
            final PeerUpdateDecoder update = new PeerUpdateDecoder().wrapAndApplyHeader(message, 0, headerDecoder);
            peerVersion = update.peerVersion();
            ids = new ArrayList<>();
            for (final PeerUpdateDecoder.PeersDecoder peer : update.peers())
            {
                ids.add(peer.ownerId());
                peer.skipSegmentPath();
                peer.skipName();
                peer.skipHostName();
                assertThat(peer.transferAddress()).isEqualTo("t" + peer.ownerId());
            }
        }
        return ids;
    }

    long sendReserve(final int options, final String... keys)
    {
        final long id = nextId++;
        sendReserveAs(id, options, keys);
        return id;
    }

    void sendReserveAs(final long id, final int options, final String... keys)
    {
        final ReserveRequestEncoder request = new ReserveRequestEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(id).ackedWatermark(watermark);
        request.options().clear()
            .rejectIfExistSameKey(0 != (options & EXIST))
            .rejectIfInflightSameKey(0 != (options & INFLIGHT));
        final ReserveRequestEncoder.KeysEncoder encoder = request.keysCount(keys.length);
        for (final String key : keys)
        {
            final byte[] bytes = bytes(key);
            encoder.next().putSequence(nextSequence++).putKey(bytes, 0, bytes.length);
        }
        send(request.encodedLength());
    }

    int[] reserve(final int options, final String... keys)
    {
        return readCodes(sendReserve(options, keys));
    }

    int unreserve(final long reserveId)
    {
        final long id = nextId++;
        sendUnreserveAs(id, reserveId);
        return readCodes(id)[0];
    }

    void sendUnreserveAs(final long id, final long reserveId)
    {
        final UnreserveRequestEncoder request = new UnreserveRequestEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(id).ackedWatermark(watermark)
            .reserveOperationId(reserveId);
        send(request.encodedLength());
    }

    int[] publish(final String... keys)
    {
        return publish(new Put().keys(keys));
    }

    int[] publish(final Put put)
    {
        return readCodes(sendPublish(put));
    }

    long sendPublish(final Put put)
    {
        final long id = nextId++;
        sendPublishAs(id, put);
        return id;
    }

    void sendPublishAs(final long id, final Put put)
    {
        final PublishRequestEncoder request = new PublishRequestEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(id).ackedWatermark(watermark)
            .reserveOperationId(put.reserveId)
            .cohortId(put.cohortId).cohortRank(1).cohortSize(2);
        request.options().clear()
            .rejectIfExistSameKey(0 != (put.options & EXIST))
            .rejectIfInflightSameKey(0 != (put.options & INFLIGHT))
            .hasCohort(0 != put.cohortId);
        final PublishRequestEncoder.AtomicGroupsEncoder groups = request.atomicGroupsCount(put.groups.length);
        for (final int[] group : put.groups)
        {
            groups.next().keyCount(group[0]).mergedCount(group[1]).groupLength(group[2]);
        }
        final PublishRequestEncoder.EntriesEncoder entries = request.entriesCount(put.keys.length);
        for (int i = 0; i < put.keys.length; i++)
        {
            final long sequence = 0 == put.firstSequence ? nextSequence++ : put.firstSequence + i;
            entries.next().putSequence(sequence);
            backing(entries.backing(), sequence);
            final byte[] bytes = bytes(put.keys[i]);
            entries.valueLength(put.length).checksum(checksum(put.keys[i])).putKey(bytes, 0, bytes.length);
        }
        send(request.encodedLength());
    }

    /** Codes of the gets; the answer stays readable by {@link #source}. */
    int[] getStart(final String... keys)
    {
        return readCodes(sendGetStart(keys));
    }

    long sendGetStart(final String... keys)
    {
        final long id = nextId++;
        sendGetStartAs(id, keys);
        return id;
    }

    void sendGetStartAs(final long id, final String... keys)
    {
        final BatchGetStartRequestEncoder request = new BatchGetStartRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(id).ackedWatermark(watermark);
        final BatchGetStartRequestEncoder.KeysEncoder encoder = request.keysCount(keys.length);
        for (final String key : keys)
        {
            final byte[] bytes = bytes(key);
            encoder.next().putKey(bytes, 0, bytes.length);
        }
        send(request.encodedLength());
    }

    int done(final long startId, final int index, final String key)
    {
        return readCodes(sendDone(startId, index, key))[0];
    }

    long sendDone(final long startId, final int index, final String key)
    {
        final long id = nextId++;
        sendDoneAs(id, startId, index, checksum(key));
        return id;
    }

    /** Number of the backing that a get-done has named. */
    static long doneBacking(final long id)
    {
        return 100_000 + id;
    }

    void sendDoneAs(final long id, final long startId, final int index, final long checksum)
    {
        final BatchGetDoneRequestEncoder request = new BatchGetDoneRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(id).ackedWatermark(watermark)
            .replicaTaskId(0);
        final BatchGetDoneRequestEncoder.ItemsEncoder item = request.itemsCount(1).next()
            .startOperationId(startId).index(index);
        backing(item.backing(), doneBacking(id));
        item.checksum(checksum);
        send(request.encodedLength());
    }

    int revoke(final long startId, final int index)
    {
        final long id = nextId++;
        sendRevokeAs(id, startId, index);
        return readCodes(id)[0];
    }

    void sendRevokeAs(final long id, final long startId, final int index)
    {
        sendRevokeAs(id, startId, index, false);
    }

    void sendRevokeAs(final long id, final long startId, final int index, final boolean isMismatch)
    {
        final BatchGetRevokeRequestEncoder request = new BatchGetRevokeRequestEncoder()
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(id).ackedWatermark(watermark);
        request.itemsCount(1).next().startOperationId(startId).index(index)
            .mismatch((short)(isMismatch ? 1 : 0));
        send(request.encodedLength());
    }

    boolean[] exists(final String... keys)
    {
        final long id = 1_000_000 + nextId++;
        final RouteExistsRequestEncoder request = new RouteExistsRequestEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(id);
        final RouteExistsRequestEncoder.KeysEncoder encoder = request.keysCount(keys.length);
        for (final String key : keys)
        {
            final byte[] bytes = bytes(key);
            encoder.next().putKey(bytes, 0, bytes.length);
        }
        send(request.encodedLength());
        final int[] codes = readCodes(id);
        final boolean[] flags = new boolean[codes.length];
        for (int i = 0; i < flags.length; i++)
        {
            flags[i] = 1 == codes[i];
        }
        return flags;
    }

    /** A member of a cohort as its publish, by this owner, has named it. */
    Member member(final String key, final long sequence)
    {
        return new Member(key, ownerId, generation, sequence, sequence);
    }

    /** Result of an eviction, then 1 for each member that is absent; an acknowledgement's status as the only code. */
    int[] evict(final Member... members)
    {
        return readCodes(sendEvict(members));
    }

    long sendEvict(final Member... members)
    {
        final long id = nextId++;
        sendEvictAs(id, members);
        return id;
    }

    void sendEvictAs(final long id, final Member... members)
    {
        sendEvictAs(id, 0, members);
    }

    /** The owner has prepared a removal of the master. */
    void sendEvictAs(final long id, final long removalId, final Member... members)
    {
        final EvictSourceRequestEncoder request = new EvictSourceRequestEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(id).ackedWatermark(watermark)
            .removalId(removalId);
        final EvictSourceRequestEncoder.MembersEncoder encoder = request.membersCount(members.length);
        for (final Member member : members)
        {
            final byte[] bytes = bytes(member.key);
            encoder.next().version()
                .ownerId(member.putOwnerId).generation(member.putGeneration).sequence(member.putSequence);
            backing(encoder.backing(), member.backing);
            encoder.putKey(bytes, 0, bytes.length);
        }
        send(request.encodedLength());
    }

    long sendDelete(final String... keys)
    {
        final long id = nextId++;
        sendDeleteAs(id, keys);
        return id;
    }

    void sendDeleteAs(final long id, final String... keys)
    {
        final RouteDeleteRequestEncoder request = new RouteDeleteRequestEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(id).ackedWatermark(watermark);
        final RouteDeleteRequestEncoder.KeysEncoder encoder = request.keysCount(keys.length);
        for (final String key : keys)
        {
            final byte[] bytes = bytes(key);
            encoder.next().putKey(bytes, 0, bytes.length);
        }
        send(request.encodedLength());
    }

    /** Rounds of removals that the master has asked this owner to prepare: their ids, in order; off the wire. */
    long[] prepares()
    {
        fixture.settle();
        return wire().takeAll(PrepareRemovalDecoder.TEMPLATE_ID).stream().mapToLong(Entries::correlationId).toArray();
    }

    void sendRemoval(final long roundId, final RemovalStep step)
    {
        final RemovalReportEncoder report = new RemovalReportEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(roundId).step(step);
        send(report.encodedLength());
        fixture.settle();
    }

    /** Has prepared the round: asks for the removal of its members. */
    long vote(final long roundId, final Member... members)
    {
        final long id = nextId++;
        sendEvictAs(id, roundId, members);
        fixture.settle();
        return id;
    }

    /** Reports values as the owner's only ones. */
    void report(final Member... values)
    {
        final ReportRequestEncoder request = new ReportRequestEncoder().wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(1).isLast((short)1);
        final ReportRequestEncoder.ValuesEncoder encoder = request.valuesCount(values.length);
        for (final Member value : values)
        {
            final byte[] bytes = bytes(value.key);
            encoder.next().version()
                .ownerId(value.putOwnerId).generation(value.putGeneration).sequence(value.putSequence);
            backing(encoder.backing(), value.backing);
            encoder.valueLength(LENGTH).checksum(checksum(value.key))
                .groupId(1).groupLength(values.length).cohortRank(0).cohortId(0).cohortSize(0)
                .putKey(bytes, 0, bytes.length);
        }
        send(request.encodedLength());
        fixture.settle();
        final List<UnsafeBuffer> answers = wire().takeAll(ReportResponseDecoder.TEMPLATE_ID);
        assertThat(answers).hasSize(1);
        final ReportResponseDecoder answer = new ReportResponseDecoder().wrapAndApplyHeader(
            answers.get(0), 0, headerDecoder);
        assertThat(answer.isComplete()).isEqualTo((short)1);
        for (final ReportResponseDecoder.ResultsDecoder result : answer.results())
        {
            assertThat(result.code()).isZero();
        }
    }

    /** The answer to an operation: removed from the wire; null when there is none. */
    UnsafeBuffer answer(final long id)
    {
        fixture.settle();
        UnsafeBuffer found = null;
        for (final UnsafeBuffer message : wire().messages)
        {
            if (id == Entries.correlationId(message))
            {
                found = message;
                break;
            }
        }
        if (null != found)
        {
            wire().messages.remove(found);
        }
        return found;
    }

    /** Codes of the answer to an operation; an acknowledgement's status as the only code. */
    int[] readCodes(final long id)
    {
        final UnsafeBuffer answer = answer(id);
        assertThat(answer).as("answer to %s", id).isNotNull();
        return codes(answer);
    }

    static int[] codes(final UnsafeBuffer answer)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(answer, 0);
        final int[] codes;
        int i = 0;
        switch (header.templateId())
        {
            case ReserveResponseDecoder.TEMPLATE_ID ->
            {
                final var items = new ReserveResponseDecoder().wrapAndApplyHeader(answer, 0, header).results();
                codes = new int[items.count()];
                for (final var item : items)
                {
                    codes[i++] = item.code();
                }
            }
            case PublishResponseDecoder.TEMPLATE_ID ->
            {
                final var items = new PublishResponseDecoder().wrapAndApplyHeader(answer, 0, header).results();
                codes = new int[items.count()];
                for (final var item : items)
                {
                    codes[i++] = item.code();
                }
            }
            case BatchGetStartResponseDecoder.TEMPLATE_ID ->
            {
                final var items = new BatchGetStartResponseDecoder().wrapAndApplyHeader(answer, 0, header).items();
                codes = new int[items.count()];
                for (final var item : items)
                {
                    codes[i++] = item.code();
                }
            }
            case BatchGetDoneResponseDecoder.TEMPLATE_ID ->
            {
                final var items = new BatchGetDoneResponseDecoder().wrapAndApplyHeader(answer, 0, header).items();
                codes = new int[items.count()];
                for (final var item : items)
                {
                    codes[i++] = item.code();
                }
            }
            case RouteExistsResponseDecoder.TEMPLATE_ID ->
            {
                final var items = new RouteExistsResponseDecoder().wrapAndApplyHeader(answer, 0, header).flags();
                codes = new int[items.count()];
                for (final var item : items)
                {
                    codes[i++] = item.present();
                }
            }
            case RouteDeleteResponseDecoder.TEMPLATE_ID -> codes = deleteCodes(answer, header);
            case EvictSourceResponseDecoder.TEMPLATE_ID -> codes = evictCodes(answer, header);
            default ->
            {
                assertThat(header.templateId()).isEqualTo(OperationAckDecoder.TEMPLATE_ID);
                codes = new int[]{
                    new OperationAckDecoder().wrapAndApplyHeader(answer, 0, header).status()
                };
            }
        }
        return codes;
    }

    private static int[] deleteCodes(final UnsafeBuffer answer, final MessageHeaderDecoder header)
    {
        final var results = new RouteDeleteResponseDecoder().wrapAndApplyHeader(answer, 0, header).results();
        final int[] codes = new int[results.count()];
        for (int i = 0; i < codes.length; i++)
        {
            codes[i] = results.next().code();
        }
        return codes;
    }

    private static int[] evictCodes(final UnsafeBuffer answer, final MessageHeaderDecoder header)
    {
        final var response = new EvictSourceResponseDecoder().wrapAndApplyHeader(answer, 0, header);
        final int result = response.resultRaw();
        final var members = response.members();
        final int[] codes = new int[1 + members.count()];
        codes[0] = result;
        for (int i = 1; i < codes.length; i++)
        {
            codes[i] = members.next().absent();
        }
        return codes;
    }

    static BatchGetStartResponseDecoder.ItemsDecoder startItem(final UnsafeBuffer answer, final int index)
    {
        final BatchGetStartResponseDecoder.ItemsDecoder items = new BatchGetStartResponseDecoder()
            .wrapAndApplyHeader(answer, 0, new MessageHeaderDecoder()).items();
        for (int i = 0; i <= index; i++)
        {
            items.next();
        }
        return items;
    }

    static PublishResponseDecoder.ResultsDecoder publishItem(final UnsafeBuffer answer, final int index)
    {
        final PublishResponseDecoder.ResultsDecoder items = new PublishResponseDecoder()
            .wrapAndApplyHeader(answer, 0, new MessageHeaderDecoder()).results();
        for (int i = 0; i <= index; i++)
        {
            items.next();
        }
        return items;
    }

    static BatchGetDoneResponseDecoder.ItemsDecoder doneItem(final UnsafeBuffer answer)
    {
        return new BatchGetDoneResponseDecoder().wrapAndApplyHeader(answer, 0, new MessageHeaderDecoder())
            .items().next();
    }

    static long checksum(final String key)
    {
        return key.hashCode() & 0xFFFF_FFFFL;
    }

    void backing(final BackingEncoder backing, final long number)
    {
        backing.grantId(1).slotIndex((int)number).slotSize(LENGTH).useCounter(1).slotOffset(number * LENGTH);
    }

    void send(final int bodyLength)
    {
        fixture.send(connectionId, buffer, MessageHeaderEncoder.ENCODED_LENGTH + bodyLength);
    }

    static byte[] bytes(final String key)
    {
        return key.getBytes(StandardCharsets.UTF_8);
    }

    /** What an eviction says of a member. */
    record Member(String key, int putOwnerId, long putGeneration, long putSequence, long backing)
    {
        Member sequence(final long other)
        {
            return new Member(key, putOwnerId, putGeneration, other, backing);
        }

        Member backing(final long other)
        {
            return new Member(key, putOwnerId, putGeneration, putSequence, other);
        }
    }

    /** What a publish says. */
    static final class Put
    {
        String[] keys;
        int[][] groups = {};
        int options;
        long reserveId;
        long cohortId;
        long length = LENGTH;
        long firstSequence;

        Put keys(final String... keys)
        {
            this.keys = keys;
            return this;
        }

        Put groups(final int... lengths)
        {
            groups = new int[lengths.length][];
            for (int i = 0; i < lengths.length; i++)
            {
                groups[i] = new int[]{ lengths[i], 0, lengths[i] };
            }
            return this;
        }

        Put group(final int keyCount, final int mergedCount, final int groupLength)
        {
            groups = new int[][]{ { keyCount, mergedCount, groupLength } };
            return this;
        }

        Put options(final int options)
        {
            this.options = options;
            return this;
        }

        Put reserveId(final long reserveId)
        {
            this.reserveId = reserveId;
            return this;
        }

        Put cohort(final long cohortId)
        {
            this.cohortId = cohortId;
            return this;
        }

        Put length(final long length)
        {
            this.length = length;
            return this;
        }

        Put sequence(final long firstSequence)
        {
            this.firstSequence = firstSequence;
            return this;
        }
    }
}
