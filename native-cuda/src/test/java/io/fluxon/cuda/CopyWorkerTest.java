package io.fluxon.cuda;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStatus;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.copy.CopyLimits;
import io.fluxon.cuda.copy.CopyListener;
import io.fluxon.cuda.copy.CopyProxy;
import io.fluxon.cuda.device.CudaCopyConfig;
import io.fluxon.cuda.driver.CudaLibrary;
import io.fluxon.cuda.kernel.CommandWriter;
import io.fluxon.cuda.kernel.CopyCommand;
import io.fluxon.cuda.kernel.Geometry;
import io.fluxon.cuda.kernel.Side;
import io.fluxon.ipc.plan.PlanBlob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class CopyWorkerTest implements CopyListener
{
    private static final int ARENA_BYTES = 4096;
    private static final CopyLimits LIMITS = new CopyLimits(4, 2, 2, 1 << 20, 1 << 20);

    private final Arena memory = Arena.ofConfined();
    private final MemorySegment file = memory.allocate(1 << 20, 4096);
    private final CopySegment segment =
        new CopySegment("test", file.address(), file.byteSize(), 1, ARENA_BYTES, file.byteSize() - ARENA_BYTES);
    private final List<String> notices = new ArrayList<>();
    private final List<CopyStatus> statuses = new ArrayList<>();

    @AfterEach
    void after()
    {
        memory.close();
    }

    @Test
    void shouldSayOnceWhereItCopiesAndCopyInHostMemoryWhenThereIsNoDevice()
    {
        assumeTrue(null != CudaLibrary.problem(), "there is a device here");
        try (CopyWorker worker = open(CopyPlace.AUTO))
        {
            copy(worker);
            copy(worker);
        }

        assertThat(notices).containsExactly("pages are copied in host memory: " + CudaLibrary.problem());
        assertThat(statuses).containsExactly(CopyStatus.DONE, CopyStatus.DONE);
    }

    @Test
    void shouldCopyInHostMemoryWhenItIsConfiguredTo()
    {
        try (CopyWorker worker = open(CopyPlace.HOST))
        {
            copy(worker);
        }

        assertThat(notices).containsExactly("pages are copied in host memory: so configured");
    }

    @Test
    @Tag("REG-1")
    void shouldRefuseToStartWhenADeviceIsAskedForAndThereIsNone()
    {
        assumeTrue(null != CudaLibrary.problem(), "there is a device here");

        assertThatThrownBy(() -> open(CopyPlace.DEVICE))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining(CudaLibrary.problem());
        assertThat(notices).isEmpty();
    }

    @Override
    public void onCopied(final long token, final CopyStatus status, final String reason)
    {
        statuses.add(status);
    }

    @Override
    public void onRecorded(final long token)
    {
        throw new AssertionError("there are no layer events");
    }

    private CopyWorker open(final CopyPlace place)
    {
        return CopyWorker.open(
            segment, new CopySettings(place, 0, CudaCopyConfig.DEFAULT, LIMITS), notices::add);
    }

    private void copy(final CopyWorker worker)
    {
        final MemorySegment pool = memory.allocate(64, 8).fill((byte)5);
        new PlanBlob().init(file.address(), 1).valuePtr(0, file.address() + ARENA_BYTES);
        final CopyCommand command = new CopyCommand().allocate();
        new CommandWriter().begin(command, Geometry.mla(1, 64), 1)
            .pools(Side.SOURCE, memory.allocateFrom(ValueLayout.JAVA_LONG, pool.address()).address())
            .plan(Side.TARGET, file.address(), 1, 0)
            .end();
        worker.proxy().offer(
            1, 0, CopyDirection.BACKUP, CopyStrategy.AUTO, CopyProxy.NONE, CopyProxy.NONE, command);
        worker.agent().doWork();
        worker.agent().doWork();
        worker.proxy().poll(this, 10);
        assertThat(file.asSlice(ARENA_BYTES, 64).toArray(ValueLayout.JAVA_BYTE)).containsOnly(5);
    }
}
