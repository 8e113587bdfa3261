package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.GetKind;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.GetTransferResponseDecoder;
import io.fluxon.ipc.ErrorCode;

/**
 * The life of reads (contract section 5, API-5, API-6): calls of the worker, answers of the owner, waits that end by
 * time. Holdings of an answer are either in the handle, or released.
 */
final class GetOperations
{
    /** In a refusal: the owner knows no such handle. */
    private static final long NO_HANDLE = 0;
    private static final String HANDLE_EXPIRED = "the handle was not consumed in time and has ended";

    private final ClientSession session;
    private int reads;

    GetOperations(final ClientSession session)
    {
        this.session = session;
    }

    int start(
        final GetHandle get,
        final KeyBatch keys,
        final boolean prefixBestEffort,
        final AtomicGroups groups,
        final long timeoutNs)
    {
        final int refused = session.checkStart(get, timeoutNs);
        if (ErrorCode.OK != refused)
        {
            return refused;
        }
        String reason = session.arguments.keys(keys, get);
        if (null == reason)
        {
            reason = ArgumentCheck.groups(groups, keys.size());
        }
        if (null != reason)
        {
            return session.refuse(ErrorCode.INVALID_ARGUMENT, reason);
        }
        int code = session.checkRoom();
        if (ErrorCode.OK == code && reads >= session.ctx.maxReads())
        {
            code = session.refuse(ErrorCode.BACK_PRESSURED, "too many reads hold something");
        }
        if (ErrorCode.OK == code)
        {
            final PendingRequest request = session.claim(RequestKind.GET_START, 0, timeoutNs);
            request.messageLength = session.encoder.getStart(request.message, request, keys, prefixBestEffort, groups);
            code = session.send(request, get);
        }
        if (ErrorCode.OK == code)
        {
            begin(get, keys.size(), prefixBestEffort, groups);
        }
        return code;
    }

    int transfer(final GetHandle get, final int givenLen, final long timeoutNs)
    {
        final int refused = checkTransfer(get, givenLen, timeoutNs);
        if (ErrorCode.OK != refused)
        {
            return refused;
        }
        final int consumeLen = WorkerClient.ALL_TRANSFERABLE == givenLen ? get.transferableLen : givenLen;
        final long planAddress = session.allocatePlan(consumeLen);
        if (0 == planAddress)
        {
            return session.refuse(ErrorCode.BACK_PRESSURED, "the plan arena is full");
        }
        get.count = consumeLen;
        if (get.inline)
        {
            get.planAddress = planAddress;
            release(get, consumeLen, get.transferableLen);
            makeReadable(get);
            return ErrorCode.OK;
        }
        final PendingRequest request = session.claim(RequestKind.GET_TRANSFER, get.handle, timeoutNs);
        request.consumePrefixLen = consumeLen;
        final int code = session.send(request, get);
        if (ErrorCode.OK != code)
        {
            session.freePlan(planAddress);
            return code;
        }
        session.deadlines.cancel(get);
        get.planAddress = planAddress;
        get.state = GetHandle.State.TRANSFERRING;
        return ErrorCode.OK;
    }

    int releaseViews(final GetHandle get)
    {
        final int refused = session.checkOwn(get);
        if (ErrorCode.OK != refused)
        {
            return refused;
        }
        if (GetHandle.State.READABLE != get.state)
        {
            return session.refuse(ErrorCode.INVALID_ARGUMENT, "views can be released in state READABLE, once");
        }
        if (0 != get.copies)
        {
            return session.refuseCopied(get.planAddress);
        }
        session.nowNs = session.ctx.nanoClock().nanoTime();
        release(get, 0, get.count);
        end(get, GetHandle.State.RELEASED);
        return ErrorCode.OK;
    }

    int cancel(final GetHandle get)
    {
        final int refused = session.checkOwn(get);
        if (ErrorCode.OK != refused)
        {
            return refused;
        }
        session.nowNs = session.ctx.nanoClock().nanoTime();
        switch (get.state)
        {
            case STARTING, TRANSFERRING ->
            {
                session.requests.abandon(get.pending);
                end(get, GetHandle.State.CANCELLED);
            }
            case STARTED ->
            {
                return cancelStarted(get);
            }
            default ->
            {
                return session.refuse(ErrorCode.INVALID_ARGUMENT, "a handle can be cancelled until it is consumed");
            }
        }
        return ErrorCode.OK;
    }

    void onStartResponse(final PendingRequest request, final GetStartResponseDecoder response)
    {
        final GetHandle get = (GetHandle)session.answered(request);
        if (null == get || ErrorCode.OK != response.status())
        {
            giveBack(response);
            if (null != get)
            {
                final int textLength = response.messageLength();
                get.error(response.status(), WaitStage.of(response.stage()), response.buffer(),
                    response.limit() + GetStartResponseDecoder.messageHeaderLength(), textLength);
                end(get, GetHandle.State.FAILED);
            }
        }
        else if (readResult(get, response))
        {
            onStarted(get);
        }
        else
        {
            session.protocolErrors++;
            giveBack(response);
            get.error(ErrorCode.PROTOCOL, WaitStage.NONE, "the owner's result does not fit the batch or the segment");
            end(get, GetHandle.State.FAILED);
        }
    }

    void onTransferResponse(final PendingRequest request, final GetTransferResponseDecoder response)
    {
        if (ErrorCode.BACK_PRESSURED == response.status())
        {
            session.postpone(request);
            return;
        }
        final GetHandle get = (GetHandle)session.answered(request);
        if (null == get || ErrorCode.OK != response.status())
        {
            giveBack(response);
            if (null != get)
            {
                failTransfer(get, response);
            }
        }
        else if (readHoldings(get, response))
        {
            makeReadable(get);
        }
        else
        {
            session.protocolErrors++;
            giveBack(response);
            get.error(ErrorCode.PROTOCOL, WaitStage.NONE, "the owner named values outside the segment");
            end(get, GetHandle.State.FAILED);
        }
    }

    /**
     * A request was refused or acknowledged by status alone.
     */
    void onStatus(final RequestKind kind, final GetHandle get)
    {
        if (RequestKind.GET_TRANSFER == kind)
        {
            giveBackRefused(get, get.errorCode());
        }
        else if (RequestKind.GET_CANCEL == kind && ErrorCode.INVALID_ARGUMENT == get.errorCode())
        {
            // the owner had ended the handle by time: it is gone, as was wanted
            get.clearError();
        }
        end(get, RequestKind.GET_CANCEL == kind ? GetHandle.State.CANCELLED : GetHandle.State.FAILED);
    }

    /**
     * The wait of a call has ended by time; its answer is still awaited, to give back what it brings (contract GET-3).
     */
    void onTimeout(final RequestKind kind, final GetHandle get)
    {
        get.error(ErrorCode.GET_TIMEOUT, WaitStage.ANSWER, "the owner did not answer in time");
        end(get, RequestKind.GET_CANCEL == kind ? GetHandle.State.CANCELLED : GetHandle.State.FAILED);
    }

    /**
     * A handle was not consumed in time (contract GET-3).
     */
    void onExpired(final GetHandle get)
    {
        session.expiredHandles++;
        release(get, 0, get.inline ? get.transferableLen : 0);
        get.error(ErrorCode.STALE_GET_PLAN, WaitStage.NONE, HANDLE_EXPIRED);
        end(get, GetHandle.State.FAILED);
    }

    private void onStarted(final GetHandle get)
    {
        get.state = GetHandle.State.STARTED;
        if (get.transferableLen > 0)
        {
            // the owner ends a remote handle by itself; then this only forgets it
            final long graceNs = get.inline ? 0 : session.ctx.answerGraceNs();
            session.deadlines.schedule(get, session.nowNs + session.handleTtlNs + graceNs);
            return;
        }
        if (!get.inline && 0 != get.handle)
        {
            session.sendOwn(RequestKind.GET_CANCEL, get.handle);
            get.handle = 0;
        }
        forget(get);
    }

    private int checkTransfer(final GetHandle get, final int consumeLen, final long timeoutNs)
    {
        final int refused = session.checkOwn(get);
        if (ErrorCode.OK != refused)
        {
            return refused;
        }
        if (GetHandle.State.STARTED != get.state)
        {
            return session.refuse(ErrorCode.INVALID_ARGUMENT, "a handle can be consumed in state STARTED, once");
        }
        if (timeoutNs <= 0)
        {
            return session.refuse(ErrorCode.INVALID_ARGUMENT, "timeoutNs " + timeoutNs + " must be positive");
        }
        session.nowNs = session.ctx.nanoClock().nanoTime();
        if (Timed.NOT_QUEUED != get.queueIndex && get.dueNs - session.nowNs <= 0)
        {
            onExpired(get);
            return session.refuse(ErrorCode.STALE_GET_PLAN, HANDLE_EXPIRED);
        }
        if (WorkerClient.ALL_TRANSFERABLE == consumeLen)
        {
            return 0 == get.transferableLen ? endEmpty(get) : ErrorCode.OK;
        }
        if (consumeLen <= 0 || consumeLen > get.transferableLen || !get.isGroupBoundary(consumeLen))
        {
            return session.refuse(ErrorCode.INVALID_ARGUMENT, "consumePrefixLen " + consumeLen + " must be 1 to " +
                get.transferableLen + " and end with an atomic group");
        }
        return get.inline ? ErrorCode.OK : session.checkRoom();
    }

    private int endEmpty(final GetHandle get)
    {
        get.error(ErrorCode.KEY_NOT_FOUND, WaitStage.NONE, "nothing of the batch can be had");
        end(get, GetHandle.State.FAILED);
        return session.refuse(ErrorCode.KEY_NOT_FOUND, "nothing of the batch can be had");
    }

    private int cancelStarted(final GetHandle get)
    {
        if (get.inline || 0 == get.handle)
        {
            release(get, 0, get.inline ? get.transferableLen : 0);
            end(get, GetHandle.State.CANCELLED);
            return ErrorCode.OK;
        }
        final int code = session.send(
            session.claim(RequestKind.GET_CANCEL, get.handle, session.ctx.getTimeoutNs()), get);
        if (ErrorCode.OK == code)
        {
            session.deadlines.cancel(get);
            get.state = GetHandle.State.CANCELLING;
        }
        return code;
    }

    private void begin(
        final GetHandle get, final int keyCount, final boolean prefixBestEffort, final AtomicGroups groups)
    {
        session.begin(get);
        reads++;
        get.state = GetHandle.State.STARTING;
        get.keyCount = keyCount;
        get.bestEffort = prefixBestEffort;
        get.inline = false;
        get.handle = 0;
        get.planAddress = 0;
        get.count = 0;
        get.rawPrefixHitLen = 0;
        get.transferableLen = 0;
        get.prefixHitGroups = 0;
        get.firstMissIndex = -1;
        get.firstMissGroupIndex = -1;
        get.remoteHits = 0;
        get.groupCount = null == groups ? 1 : groups.size();
        get.groupLengths[0] = keyCount;
        for (int i = 0; null != groups && i < get.groupCount; i++)
        {
            get.groupLengths[i] = groups.keyCount(i);
        }
    }

    private boolean readResult(final GetHandle get, final GetStartResponseDecoder response)
    {
        final int transferable = response.transferableLen();
        final int raw = response.rawPrefixHitLen();
        final boolean isInline = GetKind.INLINE == response.kind();
        if (transferable < 0 || transferable > raw || raw > get.keyCount || !get.isGroupBoundary(transferable) ||
            (!get.bestEffort && 0 != transferable && transferable != get.keyCount) ||
            (!isInline && (GetKind.REMOTE != response.kind() || (0 == response.handle() && 0 != transferable))))
        {
            return false;
        }
        get.rawPrefixHitLen = raw;
        get.transferableLen = transferable;
        get.prefixHitGroups = response.prefixHitGroups();
        get.firstMissIndex = response.firstMissIndex();
        get.firstMissGroupIndex = response.firstMissGroupIndex();
        get.remoteHits = response.remoteHits();
        get.inline = isInline;
        get.handle = response.handle();
        return readHoldings(get, response, isInline ? transferable : 0);
    }

    private boolean readHoldings(final GetHandle get, final GetStartResponseDecoder response, final int expected)
    {
        final GetStartResponseDecoder.HoldingsDecoder holdings = response.holdings();
        if (holdings.count() != expected)
        {
            return false;
        }
        for (int i = 0; i < expected; i++)
        {
            holdings.next();
            if (!setHolding(get, i, holdings.offset(), holdings.length(), holdings.holdingId()))
            {
                return false;
            }
        }
        return true;
    }

    private boolean readHoldings(final GetHandle get, final GetTransferResponseDecoder response)
    {
        final GetTransferResponseDecoder.HoldingsDecoder holdings = response.holdings();
        if (holdings.count() != get.count || response.handle() != get.handle)
        {
            return false;
        }
        for (int i = 0; i < get.count; i++)
        {
            holdings.next();
            if (!setHolding(get, i, holdings.offset(), holdings.length(), holdings.holdingId()))
            {
                return false;
            }
        }
        return true;
    }

    private boolean setHolding(
        final GetHandle get, final int index, final long offset, final long length, final long holdingId)
    {
        final long address = session.addressOf(offset, length);
        get.valueAddresses[index] = address;
        get.valueLengths[index] = length;
        get.holdingIds[index] = holdingId;
        return 0 != address && 0 != holdingId;
    }

    private void failTransfer(final GetHandle get, final GetTransferResponseDecoder response)
    {
        if (ErrorCode.INVALID_ARGUMENT == response.status() && NO_HANDLE == response.handle())
        {
            // it was given to this session, so the owner has ended it by time
            session.expiredHandles++;
            get.error(ErrorCode.STALE_GET_PLAN, WaitStage.NONE, HANDLE_EXPIRED);
        }
        else
        {
            final int textLength = response.messageLength();
            get.error(response.status(), WaitStage.of(response.stage()), response.buffer(),
                response.limit() + GetTransferResponseDecoder.messageHeaderLength(), textLength);
        }
        giveBackRefused(get, response.status());
        end(get, GetHandle.State.FAILED);
    }

    private void makeReadable(final GetHandle get)
    {
        session.deadlines.cancel(get);
        session.writePlan(get, get.planAddress, get.valueAddresses, get.count);
        get.state = GetHandle.State.READABLE;
    }

    private void release(final GetHandle get, final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            session.releases.add(get.holdingIds[i], session.nowNs);
        }
    }

    /**
     * The owner did not carry a transfer out: should it know the handle still, that ends.
     */
    private void giveBackRefused(final GetHandle get, final int status)
    {
        if (ErrorCode.INVALID_ARGUMENT == status || ErrorCode.PROTOCOL == status)
        {
            session.sendOwn(RequestKind.GET_CANCEL, get.handle);
        }
    }

    private void giveBack(final GetStartResponseDecoder response)
    {
        response.sbeRewind();
        for (final GetStartResponseDecoder.HoldingsDecoder holdings = response.holdings(); holdings.hasNext(); )
        {
            session.releases.add(holdings.next().holdingId(), session.nowNs);
        }
        if (GetKind.INLINE != response.kind() && 0 != response.handle())
        {
            session.sendOwn(RequestKind.GET_CANCEL, response.handle());
        }
    }

    private void giveBack(final GetTransferResponseDecoder response)
    {
        response.sbeRewind();
        for (final GetTransferResponseDecoder.HoldingsDecoder holdings = response.holdings(); holdings.hasNext(); )
        {
            session.releases.add(holdings.next().holdingId(), session.nowNs);
        }
    }

    private void end(final GetHandle get, final GetHandle.State state)
    {
        if (0 != get.planAddress)
        {
            session.freePlan(get.planAddress);
            get.planAddress = 0;
        }
        get.state = state;
        forget(get);
    }

    private void forget(final GetHandle get)
    {
        if (ClientOperation.NO_INDEX != get.liveIndex)
        {
            session.end(get);
            reads--;
        }
    }
}
