package io.fluxon.ipc.client.core;

/**
 * How far the requests have their answers: below one id every request has, below the other every commit has its
 * results. The owner keeps what it answered until it is told with a keep-alive (contract API-4). Two marks, so that
 * commits which wait for an absent master hold back nothing else (contract V1). A mark passes each id once, a bounded
 * number of them in a duty cycle.
 */
final class AnswerMarks
{
    private static final int PASSED_EACH = 1024;

    /** The owner is told at once when it could drop so many outcomes. */
    private static final int MANY = 64;

    private final PendingRequests requests;
    private long answeredBelow = 1;
    private long resultsBelow = 1;
    private long toldAnsweredBelow = 1;
    private long toldResultsBelow = 1;

    AnswerMarks(final PendingRequests requests)
    {
        this.requests = requests;
    }

    void advance()
    {
        final long answeredLimit = Math.min(requests.lastId() + 1, answeredBelow + PASSED_EACH);
        while (answeredBelow < answeredLimit && !requests.isUnanswered(answeredBelow))
        {
            answeredBelow++;
        }

        final long resultsLimit = Math.min(requests.lastId() + 1, resultsBelow + PASSED_EACH);
        while (resultsBelow < resultsLimit && !requests.isCommit(resultsBelow))
        {
            resultsBelow++;
        }
    }

    /** Is it time to tell the owner, though no keep-alive is due? */
    boolean isTelling()
    {
        return answeredBelow - toldAnsweredBelow >= MANY || resultsBelow - toldResultsBelow >= MANY;
    }

    /** The owner is being told. */
    void told()
    {
        toldAnsweredBelow = answeredBelow;
        toldResultsBelow = resultsBelow;
    }

    long answeredBelow()
    {
        return answeredBelow;
    }

    long resultsBelow()
    {
        return resultsBelow;
    }
}
