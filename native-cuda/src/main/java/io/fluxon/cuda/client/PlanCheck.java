package io.fluxon.cuda.client;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.FluxonClient;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.core.ClientOperation;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WaitStage;

/**
 * Finds what is wrong with a plan that is to be copied, before anything is begun (contract API-1, API-4).
 */
final class PlanCheck
{
    private PlanCheck()
    {
    }

    /** Address of the plan's blob, 0 when the plan is not valid. */
    static long address(final ClientOperation plan)
    {
        return plan instanceof final PutPlan put ? put.planAddress() : ((GetHandle)plan).planAddress();
    }

    /** Values of the plan. */
    static int count(final ClientOperation plan)
    {
        return plan instanceof final PutPlan put ? put.count() : ((GetHandle)plan).count();
    }

    static void check(
        final FluxonClient client,
        final ClientOperation plan,
        final int first,
        final PagePools pools,
        final PageList pages,
        final boolean isWhole)
    {
        final long address = null == plan ? 0 : address(plan);
        if (0 == address || client.planAt(address) != plan)
        {
            throw invalid("the plan is none that is valid now, or is another client's");
        }
        final int count = count(plan);
        if (isWhole && pages.count() != count)
        {
            throw invalid("pages are " + pages.count() + ", allowed: " + count + ", one for each value of the plan");
        }
        if (first < 0 || pages.count() > count - first)
        {
            throw invalid("values " + first + " to " + ((long)first + pages.count()) + ", allowed: 0 to " + count);
        }
        final long pageBytes = pools.geometry().valueBytes();
        for (int i = first; i < first + pages.count(); i++)
        {
            final long length =
                plan instanceof final PutPlan put ? put.valueLength() : ((GetHandle)plan).valueLength(i);
            if (pageBytes != length)
            {
                throw invalid("value " + i + " has " + length + " bytes, allowed: " + pageBytes + ", as a page has");
            }
        }
    }

    private static FluxonException invalid(final String text)
    {
        return new FluxonException(ErrorCode.INVALID_ARGUMENT, WaitStage.NONE, text);
    }
}
