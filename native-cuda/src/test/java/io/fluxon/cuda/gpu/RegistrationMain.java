package io.fluxon.cuda.gpu;

import io.fluxon.cuda.CopyPlace;
import io.fluxon.cuda.CopySegment;
import io.fluxon.cuda.CopySettings;
import io.fluxon.cuda.CopyWorker;
import io.fluxon.cuda.SegmentRegistry;
import io.fluxon.cuda.driver.CudaFailure;

import java.lang.foreign.MemorySegment;

/**
 * Opens a worker twice on a segment of an arena and four grants, which nobody touches, in whatever place there is.
 */
final class RegistrationMain
{
    private static final long GRANT_BYTES = 512L << 20;
    private static final long ADDRESS = 1L << 40;

    private RegistrationMain()
    {
    }

    public static void main(final String[] arguments)
    {
        open();
        open();
    }

    private static void open()
    {
        final CopySegment segment = new CopySegment(
            "test", MemorySegment.ofAddress(ADDRESS).address(), 4096 + 4 * GRANT_BYTES, 7, 4096, GRANT_BYTES);
        try (CopyWorker worker = CopyWorker.open(segment, CopySettings.of(CopyPlace.AUTO), (line) -> {}))
        {
            System.out.println("registered");
        }
        catch (final CudaFailure ex)
        {
            System.out.println(ex.getMessage());
        }
        System.out.println(SegmentRegistry.OF_PROCESS.size() + " segments registered");
    }
}
