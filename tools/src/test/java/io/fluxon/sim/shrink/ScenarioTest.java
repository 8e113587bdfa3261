package io.fluxon.sim.shrink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxon.sim.cluster.ChoiceLog;
import io.fluxon.sim.cluster.ChoiceLog.Choice;
import io.fluxon.sim.cluster.Choices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioTest
{
    private static final String HEAD = "fluxon-scenario 1\nrule A2\nseed 7\nshows it\nchoices ";

    @TempDir
    private Path directory;

    @Test
    void shouldReadWhatWasWritten() throws IOException
    {
        final List<Choice> choices = new ArrayList<>();
        for (int i = 0; i < 500; i++)
        {
            choices.add(new Choice("load worker-0", 3 * i, 1 + i * 1_000_003L));
        }
        choices.add(new Choice("worker-0 > owner-1.1000#1", Integer.MAX_VALUE, Long.MAX_VALUE));
        final Scenario scenario = new Scenario("SLOT-7", -1, "one\n  line ", ChoiceLog.of(choices));
        final Path file = directory.resolve(scenario.fileName());

        ScenarioWriter.write(scenario, file);
        final Scenario read = ScenarioReader.read(file);

        assertThat(file.getFileName()).hasToString("sim-SLOT-7-18446744073709551615.scenario");
        assertThat(read.rule()).isEqualTo("SLOT-7");
        assertThat(read.seed()).isEqualTo(-1);
        assertThat(read.shows()).isEqualTo("one line");
        assertThat(read.choices().choices()).isEqualTo(choices);
        assertThat(file).content().satisfies((text) ->
            assertThat(text.lines()).allSatisfy((line) -> assertThat(line).hasSizeLessThanOrEqualTo(120)));
    }

    @Test
    void shouldReadTheChoicesThatARunMakes()
    {
        final ChoiceLog log = new ChoiceLog();
        final Choices.Stream drawn = Choices.ofSeed(3, log).stream("a b");
        final long[] values = new long[100];
        for (int i = 0; i < values.length; i++)
        {
            values[i] = drawn.between(5, 20);
        }

        final String text = ScenarioWriter.format(new Scenario("A1", 3, "nothing", log));
        final Choices.Stream read = Choices.of(ScenarioReader.parse("x", text).choices()).stream("a b");

        for (final long value : values)
        {
            assertThat(read.between(5, 20)).isEqualTo(value);
        }
    }

    @Test
    void shouldLeaveRemarksAndEmptyLinesOut()
    {
        final Scenario scenario = ScenarioReader.parse(
            "x", "# why\n\n" + HEAD + "1\n# of the owner\nstream a\n4=2\n\nend\n#\n");

        assertThat(scenario.choices().choices()).containsExactly(new Choice("a", 4, 2));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "|x:1: is the end of the file, allowed: a line 'end' at last",
        "fluxon-scenario 2|x:1: is 'fluxon-scenario 2', allowed: 'fluxon-scenario 1' in the first line",
        "fluxon-scenario 1;seed 7|x:2: is 'seed 7', allowed: 'rule ...'",
        "fluxon-scenario 1;rule A/2|x:2: is rule 'A/2', allowed: 1 to 40 letters, digits and '-'",
        "fluxon-scenario 1;rule A2;seed x|x:3: is seed 'x', allowed: a number from 0 to 18446744073709551615",
        "fluxon-scenario 1;rule A2;seed 7;shows it;choices -1|x:5: is number of choices '-1', allowed: a number",
        "HEAD1;4=1|x:6: is '4=1', allowed: 'stream NAME' or 'end'",
        "HEAD1;stream a;4|x:7: is '4', allowed: INDEX=VALUE, 'stream NAME' or 'end'",
        "HEAD1;stream a;4=x|x:7: is value 'x', allowed: a number from 0 to 9223372036854775807",
        "HEAD1;stream a;4=0|x:7: is '4=0', allowed: an index above -1 and a value above 0",
        "HEAD2;stream a;4=1 4=1|x:7: is '4=1', allowed: an index above 4 and a value above 0",
        "HEAD1;stream a;9999999999=1|x:7: is index '9999999999', allowed: a number from 0 to 2147483647",
        "HEAD1;stream a;4=1;stream a;5=1|x:8: is stream 'a', allowed: a name of 1 to 200 characters, each name once",
        "HEAD2;stream a;4=1;end|x:8: is 1 choices, allowed: 2, as the line 'choices' says",
        "HEAD1;stream a;4=1|x:7: is the end of the file, allowed: a line 'end' at last",
        "HEAD0;end;stream a|x:7: is 'stream a', allowed: nothing after 'end'"
    })
    void shouldSayWhatIsWrongAndWhatIsAllowed(final String text, final String message)
    {
        final String whole = null == text ? "" : text.replace("HEAD", HEAD).replace(";", "\n");

        assertThatThrownBy(() -> ScenarioReader.parse("x", whole))
            .isInstanceOf(ScenarioException.class)
            .hasMessageStartingWith(message);
    }

    @Test
    void shouldNameAFileThatCannotBeRead()
    {
        assertThatThrownBy(() -> ScenarioReader.read(directory.resolve("no.scenario")))
            .isInstanceOf(ScenarioException.class)
            .hasMessageContaining("no.scenario cannot be read");
    }
}
