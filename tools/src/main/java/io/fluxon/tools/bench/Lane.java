package io.fluxon.tools.bench;

/**
 * One batch under way: its requests go one after the other, and it begins anew when all have their answers.
 */
final class Lane
{
    static final long NONE = Long.MAX_VALUE;

    final KeyCursor keys = KeyCursor.inOrder(0, 1);
    long firstId = NONE;
    long firstSentNs;
    long secondId = NONE;
    long secondSentNs;

    boolean isIdle()
    {
        return NONE == firstId && NONE == secondId;
    }

    long oldestId()
    {
        return Math.min(firstId, secondId);
    }
}
