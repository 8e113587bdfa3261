package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.ClientRole;
import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageSource;

import org.agrona.concurrent.NanoClock;

import java.util.concurrent.TimeUnit;

import static java.util.Objects.requireNonNull;

/**
 * Everything a {@link WorkerClient} is given. Settings are checked once, by {@link #conclude()}.
 */
public final class WorkerClientContext
{
    /** Version of the worker-owner protocol that this client speaks. */
    public static final int PROTOCOL_VERSION = 1;
    /** Default of {@link #maxOutstanding()}. */
    public static final int MAX_OUTSTANDING_DEFAULT = 64;
    /** Default of {@link #maxKeysPerBatch()}. */
    public static final int MAX_KEYS_PER_BATCH_DEFAULT = 8192;
    /** Default of {@link #maxMessageBytes()}. */
    public static final int MAX_MESSAGE_BYTES_DEFAULT = 8 * 1024 * 1024;
    /** Default of {@link #maxQueuedBytes()}. */
    public static final int MAX_QUEUED_BYTES_DEFAULT = 16 * 1024 * 1024;

    private NanoClock nanoClock;
    private ControlChannel requests;
    private MessageSource responses;
    private SegmentMapper segmentMapper;
    private ClientRole role = ClientRole.WORKER;
    private String clientName = "worker";
    private long expectedGeneration;
    private long processId;
    private long processStartTime;
    private int responseStreamId;
    private int maxOutstanding = MAX_OUTSTANDING_DEFAULT;
    private int maxUnpublished = 16 * 1024;
    private int maxReads = 4096;
    private int maxUnsentReleases = 256 * 1024;
    private int maxKeysPerBatch = MAX_KEYS_PER_BATCH_DEFAULT;
    private int maxMessageBytes = MAX_MESSAGE_BYTES_DEFAULT;
    private int maxQueuedBytes = MAX_QUEUED_BYTES_DEFAULT;
    private int pollLimit = 64;
    private int releaseBatch = 256;
    private long releaseIntervalNs = TimeUnit.MILLISECONDS.toNanos(1);
    private long connectTimeoutNs = TimeUnit.SECONDS.toNanos(10);
    private long resumeTimeoutNs = TimeUnit.SECONDS.toNanos(60);
    private long putTimeoutNs = TimeUnit.SECONDS.toNanos(35);
    private long getTimeoutNs = TimeUnit.SECONDS.toNanos(10);
    private long answerGraceNs = TimeUnit.MILLISECONDS.toNanos(500);
    private long retryNs = TimeUnit.MILLISECONDS.toNanos(250);
    private long maxRetryNs = TimeUnit.SECONDS.toNanos(2);

    /**
     * Checks the settings.
     *
     * @return this.
     */
    public WorkerClientContext conclude()
    {
        requireNonNull(nanoClock, "nanoClock");
        requireNonNull(requests, "requests");
        requireNonNull(responses, "responses");
        requireNonNull(segmentMapper, "segmentMapper");
        requireNonNull(role, "role");
        requireNonNull(clientName, "clientName");
        positive("maxOutstanding", maxOutstanding);
        positive("maxUnpublished", maxUnpublished);
        positive("maxReads", maxReads);
        positive("maxUnsentReleases", maxUnsentReleases);
        positive("maxKeysPerBatch", maxKeysPerBatch);
        positive("maxMessageBytes", maxMessageBytes);
        positive("maxQueuedBytes", maxQueuedBytes);
        positive("pollLimit", pollLimit);
        positive("releaseBatch", releaseBatch);
        positive("releaseIntervalNs", releaseIntervalNs);
        positive("connectTimeoutNs", connectTimeoutNs);
        positive("putTimeoutNs", putTimeoutNs);
        positive("getTimeoutNs", getTimeoutNs);
        positive("answerGraceNs", answerGraceNs);
        positive("retryNs", retryNs);
        if (maxRetryNs < retryNs)
        {
            throw new IllegalArgumentException("maxRetryNs must not be less than retryNs: " + maxRetryNs);
        }
        return this;
    }

    /**
     * Sets: how long a session that lost its owner's ear is tried to be resumed, in own running time (contract API-10).
     *
     * @param value nanoseconds, 0 = such a session ends at once.
     * @return this.
     */
    public WorkerClientContext resumeTimeoutNs(final long value)
    {
        resumeTimeoutNs = value;
        return this;
    }

    /**
     * How long a session that lost its owner's ear is tried to be resumed, in own running time (contract API-10).
     *
     * @return nanoseconds, 0 = such a session ends at once.
     */
    public long resumeTimeoutNs()
    {
        return resumeTimeoutNs;
    }

    /**
     * Sets: the clock of this core.
     *
     * @param value the clock.
     * @return this.
     */
    public WorkerClientContext nanoClock(final NanoClock value)
    {
        nanoClock = value;
        return this;
    }

    /**
     * The clock of this core.
     *
     * @return the clock.
     */
    public NanoClock nanoClock()
    {
        return nanoClock;
    }

    /**
     * Sets: channel to the owner.
     *
     * @param value the channel.
     * @return this.
     */
    public WorkerClientContext requests(final ControlChannel value)
    {
        requests = value;
        return this;
    }

    /**
     * Channel to the owner.
     *
     * @return the channel.
     */
    public ControlChannel requests()
    {
        return requests;
    }

    /**
     * Sets: where the owner's messages come in.
     *
     * @param value the source.
     * @return this.
     */
    public WorkerClientContext responses(final MessageSource value)
    {
        responses = value;
        return this;
    }

    /**
     * Where the owner's messages come in.
     *
     * @return the source.
     */
    public MessageSource responses()
    {
        return responses;
    }

    /**
     * Sets: maps the owner's segment.
     *
     * @param value the mapper.
     * @return this.
     */
    public WorkerClientContext segmentMapper(final SegmentMapper value)
    {
        segmentMapper = value;
        return this;
    }

    /**
     * Maps the owner's segment.
     *
     * @return the mapper.
     */
    public SegmentMapper segmentMapper()
    {
        return segmentMapper;
    }

    /**
     * Sets: role asked for.
     *
     * @param value the role.
     * @return this.
     */
    public WorkerClientContext role(final ClientRole value)
    {
        role = value;
        return this;
    }

    /**
     * Role asked for.
     *
     * @return the role.
     */
    public ClientRole role()
    {
        return role;
    }

    /**
     * Sets: name for logs and counters.
     *
     * @param value the name.
     * @return this.
     */
    public WorkerClientContext clientName(final String value)
    {
        clientName = value;
        return this;
    }

    /**
     * Name for logs and counters.
     *
     * @return the name.
     */
    public String clientName()
    {
        return clientName;
    }

    /**
     * Sets: generation the owner must have, 0 = any.
     *
     * @param value the generation.
     * @return this.
     */
    public WorkerClientContext expectedGeneration(final long value)
    {
        expectedGeneration = value;
        return this;
    }

    /**
     * Generation the owner must have, 0 = any.
     *
     * @return the generation.
     */
    public long expectedGeneration()
    {
        return expectedGeneration;
    }

    /**
     * Sets: id of this process.
     *
     * @param value the id.
     * @return this.
     */
    public WorkerClientContext processId(final long value)
    {
        processId = value;
        return this;
    }

    /**
     * Id of this process.
     *
     * @return the id.
     */
    public long processId()
    {
        return processId;
    }

    /**
     * Sets: start time of this process in clock ticks since boot, 0 = unknown.
     *
     * @param value the time.
     * @return this.
     */
    public WorkerClientContext processStartTime(final long value)
    {
        processStartTime = value;
        return this;
    }

    /**
     * Start time of this process in clock ticks since boot, 0 = unknown.
     *
     * @return the time.
     */
    public long processStartTime()
    {
        return processStartTime;
    }

    /**
     * Sets: stream on which the owner is to answer.
     *
     * @param value the stream id.
     * @return this.
     */
    public WorkerClientContext responseStreamId(final int value)
    {
        responseStreamId = value;
        return this;
    }

    /**
     * Stream on which the owner is to answer.
     *
     * @return the stream id.
     */
    public int responseStreamId()
    {
        return responseStreamId;
    }

    /**
     * Sets: most requests without an answer; above it calls are BACK_PRESSURED (contract BOUND-1).
     *
     * @param value number of requests.
     * @return this.
     */
    public WorkerClientContext maxOutstanding(final int value)
    {
        maxOutstanding = value;
        return this;
    }

    /**
     * Most requests without an answer; above it calls are BACK_PRESSURED (contract BOUND-1).
     *
     * @return number of requests.
     */
    public int maxOutstanding()
    {
        return maxOutstanding;
    }

    /**
     * Sets: most commits whose global publish has no result; above it commits are BACK_PRESSURED.
     *
     * @param value number of commits.
     * @return this.
     */
    public WorkerClientContext maxUnpublished(final int value)
    {
        maxUnpublished = value;
        return this;
    }

    /**
     * Most commits whose global publish has no result; above it commits are BACK_PRESSURED.
     *
     * @return number of commits.
     */
    public int maxUnpublished()
    {
        return maxUnpublished;
    }

    /**
     * Sets: most reads that hold something; above it starts of gets are BACK_PRESSURED.
     *
     * @param value number of reads.
     * @return this.
     */
    public WorkerClientContext maxReads(final int value)
    {
        maxReads = value;
        return this;
    }

    /**
     * Most reads that hold something; above it starts of gets are BACK_PRESSURED.
     *
     * @return number of reads.
     */
    public int maxReads()
    {
        return maxReads;
    }

    /**
     * Sets: most holdings waiting to be released; above it starts of gets are BACK_PRESSURED.
     *
     * @param value number of holdings.
     * @return this.
     */
    public WorkerClientContext maxUnsentReleases(final int value)
    {
        maxUnsentReleases = value;
        return this;
    }

    /**
     * Most holdings waiting to be released; above it starts of gets are BACK_PRESSURED.
     *
     * @return number of holdings.
     */
    public int maxUnsentReleases()
    {
        return maxUnsentReleases;
    }

    /**
     * Sets: most keys of a call; the owner's limit applies too.
     *
     * @param value number of keys.
     * @return this.
     */
    public WorkerClientContext maxKeysPerBatch(final int value)
    {
        maxKeysPerBatch = value;
        return this;
    }

    /**
     * Most keys of a call; the owner's limit applies too.
     *
     * @return number of keys.
     */
    public int maxKeysPerBatch()
    {
        return maxKeysPerBatch;
    }

    /**
     * Sets: longest message, before it is split; the owner's limit applies too.
     *
     * @param value length in bytes.
     * @return this.
     */
    public WorkerClientContext maxMessageBytes(final int value)
    {
        maxMessageBytes = value;
        return this;
    }

    /**
     * Longest message, before it is split; the owner's limit applies too.
     *
     * @return length in bytes.
     */
    public int maxMessageBytes()
    {
        return maxMessageBytes;
    }

    /**
     * Sets: most bytes waiting for the channel; above it calls are BACK_PRESSURED.
     *
     * @param value length in bytes.
     * @return this.
     */
    public WorkerClientContext maxQueuedBytes(final int value)
    {
        maxQueuedBytes = value;
        return this;
    }

    /**
     * Most bytes waiting for the channel; above it calls are BACK_PRESSURED.
     *
     * @return length in bytes.
     */
    public int maxQueuedBytes()
    {
        return maxQueuedBytes;
    }

    /**
     * Sets: most messages of one duty cycle.
     *
     * @param value number of messages.
     * @return this.
     */
    public WorkerClientContext pollLimit(final int value)
    {
        pollLimit = value;
        return this;
    }

    /**
     * Most messages of one duty cycle.
     *
     * @return number of messages.
     */
    public int pollLimit()
    {
        return pollLimit;
    }

    /**
     * Sets: number of released holdings that are sent at once, at most 256 (contract GET-2).
     *
     * @param value number of holdings.
     * @return this.
     */
    public WorkerClientContext releaseBatch(final int value)
    {
        releaseBatch = value;
        return this;
    }

    /**
     * Number of released holdings that are sent at once, at most 256 (contract GET-2).
     *
     * @return number of holdings.
     */
    public int releaseBatch()
    {
        return releaseBatch;
    }

    /**
     * Sets: longest time a release waits for its batch.
     *
     * @param value time in nanoseconds.
     * @return this.
     */
    public WorkerClientContext releaseIntervalNs(final long value)
    {
        releaseIntervalNs = value;
        return this;
    }

    /**
     * Longest time a release waits for its batch.
     *
     * @return time in nanoseconds.
     */
    public long releaseIntervalNs()
    {
        return releaseIntervalNs;
    }

    /**
     * Sets: longest wait for the owner's answer to connect.
     *
     * @param value time in nanoseconds.
     * @return this.
     */
    public WorkerClientContext connectTimeoutNs(final long value)
    {
        connectTimeoutNs = value;
        return this;
    }

    /**
     * Longest wait for the owner's answer to connect.
     *
     * @return time in nanoseconds.
     */
    public long connectTimeoutNs()
    {
        return connectTimeoutNs;
    }

    /**
     * Sets: default of the longest wait for the start, commit or abort of a put.
     *
     * @param value time in nanoseconds.
     * @return this.
     */
    public WorkerClientContext putTimeoutNs(final long value)
    {
        putTimeoutNs = value;
        return this;
    }

    /**
     * Default of the longest wait for the start, commit or abort of a put.
     *
     * @return time in nanoseconds.
     */
    public long putTimeoutNs()
    {
        return putTimeoutNs;
    }

    /**
     * Sets: default of the longest wait of the calls that read.
     *
     * @param value time in nanoseconds.
     * @return this.
     */
    public WorkerClientContext getTimeoutNs(final long value)
    {
        getTimeoutNs = value;
        return this;
    }

    /**
     * Default of the longest wait of the calls that read.
     *
     * @return time in nanoseconds.
     */
    public long getTimeoutNs()
    {
        return getTimeoutNs;
    }

    /**
     * Sets: how much longer than the owner this client waits, so that the owner's answer can say which stage timed out.
     *
     * @param value time in nanoseconds.
     * @return this.
     */
    public WorkerClientContext answerGraceNs(final long value)
    {
        answerGraceNs = value;
        return this;
    }

    /**
     * How much longer than the owner this client waits, so that the owner's answer can say which stage timed out.
     *
     * @return time in nanoseconds.
     */
    public long answerGraceNs()
    {
        return answerGraceNs;
    }

    /**
     * Sets: first interval after which a request without answer is sent again under its id.
     *
     * @param value time in nanoseconds.
     * @return this.
     */
    public WorkerClientContext retryNs(final long value)
    {
        retryNs = value;
        return this;
    }

    /**
     * First interval after which a request without answer is sent again under its id.
     *
     * @return time in nanoseconds.
     */
    public long retryNs()
    {
        return retryNs;
    }

    /**
     * Sets: bound of that interval, which doubles.
     *
     * @param value time in nanoseconds.
     * @return this.
     */
    public WorkerClientContext maxRetryNs(final long value)
    {
        maxRetryNs = value;
        return this;
    }

    /**
     * Bound of that interval, which doubles.
     *
     * @return time in nanoseconds.
     */
    public long maxRetryNs()
    {
        return maxRetryNs;
    }

    private static void positive(final String name, final long value)
    {
        if (value < 1)
        {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
    }
}
