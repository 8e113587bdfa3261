package io.fluxon.ipc.counters;

import org.agrona.concurrent.CachedEpochClock;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CountersFileTest
{
    private static final int ERROR_LOG_LENGTH = 64 * 1024;

    @TempDir
    Path folder;

    private final CachedEpochClock clock = new CachedEpochClock();

    @Test
    void shouldShowCountersAndErrorsToAnotherMapping()
    {
        clock.update(1_000);
        try (CountersFile file = create())
        {
            final AtomicCounter counter = file.counters().newCounter("puts", 9);
            counter.setRelease(41);
            try (CountersView view = CountersFile.map(file.path()))
            {
                counter.getAndAdd(1);
                clock.update(2_000);
                file.errorLog().record(new IllegalStateException("slot is gone"));
                file.errorLog().record(new IllegalStateException("slot is gone"));

                final List<String> errors = new ArrayList<>();
                assertThat(view.readErrors((count, first, last, text) -> errors.add(count + " " + text), 0))
                    .isEqualTo(2);
                assertThat(view.counters().getCounterValue(counter.id())).isEqualTo(42);
                assertThat(view.counters().getCounterLabel(counter.id())).isEqualTo("puts");
                assertThat(view.name()).isEqualTo("owner ä");
                assertThat(view.pid()).isEqualTo(ProcessHandle.current().pid());
                assertThat(view.startTimeMs()).isEqualTo(1_000);
                assertThat(errors).allMatch((text) -> text.startsWith("1 ") && text.contains("slot is gone"));
                assertThat(view.readErrors((count, first, last, text) -> errors.add(text), 2_001)).isZero();
            }
        }
    }

    @Test
    void shouldReplaceTheFileOfAnEarlierProcessAndLeaveItToItsReaders()
    {
        try (CountersFile first = create())
        {
            first.counters().newCounter("old").setRelease(1);
            try (CountersView old = CountersFile.map(first.path());
                CountersFile second = create())
            {
                second.counters().newCounter("new").setRelease(2);
                try (CountersView view = CountersFile.map(second.path()))
                {
                    assertThat(view.counters().getCounterLabel(0)).isEqualTo("new");
                }
                assertThat(old.counters().getCounterLabel(0)).isEqualTo("old");
            }
        }
        assertThat(folder.toFile().list()).containsExactly("owner.cnc");
    }

    @Test
    void shouldRefuseWhatIsNoCountersFileOfThisVersion() throws Exception
    {
        final Path path;
        try (CountersFile file = create())
        {
            path = file.path();
        }

        assertRefused(folder.resolve("none.cnc"), "does not exist");
        patch(path, CountersFileDescriptor.VERSION_OFFSET, 9);
        assertRefused(path, "version");
        patch(path, CountersFileDescriptor.MAGIC_OFFSET, 9);
        assertRefused(path, "magic");
        create().close();
        patch(path, CountersFileDescriptor.MAX_COUNTERS_OFFSET, 0x7F);
        assertRefused(path, "its header says");
        create().close();
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw"))
        {
            file.setLength(file.length() - 4096);
        }
        assertRefused(path, "its header says");
        Files.write(path, new byte[100]);
        assertRefused(path, "100 bytes");
    }

    @Test
    void shouldRefuseSizesOutOfRange()
    {
        final Path path = folder.resolve("owner.cnc");

        assertThatThrownBy(() -> CountersFile.create(path, "a", 0, ERROR_LOG_LENGTH, clock))
            .hasMessageContaining("maxCounters 0");
        assertThatThrownBy(() -> CountersFile.create(path, "a", 10, 100, clock))
            .hasMessageContaining("errorLogLength 100");
        assertThatThrownBy(() -> CountersFile.create(path, "a".repeat(201), 10, ERROR_LOG_LENGTH, clock))
            .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldTakeOneWishAtATimeFromOutside()
    {
        try (CountersFile file = create())
        {
            file.counters().newCounter("puts");
            final ControlToggle inside = ControlToggle.allocate(file.counters());
            try (CountersView view = CountersFile.map(file.path()))
            {
                final ControlToggle outside = view.toggle();
                assertThat(outside.counterId()).isEqualTo(inside.counterId());
                assertThat(inside.get()).isEqualTo(ControlToggle.State.NEUTRAL);
                assertThat(outside.request(ControlToggle.State.AUDIT)).isTrue();
                assertThat(outside.request(ControlToggle.State.AUDIT)).isFalse();
                assertThat(inside.get()).isEqualTo(ControlToggle.State.AUDIT);

                inside.reset();
                assertThat(outside.get()).isEqualTo(ControlToggle.State.NEUTRAL);
                assertThat(outside.request(ControlToggle.State.AUDIT)).isTrue();
            }
        }
    }

    @Test
    void shouldTakeAValueOfNoMeaningForNeutral()
    {
        try (CountersFile file = create())
        {
            final CountersManager counters = file.counters();
            assertThat(ControlToggle.find(counters)).isNull();
            final ControlToggle toggle = ControlToggle.allocate(counters);
            counters.valuesBuffer().putLong(CountersReader.counterOffset(toggle.counterId()), 77);

            assertThat(toggle.get()).isEqualTo(ControlToggle.State.NEUTRAL);
            assertThatThrownBy(() -> toggle.request(ControlToggle.State.NEUTRAL))
                .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private CountersFile create()
    {
        return CountersFile.create(folder.resolve("owner.cnc"), "owner ä", 16, ERROR_LOG_LENGTH, clock);
    }

    private static void patch(final Path path, final int offset, final int value) throws Exception
    {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw"))
        {
            file.seek(offset);
            file.write(value);
        }
    }

    private static void assertRefused(final Path path, final String cause)
    {
        assertThatThrownBy(() -> CountersFile.map(path)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining(path.toString()).hasMessageContaining(cause);
    }
}
