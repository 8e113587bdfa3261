package io.fluxon.sim.shrink;

import static java.util.Comparator.comparing;

import io.fluxon.sim.cluster.ChoiceLog;
import io.fluxon.sim.cluster.ChoiceLog.Choice;
import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.run.RunResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Finds the few choices that a broken rule takes. What is not needed goes back to the default: kinds of streams and of
 * choices, streams, then single things and choices, each in chunks of half the size each time; then values are lowered.
 * It begins with large chunks everywhere and goes deeper each round, until nothing helps any more. A smaller run counts
 * when it breaks the same rule.
 * <p>
 * After each run that counts, choices that it did not come to are dropped, as they change nothing; that is what makes
 * it fast. Candidates are tried on several threads and judged in order, so the outcome is the same for any number of
 * them, unless the time is used up.
 */
public final class Shrinker
{
    private static final Comparator<Choice> ORDER = comparing(Choice::stream).thenComparing(Choice::index);
    private static final Pattern NUMBERS = Pattern.compile("[0-9]+");
    private static final int ALIGNMENT = 16;
    private static final int DEPTH_OF_ROUND = 3;
    private static final CompletableFuture<Trial> KNOWN = CompletableFuture.completedFuture(null);

    private final Function<Choices, RunResult> simulation;
    private final int threads;
    private final int maxRuns;
    private final long deadlineNs;
    private final ChoiceLog start;
    private final String rule;
    private final Set<Long> tried = new HashSet<>();
    private List<Choice> choices;
    private RunResult result;
    private ExecutorService executor;
    private int runs;

    /** What came of one candidate: the choices that it came to, and its result. */
    private record Trial(List<Choice> made, RunResult result)
    {
    }

    /**
     * Prepares to shrink a run.
     *
     * @param simulation runs choices; called by several threads.
     * @param start      choices of a run that breaks a rule.
     * @param rule       that it breaks.
     * @param limits     of the work.
     * @throws IllegalArgumentException if a run of these choices does not break that rule.
     */
    public Shrinker(
        final Function<Choices, RunResult> simulation,
        final ChoiceLog start,
        final String rule,
        final ShrinkLimits limits)
    {
        this.simulation = simulation;
        this.start = start;
        this.rule = rule;
        threads = limits.threads();
        maxRuns = limits.maxRuns();
        deadlineNs = System.nanoTime() + limits.maxNs();
        final Trial trial = attempt(start.choices());
        choices = trial.made;
        result = trial.result;
        if (!rule.equals(result.rule()))
        {
            throw new IllegalArgumentException("a run of these choices breaks " +
                (result.isGood() ? "no rule" : result.rule()) + ", not " + rule);
        }
    }

    /**
     * Shrinks the run.
     *
     * @return the smallest run that was found.
     */
    public Shrunk shrink()
    {
        final RunResult first = result;
        int depth = DEPTH_OF_ROUND;
        boolean isMinimal = false;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads))
        {
            executor = pool;
            while (!isMinimal && !isSpent())
            {
                final List<Choice> before = choices;
                removeChunks(Shrinker::kindOfStream, Comparator.naturalOrder(), depth);
                removeChunks(Shrinker::kindOfChoice, Comparator.naturalOrder(), depth);
                removeChunks(Choice::stream, Comparator.naturalOrder(), depth);
                removeChunks(Shrinker::thingOf, ORDER, depth);
                removeChunks(Function.identity(), ORDER, depth);
                final boolean isFine = 0 == choices.size() >> depth;
                if (isFine)
                {
                    lowerValues();
                }
                isMinimal = isFine && !isSpent() && before.equals(choices);
                depth += DEPTH_OF_ROUND;
            }
        }
        return new Shrunk(ChoiceLog.of(choices), result, start.choices().size(), first, runs, isMinimal);
    }

    /** Chunks of half the size each time, down to a share of all parts. */
    private <T> void removeChunks(final Function<Choice, T> partOf, final Comparator<T> order, final int depth)
    {
        int size = Integer.highestOneBit(parts(partOf, order).size());
        for (int i = 0; i <= depth && size > 0 && !isSpent(); i++)
        {
            removeChunksOf(size, partOf, order);
            size = Math.min(size / 2, Integer.highestOneBit(parts(partOf, order).size()));
        }
    }

    private <T> void removeChunksOf(final int size, final Function<Choice, T> partOf, final Comparator<T> order)
    {
        int position = 0;
        List<T> parts = parts(partOf, order);
        while (position < parts.size() && !isSpent())
        {
            final List<T> now = parts;
            final int begin = position;
            final int chunks = (now.size() - begin + size - 1) / size;
            final int hit = firstThatCounts(chunks, (chunk) ->
            {
                final T from = now.get(begin + chunk * size);
                final T to = now.get(Math.min(now.size(), begin + (chunk + 1) * size) - 1);
                return choices.stream().filter((choice) ->
                {
                    final T part = partOf.apply(choice);
                    return order.compare(part, from) < 0 || order.compare(part, to) > 0;
                }).toList();
            });
            if (hit < 0)
            {
                return;
            }
            final T last = now.get(Math.min(now.size(), begin + (hit + 1) * size) - 1);
            parts = parts(partOf, order);
            position = -1 - Collections.binarySearch(parts, last, order);
        }
    }

    private void lowerValues()
    {
        int position = 0;
        while (position < choices.size() && !isSpent())
        {
            final Choice choice = choices.get(position);
            final int at = position;
            final int powers = powersBelow(choice.value());
            firstThatCounts(powers, (power) ->
            {
                final List<Choice> lower = new ArrayList<>(choices);
                lower.set(at, new Choice(choice.stream(), choice.index(), power(power)));
                return lower;
            });
            final int found = Collections.binarySearch(choices, choice, ORDER);
            position = found < 0 ? -1 - found : found + 1;
        }
    }

    private static int powersBelow(final long value)
    {
        int powers = 0;
        while (power(powers) < value && powers < Long.SIZE / 2 - 1)
        {
            powers++;
        }
        return powers;
    }

    private static long power(final int exponent)
    {
        return 1L << 2 * exponent;
    }

    /** Streams of the same kind have the same name but for numbers. */
    private static String kindOfStream(final Choice choice)
    {
        return NUMBERS.matcher(choice.stream()).replaceAll("#");
    }

    /** Choices of the same kind are at the same place of what streams of a kind align. */
    private static String kindOfChoice(final Choice choice)
    {
        return kindOfStream(choice) + " " + choice.index() % ALIGNMENT;
    }

    /** A message, a mishap, most of a worker's turn: what streams align. */
    private static Choice thingOf(final Choice choice)
    {
        return new Choice(choice.stream(), choice.index() / ALIGNMENT * ALIGNMENT, 0);
    }

    /** Parts that the choices belong to, in order, each once. */
    private <T> List<T> parts(final Function<Choice, T> partOf, final Comparator<T> order)
    {
        return choices.stream().map(partOf).distinct().sorted(order).toList();
    }

    /**
     * Tries candidates in order until one counts; that one is the smallest run from then on.
     *
     * @return its number, -1 when none counts or time is up.
     */
    private int firstThatCounts(final int candidates, final Function<Integer, List<Choice>> candidate)
    {
        final Deque<CompletableFuture<Trial>> running = new ArrayDeque<>();
        int begun = 0;
        for (int i = 0; i < candidates && !isSpent(); i++)
        {
            while (begun < candidates && running.size() < threads)
            {
                final List<Choice> script = candidate.apply(begun++);
                running.add(tried.add(fingerprint(script)) ?
                    CompletableFuture.supplyAsync(() -> attempt(script), executor) : KNOWN);
            }
            final Trial trial = running.remove().join();
            if (null == trial)
            {
                continue;
            }
            runs++;
            if (rule.equals(trial.result.rule()))
            {
                running.forEach((future) -> future.cancel(true));
                choices = trial.made;
                result = trial.result;
                return i;
            }
        }
        return -1;
    }

    private static long fingerprint(final List<Choice> script)
    {
        long hash = script.size();
        for (final Choice choice : script)
        {
            hash = (Long.rotateLeft(hash, 23) ^ choice.hashCode()) * 0x9E3779B97F4A7C15L;
        }
        return hash;
    }

    private Trial attempt(final List<Choice> script)
    {
        final ChoiceLog made = new ChoiceLog();
        final RunResult tried = simulation.apply(Choices.of(ChoiceLog.of(script), made));
        return new Trial(made.choices().stream().sorted(ORDER).toList(), tried);
    }

    private boolean isSpent()
    {
        return runs >= maxRuns || System.nanoTime() - deadlineNs >= 0;
    }
}
