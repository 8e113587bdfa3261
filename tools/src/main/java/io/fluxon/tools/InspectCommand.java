package io.fluxon.tools;

import io.fluxon.codecs.control.ClientRole;
import io.fluxon.ipc.client.ClientContext;
import io.fluxon.ipc.client.FluxonClient;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.Inspection;
import io.fluxon.ipc.client.OwnerDescriptor;
import io.fluxon.tools.report.InspectionReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code fluxon inspect}: asks running owners, as a client of theirs, what they have of a key, slot, grant or cohort.
 * Exit code: 0 shown, 1 there is no such thing, or an owner does not answer, 2 wrong usage.
 */
@Command(
    name = "inspect",
    description = "Shows what running owners, and their master, have of a key, slot, grant or cohort.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "(key | slot | grant | cohort)")
final class InspectCommand implements Runnable
{
    private static final int MAX_DEPTH = 6;
    private static final int NOT_FOUND = 1;

    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "missing: key, slot, grant or cohort");
    }

    /** What all kinds have in common. */
    static final class Target
    {
        @Parameters(
            index = "0",
            paramLabel = "PATH",
            description = "Directory of an owner, or one that holds those of several.")
        private Path path;

        @Option(names = "--owner", paramLabel = "ID", description = "Asks the owner of this id only.")
        private Integer ownerId;

        @Option(names = "--json", description = "Prints JSON.")
        private boolean isJson;

        @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Longest wait for an owner (default: ${DEFAULT-VALUE}).")
        private int timeoutSeconds;
    }

    @Command(name = "key", description = "Its copies here, and its route.", mixinStandardHelpOptions = true)
    Integer key(
        @Mixin final Target target,
        @Parameters(index = "1", paramLabel = "KEY") final String key)
    {
        return show(target, owners(target), (client) -> client.inspectKey(key), (found) ->
            found.stream().anyMatch((one) -> one.members() > 0 || null != one.route() && one.route().exists()) ?
            null : "there is no value of key " + key + " at the owners asked" +
            (found.stream().anyMatch((one) -> null != one.route()) ? ", nor at the master" : ""));
    }

    @Command(name = "cohort", description = "All that goes with a key's value.", mixinStandardHelpOptions = true)
    Integer cohort(
        @Mixin final Target target,
        @Parameters(index = "1", paramLabel = "KEY") final String key)
    {
        return show(target, owners(target), (client) -> client.inspectCohort(key), (found) -> null);
    }

    @Command(name = "slot", description = "One slot of an owner.", mixinStandardHelpOptions = true)
    Integer slot(
        @Mixin final Target target,
        @Parameters(index = "1", paramLabel = "GRANT") final int grantId,
        @Parameters(index = "2", paramLabel = "INDEX") final int slotIndex)
    {
        return show(target, List.of(one(target)), (client) -> client.inspectSlot(grantId, slotIndex),
            (found) -> null);
    }

    @Command(name = "grant", description = "A grant, and its slots that are used.", mixinStandardHelpOptions = true)
    Integer grant(
        @Mixin final Target target,
        @Parameters(index = "1", paramLabel = "GRANT") final int grantId)
    {
        return show(target, List.of(one(target)), (client) -> client.inspectGrant(grantId), (found) -> null);
    }

    private int show(
        final Target target,
        final List<Path> directories,
        final Function<FluxonClient, Inspection> question,
        final Function<List<Inspection>, String> check)
    {
        final List<Inspection> found = new ArrayList<>();
        final List<String> failures = new ArrayList<>();
        for (final Path directory : directories)
        {
            try (FluxonClient client = FluxonClient.connect(context(target, directory)))
            {
                found.add(question.apply(client));
            }
            catch (final FluxonException ex)
            {
                failures.add(directory + ": " + ex.getMessage());
            }
        }
        if (!found.isEmpty())
        {
            System.out.print(target.isJson ? InspectionReport.json(found) : InspectionReport.text(found));
            System.out.flush();
        }
        final String missing = found.isEmpty() ? null : check.apply(found);
        if (null != missing)
        {
            failures.add(missing);
        }
        failures.forEach((failure) -> spec.commandLine().getErr().println(failure));
        spec.commandLine().getErr().flush();
        return null != missing || found.isEmpty() ? NOT_FOUND : 0;
    }

    private ClientContext context(final Target target, final Path directory)
    {
        if (target.timeoutSeconds < 1 || target.timeoutSeconds > 3600)
        {
            throw new ParameterException(
                spec.commandLine(), "--timeout must be from 1 to 3600, is " + target.timeoutSeconds);
        }
        final long timeoutNs = TimeUnit.SECONDS.toNanos(target.timeoutSeconds);
        return new ClientContext()
            .ownerDirectory(directory.toString())
            .clientName("inspect")
            .role(ClientRole.OBSERVER)
            .maxKeys(1)
            .connectTimeoutNs(timeoutNs)
            .driverTimeoutNs(timeoutNs)
            .getTimeoutNs(timeoutNs);
    }

    private Path one(final Target target)
    {
        final List<Path> owners = owners(target);
        if (owners.size() > 1)
        {
            throw new ParameterException(
                spec.commandLine(), "--owner is needed: below " + target.path + " are owners " + ids(owners));
        }
        return owners.getFirst();
    }

    private List<Path> owners(final Target target)
    {
        final List<Path> all = list(target.path);
        if (all.isEmpty())
        {
            throw new ParameterException(spec.commandLine(), target.path + ": holds no owner that is ready (" +
                OwnerDescriptor.FILE_NAME + "); is one running?");
        }
        final List<Path> owners = null == target.ownerId ? all :
            all.stream().filter((path) -> target.ownerId == OwnerDescriptor.read(path).ownerId()).toList();
        if (owners.isEmpty())
        {
            throw new ParameterException(spec.commandLine(),
                "--owner: there is no owner " + target.ownerId + " below " + target.path + ", but " + ids(all));
        }
        return owners;
    }

    private static String ids(final List<Path> owners)
    {
        return owners.stream()
            .map((path) -> Integer.toString(OwnerDescriptor.read(path).ownerId()))
            .collect(Collectors.joining(", "));
    }

    private List<Path> list(final Path path)
    {
        if (!Files.isDirectory(path))
        {
            throw new ParameterException(spec.commandLine(), path + ": no such directory");
        }
        try (Stream<Path> entries = Files.walk(path, MAX_DEPTH))
        {
            return entries
                .filter((entry) -> entry.endsWith(OwnerDescriptor.FILE_NAME))
                .map(Path::getParent)
                .sorted()
                .toList();
        }
        catch (final IOException | UncheckedIOException ex)
        {
            throw new ParameterException(spec.commandLine(), path + ": cannot be read: " + ex.getMessage());
        }
    }
}
