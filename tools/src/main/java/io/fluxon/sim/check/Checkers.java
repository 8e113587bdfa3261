package io.fluxon.sim.check;

import java.util.List;

/**
 * The registry: every checker, in the order in which they are asked.
 */
public final class Checkers
{
    private static final List<Class<? extends Checker>> ALL = List.of(
        OperationBook.class,
        OwnerErrors.class,
        SlotTransitions.class,
        SlotReferences.class,
        SlotAccounts.class,
        IndexEntries.class,
        RunningPuts.class,
        HolderScan.class,
        OpenOperations.class,
        Confirmations.class,
        Evictions.class,
        Deletes.class,
        HotAdmissions.class,
        Sources.class,
        Replicas.class,
        FlightPhases.class,
        StartWindows.class,
        Submissions.class,
        ReadPrefixes.class,
        TransferTargets.class,
        ClaimOrder.class,
        Revokes.class,
        Liveness.class,
        Leftovers.class,
        Bounds.class,
        Futures.class,
        Mismatches.class,
        LocalReady.class,
        LocalBounds.class,
        Holdings.class,
        NamedObjects.class,
        Resumes.class,
        AllowedValues.class,
        WritablePages.class,
        ReadablePages.class,
        PrefixArithmetic.class,
        AnswersFit.class,
        Generations.class,
        ResumeAnswers.class,
        ClientSilence.class);

    private Checkers()
    {
    }

    /**
     * All kinds of checkers.
     *
     * @return their classes, each with its {@link Watches}.
     */
    public static List<Class<? extends Checker>> all()
    {
        return ALL;
    }

    static List<Checker> create(final Checks checks)
    {
        final OperationBook operations = new OperationBook(checks);
        return List.of(
            operations,
            new OwnerErrors(),
            new SlotTransitions(),
            new SlotReferences(),
            new SlotAccounts(checks.cluster().options()),
            new IndexEntries(),
            new RunningPuts(),
            new HolderScan(),
            new OpenOperations(checks, operations),
            new Confirmations(operations),
            new Evictions(checks, operations),
            new Deletes(checks, operations),
            new HotAdmissions(checks, operations),
            new Sources(checks, operations),
            new Replicas(checks, operations),
            new FlightPhases(checks.cluster().options()),
            new StartWindows(),
            new Submissions(),
            new ReadPrefixes(),
            new TransferTargets(),
            new ClaimOrder(checks.cluster().options()),
            new Revokes(checks, operations),
            new Liveness(checks),
            new Leftovers(checks),
            new Bounds(checks.cluster().options()),
            new Futures(checks),
            new Mismatches(checks),
            new LocalReady(checks),
            new LocalBounds(checks),
            new Holdings(checks),
            new NamedObjects(checks),
            new Resumes(checks),
            new AllowedValues(checks),
            new WritablePages(checks),
            new ReadablePages(checks),
            new PrefixArithmetic(),
            new AnswersFit(),
            new Generations(checks),
            new ResumeAnswers(checks),
            new ClientSilence(checks));
    }
}
