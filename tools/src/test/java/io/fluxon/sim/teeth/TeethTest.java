package io.fluxon.sim.teeth;

import io.fluxon.engine.memory.SlotPool;
import io.fluxon.sim.run.Simulation;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TeethTest
{
    private static final Path ROOT = Path.of(System.getProperty("fluxon.root", ".."));
    private static final String POOL = "engine/src/main/java/io/fluxon/engine/memory/SlotPool.java";
    private static final String CHEAP = "slot-freed-with-holder-left";

    @Test
    void shouldRefuseAFaultWhoseLinesAreNotInTheSource()
    {
        final Fault fault = fault("-        no such line();");

        assertThatThrownBy(() -> planted(fault))
            .isInstanceOf(TeethException.class)
            .hasMessageContainingAll("outdated", POOL, "no such line();");
    }

    @Test
    void shouldRefuseAFaultWhoseLinesAreInTheSourceTwice()
    {
        final Fault fault = fault("-    {");

        assertThatThrownBy(() -> planted(fault))
            .isInstanceOf(TeethException.class)
            .hasMessageContainingAll("outdated", POOL, "more than once");
    }

    @Test
    void shouldRefuseAFaultThatDoesNotCompile()
    {
        final Fault fault = fault("-        return table;", "+        return nothing;");

        assertThatThrownBy(() -> planted(fault))
            .isInstanceOf(TeethException.class)
            .hasMessageContainingAll(POOL, "nothing");
    }

    @Test
    void shouldRefuseAFileThatIsNotOfAFault()
    {
        assertThatThrownBy(() -> Fault.of("empty", List.of("No rule.", "--- " + POOL, "-        return table;")))
            .isInstanceOf(TeethException.class).hasMessageContaining("empty");
        assertThatThrownBy(() -> fault("*        return table;"))
            .isInstanceOf(TeethException.class).hasMessageContaining("return table;");
        assertThatThrownBy(() -> fault("         return table;"))
            .isInstanceOf(TeethException.class).hasMessageContaining("changes nothing");
    }

    @Test
    void shouldFitTheSources()
    {
        final List<Fault> faults = Fault.readAll(ROOT.resolve(TeethOptions.CATALOGUE));

        try (Planting planting = new Planting(ROOT))
        {
            assertThat(planting.probe(faults)).isNotEmpty();
            faults.forEach((fault) -> assertThat(planting.plant(fault)).as(fault.name()).isNotEmpty());
        }
    }

    @Test
    void shouldPlantBesideTheShippedClassesAndNotInThem() throws IOException, ReflectiveOperationException
    {
        final byte[] shipped = bytesOf(SlotPool.class);
        final Map<String, byte[]> classes = planted(
            fault("-        return table;", "+        return null == table ? null : table;"));
        final PlantedLoader loader = new PlantedLoader(classes);
        final Class<?> pool = loader.loadClass(SlotPool.class.getName());

        assertThat(classes.get(SlotPool.class.getName())).isNotEqualTo(shipped);
        assertThat(pool).isNotSameAs(SlotPool.class);
        assertThat(pool.getClassLoader()).isSameAs(loader);
        assertThat(bytesOf(SlotPool.class)).isEqualTo(shipped);
        assertThat(loader.loadClass(Simulation.class.getName())).isNotSameAs(Simulation.class);
        assertThat(loader.loadClass(Probe.class.getName())).isSameAs(Probe.class);
    }

    @Test
    void shouldShipNoFault() throws Exception
    {
        for (final Class<?> type : List.of(Teeth.class, SlotPool.class))
        {
            final CodeSource source = type.getProtectionDomain().getCodeSource();
            try (Stream<Path> files = Files.walk(Path.of(source.getLocation().toURI())))
            {
                assertThat(files.filter((file) -> file.toString().endsWith(".fault"))).isEmpty();
            }
        }
        assertThat(new String(bytesOf(SlotPool.class), StandardCharsets.ISO_8859_1))
            .doesNotContain(Probe.class.getName().replace('.', '/'));
    }

    @Test
    void shouldFindAFaultAndCountHowOftenItsPlaceIsReached()
    {
        final TeethOptions options = TeethOptions.of(ROOT).only(Set.of(CHEAP)).seeds(20, 2);
        final TeethReport report = Teeth.run(options, new PrintStream(OutputStream.nullOutputStream()));

        assertThat(report.found()).as(report.table()).isEqualTo(1);
        assertThat(report.table()).contains(CHEAP, "1 of 1 faults found");
        assertThat(report.reached(CHEAP)).isPositive();
    }

    private static Fault fault(final String... lines)
    {
        return Fault.of("outdated",
            Stream.concat(Stream.of("A fault.", "rule: S2", "--- " + POOL), Stream.of(lines)).toList());
    }

    private static Map<String, byte[]> planted(final Fault fault)
    {
        try (Planting planting = new Planting(ROOT))
        {
            return planting.plant(fault);
        }
    }

    private static byte[] bytesOf(final Class<?> type) throws IOException
    {
        return type.getResourceAsStream(type.getSimpleName() + ".class").readAllBytes();
    }
}
