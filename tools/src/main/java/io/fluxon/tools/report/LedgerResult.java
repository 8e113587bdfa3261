package io.fluxon.tools.report;

/**
 * The books of evictions (contract S4), of all owners together, in slots, and how long evictions took.
 *
 * @param selected   slots that fell out of a hot window into an eviction job.
 * @param inProgress of them: in jobs that hide, ask or carry out an answer.
 * @param inRetry    of them: in jobs that wait for their next round.
 * @param freed      of them: evicted.
 * @param restored   of them: back in their window.
 * @param obsolete   of them: lost by other means.
 * @param freeP50Ns  median time from selected to free, of the slowest owner.
 * @param freeP99Ns  99th percentile of that time, of the slowest owner.
 */
public record LedgerResult(
    long selected,
    long inProgress,
    long inRetry,
    long freed,
    long restored,
    long obsolete,
    long freeP50Ns,
    long freeP99Ns)
{
    /**
     * Slots whose whereabouts are known.
     *
     * @return their number, that of the selected ones when the books are right.
     */
    public long accounted()
    {
        return inProgress + inRetry + freed + restored + obsolete;
    }
}
