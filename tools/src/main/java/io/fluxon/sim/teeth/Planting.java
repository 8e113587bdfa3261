package io.fluxon.sim.teeth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes the classes of a fault, or those that count where faults would show, out of the sources of the project.
 */
final class Planting implements AutoCloseable
{
    private final MemoryCompiler compiler = new MemoryCompiler();
    private final Map<String, List<String>> sources = new HashMap<>();
    private final Path root;

    /**
     * Creates it.
     *
     * @param root of the project.
     */
    Planting(final Path root)
    {
        this.root = root;
    }

    /**
     * Plants a fault.
     *
     * @param fault to plant.
     * @return bytes of the changed classes by name.
     * @throws TeethException when the sources have changed under it, or it does not compile.
     */
    Map<String, byte[]> plant(final Fault fault)
    {
        final Map<String, List<String>> changed = new HashMap<>();
        for (final Hunk hunk : fault.hunks())
        {
            final List<String> lines = changed.computeIfAbsent(hunk.source(), (path) -> new ArrayList<>(read(path)));
            final int at = hunk.locate(fault.name(), lines);
            final List<String> place = lines.subList(at, at + hunk.find().size());
            place.clear();
            place.addAll(hunk.plant());
        }
        return compile(changed);
    }

    /**
     * Makes the classes that behave as ever and count where faults would show.
     *
     * @param faults to count for.
     * @return bytes of the changed classes by name.
     */
    Map<String, byte[]> probe(final List<Fault> faults)
    {
        final Map<String, TreeMap<Integer, List<String>>> probes = new HashMap<>();
        for (final Fault fault : faults)
        {
            final boolean isMarked = fault.hunks().stream().anyMatch((hunk) -> !hunk.probes().isEmpty());
            for (final Hunk hunk : isMarked ? fault.hunks() : List.of(fault.hunks().getFirst().probed(fault.name())))
            {
                final int at = hunk.locate(fault.name(), read(hunk.source()));
                for (int i = 0; i < hunk.probes().size(); i++)
                {
                    probes.computeIfAbsent(hunk.source(), (path) -> new TreeMap<>())
                        .computeIfAbsent(at + hunk.probeAt().get(i), (line) -> new ArrayList<>())
                        .add(hunk.probes().get(i));
                }
            }
        }
        final Map<String, List<String>> changed = new HashMap<>();
        probes.forEach((path, byLine) -> changed.put(path, inserted(read(path), byLine)));
        return compile(changed);
    }

    @Override
    public void close()
    {
        compiler.close();
    }

    private static List<String> inserted(final List<String> source, final TreeMap<Integer, List<String>> byLine)
    {
        final List<String> lines = new ArrayList<>(source);
        byLine.descendingMap().forEach(lines::addAll);
        return lines;
    }

    private List<String> read(final String path)
    {
        return sources.computeIfAbsent(path, (key) ->
        {
            try
            {
                return Files.readAllLines(root.resolve(path));
            }
            catch (final IOException ex)
            {
                throw new TeethException("source cannot be read: " + ex);
            }
        });
    }

    private Map<String, byte[]> compile(final Map<String, List<String>> changed)
    {
        final Map<String, String> texts = new HashMap<>();
        changed.forEach((path, lines) -> texts.put(path, String.join("\n", lines)));
        return compiler.compile(texts);
    }
}
