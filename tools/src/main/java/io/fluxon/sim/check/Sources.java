package io.fluxon.sim.check;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.PutIdDecoder;
import io.fluxon.codecs.control.ReportRequestDecoder;
import io.fluxon.engine.master.MasterView;
import io.fluxon.ipc.ErrorCode;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The master knows only what owners have told it: a source that it names was published, confirmed or reported by that
 * owner with exactly this length and checksum (V2, CRC-1), is not the one who asks (GET-4), and its slot has the key.
 * The routes it keeps are those, too, and a published group is seen as a whole (A2).
 */
@Watches({"V2", "CRC-1", "GET-4", "A2"})
final class Sources implements Checker
{
    private final BatchGetStartResponseDecoder started = new BatchGetStartResponseDecoder();
    private final ReportRequestDecoder report = new ReportRequestDecoder();
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final Map<Place, Set<Told>> told = new HashMap<>();
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
    private record Told(long use, long length, int checksum)
    {
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
                tell(
                    new Place(owner.owner().ownerId(), message.generation(), entry.offset(), entry.key()),
                    new Told(entry.use(), entry.valueLength(), entry.checksum()));
            }
        }
        else if (ReportRequestDecoder.TEMPLATE_ID == message.templateId())
        {
            readReport(owner, message);
        }
    }

    /** Copies of older messages may come later: all that was told of a place counts. */
    private void tell(final Place place, final Told value)
    {
        told.computeIfAbsent(place, (key) -> new LinkedHashSet<>()).add(value);
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
            final Told reported = new Told(use, value.valueLength(), (int)value.checksum());
            value.wrapKey(key);
            tell(new Place(owner.owner().ownerId(), message.generation(), offset, Message.text(key)), reported);
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
            started.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            int index = 0;
            for (final BatchGetStartResponseDecoder.ItemsDecoder item : started.items())
            {
                if (ErrorCode.OK == item.code())
                {
                    check(operation, operation.entries.get(index).key(), item);
                }
                index++;
            }
        }
    }

    private void check(
        final Operation operation, final String name, final BatchGetStartResponseDecoder.ItemsDecoder item)
    {
        if (item.sourceOwnerId() == operation.owner.owner().ownerId())
        {
            throw new Violation("GET-4", operation + ": the source of " + name + " is who asks");
        }
        final Set<Told> sources = told.get(
            new Place(item.sourceOwnerId(), item.sourceGeneration(), item.sourceOffset(), name));
        if (null == sources)
        {
            throw new Violation("V2", operation + ": owner " + item.sourceOwnerId() + " generation " +
                item.sourceGeneration() + " has told of no " + name + " at " + item.sourceOffset());
        }
        if (sources.stream().noneMatch((source) ->
            source.checksum == (int)item.checksum() && source.length == item.valueLength()))
        {
            throw new Violation("CRC-1", operation + ": of the source of " + name + " was told " + sources +
                ", not checksum " + (int)item.checksum() + " and length " + item.valueLength());
        }
        checkGroup(item);
    }

    /** A group appears as a whole: who sees one of its keys at its publisher can see all. */
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
            group = entry.sequence() == sequence ? entry.group() : group;
        }
        for (final Operation.Entry entry : publish.entries)
        {
            if (entry.group() == group && !master.hasReplica(publisherId, entry.key()))
            {
                throw new Violation("A2", publish + ": " + entry + " has no route while another of its group is seen");
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
                final Set<Told> sources = told.getOrDefault(new Place(
                    replica.ownerId(), replica.generation(), replica.slotOffset(), replica.key()), Set.of());
                if (sources.stream().noneMatch((source) -> source.use == replica.useCounter()))
                {
                    throw new Violation("V2", "a route that nobody has told of: " + replica + ", told " + sources);
                }
                if (!sources.contains(new Told(replica.useCounter(), replica.valueLength(), replica.checksum())))
                {
                    throw new Violation("CRC-1", "not what was told: " + replica + ", told " + sources);
                }
            });
        }
    }
}
