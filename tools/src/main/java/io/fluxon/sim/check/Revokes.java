package io.fluxon.sim.check;

import io.fluxon.codecs.control.BatchGetDoneResponseDecoder;
import io.fluxon.codecs.control.BatchGetRevokeRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.OperationAckDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.codecs.control.UnreserveRequestDecoder;
import io.fluxon.engine.master.MasterView;
import io.fluxon.ipc.ErrorCode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What has been ended at the master stays ended (T1): after the answer to a revoke, an unreserve or a publish, the gets
 * and reservations that it ended do not come back, whatever arrives later; and only a get that the master has started
 * and not ended is joined by a get-done (LIFE-4). An owner has one get of a key (G6).
 */
@Watches({"T1", "LIFE-4", "G6"})
final class Revokes implements Checker
{
    private static final int WHOLE_OPERATION = -1;

    private final BatchGetRevokeRequestDecoder revoke = new BatchGetRevokeRequestDecoder();
    private final UnreserveRequestDecoder unreserve = new UnreserveRequestDecoder();
    private final PublishRequestDecoder publish = new PublishRequestDecoder();
    private final OperationAckDecoder ack = new OperationAckDecoder();
    private final BatchGetStartResponseDecoder started = new BatchGetStartResponseDecoder();
    private final BatchGetDoneResponseDecoder done = new BatchGetDoneResponseDecoder();
    private final Map<Operation, Set<Name>> endedBy = new HashMap<>();
    private final Set<Name> ended = new HashSet<>();
    private final Set<Name> leased = new HashSet<>();
    private final Set<String> running = new HashSet<>();
    private final OperationBook book;
    private final Checks checks;
    private long epoch;

    Revokes(final Checks checks, final OperationBook book)
    {
        this.checks = checks;
        this.book = book;
    }

    /** A get, or with an index of -1 a whole operation, in one tenure of its owner. */
    private record Name(int ownerId, long generation, long tenure, long operationId, int index)
    {
    }

    @Override
    public void onSent(final Message message)
    {
        if (message.isToMaster())
        {
            read(message);
        }
        else if (message.isFromMaster() && OperationBook.isAnswer(message.templateId()))
        {
            final Operation operation = book.of(message);
            if (null != operation)
            {
                meetEpoch();
                onAnswer(operation, message);
            }
        }
    }

    private void meetEpoch()
    {
        if (epoch != checks.cluster().master().epoch())
        {
            epoch = checks.cluster().master().epoch();
            ended.clear();
            leased.clear();
        }
    }

    private void read(final Message message)
    {
        final Operation operation = book.of(message);
        if (null == operation || endedBy.containsKey(operation))
        {
            return;
        }
        final Set<Name> names = new HashSet<>();
        switch (message.templateId())
        {
            case BatchGetRevokeRequestDecoder.TEMPLATE_ID ->
            {
                revoke.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
                for (final BatchGetRevokeRequestDecoder.ItemsDecoder item : revoke.items())
                {
                    names.add(name(operation, 0, item.startOperationId(), item.index()));
                }
            }
            case UnreserveRequestDecoder.TEMPLATE_ID ->
            {
                unreserve.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
                names.add(name(operation, 0, unreserve.reserveOperationId(), WHOLE_OPERATION));
            }
            case PublishRequestDecoder.TEMPLATE_ID ->
            {
                publish.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
                names.add(name(operation, 0, publish.reserveOperationId(), WHOLE_OPERATION));
            }
            default ->
            {
            }
        }
        if (!names.isEmpty())
        {
            endedBy.put(operation, names);
        }
    }

    private void onAnswer(final Operation operation, final Message message)
    {
        final long tenure = book.tenureOf(message);
        final boolean isDone = PublishResponseDecoder.TEMPLATE_ID == message.templateId() ||
            OperationAckDecoder.TEMPLATE_ID == message.templateId() && ErrorCode.OK == status(message);
        final Set<Name> names = endedBy.get(operation);
        if (isDone && null != names)
        {
            for (final Name name : names)
            {
                ended.add(new Name(name.ownerId, name.generation, tenure, name.operationId, name.index));
            }
        }
        if (BatchGetStartResponseDecoder.TEMPLATE_ID == message.templateId())
        {
            started.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            int index = 0;
            for (final BatchGetStartResponseDecoder.ItemsDecoder item : started.items())
            {
                if (ErrorCode.OK == item.code())
                {
                    leased.add(name(operation, tenure, operation.id, index));
                }
                index++;
            }
        }
        else if (BatchGetDoneResponseDecoder.TEMPLATE_ID == message.templateId() &&
            operation.answered == operation.taken)
        {
            checkDone(operation, tenure, message);
        }
    }

    private void checkDone(final Operation operation, final long tenure, final Message message)
    {
        done.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        int index = 0;
        for (final BatchGetDoneResponseDecoder.ItemsDecoder item : done.items())
        {
            final Operation.Entry entry = operation.entries.get(index++);
            if (ErrorCode.OK == item.code() &&
                !leased.contains(name(operation, tenure, entry.sequence(), entry.group())))
            {
                throw new Violation("LIFE-4", operation + ": joins by a get that was not started in this tenure: " +
                    entry);
            }
        }
    }

    @Override
    public void full()
    {
        if (checks.cluster().master().isDead())
        {
            return;
        }
        meetEpoch();
        final MasterView master = checks.master();
        running.clear();
        master.gets((ownerId, generation, operationId, index) ->
        {
            check(ownerId, generation, operationId, index, "get");
            checkKey(ownerId, generation, operationId, index);
        });
        master.reservations((ownerId, generation, operationId, index) ->
            check(ownerId, generation, operationId, WHOLE_OPERATION, "reservation"));
    }

    private void check(
        final int ownerId, final long generation, final long operationId, final int index, final String what)
    {
        final long tenure = checks.master().tenure(ownerId);
        if (ended.contains(new Name(ownerId, generation, tenure, operationId, index)) ||
            ended.contains(new Name(ownerId, generation, tenure, operationId, WHOLE_OPERATION)))
        {
            throw new Violation("T1", "master: a " + what + " of owner " + ownerId + " operation " + operationId +
                " index " + index + " is there after it was ended");
        }
    }

    /** Of the gets of a key by one owner only the newest runs. */
    private void checkKey(final int ownerId, final long generation, final long operationId, final int index)
    {
        final OwnerWatch owner = checks.of(ownerId, generation);
        final Operation operation = null == owner ? null : book.of(owner).operations.get(operationId);
        if (null == operation || index >= operation.entries.size())
        {
            throw new Violation("T1", "master: a get that owner " + ownerId + " has not started: operation " +
                operationId + " index " + index);
        }
        if (!running.add(ownerId + " " + operation.entries.get(index).key()))
        {
            throw new Violation("G6", "master: owner " + ownerId + " has two gets of " +
                operation.entries.get(index).key());
        }
    }

    private static Name name(final Operation operation, final long tenure, final long operationId, final int index)
    {
        return new Name(operation.owner.owner().ownerId(), operation.owner.owner().generation(), tenure, operationId,
            index);
    }

    private int status(final Message message)
    {
        ack.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        return ack.status();
    }
}
