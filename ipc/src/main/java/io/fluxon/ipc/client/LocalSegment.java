package io.fluxon.ipc.client;

/**
 * The owner's memory in this process: what a worker registers with CUDA (contract REG-1).
 *
 * @param segmentLabel "external_owner:0".
 * @param writePtr     address of the writable mapping.
 * @param readPtr      address of the readable mapping, the same one.
 * @param len          length in bytes.
 * @param generation   of the owner.
 * @param nodeId       of the owner.
 * @param grantsOffset bytes from the address to the first grant; before it lies the plan arena.
 * @param grantBytes   length of a grant: no value straddles two of them.
 */
public record LocalSegment(
    String segmentLabel,
    long writePtr,
    long readPtr,
    long len,
    long generation,
    String nodeId,
    long grantsOffset,
    long grantBytes)
{
    /** Label of the one segment that an attached worker sees. */
    public static final String EXTERNAL_OWNER = "external_owner:0";
}
