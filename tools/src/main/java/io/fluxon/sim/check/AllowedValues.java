package io.fluxon.sim.check;

import static io.fluxon.ipc.ErrorCode.GROUP_ABORTED;
import static io.fluxon.ipc.ErrorCode.KEY_ALREADY_EXISTS;
import static io.fluxon.ipc.ErrorCode.KEY_BEING_WRITTEN;

import io.fluxon.engine.memory.SlotTable;
import org.agrona.DirectBuffer;

/**
 * The reference model of values: a page that is read is whole (CRC-1), of the key that was asked for (ID-1), of a put
 * that was committed before (V1) and had not failed before the read began (PUT-4), and never that of a put that joined
 * another's value (PUT-1). Results of a put are those of whole groups (A2), and what only a reject flag forbids needs
 * that flag (PUT-1).
 */
@Watches({"CRC-1", "ID-1", "V1", "PUT-1", "PUT-4", "A2"})
final class AllowedValues implements Checker
{
    private final Checks checks;

    AllowedValues(final Checks checks)
    {
        this.checks = checks;
    }

    @Override
    public void onPutStarted(final PutAttempt put)
    {
        final OwnerWatch owner = checks.of(put.owner);
        for (int i = 0; i < put.count(); i++)
        {
            final long offset = put.plan.valueAddress(i) - put.owner.segment().addressOffset();
            put.slots[i] = owner.slotAt(offset);
            put.uses[i] = SlotTable.NONE == put.slots[i] ? 0 : owner.table().useCounter(put.slots[i]);
        }
    }

    @Override
    public void onPutDone(final PutAttempt put)
    {
        final OwnerWatch owner = checks.of(put.owner);
        final long nowNs = checks.cluster().clock().nanoTime();
        for (int i = 0; i < put.count(); i++)
        {
            if (put.plan.result(i) < 0)
            {
                put.failedNs[i] = nowNs;
                checkFlag(put, i, -put.plan.result(i));
            }
            else if (SlotTable.NONE != put.slots[i] && !owner.wasCommitted(put.slots[i], put.uses[i]))
            {
                put.replacedNs[i] = nowNs;
            }
        }
        checkGroups(put);
    }

    @Override
    public void onPage(final ReadAttempt get, final int index, final DirectBuffer page)
    {
        final int length = page.capacity();
        final String name = get.names[index];
        final int wrong = length < PageStamp.LEAST_LENGTH ? 0 : PageStamp.firstWrong(page, 0, length);
        if (wrong >= 0)
        {
            throw new Violation("CRC-1", get + ": page " + index + " of " + length + " bytes is not whole at " + wrong +
                ", begins as attempt " + PageStamp.attempt(page, 0));
        }
        final long attempt = PageStamp.attempt(page, 0);
        final PutAttempt put = checks.ledger().putOf(attempt);
        final String written = null == put ? "nobody" : put.names[(int)(attempt - put.first)];
        if (PageStamp.hash(name) != PageStamp.keyHash(page, 0) || !name.equals(written))
        {
            throw new Violation("ID-1", get + ": page " + index + " is that of " + written + " by " + put);
        }
        check(get, index, put, (int)(attempt - put.first), length);
    }

    private static void check(
        final ReadAttempt get, final int index, final PutAttempt put, final int putIndex, final int length)
    {
        if (PutAttempt.NEVER == put.committedNs)
        {
            throw new Violation("V1", get + ": page " + index + " was never committed: " + put);
        }
        if (length != put.length)
        {
            throw new Violation("PUT-1", get + ": page " + index + " has " + length + " bytes, written were " +
                put.length + ": " + put);
        }
        if (put.failedNs[putIndex] < get.askedNs)
        {
            throw new Violation("PUT-4", get + ": page " + index + " failed at " + put.failedNs[putIndex] + ": " + put);
        }
        if (put.replacedNs[putIndex] < get.askedNs)
        {
            throw new Violation("PUT-1", get + ": page " + index + " had joined another value at " +
                put.replacedNs[putIndex] + ": " + put);
        }
    }

    private static void checkFlag(final PutAttempt put, final int index, final int code)
    {
        if (KEY_ALREADY_EXISTS == code && !put.rejectsExisting || KEY_BEING_WRITTEN == code && !put.rejectsInflight)
        {
            throw new Violation("PUT-1", put + ": key " + index + " has result " + -code + " without its flag");
        }
    }

    private static void checkGroups(final PutAttempt put)
    {
        int from = 0;
        for (int group = 0; from < put.count(); group++)
        {
            final int to = from + (null == put.groups ? 1 : put.groups[group]);
            int failed = 0;
            int aborted = 0;
            for (int i = from; i < to; i++)
            {
                failed += put.plan.result(i) < 0 ? 1 : 0;
                aborted += -GROUP_ABORTED == put.plan.result(i) ? 1 : 0;
            }
            if (0 != failed && to - from != failed || 0 != failed && failed == aborted)
            {
                throw new Violation("A2", put + ": of group " + group + " " + failed + " keys of " + (to - from) +
                    " failed, " + aborted + " because of others");
            }
            from = to;
        }
    }
}
