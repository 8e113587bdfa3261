package io.fluxon.sim.check;

import io.fluxon.ipc.client.core.GetHandle;
import java.util.Arrays;

/**
 * The result of a get adds up (API-6): whole groups of the get, the longest that leading hits allow, and the group and
 * key of the first miss.
 */
@Watches({"API-6", "GET-6"})
final class PrefixArithmetic implements Checker
{
    private static final int NONE = -1;

    @Override
    public void onGetStarted(final ReadAttempt get)
    {
        final GetHandle handle = get.get;
        check(get, "result", handle.rawPrefixHitLen(), handle.transferableLen(), handle.prefixHitGroups(),
            handle.firstMissIndex(), handle.firstMissGroupIndex());
        if (handle.allHit() != (handle.transferableLen() == get.names.length) ||
            handle.remoteHits() < 0 || handle.remoteHits() > handle.transferableLen())
        {
            throw new Violation("API-6", get + ": all hit " + handle.allHit() + ", remote hits " +
                handle.remoteHits() + " of " + handle.transferableLen());
        }
    }

    @Override
    public void onReadable(final ReadAttempt get)
    {
        int end = 0;
        for (int group = 0; group < get.groups.length && end < get.get.count(); group++)
        {
            end += get.groups[group];
        }
        if (end != get.get.count() || end > get.get.transferableLen())
        {
            throw new Violation("GET-6", get + ": " + get.get.count() + " pages are readable, transferable were " +
                get.get.transferableLen());
        }
    }

    static void check(
        final ReadAttempt get,
        final String what,
        final int raw,
        final int transferable,
        final int hitGroups,
        final int firstMiss,
        final int firstMissGroup)
    {
        int groups = 0;
        int end = 0;
        while (groups < get.groups.length && end + get.groups[groups] <= raw)
        {
            end += get.groups[groups++];
        }
        final boolean isAll = raw == get.names.length;
        final int expected = isAll || get.isBestEffort ? end : 0;
        final boolean isGood = raw >= 0 && raw <= get.names.length && expected == transferable &&
            (isAll || get.isBestEffort ? groups : 0) == hitGroups &&
            (isAll ? NONE : raw) == firstMiss && (isAll ? NONE : groups) == firstMissGroup;
        if (!isGood)
        {
            throw new Violation("API-6", get + ": " + what + " raw " + raw + ", transferable " + transferable +
                ", groups " + hitGroups + ", first miss " + firstMiss + " in group " + firstMissGroup +
                " of groups " + Arrays.toString(get.groups));
        }
    }
}
