package io.fluxon.engine.owner;

import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.GetTransferResponseDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.PutStartResponseDecoder;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.SplittableRandom;

/**
 * A worker that has all kinds of requests going on, in no sensible order, and remembers the ids it was told of.
 */
final class FuzzWorker
{
    private static final int MAX_IDS = 64;
    private static final int FIRST_OTHER_STREAM = 100;
    private static final int MAX_KEYS = 5;
    private static final int KEYS = 600;
    private static final String[] NAMES = new String[KEYS];

    static
    {
        for (int i = 0; i < KEYS; i++)
        {
            NAMES[i] = name(i);
        }
    }

    final TestWorker worker;
    private final OwnerFixture owner;
    private final SplittableRandom random;
    private final LongArrayList plans = new LongArrayList();
    private final LongArrayList handles = new LongArrayList();
    private final LongArrayList holdings = new LongArrayList();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final PutStartResponseDecoder putStarted = new PutStartResponseDecoder();
    private final GetStartResponseDecoder getStarted = new GetStartResponseDecoder();
    private final GetTransferResponseDecoder transferred = new GetTransferResponseDecoder();
    long started;
    long readable;

    FuzzWorker(final OwnerFixture owner, final TestWorker worker, final SplittableRandom random)
    {
        this.owner = owner;
        this.worker = worker;
        this.random = random;
    }

    static String name(final int key)
    {
        return "model:page_" + key;
    }

    static int keys()
    {
        return KEYS;
    }

    /** Sends one message, a valid one. */
    void send()
    {
        switch (random.nextInt(16))
        {
            case 0, 1, 2 ->
            {
                worker.options = random.nextBoolean() ? 0 : random.nextInt(4);
                worker.putStart(names());
            }
            case 3, 4, 5 -> worker.commit(take(plans));
            case 6 -> worker.abort(take(plans));
            case 7, 8, 9 -> worker.getStart(random.nextBoolean(), names());
            case 10 -> worker.getTransfer(take(handles), random.nextInt(MAX_KEYS) - 1);
            case 11 -> worker.cancel(take(handles));
            case 12, 13 -> release();
            case 14 -> worker.exists(names());
            default -> sendOfSession();
        }
    }

    private void sendOfSession()
    {
        switch (random.nextInt(16))
        {
            case 0 -> worker.close();
            case 1, 2 -> new TestWorker(owner, FIRST_OTHER_STREAM + random.nextInt(MAX_IDS)).connect(
                random.nextInt(2) * OwnerFixture.GENERATION);
            default -> worker.keepAlive(mark(), mark());
        }
    }

    private long mark()
    {
        return worker.lastRequestId - random.nextInt(MAX_IDS) + random.nextInt(MAX_IDS);
    }

    private String[] names()
    {
        final String[] names = new String[1 + random.nextInt(MAX_KEYS)];
        final int first = random.nextInt(KEYS);
        for (int i = 0; i < names.length; i++)
        {
            names[i] = NAMES[(first + i) % KEYS];
        }
        worker.groups = random.nextBoolean() ? new int[]{} : new int[]{names.length};
        worker.timeoutNs = random.nextInt(3) * 50_000_000L;
        return names;
    }

    private long take(final LongArrayList ids)
    {
        return ids.isEmpty() ? random.nextInt(100) : ids.fastUnorderedRemove(random.nextInt(ids.size()));
    }

    private void release()
    {
        final Long[] ids = new Long[Math.min(holdings.size(), 8)];
        for (int i = 0; i < ids.length; i++)
        {
            ids[i] = take(holdings);
        }
        worker.release(ids);
    }

    /** Reads all answers; they are always right. */
    void readAnswers()
    {
        final Wire wire = owner.sessions.get(worker.streamId());
        if (null != wire)
        {
            wire.poll((connectionId, message, offset, length) -> onAnswer((UnsafeBuffer)message), Integer.MAX_VALUE);
        }
    }

    private void onAnswer(final UnsafeBuffer message)
    {
        header.wrap(message, 0);
        switch (header.templateId())
        {
            case PutStartResponseDecoder.TEMPLATE_ID ->
            {
                if (0 == putStarted.wrapAndApplyHeader(message, 0, header).status())
                {
                    started++;
                    keep(plans, putStarted.planId());
                }
            }
            case GetStartResponseDecoder.TEMPLATE_ID ->
            {
                getStarted.wrapAndApplyHeader(message, 0, header);
                if (0 != getStarted.handle())
                {
                    keep(handles, getStarted.handle());
                }
                for (final GetStartResponseDecoder.HoldingsDecoder holding : getStarted.holdings())
                {
                    readable++;
                    keep(holdings, holding.holdingId());
                }
            }
            case GetTransferResponseDecoder.TEMPLATE_ID ->
            {
                for (final GetTransferResponseDecoder.HoldingsDecoder holding :
                    transferred.wrapAndApplyHeader(message, 0, header).holdings())
                {
                    readable++;
                    keep(holdings, holding.holdingId());
                }
            }
            default ->
            {
            }
        }
    }

    private void keep(final LongArrayList ids, final long id)
    {
        if (ids.size() == MAX_IDS)
        {
            ids.fastUnorderedRemove(random.nextInt(MAX_IDS));
        }
        ids.addLong(id);
    }
}
