/**
 * The shared segment of an owner: its layout ({@link io.fluxon.ipc.segment.SegmentDescriptor}), the owner's side that
 * creates and locks it ({@link io.fluxon.ipc.segment.SegmentFile}) and what workers and peers map of it ({@link
 * io.fluxon.ipc.segment.SegmentMapping}).
 */
package io.fluxon.ipc.segment;
