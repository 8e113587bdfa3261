package io.fluxon.engine.master;

import io.fluxon.codecs.control.BatchGetDoneResponseEncoder;
import io.fluxon.codecs.control.BatchGetStartResponseEncoder;
import io.fluxon.codecs.control.EvictSourceResponseEncoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PublishResponseEncoder;
import io.fluxon.codecs.control.ReplicaStartResponseEncoder;
import io.fluxon.codecs.control.ReportResponseEncoder;
import io.fluxon.codecs.control.ReserveResponseEncoder;
import io.fluxon.codecs.control.RouteDeleteResponseEncoder;
import io.fluxon.codecs.control.RouteExistsResponseEncoder;

/**
 * Offsets of the first item in the answers that have one item a key: items are of fixed length, so each is written at
 * its place, in any order and over several duty cycles.
 */
final class Answers
{
    static final int RESERVE_ITEMS = MessageHeaderEncoder.ENCODED_LENGTH + ReserveResponseEncoder.BLOCK_LENGTH +
        Entries.GROUP_HEADER_LENGTH;

    static final int PUBLISH_ITEMS = MessageHeaderEncoder.ENCODED_LENGTH + PublishResponseEncoder.BLOCK_LENGTH +
        Entries.GROUP_HEADER_LENGTH;

    static final int GET_START_ITEMS = MessageHeaderEncoder.ENCODED_LENGTH +
        BatchGetStartResponseEncoder.BLOCK_LENGTH + Entries.GROUP_HEADER_LENGTH;

    static final int GET_DONE_ITEMS = MessageHeaderEncoder.ENCODED_LENGTH + BatchGetDoneResponseEncoder.BLOCK_LENGTH +
        Entries.GROUP_HEADER_LENGTH;

    static final int ROUTE_EXISTS_ITEMS = MessageHeaderEncoder.ENCODED_LENGTH +
        RouteExistsResponseEncoder.BLOCK_LENGTH + Entries.GROUP_HEADER_LENGTH;

    static final int REPORT_ITEMS = MessageHeaderEncoder.ENCODED_LENGTH + ReportResponseEncoder.BLOCK_LENGTH +
        Entries.GROUP_HEADER_LENGTH;

    static final int REPLICA_START_LENGTH =
        MessageHeaderEncoder.ENCODED_LENGTH + ReplicaStartResponseEncoder.BLOCK_LENGTH;

    static final int EVICT_ITEMS = MessageHeaderEncoder.ENCODED_LENGTH + EvictSourceResponseEncoder.BLOCK_LENGTH +
        Entries.GROUP_HEADER_LENGTH;

    static final int DELETE_ITEMS = MessageHeaderEncoder.ENCODED_LENGTH + RouteDeleteResponseEncoder.BLOCK_LENGTH +
        Entries.GROUP_HEADER_LENGTH;

    private Answers()
    {
    }
}
