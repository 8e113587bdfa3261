package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.IdListEncodingEncoder;
import org.agrona.collections.LongArrayList;

import java.util.function.LongPredicate;

/**
 * Which requests have their answers: below one id every request but those that are listed, below the other every commit
 * but those listed has its results. The owner keeps what it answered until it is told with a keep-alive (contract
 * API-4). The lists are bounded; a mark stops where its list is full. So a request that waits long, or a commit that
 * waits for an absent master, holds back nothing else (contract V1).
 */
final class AnswerMarks
{
    private static final int PASSED_EACH = 1024;

    /** The owner is told at once when it could drop so many outcomes. */
    private static final int MANY = 64;

    private final PendingRequests requests;
    private final Mark answered;
    private final Mark finished;
    private long toldAnswers;

    AnswerMarks(final PendingRequests requests)
    {
        this.requests = requests;
        answered = new Mark(requests::isUnanswered);
        finished = new Mark(requests::isUnfinished);
    }

    /** Passes ids that were given out since, a bounded number of them: each is passed once. */
    void advance()
    {
        answered.advance(requests.lastId());
        finished.advance(requests.lastId());
    }

    /** Is it time to tell the owner, though no keep-alive is due? */
    boolean isTelling()
    {
        return requests.answers() - toldAnswers >= MANY;
    }

    /** The owner is being told what stands here after it. */
    void tell()
    {
        answered.dropClosed();
        finished.dropClosed();
        advance();
        toldAnswers = requests.answers();
    }

    long answeredBelow()
    {
        return answered.below;
    }

    /** Requests below the mark without an answer, ids rising. */
    LongArrayList unanswered()
    {
        return answered.open;
    }

    long resultsBelow()
    {
        return finished.below;
    }

    /** Commits below the mark without results, ids rising. */
    LongArrayList unfinished()
    {
        return finished.open;
    }

    private static final class Mark
    {
        private static final int MAX_OPEN = IdListEncodingEncoder.numInGroupMaxValue();

        private final LongArrayList open = new LongArrayList();
        private final LongPredicate isOpen;
        private long below = 1;

        private Mark(final LongPredicate isOpen)
        {
            this.isOpen = isOpen;
        }

        private void advance(final long lastId)
        {
            final long limit = Math.min(lastId + 1, below + PASSED_EACH);
            for (; below < limit; below++)
            {
                if (isOpen.test(below))
                {
                    if (MAX_OPEN == open.size())
                    {
                        return;
                    }
                    open.addLong(below);
                }
            }
        }

        private void dropClosed()
        {
            int kept = 0;
            for (int i = 0, size = open.size(); i < size; i++)
            {
                final long id = open.getLong(i);
                if (isOpen.test(id))
                {
                    open.setLong(kept++, id);
                }
            }
            while (open.size() > kept)
            {
                open.fastUnorderedRemove(open.size() - 1);
            }
        }
    }
}
