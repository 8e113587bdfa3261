package io.fluxon.cuda;

/**
 * A segment as the calling process maps it.
 *
 * @param address      of its first byte, a multiple of the system's page.
 * @param length       in bytes.
 * @param chunkBytes   of a registration: no value straddles a multiple of it.
 * @param arenaAddress of the memory that plans lie in.
 * @param arenaLength  in bytes.
 * @param device       ordinal of the device that copies, where there is one.
 */
public record CopySegment(
    long address, long length, long chunkBytes, long arenaAddress, long arenaLength, int device)
{
}
