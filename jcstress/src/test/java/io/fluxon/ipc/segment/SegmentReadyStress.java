package io.fluxon.ipc.segment;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

import java.lang.foreign.MemorySegment;

/**
 * Segment header: the owner writes it and then the ready flag, a worker or peer reads the flag and then the rest.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "not ready yet")
@Outcome(id = "1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "ready and whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "ready, but a field is not there")
@State
public class SegmentReadyStress
{
    private static final SegmentLayout LAYOUT = new SegmentLayout("stress", 3, 77, 8192, 1 << 20, 1 << 20);

    private final MemorySegment header = MemorySegment.ofArray(new long[16]);

    @Actor
    public void owner()
    {
        SegmentHeader.write(header, LAYOUT);
        SegmentDescriptor.ready(header, SegmentDescriptor.READY);
    }

    @Actor
    public void worker(final I_Result result)
    {
        result.r1 = SegmentDescriptor.READY == SegmentDescriptor.ready(header) ? (isWhole() ? 1 : -1) : 0;
    }

    private boolean isWhole()
    {
        return LAYOUT.grantQuantum() == SegmentDescriptor.getLong(header, SegmentDescriptor.GRANT_QUANTUM_OFFSET) &&
            LAYOUT.totalLength() == SegmentDescriptor.getLong(header, SegmentDescriptor.TOTAL_LENGTH_OFFSET) &&
            LAYOUT.grantsLength() == SegmentDescriptor.getLong(header, SegmentDescriptor.GRANTS_LENGTH_OFFSET) &&
            LAYOUT.generation() == SegmentDescriptor.getLong(header, SegmentDescriptor.GENERATION_OFFSET) &&
            LAYOUT.ownerId() == SegmentDescriptor.getInt(header, SegmentDescriptor.OWNER_ID_OFFSET) &&
            SegmentDescriptor.MAGIC == SegmentDescriptor.getLong(header, SegmentDescriptor.MAGIC_OFFSET);
    }
}
