package io.fluxon.tools.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fluxon.tools.trace.SessionWorkload;
import io.fluxon.tools.trace.Trace;
import io.fluxon.tools.trace.TraceModel;
import io.fluxon.tools.trace.TraceWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

@Tag("HOT-1")
class PolicyCommandTest
{
    private static final int CAPACITY = 400;
    private static final Trace TRACE = SessionWorkload.generate(1500, 7120);

    @TempDir
    private Path directory;
    private final StringWriter out = new StringWriter();

    @ParameterizedTest
    @EnumSource(ComparedPolicy.class)
    void shouldHitAllThatWasSeenBeforeWhenNothingIsEvicted(final ComparedPolicy policy)
    {
        final TraceModel model = new TraceModel(1, 1).run(TRACE);

        assertThat(policy.hitRatio(TRACE, TRACE.blockReferences()))
            .isEqualTo((double)model.hitPages() / model.requestedPages());
    }

    @ParameterizedTest
    @EnumSource(ComparedPolicy.class)
    void shouldNotHitMoreThanTheBound(final ComparedPolicy policy)
    {
        assertThat(policy.hitRatio(TRACE, CAPACITY))
            .isPositive()
            .isLessThanOrEqualTo(ComparedPolicy.BOUND.hitRatio(TRACE, CAPACITY));
    }

    @Test
    void shouldHitWhatAModelOfLruHits()
    {
        final Set<Long> model = new LinkedHashSet<>();
        long hits = 0;
        for (int request = 0; request < TRACE.requestCount(); request++)
        {
            int leading = 0;
            while (leading < TRACE.blockCount(request) && model.contains(TRACE.blockId(request, leading)))
            {
                leading++;
            }
            hits += leading;
            for (int i = 0; i < TRACE.blockCount(request); i++)
            {
                model.remove(TRACE.blockId(request, i));
                model.add(TRACE.blockId(request, i));
                if (model.size() > CAPACITY)
                {
                    model.remove(model.iterator().next());
                }
            }
        }

        assertThat(ComparedPolicy.LRU.hitRatio(TRACE, CAPACITY)).isEqualTo((double)hits / TRACE.blockReferences());
    }

    @ParameterizedTest
    @ValueSource(ints = { 100, 200, CAPACITY, 1000 })
    void shouldHitWithinAPointOfCaffeineWhenThePolicyIsTinyLfu(final int capacity)
    {
        assertThat(ComparedPolicy.TINYLFU.hitRatio(TRACE, capacity))
            .isCloseTo(ComparedPolicy.CAFFEINE.hitRatio(TRACE, capacity), within(0.01));
    }

    @Test
    void shouldBeTheMostThatIsPossibleWhenAllChoicesAreTried()
    {
        final Random random = new Random(7121);
        for (int i = 0; i < 50; i++)
        {
            final Trace trace = smallTree(random);
            assertThat(ComparedPolicy.BOUND.hitRatio(trace, 3) * trace.blockReferences())
                .isCloseTo(mostHits(trace, 0, Set.of(), 3), within(1e-6));
        }
    }

    /** Eight requests of one to three blocks in a tree where each block has two children. */
    private static Trace smallTree(final Random random)
    {
        final Trace.Builder builder = new Trace.Builder();
        for (int request = 0; request < 8; request++)
        {
            final int length = 1 + random.nextInt(3);
            long block = 1;
            for (int i = 0; i < length; i++)
            {
                block = block * 2 + random.nextInt(2);
                builder.addBlock(block);
            }
            builder.endRequest();
        }
        return builder.build();
    }

    @Test
    void shouldBeAsGoodAsCaffeineWhenThePolicyIsTinyLfu()
    {
        assertThat(ComparedPolicy.TINYLFU.hitRatio(TRACE, CAPACITY))
            .isCloseTo(ComparedPolicy.CAFFEINE.hitRatio(TRACE, CAPACITY), within(0.03));
    }

    @Test
    void shouldWriteAResultForEachPolicyWhenAFileIsGiven() throws IOException
    {
        final Path trace = directory.resolve("generated.jsonl");
        final Path json = directory.resolve("results.json");
        final Path plot = directory.resolve("new/results.svg");
        TraceWriter.write(TRACE, trace);

        assertThat(run("--trace", trace.toString(), "--capacities", "1k,10%", "--policies", "lru,fluxon,bound",
            "--json", json.toString(), "--plot", plot.toString())).isZero();

        final JsonNode results = new ObjectMapper().readTree(Files.readAllBytes(json));
        assertThat(results).hasSize(6);
        assertThat(results.get(1).path("trace").asText()).isEqualTo("generated.jsonl");
        assertThat(results.get(1).path("capacity_blocks").intValue()).isEqualTo(1000);
        assertThat(results.get(1).path("policy").asText()).isEqualTo("fluxon");
        assertThat(results.get(1).path("hit_ratio").doubleValue())
            .isCloseTo(ComparedPolicy.FLUXON.hitRatio(TRACE, 1000), within(1e-6));
        assertThat(out.toString()).contains("gap closed");
        assertThat(Files.readString(plot)).startsWith("<svg ").contains("generated.jsonl", ">bound<", "#d00000");
    }

    @ParameterizedTest
    @ValueSource(strings = { "0", "-1", "1m", "101%", "0%", "999999999k", "" })
    void shouldRefuseACapacityWhenItIsNone(final String capacity)
    {
        assertThat(run("--trace", "none.jsonl", "--capacities", capacity)).isEqualTo(2);
        assertThat(out.toString()).contains("--capacities", "1% to 100%");
    }

    @Test
    void shouldSayWhatIsWrongWhenATraceIsNotThere()
    {
        assertThat(run("--trace", "none.jsonl", "--capacities", "1k")).isEqualTo(1);
        assertThat(out.toString()).contains("none.jsonl: no such file");
    }

    private int run(final String... args)
    {
        final CommandLine command = new CommandLine(new PolicyCommand()).setCaseInsensitiveEnumValuesAllowed(true);
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(out, true));
        return command.execute(args);
    }

    /** Tries every set of blocks that may be kept after each request. */
    private static long mostHits(final Trace trace, final int request, final Set<Long> held, final int capacity)
    {
        if (request == trace.requestCount())
        {
            return 0;
        }
        int hits = 0;
        while (hits < trace.blockCount(request) && held.contains(trace.blockId(request, hits)))
        {
            hits++;
        }

        final Set<Long> all = new LinkedHashSet<>(held);
        for (int i = 0; i < trace.blockCount(request); i++)
        {
            all.add(trace.blockId(request, i));
        }
        final List<Long> blocks = new ArrayList<>(all);
        blocks.removeIf(block -> !isUsedAfter(trace, request, block));
        long most = 0;
        for (int set = 0; set < 1 << blocks.size(); set++)
        {
            if (Integer.bitCount(set) == Math.min(capacity, blocks.size()))
            {
                final Set<Long> kept = new LinkedHashSet<>();
                for (int i = 0; i < blocks.size(); i++)
                {
                    if (0 != (set & 1 << i))
                    {
                        kept.add(blocks.get(i));
                    }
                }
                most = Math.max(most, mostHits(trace, request + 1, kept, capacity));
            }
        }
        return hits + most;
    }

    private static boolean isUsedAfter(final Trace trace, final int request, final long block)
    {
        for (int later = request + 1; later < trace.requestCount(); later++)
        {
            for (int i = 0; i < trace.blockCount(later); i++)
            {
                if (block == trace.blockId(later, i))
                {
                    return true;
                }
            }
        }
        return false;
    }
}
