package io.fluxon.sim.check;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetDoneResponseDecoder;
import io.fluxon.codecs.control.BatchGetRevokeRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.EvictResult;
import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.EvictSourceResponseDecoder;
import io.fluxon.codecs.control.HeartbeatDecoder;
import io.fluxon.codecs.control.OperationAckDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.codecs.control.RegisterResponseDecoder;
import io.fluxon.codecs.control.ReplicaGiveUpRequestDecoder;
import io.fluxon.codecs.control.ReplicaStartRequestDecoder;
import io.fluxon.codecs.control.ReplicaStartResponseDecoder;
import io.fluxon.codecs.control.ReserveRequestDecoder;
import io.fluxon.codecs.control.ReserveResponseDecoder;
import io.fluxon.codecs.control.RouteDeleteRequestDecoder;
import io.fluxon.codecs.control.RouteDeleteResponseDecoder;
import io.fluxon.codecs.control.UnreserveRequestDecoder;
import io.fluxon.engine.master.MasterView;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.ipc.ErrorCode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The books of all operations at the master. An operation id has one content for ever, and each content one id; the
 * master answers what it may execute and nothing else, each time the same (T1): no message of an older generation
 * (API-8) or session, none of an owner whose report is not complete (LIFE-4), none that the owner has acknowledged.
 * Only that an eviction found something busy is never recorded, and ends its id (EVICT-2).
 */
@Watches({"T1", "API-8", "LIFE-4", "A2", "G3", "API-7", "EVICT-2"})
final class OperationBook implements Checker
{
    private final PublishRequestDecoder publish = new PublishRequestDecoder();
    private final BatchGetStartRequestDecoder getStart = new BatchGetStartRequestDecoder();
    private final BatchGetDoneRequestDecoder getDone = new BatchGetDoneRequestDecoder();
    private final EvictSourceRequestDecoder evict = new EvictSourceRequestDecoder();
    private final ReplicaStartRequestDecoder replica = new ReplicaStartRequestDecoder();
    private final RouteDeleteRequestDecoder delete = new RouteDeleteRequestDecoder();
    private final EvictSourceResponseDecoder evicted = new EvictSourceResponseDecoder();
    private final OperationAckDecoder ack = new OperationAckDecoder();
    private final HeartbeatDecoder heartbeat = new HeartbeatDecoder();
    private final RegisterResponseDecoder registered = new RegisterResponseDecoder();
    private final Map<OwnerWatch, Book> books = new HashMap<>();
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final Checks checks;

    OperationBook(final Checks checks)
    {
        this.checks = checks;
    }

    /** Operations of one owner generation. */
    static final class Book
    {
        final Map<Long, Operation> operations = new LinkedHashMap<>();
        private final Map<Long, Long> idOfSequence = new HashMap<>();
        private final Map<String, Long> idOfGet = new HashMap<>();
        private final Map<Long, Long> tenureOfSession = new HashMap<>();
        private long epoch;
        private long watermark;
        private long highestSeen;
    }

    Book of(final OwnerWatch owner)
    {
        return books.computeIfAbsent(owner, (key) -> new Book());
    }

    /** Publish that has made a put id, or null. */
    Operation publishOf(final OwnerWatch owner, final long putSequence)
    {
        final Long id = of(owner).idOfSequence.get(putSequence);
        return null == id ? null : of(owner).operations.get(id);
    }

    /** Operation that a message is, or answers; null when it is none. */
    Operation of(final Message message)
    {
        return isOperation(message.templateId()) || isAnswer(message.templateId()) ?
            of(checks.of(message.owner())).operations.get(message.correlationId()) : null;
    }

    /** Has an owner told the master of another copy of a key, and had no answer? That one wins when it comes (T2). */
    boolean isGetDoneOpen(final OwnerWatch owner, final String name)
    {
        return of(owner).operations.values().stream().anyMatch((operation) -> !operation.isOver &&
            BatchGetDoneRequestDecoder.TEMPLATE_ID == operation.templateId &&
            operation.entries.stream().anyMatch((entry) -> name.equals(entry.key())));
    }

    static boolean isOperation(final int templateId)
    {
        return switch (templateId)
        {
            case ReserveRequestDecoder.TEMPLATE_ID, UnreserveRequestDecoder.TEMPLATE_ID,
                PublishRequestDecoder.TEMPLATE_ID, BatchGetStartRequestDecoder.TEMPLATE_ID,
                BatchGetDoneRequestDecoder.TEMPLATE_ID, BatchGetRevokeRequestDecoder.TEMPLATE_ID,
                EvictSourceRequestDecoder.TEMPLATE_ID, ReplicaStartRequestDecoder.TEMPLATE_ID,
                ReplicaGiveUpRequestDecoder.TEMPLATE_ID, RouteDeleteRequestDecoder.TEMPLATE_ID -> true;
            default -> false;
        };
    }

    static boolean isAnswer(final int templateId)
    {
        return switch (templateId)
        {
            case ReserveResponseDecoder.TEMPLATE_ID, PublishResponseDecoder.TEMPLATE_ID,
                BatchGetStartResponseDecoder.TEMPLATE_ID, BatchGetDoneResponseDecoder.TEMPLATE_ID,
                EvictSourceResponseDecoder.TEMPLATE_ID, ReplicaStartResponseDecoder.TEMPLATE_ID,
                RouteDeleteResponseDecoder.TEMPLATE_ID,
                OperationAckDecoder.TEMPLATE_ID -> true;
            default -> false;
        };
    }

    /** Tenure in which the master has sent an answer: the answer names its session. */
    long tenureOf(final Message answer)
    {
        return of(checks.of(answer.owner())).tenureOfSession.getOrDefault(answer.sessionId(), 0L);
    }

    /** Does an owner accept an answer that is delivered to it now? */
    boolean isAccepted(final Message answer)
    {
        final OwnerWatch owner = checks.of(answer.owner());
        return owner.view().isRegistered() && answer.sessionId() == owner.view().masterSession() &&
            answer.generation() == owner.view().masterEpoch();
    }

    @Override
    public void onSent(final Message message)
    {
        if (message.isToMaster() && isOperation(message.templateId()))
        {
            onRequest(message);
        }
        else if (message.isFromMaster() && RegisterResponseDecoder.TEMPLATE_ID == message.templateId())
        {
            registered.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            if (ErrorCode.OK == registered.status())
            {
                of(checks.of(message.owner())).tenureOfSession.put(message.sessionId(), registered.tenureId());
            }
        }
        else if (message.isFromMaster() && isAnswer(message.templateId()))
        {
            onAnswer(message);
        }
    }

    @Override
    public void onDelivered(final Message message)
    {
        if (message.isToMaster())
        {
            onArrived(message);
        }
        else if (message.isFromMaster() && isAnswer(message.templateId()) && isAccepted(message))
        {
            final Operation operation = of(message);
            if (null != operation && (OperationAckDecoder.TEMPLATE_ID != message.templateId() ||
                ErrorCode.BACK_PRESSURED != status(message)))
            {
                operation.isOver = true;
            }
        }
    }

    private void onRequest(final Message message)
    {
        final OwnerWatch owner = checks.of(message.owner());
        final Book book = of(owner);
        final Operation known = book.operations.get(message.correlationId());
        if (null != known)
        {
            if (!known.isRepeatedBy(message))
            {
                throw new Violation("T1", known + ": is sent with another content: " + message);
            }
            return;
        }
        final Operation operation = new Operation(owner, message);
        book.operations.put(operation.id, operation);
        switch (operation.templateId)
        {
            case PublishRequestDecoder.TEMPLATE_ID -> readPublish(book, operation, message);
            case BatchGetStartRequestDecoder.TEMPLATE_ID -> readGetStart(book, operation, message);
            case BatchGetDoneRequestDecoder.TEMPLATE_ID -> readGetDone(book, operation, message);
            case EvictSourceRequestDecoder.TEMPLATE_ID -> readEvict(operation, message);
            case ReplicaStartRequestDecoder.TEMPLATE_ID -> readReplica(operation, message);
            case RouteDeleteRequestDecoder.TEMPLATE_ID -> readDelete(operation, message);
            default ->
            {
            }
        }
    }

    private void readPublish(final Book book, final Operation operation, final Message message)
    {
        publish.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        final PublishRequestDecoder.AtomicGroupsDecoder groups = publish.atomicGroups();
        final int[] lengths = new int[groups.count()];
        final int[] declared = new int[lengths.length];
        int keys = 0;
        for (int i = 0; i < lengths.length; i++)
        {
            groups.next();
            lengths[i] = groups.keyCount();
            declared[i] = groups.groupLength();
            keys += lengths[i];
            if (lengths[i] < 1 || lengths[i] + groups.mergedCount() != declared[i])
            {
                throw new Violation("A2", operation + ": publishes " + lengths[i] + " keys of a group of " +
                    declared[i] + ", " + groups.mergedCount() + " joined before");
            }
        }
        int group = 0;
        int left = lengths.length > 0 ? lengths[0] : 0;
        final PublishRequestDecoder.EntriesDecoder entries = publish.entries();
        if (keys != entries.count())
        {
            throw new Violation("A2", operation + ": " + entries.count() + " keys in groups of " + keys);
        }
        while (entries.hasNext())
        {
            entries.next();
            while (0 == left)
            {
                left = lengths[++group];
            }
            left--;
            final BackingDecoder backing = entries.backing();
            final int slotId = operation.owner.table().slotId(backing.grantId(), backing.slotIndex());
            final Operation.Entry entry = new Operation.Entry(null, entries.putSequence(), group, slotId,
                backing.useCounter(), backing.slotOffset(), entries.valueLength(), (int)entries.checksum());
            entries.wrapKey(key);
            operation.entries.add(withKey(entry, Message.text(key)));
            final int groupLength = operation.owner.table().groupLength(slotId);
            if (groupLength != declared[group])
            {
                throw new Violation("A2", operation.owner.describe(slotId) + ": is of a group of " + groupLength +
                    ", published as one of " + declared[group]);
            }
            final Long other = book.idOfSequence.put(entry.sequence(), operation.id);
            if (null != other)
            {
                throw new Violation("T1", operation + ": publishes put " + entry.sequence() + " of operation " + other);
            }
        }
    }

    private void readGetStart(final Book book, final Operation operation, final Message message)
    {
        getStart.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        final BatchGetStartRequestDecoder.KeysDecoder keys = getStart.keys();
        while (keys.hasNext())
        {
            keys.next().wrapKey(key);
            final String name = Message.text(key);
            operation.entries.add(new Operation.Entry(name, 0, 0, 0, 0, 0, 0, 0));
            final Long other = book.idOfGet.put("start " + name, operation.id);
            if (null != other && (other == operation.id || operation.owner.view().isOpen(other)))
            {
                throw new Violation(other == operation.id ? "API-7" : "G3",
                    operation + ": asks for " + name + " like operation " + other);
            }
        }
    }

    private void readGetDone(final Book book, final Operation operation, final Message message)
    {
        getDone.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        for (final BatchGetDoneRequestDecoder.ItemsDecoder item : getDone.items())
        {
            final BackingDecoder backing = item.backing();
            final int slotId = operation.owner.table().slotId(backing.grantId(), backing.slotIndex());
            final Operation start = book.operations.get(item.startOperationId());
            if (null == start || item.index() >= start.entries.size())
            {
                throw new Violation("T1", operation + ": ends a get that was not started: " + item.startOperationId());
            }
            operation.entries.add(new Operation.Entry(
                start.entries.get(item.index()).key(), item.startOperationId(), item.index(), slotId,
                backing.useCounter(), backing.slotOffset(), operation.owner.table().valueLength(slotId),
                (int)item.checksum()));
            final Long other = book.idOfGet.put(item.startOperationId() + "/" + item.index(), operation.id);
            if (null != other)
            {
                throw new Violation("T1", operation + ": ends a get that operation " + other + " has ended");
            }
        }
    }

    private void readEvict(final Operation operation, final Message message)
    {
        evict.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        for (final EvictSourceRequestDecoder.MembersDecoder member : evict.members())
        {
            final long sequence = member.version().sequence();
            final BackingDecoder backing = member.backing();
            final int slotId = operation.owner.table().slotId(backing.grantId(), backing.slotIndex());
            final Operation.Entry entry = new Operation.Entry(
                null, sequence, 0, slotId, backing.useCounter(), backing.slotOffset(), 0, 0);
            member.wrapKey(key);
            operation.entries.add(withKey(entry, Message.text(key)));
        }
    }

    private void readReplica(final Operation operation, final Message message)
    {
        replica.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        for (final ReplicaStartRequestDecoder.MembersDecoder member : replica.members())
        {
            final long sequence = member.version().sequence();
            final BackingDecoder backing = member.backing();
            final int slotId = operation.owner.table().slotId(backing.grantId(), backing.slotIndex());
            final Operation.Entry entry = new Operation.Entry(
                null, sequence, 0, slotId, backing.useCounter(), backing.slotOffset(), 0, 0);
            member.wrapKey(key);
            operation.entries.add(withKey(entry, Message.text(key)));
        }
    }

    private void readDelete(final Operation operation, final Message message)
    {
        delete.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        for (final RouteDeleteRequestDecoder.KeysDecoder entry : delete.keys())
        {
            entry.wrapKey(key);
            operation.entries.add(new Operation.Entry(Message.text(key), 0, 0, SlotTable.NONE, 0, 0, 0, 0));
        }
    }

    private static Operation.Entry withKey(final Operation.Entry entry, final String key)
    {
        return new Operation.Entry(key, entry.sequence(), entry.group(), entry.slotId(), entry.use(), entry.offset(),
            entry.valueLength(), entry.checksum());
    }

    /** A message has come to the master: may what it asks for be executed? */
    private void onArrived(final Message message)
    {
        final OwnerWatch owner = checks.of(message.owner());
        final MasterView master = checks.master();
        final Book book = of(owner);
        final int ownerId = owner.owner().ownerId();
        if (book.epoch != checks.cluster().master().epoch())
        {
            book.epoch = checks.cluster().master().epoch();
            book.watermark = 0;
            book.highestSeen = 0;
        }
        final boolean isOfGeneration = message.generation() == master.generation(ownerId);
        final boolean isOfSession = isOfGeneration && message.sessionId() == master.session(ownerId);
        if (HeartbeatDecoder.TEMPLATE_ID == message.templateId() && isOfSession)
        {
            heartbeat.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            book.watermark = Math.max(book.watermark, Math.min(book.highestSeen, heartbeat.ackedWatermark()));
        }
        final Operation operation = isOperation(message.templateId()) ?
            book.operations.get(message.correlationId()) : null;
        if (null == operation)
        {
            return;
        }
        if (!isOfGeneration)
        {
            operation.ofOtherGeneration++;
        }
        else if (!isOfSession)
        {
            operation.ofOtherSession++;
        }
        else if (!master.isReconciled(ownerId))
        {
            operation.tooEarly++;
        }
        else
        {
            take(book, operation, message);
        }
    }

    private static void take(final Book book, final Operation operation, final Message message)
    {
        publishWatermark(book, message);
        if (operation.id <= book.watermark)
        {
            operation.trimmed++;
        }
        else
        {
            operation.taken++;
            book.highestSeen = Math.max(book.highestSeen, operation.id);
        }
    }

    private static void publishWatermark(final Book book, final Message message)
    {
        book.watermark = Math.max(book.watermark, message.watermark());
    }

    private void onAnswer(final Message message)
    {
        final Operation operation = of(message);
        if (null == operation)
        {
            return;
        }
        if (++operation.answered > operation.taken)
        {
            throw new Violation(ruleOf(operation), operation + ": is answered " + operation.answered +
                " times; arrived " + operation.taken + " times, of another generation " + operation.ofOtherGeneration +
                ", of another session " + operation.ofOtherSession + ", before the report was complete " +
                operation.tooEarly + ", acknowledged before " + operation.trimmed);
        }
        if (OperationAckDecoder.TEMPLATE_ID == message.templateId() && ErrorCode.BACK_PRESSURED == status(message))
        {
            return;
        }
        if (isBusy(message))
        {
            if (!operation.busyIn.add(tenureOf(message)))
            {
                throw new Violation("EVICT-2", operation + ": is answered BUSY a second time, as from a record");
            }
            return;
        }
        if (EvictSourceResponseDecoder.TEMPLATE_ID == message.templateId() &&
            operation.busyIn.contains(tenureOf(message)))
        {
            throw new Violation("EVICT-2", operation + ": is executed after it was answered BUSY: " + message);
        }
        final byte[] answer = Operation.answerContent(message);
        final byte[] before = operation.answers.putIfAbsent(tenureOf(message), answer);
        if (null != before && !Arrays.equals(before, answer))
        {
            throw new Violation("T1", operation + ": is answered with something else than before: " + message);
        }
    }

    private boolean isBusy(final Message message)
    {
        return EvictSourceResponseDecoder.TEMPLATE_ID == message.templateId() &&
            EvictResult.BUSY == evicted.wrap(
                message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version()).result();
    }

    private static String ruleOf(final Operation operation)
    {
        if (operation.tooEarly > 0)
        {
            return "LIFE-4";
        }
        return operation.ofOtherGeneration > 0 ? "API-8" : "T1";
    }

    private int status(final Message message)
    {
        ack.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        return ack.status();
    }
}
