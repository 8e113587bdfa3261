package io.fluxon.tools.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Generates a workload of multi-turn sessions: a session begins with one of a few system prompts that many share, and
 * each turn repeats the whole history and adds blocks. The last block of a request is only partly filled, so the next
 * turn does not share it. The same settings and seed give the same trace, on every machine.
 */
public final class SessionWorkload
{
    private static final int SYSTEM_PROMPTS = 4;
    private static final int SYSTEM_PROMPT_MIN_BLOCKS = 2;
    private static final int SYSTEM_PROMPT_MAX_BLOCKS = 8;
    private static final int TURN_MIN_BLOCKS = 1;
    private static final int TURN_MAX_BLOCKS = 16;
    private static final int MAX_BLOCKS_OF_SESSION = 160;
    private static final int MAX_OPEN_SESSIONS = 48;
    private static final double FIRST_RETURN = 0.55;
    private static final double RETURN_GAIN_OF_TURN = 0.08;
    private static final double MAX_RETURN = 0.9;

    private final SplittableRandom random;
    private final List<Session> open = new ArrayList<>();
    private final long[][] systemPrompts = new long[SYSTEM_PROMPTS][];
    private final Trace.Builder builder = new Trace.Builder();
    private long nextBlockId;

    private SessionWorkload(final long seed)
    {
        random = new SplittableRandom(seed);
        for (int i = 0; i < SYSTEM_PROMPTS; i++)
        {
            systemPrompts[i] = freshBlocks(random.nextInt(SYSTEM_PROMPT_MIN_BLOCKS, SYSTEM_PROMPT_MAX_BLOCKS + 1));
        }
    }

    /**
     * Generates a trace.
     *
     * @param requests of the trace, greater than 0.
     * @param seed     of the random choices.
     * @return the trace.
     */
    public static Trace generate(final int requests, final long seed)
    {
        if (requests <= 0)
        {
            throw new IllegalArgumentException("requests must be greater than 0, is " + requests);
        }
        return new SessionWorkload(seed).generate(requests);
    }

    private Trace generate(final int requests)
    {
        for (int i = 0; i < requests; i++)
        {
            final boolean isFull = open.size() >= MAX_OPEN_SESSIONS;
            if (!open.isEmpty() && (isFull || random.nextDouble() < FIRST_RETURN))
            {
                takeTurn(random.nextInt(open.size()));
            }
            else
            {
                beginSession();
            }
        }
        return builder.build();
    }

    private void beginSession()
    {
        final Session session = new Session();
        session.add(systemPrompts[random.nextInt(SYSTEM_PROMPTS)]);
        open.add(session);
        takeTurn(open.size() - 1);
    }

    private void takeTurn(final int index)
    {
        final Session session = open.get(index);
        session.add(freshBlocks(random.nextInt(TURN_MIN_BLOCKS, TURN_MAX_BLOCKS + 1)));
        for (final long[] blocks : session.history)
        {
            for (final long block : blocks)
            {
                builder.addBlock(block);
            }
        }
        builder.addBlock(nextBlockId++).endRequest();

        session.turns++;
        final double willReturn = Math.min(MAX_RETURN, FIRST_RETURN + RETURN_GAIN_OF_TURN * session.turns);
        if (random.nextDouble() >= willReturn || session.blocks >= MAX_BLOCKS_OF_SESSION)
        {
            open.remove(index);
        }
    }

    private long[] freshBlocks(final int count)
    {
        final long[] blocks = new long[count];
        for (int i = 0; i < count; i++)
        {
            blocks[i] = nextBlockId++;
        }
        return blocks;
    }

    private static final class Session
    {
        private final List<long[]> history = new ArrayList<>();
        private int blocks;
        private int turns;

        private void add(final long[] more)
        {
            history.add(more);
            blocks += more.length;
        }
    }
}
