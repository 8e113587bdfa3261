package io.fluxon.sim.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One operation of an owner generation at the master, as the wire has shown it so far.
 */
final class Operation
{
    /** Bytes of requests before this one differ from send to send: header, generation, session, id, watermark. */
    private static final int REQUEST_CONTENT = 40;

    /** Bytes of answers before this one differ from send to send: header, epoch, session, id. */
    private static final int ANSWER_CONTENT = 32;

    /** A key of the operation: what it names, and the slot at the owner that it speaks of. */
    record Entry(
        String key, long sequence, int group, int slotId, long use, long offset, long valueLength, int checksum)
    {
    }

    final OwnerWatch owner;
    final long id;
    final int templateId;
    final byte[] content;
    final List<Entry> entries = new ArrayList<>();
    /** Answers by tenure: what was recorded in one is not valid in the next. */
    final Map<Long, byte[]> answers = new HashMap<>();
    /** Deliveries that may be executed, or answered from the record. */
    int taken;
    /** Deliveries that must not: of another generation. */
    int ofOtherGeneration;
    /** Deliveries that must not: of another session. */
    int ofOtherSession;
    /** Deliveries that must not: before the owner's report was complete. */
    int tooEarly;
    /** Deliveries that must not: at or below the watermark. */
    int trimmed;
    /** Answers that the master has sent. */
    int answered;
    /** Has the owner had an answer that ends it? */
    boolean isOver;
    /** Tenures in which the master has answered BUSY, which it does not record. */
    final Set<Long> busyIn = new HashSet<>();

    Operation(final OwnerWatch owner, final Message message)
    {
        this.owner = owner;
        id = message.correlationId();
        templateId = message.templateId();
        content = contentOf(message, REQUEST_CONTENT);
    }

    boolean isRepeatedBy(final Message message)
    {
        return templateId == message.templateId() && Arrays.equals(content, contentOf(message, REQUEST_CONTENT));
    }

    static byte[] answerContent(final Message message)
    {
        final byte[] body = contentOf(message, ANSWER_CONTENT);
        final byte[] withTemplate = Arrays.copyOf(body, body.length + 1);
        withTemplate[body.length] = (byte)message.templateId();
        return withTemplate;
    }

    private static byte[] contentOf(final Message message, final int from)
    {
        final byte[] bytes = new byte[Math.max(0, message.buffer().capacity() - from)];
        message.buffer().getBytes(from, bytes);
        return bytes;
    }

    @Override
    public String toString()
    {
        return owner + " operation " + id + " template " + templateId;
    }
}
