package io.fluxon.ipc.segment;

import io.fluxon.ipc.ErrorCode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.RandomAccessFile;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

import static org.agrona.UnsafeApi.getLong;
import static org.agrona.UnsafeApi.putLong;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class SegmentFileTest
{
    private static final long QUANTUM = 64 * 1024;
    private static final long GENERATION = 1_764_450_000_000_000_007L;

    @TempDir
    Path folder;

    @Test
    @Tag("REG-1")
    void shouldShareArenaAndGrantsWithAWorkerAndNothingElse()
    {
        try (SegmentFile segment = create(GENERATION))
        {
            segment.markReady();
            final SegmentLayout layout = segment.layout();
            try (SegmentMapping worker = SegmentFile.mapForWorker(segment.path(), GENERATION))
            {
                putLong(worker.addressOf(layout.grantsOffset() + 8, 8), 77);
                assertThat(getLong(segment.addressOf(layout.grantsOffset() + 8, 8))).isEqualTo(77);
                putLong(segment.baseAddress() + layout.arenaOffset(), 78);
                assertThat(getLong(worker.baseAddress() + layout.arenaOffset())).isEqualTo(78);

                assertThat(worker.ownerId()).isEqualTo(3);
                assertThat(worker.generation()).isEqualTo(GENERATION);
                assertThat(worker.mapOffset()).isEqualTo(4096);
                assertThat(worker.grantsOffset()).isEqualTo(layout.grantsOffset());
                assertThat(worker.mappedLength()).isEqualTo(layout.totalLength() - 4096);
                assertThat(worker.contains(0, 8)).isFalse();
                assertThat(worker.mappedAddress()).isEqualTo(worker.addressOf(4096, worker.mappedLength()));
            }
        }
    }

    @Test
    @Tag("GET-1")
    void shouldCheckTheRangeBeforeItFormsAnAddress()
    {
        try (SegmentFile segment = create(GENERATION))
        {
            segment.markReady();
            final long end = segment.layout().totalLength();
            try (SegmentMapping worker = SegmentFile.mapForWorker(segment.path(), GENERATION))
            {
                assertThat(worker.contains(end - 8, 8)).isTrue();
                assertThat(worker.contains(end, 0)).isTrue();
                for (final long[] range : new long[][]{{end - 8, 9}, {end, 1}, {0, 1}, {4095, 2}, {-1, 1}, {4096, -1},
                    {Long.MIN_VALUE, 8}, {Long.MAX_VALUE, 8}, {4096, Long.MAX_VALUE}, {end - 8, Long.MIN_VALUE}})
                {
                    assertThat(worker.contains(range[0], range[1])).isFalse();
                    assertThatThrownBy(() -> worker.addressOf(range[0], range[1]))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                    assertThatThrownBy(() -> segment.addressOf(range[0], range[1]))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                }
            }
        }
    }

    @Test
    @Tag("SLOT-7")
    void shouldMapOnlyTheGrantsForAPeerAndReadOnly()
    {
        try (SegmentFile segment = create(GENERATION))
        {
            segment.markReady();
            try (SegmentMapping peer = SegmentFile.mapForPeer(segment.path(), GENERATION))
            {
                assertThat(peer.memory().isReadOnly()).isTrue();
                assertThat(peer.mapOffset()).isEqualTo(segment.layout().grantsOffset());
                assertThat(peer.mappedLength()).isEqualTo(segment.layout().grantsLength());
                assertThat(peer.contains(segment.layout().arenaOffset(), 8)).isFalse();
            }
        }
    }

    @Test
    void shouldKeepTheSlotTableInNoFile()
    {
        try (SegmentFile segment = create(GENERATION))
        {
            assertThat(segment.slotsLength()).isEqualTo(8192);
            putLong(segment.slotsAddress() + 8184, 5);
            assertThat(segment.slots().get(ValueLayout.JAVA_LONG, 8184)).isEqualTo(5);
            assertThat(segment.slots().get(ValueLayout.JAVA_LONG, 0)).isZero();
            assertThat(folder.toFile().list())
                .containsExactlyInAnyOrder("node-0.lock", layout(GENERATION).segmentFileName());
        }
        try (SegmentFile segment = SegmentFile.create(folder, layout(GENERATION + 1), 0))
        {
            assertThat(segment.slotsAddress()).isZero();
            assertThat(segment.slotsLength()).isZero();
        }
    }

    @Test
    void shouldRefuseMoreThanTheFileSystemHasFree() throws Exception
    {
        final long tooMuch = (Files.getFileStore(folder).getUsableSpace() / QUANTUM + 1024) * QUANTUM;
        final SegmentLayout layout = new SegmentLayout("node-0", 3, GENERATION, 4096, tooMuch, QUANTUM);

        assertRefused(() -> SegmentFile.create(folder, layout, 0), ErrorCode.NO_SPACE, "bytes free of");
        assertThat(folder.resolve(layout.segmentFileName())).doesNotExist();
        create(GENERATION).close();
    }

    @Test
    void shouldRefuseASecondOwnerInThisProcessAndLeaveTheFirstAlone()
    {
        try (SegmentFile segment = create(GENERATION))
        {
            for (int i = 0; i < 2; i++)
            {
                assertRefused(() -> create(GENERATION + 1), ErrorCode.INVALID_ARGUMENT,
                    "node-0.lock is held by this process, pid " + ProcessHandle.current().pid());
            }
            assertThat(segment.path()).exists();
        }
        create(GENERATION + 1).close();
    }

    @Test
    void shouldRefuseASecondOwnerInAnotherProcessAndNameTheFirst() throws Exception
    {
        final Process holder = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            "--enable-native-access=ALL-UNNAMED", LockHolder.class.getName(), folder.toString())
            .redirectErrorStream(true).start();
        try
        {
            assertThat(holder.inputReader().readLine()).isEqualTo("held");
            assertRefused(() -> create(GENERATION + 1), ErrorCode.INVALID_ARGUMENT,
                "node-0.lock is held by pid " + holder.pid());
        }
        finally
        {
            holder.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }

        assertThat(folder.resolve(layout(GENERATION).segmentFileName())).exists();
        create(GENERATION + 1).close();
        assertThat(folder.resolve(layout(GENERATION).segmentFileName())).doesNotExist();
    }

    @Test
    @Tag("SLOT-7")
    void shouldUnlinkOlderGenerationsOfTheInstanceOnly() throws Exception
    {
        for (final String name : new String[]{"node-0-5.segment", "node-0-6.segment"})
        {
            Files.writeString(folder.resolve(name), "old");
        }
        final String[] others = {"node-00-5.segment", "node-0-x.segment", "node-0-.segment", "node-5.segment"};
        for (final String name : others)
        {
            Files.writeString(folder.resolve(name), "other");
        }
        assertThat(SegmentFile.newestGeneration(folder, "node-0")).isEqualTo(6);
        assertThat(SegmentFile.newestGeneration(folder.resolve("none"), "node-0")).isZero();

        create(GENERATION).close();
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder(
            "node-00-5.segment", "node-0-x.segment", "node-0-.segment", "node-5.segment", "node-0.lock");
    }

    @Test
    void shouldRefuseAGenerationThatIsNotNewer() throws Exception
    {
        Files.writeString(folder.resolve("node-0-" + GENERATION + ".segment"), "newer");

        assertRefused(() -> create(GENERATION), ErrorCode.INVALID_ARGUMENT, "is not newer than generation");
        assertRefused(() -> create(GENERATION - 1), ErrorCode.INVALID_ARGUMENT, "is not newer than generation");
        assertThat(folder.resolve("node-0-" + GENERATION + ".segment")).exists();
    }

    @Test
    void shouldRefuseToMapWhatIsNoReadySegmentOfTheGeneration() throws Exception
    {
        try (SegmentFile segment = create(GENERATION))
        {
            final Path path = segment.path();
            assertNotMapped(path, GENERATION, ErrorCode.INVALID_ARGUMENT, "is not ready");
            segment.markReady();
            assertNotMapped(path, GENERATION + 1, ErrorCode.OWNER_GENERATION_MISMATCH, "expected is");
            assertNotMapped(path.resolveSibling("none"), GENERATION, ErrorCode.UNKNOWN, "there is no segment file");

            assertFaultyHeader(path, SegmentDescriptor.MAGIC_OFFSET, "is no segment");
            assertFaultyHeader(path, SegmentDescriptor.LAYOUT_VERSION_OFFSET, "layout version");
            assertFaultyHeader(path, SegmentDescriptor.TOTAL_LENGTH_OFFSET, "its header says");
            assertFaultyHeader(path, SegmentDescriptor.ARENA_OFFSET_OFFSET, "not consistent");
            assertFaultyHeader(path, SegmentDescriptor.ARENA_LENGTH_OFFSET, "not consistent");
            assertFaultyHeader(path, SegmentDescriptor.GRANTS_OFFSET_OFFSET, "not consistent");
            assertFaultyHeader(path, SegmentDescriptor.GRANTS_LENGTH_OFFSET, "not consistent");
            assertFaultyHeader(path, SegmentDescriptor.GRANT_QUANTUM_OFFSET, "not consistent");
            SegmentFile.mapForWorker(path, GENERATION).close();
        }
    }

    @Test
    void shouldRefuseATruncatedFile() throws Exception
    {
        final Path copy = folder.resolve("copy.segment");
        try (SegmentFile segment = create(GENERATION))
        {
            segment.markReady();
            Files.copy(segment.path(), copy);
        }
        try (RandomAccessFile file = new RandomAccessFile(copy.toFile(), "rw"))
        {
            file.setLength(file.length() - 1);
            assertNotMapped(copy, GENERATION, ErrorCode.INVALID_ARGUMENT, "its header says");
            file.setLength(100);
            assertNotMapped(copy, GENERATION, ErrorCode.INVALID_ARGUMENT, "has 100 bytes");
            file.setLength(0);
            assertNotMapped(copy, GENERATION, ErrorCode.INVALID_ARGUMENT, "has 0 bytes");
        }
    }

    @Test
    @Tag("SLOT-3")
    void shouldPutMemoryBehindTouchedPagesAndKeepTheirContent() throws Exception
    {
        try (SegmentFile segment = create(GENERATION))
        {
            final long grants = segment.layout().grantsOffset();
            putLong(segment.addressOf(grants, 8), 99);
            final long before = allocatedBytes(segment.path());
            segment.touch(grants, QUANTUM);

            assertThat(getLong(segment.addressOf(grants, 8))).isEqualTo(99);
            assertThat(allocatedBytes(segment.path())).isGreaterThanOrEqualTo(before + QUANTUM - 2 * 4096);
            assertThatThrownBy(() -> segment.touch(grants + 1, 4096)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> segment.touch(0, 4096)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void shouldSayThatSpaceCannotBeTaken() throws Exception
    {
        final Path path = Files.createFile(folder.resolve("file"));

        assertRefused(() -> FileSpace.allocate(path, 0, Long.MAX_VALUE), ErrorCode.UNKNOWN, "cannot take");
        assertRefused(() -> FileSpace.allocate(folder.resolve("none"), 0, 1), ErrorCode.UNKNOWN, "cannot open");
    }

    @Test
    void shouldUnlinkItsFilesAndGiveUpTheLockWhenClosed()
    {
        final SegmentFile segment = create(GENERATION);
        segment.markReady();
        final SegmentMapping worker = SegmentFile.mapForWorker(segment.path(), GENERATION);
        segment.close();
        segment.close();

        assertThat(folder.toFile().list()).containsExactly("node-0.lock");
        assertThat(getLong(worker.addressOf(worker.mapOffset(), 8))).isZero();
        worker.close();
        worker.close();
    }

    @Test
    @Tag("SLOT-3")
    void shouldRefuseALayoutByTheNameOfItsField()
    {
        assertRefused(() -> new SegmentLayout("a/b", 1, 1, 4096, 4096, 4096), ErrorCode.INVALID_ARGUMENT, "instance");
        assertRefused(() -> new SegmentLayout(".a", 1, 1, 4096, 4096, 4096), ErrorCode.INVALID_ARGUMENT, "instance");
        assertRefused(() -> new SegmentLayout("a", 1, 0, 4096, 4096, 4096), ErrorCode.INVALID_ARGUMENT, "generation");
        assertRefused(() -> new SegmentLayout("a", 1, 1, 100, 4096, 4096), ErrorCode.INVALID_ARGUMENT, "arenaLength");
        assertRefused(() -> new SegmentLayout("a", 1, 1, 4096, 4096, 0), ErrorCode.INVALID_ARGUMENT, "grantQuantum");
        assertRefused(
            () -> new SegmentLayout("a", 1, 1, 4096, 4096, 8192), ErrorCode.INVALID_ARGUMENT, "grantsLength is 4096");
    }

    private static void assertFaultyHeader(final Path path, final int offset, final String cause) throws Exception
    {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            final ByteBuffer field = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            channel.read(field, offset);
            final long right = field.getLong(0);
            for (final long wrong : new long[]{right + 1, -right, ~right})
            {
                channel.write(field.putLong(0, wrong).rewind(), offset);
                assertNotMapped(path, GENERATION, ErrorCode.INVALID_ARGUMENT, cause);
            }
            channel.write(field.putLong(0, right).rewind(), offset);
        }
    }

    private static void assertNotMapped(
        final Path path, final long generation, final int errorCode, final String cause)
    {
        assertRefused(() -> SegmentFile.mapForWorker(path, generation), errorCode, cause);
        assertRefused(() -> SegmentFile.mapForPeer(path, generation), errorCode, cause);
    }

    private static void assertRefused(final ThrowingCallable call, final int errorCode, final String cause)
    {
        final SegmentException refused = catchThrowableOfType(SegmentException.class, call);
        assertThat(refused).isNotNull().hasMessageContaining(cause);
        assertThat(refused.errorCode()).isEqualTo(errorCode);
    }

    private static long allocatedBytes(final Path path) throws Exception
    {
        final Process stat = new ProcessBuilder("stat", "-c", "%b %B", path.toString()).start();
        final String[] blocks = stat.inputReader().readLine().split(" ");
        return Long.parseLong(blocks[0]) * Long.parseLong(blocks[1]);
    }

    private SegmentFile create(final long generation)
    {
        return SegmentFile.create(folder, layout(generation), 8192);
    }

    private static SegmentLayout layout(final long generation)
    {
        return new SegmentLayout("node-0", 3, generation, 8192, 4 * QUANTUM, QUANTUM);
    }

    /** Owner in a process of its own. */
    static final class LockHolder
    {
        private LockHolder()
        {
        }

        public static void main(final String[] args) throws Exception
        {
            SegmentFile.create(Path.of(args[0]), layout(GENERATION), 8192);
            System.out.println("held");
            Thread.sleep(60_000);
        }
    }
}
