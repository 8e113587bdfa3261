package io.fluxon.tools.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Generates a lap of sessions whose pages are a working set of given size, so that a store that is smaller can be kept
 * full by running lap after lap. A session has {@value #TURNS} turns of {@value #BLOCKS_OF_TURN} blocks; each turn
 * repeats the history. Some sessions come back from their first turn on, so that there is something to keep beside what
 * is being used. A session belongs to one worker: request i is one of worker {@code i mod workers}. Sessions share
 * nothing. The same settings and seed give the same trace.
 */
public final class PressureWorkload
{
    /** Turns of a session. */
    public static final int TURNS = 8;

    /** Blocks that a turn adds. */
    public static final int BLOCKS_OF_TURN = 8;

    /** Blocks of a whole session. */
    public static final int BLOCKS_OF_SESSION = TURNS * BLOCKS_OF_TURN;

    private static final int OPEN_SESSIONS = 12;
    private static final int ONE_OF_RETURNS = 8;
    private static final int RETURNS = 3;

    private PressureWorkload()
    {
    }

    /**
     * Generates a lap.
     *
     * @param workers that requests are for, greater than 0.
     * @param pages   of the working set, greater than 0; rounded up to whole sessions, as many for each worker.
     * @param seed    of the random choices.
     * @return the trace; its number of requests is a multiple of the workers.
     * @throws IllegalArgumentException if there are too few workers or pages.
     */
    public static Trace generate(final int workers, final long pages, final long seed)
    {
        if (workers <= 0 || pages <= 0)
        {
            throw new IllegalArgumentException(
                "workers and pages must be greater than 0, are " + workers + " and " + pages);
        }
        final int sessions = sessionsOfWorker(workers, pages);
        final SplittableRandom random = new SplittableRandom(seed);
        final List<int[]> turns = new ArrayList<>();
        for (int i = 0; i < workers; i++)
        {
            turns.add(turnsOf(sessions, random.split()));
        }

        final Trace.Builder builder = new Trace.Builder();
        for (int i = 0; i < turns.getFirst().length; i++)
        {
            for (int worker = 0; worker < workers; worker++)
            {
                addTurn(builder, (long) worker * sessions * TURNS + turns.get(worker)[i]);
            }
        }
        return builder.build();
    }

    private static int sessionsOfWorker(final int workers, final long pages)
    {
        return Math.toIntExact(Math.ceilDiv(pages, (long) workers * BLOCKS_OF_SESSION));
    }

    /** Session and turn of each request of a worker, as one number. */
    private static int[] turnsOf(final int sessions, final SplittableRandom random)
    {
        final int[] visits = visits(sessions, random);
        final int[] open = new int[Math.min(OPEN_SESSIONS, visits.length)];
        final int[] turnOf = new int[open.length];
        final int[] turns = new int[visits.length * TURNS];
        int nextVisit = 0;
        int openCount = 0;
        for (int i = 0; i < turns.length; i++)
        {
            while (openCount < open.length && nextVisit < visits.length)
            {
                turnOf[openCount] = 0;
                open[openCount++] = visits[nextVisit++];
            }
            final int index = random.nextInt(openCount);
            turns[i] = open[index] * TURNS + turnOf[index]++;
            if (TURNS == turnOf[index])
            {
                openCount--;
                open[index] = open[openCount];
                turnOf[index] = turnOf[openCount];
            }
        }
        return turns;
    }

    private static int[] visits(final int sessions, final SplittableRandom random)
    {
        final int[] visits = new int[sessions + Math.ceilDiv(sessions, ONE_OF_RETURNS) * RETURNS];
        int count = 0;
        for (int session = 0; session < sessions; session++)
        {
            for (int i = 0, times = 0 == session % ONE_OF_RETURNS ? 1 + RETURNS : 1; i < times; i++)
            {
                visits[count++] = session;
            }
        }
        for (int i = visits.length - 1; i > 0; i--)
        {
            final int other = random.nextInt(i + 1);
            final int visit = visits[i];
            visits[i] = visits[other];
            visits[other] = visit;
        }
        return visits;
    }

    private static void addTurn(final Trace.Builder builder, final long turn)
    {
        final long firstBlock = turn / TURNS * BLOCKS_OF_SESSION;
        final long blocks = (turn % TURNS + 1) * BLOCKS_OF_TURN;
        for (long i = 0; i < blocks; i++)
        {
            builder.addBlock(firstBlock + i);
        }
        builder.endRequest();
    }
}
