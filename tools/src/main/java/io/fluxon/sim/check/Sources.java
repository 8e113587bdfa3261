package io.fluxon.sim.check;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.PutIdDecoder;
import io.fluxon.codecs.control.ReportRequestDecoder;
import io.fluxon.engine.master.MasterView;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.ipc.ErrorCode;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The master knows only what owners have told it: a source that it names was published, confirmed or reported by that
 * owner with exactly this length and checksum (V2, CRC-1), and not given up since, is not the one who asks (GET-4), and
 * its slot has the key, as long as the get is open. The routes it keeps are those, too, and a published group is seen
 * as a whole (A2).
 */
@Watches({"V2", "CRC-1", "GET-4", "A2"})
final class Sources implements Checker
{
    private final BatchGetStartResponseDecoder started = new BatchGetStartResponseDecoder();
    private final ReportRequestDecoder report = new ReportRequestDecoder();
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final Map<Place, Told> told = new HashMap<>();
    private final OperationBook book;
    private final Checks checks;
    private long epoch;

    Sources(final Checks checks, final OperationBook book)
    {
        this.checks = checks;
        this.book = book;
    }

    /** Where a value lies. */
    private record Place(int ownerId, long generation, long offset, String key)
    {
    }

    /** What the owner has told of it. */
    private record Told(int slotId, long use, long length, int checksum)
    {
    }

    /** Is the slot in the use that was told of? What an owner has given up, the master has forgotten before (S2). */
    private static boolean isValid(final OwnerWatch owner, final Told value)
    {
        return value.use == owner.table().useCounter(value.slotId) &&
            SlotState.FREE != owner.table().state(value.slotId);
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        if (owner.changedCount() > 0)
        {
            final int ownerId = owner.owner().ownerId();
            final long generation = owner.owner().generation();
            told.entrySet().removeIf((entry) -> entry.getKey().ownerId == ownerId &&
                entry.getKey().generation == generation && !isValid(owner, entry.getValue()));
        }
    }

    @Override
    public void onDelivered(final Message message)
    {
        if (!message.isToMaster())
        {
            return;
        }
        if (epoch != checks.cluster().master().epoch())
        {
            epoch = checks.cluster().master().epoch();
            told.clear();
        }
        final OwnerWatch owner = checks.of(message.owner());
        if (PublishRequestDecoder.TEMPLATE_ID == message.templateId() ||
            BatchGetDoneRequestDecoder.TEMPLATE_ID == message.templateId())
        {
            for (final Operation.Entry entry : book.of(message).entries)
            {
                tell(owner, message, entry.offset(), entry.key(),
                    new Told(entry.slotId(), entry.use(), entry.valueLength(), entry.checksum()));
            }
        }
        else if (ReportRequestDecoder.TEMPLATE_ID == message.templateId())
        {
            readReport(owner, message);
        }
    }

    /** A copy of an older message may come when the slot has another value: it tells nothing. */
    private void tell(
        final OwnerWatch owner, final Message message, final long offset, final String name, final Told value)
    {
        if (owner.owner().generation() == message.generation() && isValid(owner, value))
        {
            final Told before = told.put(
                new Place(owner.owner().ownerId(), message.generation(), offset, name), value);
            if (null != before && !before.equals(value))
            {
                throw new Violation("CRC-1", owner.describe(value.slotId) + ": tells " + value + ", told before " +
                    before);
            }
        }
    }

    private void readReport(final OwnerWatch owner, final Message message)
    {
        report.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        for (final ReportRequestDecoder.ValuesDecoder value : report.values())
        {
            final BackingDecoder backing = value.backing();
            final long use = backing.useCounter();
            final long offset = backing.slotOffset();
            final int slotId = owner.table().slotId(backing.grantId(), backing.slotIndex());
            final Told reported = new Told(slotId, use, value.valueLength(), (int)value.checksum());
            value.wrapKey(key);
            tell(owner, message, offset, Message.text(key), reported);
            if (!owner.wasCommitted(slotId, use))
            {
                throw new Violation("V2", owner.describe(slotId) + ": use " + use +
                    " is reported and was never committed");
            }
        }
    }

    @Override
    public void onSent(final Message message)
    {
        if (message.isFromMaster() && BatchGetStartResponseDecoder.TEMPLATE_ID == message.templateId())
        {
            final Operation operation = book.of(message);
            final BitSet open = openGets(operation);
            started.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            int index = 0;
            for (final BatchGetStartResponseDecoder.ItemsDecoder item : started.items())
            {
                if (ErrorCode.OK == item.code() && open.get(index))
                {
                    check(operation, operation.entries.get(index).key(), item);
                }
                index++;
            }
        }
    }

    /** An answer may wait for its link until its get has ended, and the source been evicted: nobody reads from it. */
    private BitSet openGets(final Operation operation)
    {
        final BitSet open = new BitSet();
        checks.master().gets((ownerId, generation, operationId, index) ->
        {
            if (operationId == operation.id && ownerId == operation.owner.owner().ownerId() &&
                generation == operation.owner.owner().generation())
            {
                open.set(index);
            }
        });
        return open;
    }

    private void check(
        final Operation operation, final String name, final BatchGetStartResponseDecoder.ItemsDecoder item)
    {
        if (item.sourceOwnerId() == operation.owner.owner().ownerId())
        {
            throw new Violation("GET-4", operation + ": the source of " + name + " is who asks");
        }
        final Told source = told.get(
            new Place(item.sourceOwnerId(), item.sourceGeneration(), item.sourceOffset(), name));
        if (null == source)
        {
            throw new Violation("V2", operation + ": owner " + item.sourceOwnerId() + " generation " +
                item.sourceGeneration() + " has told of no " + name + " at " + item.sourceOffset() +
                ", or has given it up");
        }
        if (source.checksum != (int)item.checksum() || source.length != item.valueLength())
        {
            throw new Violation("CRC-1", operation + ": of the source of " + name + " was told " + source +
                ", not checksum " + (int)item.checksum() + " and length " + item.valueLength());
        }
        checkGroup(item);
    }

    /**
     * A group appears as a whole: who sees one of its keys at its publisher, where it was put, can see all. What the
     * publisher got from others, before the put or after an eviction, comes and goes key by key.
     */
    private void checkGroup(final BatchGetStartResponseDecoder.ItemsDecoder item)
    {
        final PutIdDecoder version = item.version();
        final int publisherId = version.ownerId();
        final long sequence = version.sequence();
        final OwnerWatch publisher =
            item.sourceOwnerId() == publisherId ? checks.of(publisherId, version.generation()) : null;
        final Operation publish = null == publisher ? null : book.publishOf(publisher, sequence);
        final MasterView master = checks.master();
        if (null == publish || master.generation(publisherId) != publisher.owner().generation() ||
            !publish.answers.isEmpty() && !publish.answers.containsKey(master.tenure(publisherId)))
        {
            return;
        }
        int group = -1;
        for (final Operation.Entry entry : publish.entries)
        {
            group = entry.sequence() == sequence && entry.offset() == item.sourceOffset() &&
                entry.use() == publisher.table().useCounter(entry.slotId()) ? entry.group() : group;
        }
        for (int i = 0, size = publish.entries.size(); i < size; i++)
        {
            final Operation.Entry entry = publish.entries.get(i);
            if (entry.group() == group && !master.hasReplica(publisherId, entry.key()))
            {
                throw new Violation("A2", publish + ": " + entry + " has no route while another of its group is " +
                    "seen: put " + sequence + " at " + item.sourceOffset());
            }
        }
    }

    @Override
    public void full()
    {
        if (!checks.cluster().master().isDead())
        {
            checks.master().replicas((replica) ->
            {
                final Told source = told.get(new Place(
                    replica.ownerId(), replica.generation(), replica.slotOffset(), replica.key()));
                if (null == source || source.use != replica.useCounter())
                {
                    throw new Violation("V2", "a route that nobody has told of, or that was given up: " + replica +
                        ", told " + source);
                }
                if (source.length != replica.valueLength() || source.checksum != replica.checksum())
                {
                    throw new Violation("CRC-1", "not what was told: " + replica + ", told " + source);
                }
            });
        }
    }
}
