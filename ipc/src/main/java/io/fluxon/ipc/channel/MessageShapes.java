package io.fluxon.ipc.channel;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetDoneResponseDecoder;
import io.fluxon.codecs.control.BatchGetRevokeRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.codecs.control.ConnectResponseDecoder;
import io.fluxon.codecs.control.CopiedElsewhereDecoder;
import io.fluxon.codecs.control.DeleteRequestDecoder;
import io.fluxon.codecs.control.DeleteResponseDecoder;
import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.EvictSourceResponseDecoder;
import io.fluxon.codecs.control.ExistsRequestDecoder;
import io.fluxon.codecs.control.ExistsResponseDecoder;
import io.fluxon.codecs.control.GetCancelRequestDecoder;
import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.GetTransferRequestDecoder;
import io.fluxon.codecs.control.GetTransferResponseDecoder;
import io.fluxon.codecs.control.HeartbeatAckDecoder;
import io.fluxon.codecs.control.HeartbeatDecoder;
import io.fluxon.codecs.control.InspectRequestDecoder;
import io.fluxon.codecs.control.InspectResponseDecoder;
import io.fluxon.codecs.control.KeepAliveDecoder;
import io.fluxon.codecs.control.OperationAckDecoder;
import io.fluxon.codecs.control.PeerUpdateDecoder;
import io.fluxon.codecs.control.PrepareRemovalDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.codecs.control.PullReplicaDecoder;
import io.fluxon.codecs.control.PutAbortRequestDecoder;
import io.fluxon.codecs.control.PutCommitLocalDecoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;
import io.fluxon.codecs.control.PutCommitResultDecoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.codecs.control.PutStartResponseDecoder;
import io.fluxon.codecs.control.RecheckDecoder;
import io.fluxon.codecs.control.RegisterRequestDecoder;
import io.fluxon.codecs.control.RegisterResponseDecoder;
import io.fluxon.codecs.control.ReleaseHoldingsDecoder;
import io.fluxon.codecs.control.RemovalReportDecoder;
import io.fluxon.codecs.control.ReplicaEndDecoder;
import io.fluxon.codecs.control.ReplicaGiveUpRequestDecoder;
import io.fluxon.codecs.control.ReplicaStartRequestDecoder;
import io.fluxon.codecs.control.ReplicaStartResponseDecoder;
import io.fluxon.codecs.control.ReportRequestDecoder;
import io.fluxon.codecs.control.ReportResponseDecoder;
import io.fluxon.codecs.control.ReserveRequestDecoder;
import io.fluxon.codecs.control.ReserveResponseDecoder;
import io.fluxon.codecs.control.RouteDeleteRequestDecoder;
import io.fluxon.codecs.control.RouteDeleteResponseDecoder;
import io.fluxon.codecs.control.RouteExistsRequestDecoder;
import io.fluxon.codecs.control.RouteExistsResponseDecoder;
import io.fluxon.codecs.control.RouteInspectRequestDecoder;
import io.fluxon.codecs.control.RouteInspectResponseDecoder;
import io.fluxon.codecs.control.SessionCloseDecoder;
import io.fluxon.codecs.control.SessionRefusedDecoder;
import io.fluxon.codecs.control.SessionSuspendedDecoder;
import io.fluxon.codecs.control.StatusResponseDecoder;
import io.fluxon.codecs.control.UnreserveRequestDecoder;

/**
 * The shape of each control message: length of its block, then its groups and fields of variable length in order.
 * Stated here once, with the lengths of the generated codecs; a test holds it against the schema. {@code MessagePart}
 * has no shape: it never leaves the {@link MessageAssembler}.
 */
final class MessageShapes
{
    /** Template ids are below it. */
    static final int MAX_TEMPLATES = 256;

    /** Item of a shape: a field of variable length. */
    static final int DATA = -1;

    private static final int[][] SHAPES = new int[MAX_TEMPLATES][];
    private static final int DATA_COUNT_BITS = 8;

    static
    {
        addWorkerMessages();
        addMasterMessages();
        addRemovalMessages();
        addInspectMessages();
    }

    private MessageShapes()
    {
    }

    /**
     * Shape of a message.
     *
     * @param templateId of the message.
     * @return block length, then items; null when there is no such message.
     */
    static int[] of(final int templateId)
    {
        return templateId >= 0 && templateId < MAX_TEMPLATES ? SHAPES[templateId] : null;
    }

    static int groupBlockLength(final int item)
    {
        return item >> DATA_COUNT_BITS;
    }

    static int groupDataCount(final int item)
    {
        return item & (1 << DATA_COUNT_BITS) - 1;
    }

    private static int data()
    {
        return DATA;
    }

    private static int group(final int blockLength, final int dataCount)
    {
        return blockLength << DATA_COUNT_BITS | dataCount;
    }

    private static void add(final int templateId, final int... blockLengthAndItems)
    {
        SHAPES[templateId] = blockLengthAndItems;
    }

    private static void addWorkerMessages()
    {
        add(ConnectRequestDecoder.TEMPLATE_ID, ConnectRequestDecoder.BLOCK_LENGTH,
            group(ConnectRequestDecoder.PlansDecoder.sbeBlockLength(), 0),
            group(ConnectRequestDecoder.HoldingsDecoder.sbeBlockLength(), 0),
            group(ConnectRequestDecoder.RequestsDecoder.sbeBlockLength(), 0), data());
        add(ConnectResponseDecoder.TEMPLATE_ID, ConnectResponseDecoder.BLOCK_LENGTH, data(), data(), data());
        add(KeepAliveDecoder.TEMPLATE_ID, KeepAliveDecoder.BLOCK_LENGTH,
            group(KeepAliveDecoder.UnansweredDecoder.sbeBlockLength(), 0),
            group(KeepAliveDecoder.UnfinishedDecoder.sbeBlockLength(), 0));
        add(SessionCloseDecoder.TEMPLATE_ID, SessionCloseDecoder.BLOCK_LENGTH);
        add(PutStartRequestDecoder.TEMPLATE_ID, PutStartRequestDecoder.BLOCK_LENGTH,
            group(PutStartRequestDecoder.AtomicGroupsDecoder.sbeBlockLength(), 0),
            group(PutStartRequestDecoder.KeysDecoder.sbeBlockLength(), 1), data());
        add(PutStartResponseDecoder.TEMPLATE_ID, PutStartResponseDecoder.BLOCK_LENGTH,
            group(PutStartResponseDecoder.SlotsDecoder.sbeBlockLength(), 0), data());
        add(PutCommitRequestDecoder.TEMPLATE_ID, PutCommitRequestDecoder.BLOCK_LENGTH);
        add(PutCommitLocalDecoder.TEMPLATE_ID, PutCommitLocalDecoder.BLOCK_LENGTH, data());
        add(PutCommitResultDecoder.TEMPLATE_ID, PutCommitResultDecoder.BLOCK_LENGTH,
            group(PutCommitResultDecoder.ResultsDecoder.sbeBlockLength(), 0));
        add(PutAbortRequestDecoder.TEMPLATE_ID, PutAbortRequestDecoder.BLOCK_LENGTH);
        add(StatusResponseDecoder.TEMPLATE_ID, StatusResponseDecoder.BLOCK_LENGTH, data());
        add(GetStartRequestDecoder.TEMPLATE_ID, GetStartRequestDecoder.BLOCK_LENGTH,
            group(GetStartRequestDecoder.AtomicGroupsDecoder.sbeBlockLength(), 0),
            group(GetStartRequestDecoder.KeysDecoder.sbeBlockLength(), 1));
        add(GetStartResponseDecoder.TEMPLATE_ID, GetStartResponseDecoder.BLOCK_LENGTH,
            group(GetStartResponseDecoder.HoldingsDecoder.sbeBlockLength(), 0), data());
        add(GetTransferRequestDecoder.TEMPLATE_ID, GetTransferRequestDecoder.BLOCK_LENGTH);
        add(GetTransferResponseDecoder.TEMPLATE_ID, GetTransferResponseDecoder.BLOCK_LENGTH,
            group(GetTransferResponseDecoder.HoldingsDecoder.sbeBlockLength(), 0), data());
        add(GetCancelRequestDecoder.TEMPLATE_ID, GetCancelRequestDecoder.BLOCK_LENGTH);
        add(ReleaseHoldingsDecoder.TEMPLATE_ID, ReleaseHoldingsDecoder.BLOCK_LENGTH,
            group(ReleaseHoldingsDecoder.HoldingsDecoder.sbeBlockLength(), 0));
        add(ExistsRequestDecoder.TEMPLATE_ID, ExistsRequestDecoder.BLOCK_LENGTH,
            group(ExistsRequestDecoder.KeysDecoder.sbeBlockLength(), 1));
        add(ExistsResponseDecoder.TEMPLATE_ID, ExistsResponseDecoder.BLOCK_LENGTH,
            group(ExistsResponseDecoder.FlagsDecoder.sbeBlockLength(), 0), data());
        add(SessionSuspendedDecoder.TEMPLATE_ID, SessionSuspendedDecoder.BLOCK_LENGTH);
    }

    private static void addMasterMessages()
    {
        add(RegisterRequestDecoder.TEMPLATE_ID, RegisterRequestDecoder.BLOCK_LENGTH,
            data(), data(), data(), data(), data());
        add(RegisterResponseDecoder.TEMPLATE_ID, RegisterResponseDecoder.BLOCK_LENGTH, data());
        add(HeartbeatDecoder.TEMPLATE_ID, HeartbeatDecoder.BLOCK_LENGTH);
        add(HeartbeatAckDecoder.TEMPLATE_ID, HeartbeatAckDecoder.BLOCK_LENGTH);
        add(PeerUpdateDecoder.TEMPLATE_ID, PeerUpdateDecoder.BLOCK_LENGTH,
            group(PeerUpdateDecoder.PeersDecoder.sbeBlockLength(), 4));
        add(SessionRefusedDecoder.TEMPLATE_ID, SessionRefusedDecoder.BLOCK_LENGTH, data());
        add(OperationAckDecoder.TEMPLATE_ID, OperationAckDecoder.BLOCK_LENGTH);
        add(ReportRequestDecoder.TEMPLATE_ID, ReportRequestDecoder.BLOCK_LENGTH,
            group(ReportRequestDecoder.ValuesDecoder.sbeBlockLength(), 1));
        add(ReportResponseDecoder.TEMPLATE_ID, ReportResponseDecoder.BLOCK_LENGTH,
            group(ReportResponseDecoder.ResultsDecoder.sbeBlockLength(), 0));
        add(ReserveRequestDecoder.TEMPLATE_ID, ReserveRequestDecoder.BLOCK_LENGTH,
            group(ReserveRequestDecoder.KeysDecoder.sbeBlockLength(), 1));
        add(ReserveResponseDecoder.TEMPLATE_ID, ReserveResponseDecoder.BLOCK_LENGTH,
            group(ReserveResponseDecoder.ResultsDecoder.sbeBlockLength(), 0));
        add(UnreserveRequestDecoder.TEMPLATE_ID, UnreserveRequestDecoder.BLOCK_LENGTH);
        add(PublishRequestDecoder.TEMPLATE_ID, PublishRequestDecoder.BLOCK_LENGTH,
            group(PublishRequestDecoder.AtomicGroupsDecoder.sbeBlockLength(), 0),
            group(PublishRequestDecoder.EntriesDecoder.sbeBlockLength(), 1));
        add(PublishResponseDecoder.TEMPLATE_ID, PublishResponseDecoder.BLOCK_LENGTH,
            group(PublishResponseDecoder.ResultsDecoder.sbeBlockLength(), 0));
        add(BatchGetStartRequestDecoder.TEMPLATE_ID, BatchGetStartRequestDecoder.BLOCK_LENGTH,
            group(BatchGetStartRequestDecoder.KeysDecoder.sbeBlockLength(), 1));
        add(BatchGetStartResponseDecoder.TEMPLATE_ID, BatchGetStartResponseDecoder.BLOCK_LENGTH,
            group(BatchGetStartResponseDecoder.ItemsDecoder.sbeBlockLength(), 0));
        add(BatchGetDoneRequestDecoder.TEMPLATE_ID, BatchGetDoneRequestDecoder.BLOCK_LENGTH,
            group(BatchGetDoneRequestDecoder.ItemsDecoder.sbeBlockLength(), 0));
        add(BatchGetDoneResponseDecoder.TEMPLATE_ID, BatchGetDoneResponseDecoder.BLOCK_LENGTH,
            group(BatchGetDoneResponseDecoder.ItemsDecoder.sbeBlockLength(), 0));
        add(BatchGetRevokeRequestDecoder.TEMPLATE_ID, BatchGetRevokeRequestDecoder.BLOCK_LENGTH,
            group(BatchGetRevokeRequestDecoder.ItemsDecoder.sbeBlockLength(), 0));
        add(RouteExistsRequestDecoder.TEMPLATE_ID, RouteExistsRequestDecoder.BLOCK_LENGTH,
            group(RouteExistsRequestDecoder.KeysDecoder.sbeBlockLength(), 1));
        add(RecheckDecoder.TEMPLATE_ID, RecheckDecoder.BLOCK_LENGTH);
        add(RouteExistsResponseDecoder.TEMPLATE_ID, RouteExistsResponseDecoder.BLOCK_LENGTH,
            group(RouteExistsResponseDecoder.FlagsDecoder.sbeBlockLength(), 0));
        add(EvictSourceRequestDecoder.TEMPLATE_ID, EvictSourceRequestDecoder.BLOCK_LENGTH,
            group(EvictSourceRequestDecoder.MembersDecoder.sbeBlockLength(), 1));
        add(EvictSourceResponseDecoder.TEMPLATE_ID, EvictSourceResponseDecoder.BLOCK_LENGTH,
            group(EvictSourceResponseDecoder.MembersDecoder.sbeBlockLength(), 0));
        addReplicaMessages();
    }

    private static void addReplicaMessages()
    {
        add(ReplicaStartRequestDecoder.TEMPLATE_ID, ReplicaStartRequestDecoder.BLOCK_LENGTH,
            group(ReplicaStartRequestDecoder.MembersDecoder.sbeBlockLength(), 1));
        add(ReplicaStartResponseDecoder.TEMPLATE_ID, ReplicaStartResponseDecoder.BLOCK_LENGTH);
        add(CopiedElsewhereDecoder.TEMPLATE_ID, CopiedElsewhereDecoder.BLOCK_LENGTH,
            group(CopiedElsewhereDecoder.ValuesDecoder.sbeBlockLength(), 0));
        add(PullReplicaDecoder.TEMPLATE_ID, PullReplicaDecoder.BLOCK_LENGTH,
            group(PullReplicaDecoder.KeysDecoder.sbeBlockLength(), 1));
        add(ReplicaGiveUpRequestDecoder.TEMPLATE_ID, ReplicaGiveUpRequestDecoder.BLOCK_LENGTH);
        add(ReplicaEndDecoder.TEMPLATE_ID, ReplicaEndDecoder.BLOCK_LENGTH);
    }

    private static void addRemovalMessages()
    {
        add(DeleteRequestDecoder.TEMPLATE_ID, DeleteRequestDecoder.BLOCK_LENGTH,
            group(DeleteRequestDecoder.KeysDecoder.sbeBlockLength(), 1));
        add(DeleteResponseDecoder.TEMPLATE_ID, DeleteResponseDecoder.BLOCK_LENGTH,
            group(DeleteResponseDecoder.ResultsDecoder.sbeBlockLength(), 0), data());
        add(RouteDeleteRequestDecoder.TEMPLATE_ID, RouteDeleteRequestDecoder.BLOCK_LENGTH,
            group(RouteDeleteRequestDecoder.KeysDecoder.sbeBlockLength(), 1));
        add(RouteDeleteResponseDecoder.TEMPLATE_ID, RouteDeleteResponseDecoder.BLOCK_LENGTH,
            group(RouteDeleteResponseDecoder.ResultsDecoder.sbeBlockLength(), 0));
        add(PrepareRemovalDecoder.TEMPLATE_ID, PrepareRemovalDecoder.BLOCK_LENGTH);
        add(RemovalReportDecoder.TEMPLATE_ID, RemovalReportDecoder.BLOCK_LENGTH);
    }

    private static void addInspectMessages()
    {
        add(InspectRequestDecoder.TEMPLATE_ID, InspectRequestDecoder.BLOCK_LENGTH, data());
        add(InspectResponseDecoder.TEMPLATE_ID, InspectResponseDecoder.BLOCK_LENGTH,
            group(InspectResponseDecoder.SlotsDecoder.sbeBlockLength(), 1),
            group(InspectResponseDecoder.ReplicasDecoder.sbeBlockLength(), 0), data());
        add(RouteInspectRequestDecoder.TEMPLATE_ID, RouteInspectRequestDecoder.BLOCK_LENGTH, data());
        add(RouteInspectResponseDecoder.TEMPLATE_ID, RouteInspectResponseDecoder.BLOCK_LENGTH,
            group(RouteInspectResponseDecoder.ReplicasDecoder.sbeBlockLength(), 0));
    }
}
