package io.fluxon.cuda.gpu;

import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.copy.CopyProxy;
import io.fluxon.cuda.driver.CudaEvent;
import io.fluxon.cuda.driver.CudaStream;
import io.fluxon.cuda.driver.DeviceMemory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/**
 * A large matrix product over and over, halves in and floats out, on a stream of its own, by cuBLAS: what an engine
 * computes while pages are copied. Its rate alone and beside copies is what those cost it.
 */
final class GpuProduct implements AutoCloseable
{
    private static final int SIDE = 8192;
    private static final int SAMPLES = 16;
    private static final int HALF_OR_MORE = 0x3800;
    private static final int SIGN_AND_FRACTION = 0x83FF;
    private static final double TOLERANCE = 0.01;

    private final CudaStream stream = new CudaStream(0);
    private final Cublas blas = new Cublas(stream);
    private final CudaEvent start = new CudaEvent(true);
    private final CudaEvent end = new CudaEvent(true);
    private final DeviceMemory left = new DeviceMemory((long)SIDE * SIDE * Short.BYTES);
    private final DeviceMemory right = new DeviceMemory((long)SIDE * SIDE * Short.BYTES);
    private final DeviceMemory result = new DeviceMemory((long)SIDE * SIDE * Float.BYTES);
    private double copyRate;

    GpuProduct()
    {
        try (Arena scratch = Arena.ofShared())
        {
            final MemorySegment a = halves(scratch, 1);
            final MemorySegment b = halves(scratch, 2);
            left.write(0, a);
            right.write(0, b);
            alone(1);
            check(scratch, a, b);
        }
    }

    /** Runs so many products and nothing beside them; operations a second. */
    double alone(final int products)
    {
        begin(products);
        end.synchronize();
        return rate(products);
    }

    /** Runs so many products, and copies beside them without a pause; operations a second. */
    double beside(
        final int products, final GpuBed bed, final GpuLoad load, final CopyStrategy strategy, final int pages)
    {
        long copies = 0;
        begin(products);
        final long startNs = System.nanoTime();
        while (!end.isDone())
        {
            for (int i = 0; i < 2; i++)
            {
                load.prepare(pages);
                load.offer(strategy, 0, CopyProxy.NONE);
            }
            final String failure = bed.await(2);
            if (null != failure)
            {
                throw new IllegalStateException(strategy + " beside a product: " + failure);
            }
            copies += 2;
        }
        copyRate = (double)copies * load.bytes(pages) / (System.nanoTime() - startNs);
        return rate(products);
    }

    /** Bytes a nanosecond of the copies that were made beside the last products. */
    double copyRate()
    {
        return copyRate;
    }

    /** Half as many products go first: what the device's clock falls to under this load is what is measured. */
    private void begin(final int products)
    {
        for (int i = 0; i < products / 2; i++)
        {
            blas.multiply(left.address(), right.address(), result.address(), SIDE);
        }
        start.record(stream);
        for (int i = 0; i < products; i++)
        {
            blas.multiply(left.address(), right.address(), result.address(), SIDE);
        }
        end.record(stream);
    }

    private double rate(final int products)
    {
        return 2.0 * SIDE * SIDE * SIDE * products / (end.millisSince(start) / 1e3);
    }

    /** Numbers of 0.5 to 1, of either sign. */
    private static MemorySegment halves(final Arena arena, final long seed)
    {
        final MemorySegment content = arena.allocate((long)SIDE * SIDE * Short.BYTES, Long.BYTES);
        GpuBed.fillRandom(content, seed);
        for (long i = 0; i < (long)SIDE * SIDE; i++)
        {
            final int bits = content.getAtIndex(ValueLayout.JAVA_SHORT, i) & SIGN_AND_FRACTION | HALF_OR_MORE;
            content.setAtIndex(ValueLayout.JAVA_SHORT, i, (short)bits);
        }
        return content;
    }

    private void check(final Arena arena, final MemorySegment a, final MemorySegment b)
    {
        final MemorySegment c = arena.allocate((long)SIDE * SIDE * Float.BYTES, Long.BYTES);
        result.read(0, c);
        final SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < SAMPLES; i++)
        {
            final long row = random.nextInt(SIDE);
            final long column = random.nextInt(SIDE);
            double expected = 0;
            for (int k = 0; k < SIDE; k++)
            {
                expected += (double)half(a, row * SIDE + k) * half(b, (long)k * SIDE + column);
            }
            final float actual = c.getAtIndex(ValueLayout.JAVA_FLOAT, row * SIDE + column);
            if (!(Math.abs(expected - actual) <= TOLERANCE * Math.max(1, Math.abs(expected))))
            {
                throw new IllegalStateException("product at row " + row + ", column " + column + " is " + actual +
                    ", expected: " + expected);
            }
        }
    }

    private static float half(final MemorySegment content, final long index)
    {
        return Float.float16ToFloat(content.getAtIndex(ValueLayout.JAVA_SHORT, index));
    }

    @Override
    public void close()
    {
        result.close();
        right.close();
        left.close();
        end.close();
        start.close();
        blas.close();
        stream.close();
    }
}
