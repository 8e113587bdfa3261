package io.fluxon.sim.cluster;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Watches the messages that pass one way between two parties, and does to them what a test says: by template id, the
 * next so many of them are lost, doubled or held back. It outlives the connections of its parties.
 */
public final class MessageTap
{
    /** As many as come. */
    public static final int ALL = Integer.MAX_VALUE;

    private static final int TEMPLATE_ID_OFFSET = 2;
    private static final int CORRELATION_ID_OFFSET = 24;

    private final Map<Integer, Integer> counts = new HashMap<>();
    private final Map<Integer, Integer> toDrop = new HashMap<>();
    private final Map<Integer, Integer> toDuplicate = new HashMap<>();
    private final Map<Integer, List<UnsafeBuffer>> recorded = new HashMap<>();
    private final Set<Integer> toHold = new HashSet<>();
    private final List<Held> held = new ArrayList<>();
    private VirtualNetwork.Link lastLink;
    private boolean isCut;

    /** One message that is kept back. */
    private record Held(VirtualNetwork.Link link, byte[] bytes)
    {
    }

    /**
     * Loses the next messages of a template.
     *
     * @param templateId of the messages.
     * @param times      how many, {@link #ALL} = from now on, 0 = no more.
     */
    public void drop(final int templateId, final int times)
    {
        toDrop.put(templateId, times);
    }

    /**
     * Loses every message while it is set: a partition in this direction.
     *
     * @param value true to lose them.
     */
    public void cut(final boolean value)
    {
        isCut = value;
    }

    /**
     * Delivers the next messages of a template twice.
     *
     * @param templateId of the messages.
     * @param times      how many.
     */
    public void duplicate(final int templateId, final int times)
    {
        toDuplicate.put(templateId, times);
    }

    /**
     * Keeps the messages of a template back until {@link #release(int)}.
     *
     * @param templateId of the messages.
     */
    public void hold(final int templateId)
    {
        toHold.add(templateId);
    }

    /**
     * Lets the messages of a template pass again, those that were kept back first.
     *
     * @param templateId of the messages.
     * @return how many were kept back.
     */
    public int release(final int templateId)
    {
        toHold.remove(templateId);
        final List<Held> due = held.stream().filter((message) -> templateId == templateIdOf(message.bytes)).toList();
        held.removeAll(due);
        due.forEach((message) -> message.link.deliver(message.bytes));
        return due.size();
    }

    /**
     * Messages that are kept back.
     *
     * @return their number.
     */
    public int held()
    {
        return held.size();
    }

    /**
     * Sends copies of the recorded messages of a template once more.
     *
     * @param templateId of the messages.
     */
    public void replay(final int templateId)
    {
        recorded.get(templateId).forEach((message) -> lastLink.deliver(message.byteArray()));
    }

    /**
     * Keeps a copy of each message of a template from now on.
     *
     * @param templateId of the messages.
     */
    public void record(final int templateId)
    {
        recorded.computeIfAbsent(templateId, (id) -> new ArrayList<>());
    }

    /**
     * Messages of a template since {@link #record(int)}, those that were lost included.
     *
     * @param templateId of the messages.
     * @return copies, in order.
     */
    public List<UnsafeBuffer> recorded(final int templateId)
    {
        return recorded.get(templateId);
    }

    /**
     * Messages of a template that were sent so far, those that were lost included.
     *
     * @param templateId of the messages.
     * @return their number.
     */
    public int count(final int templateId)
    {
        return counts.getOrDefault(templateId, 0);
    }

    /**
     * Request id or operation id of a message.
     *
     * @param message whole, with its header.
     * @return the id.
     */
    public static long correlationId(final UnsafeBuffer message)
    {
        return message.getLong(CORRELATION_ID_OFFSET, LITTLE_ENDIAN);
    }

    /** How often a message that was sent is to arrive; one that is kept back arrives later. */
    int copies(final VirtualNetwork.Link link, final byte[] bytes)
    {
        final int templateId = templateIdOf(bytes);
        lastLink = link;
        counts.merge(templateId, 1, Integer::sum);
        if (recorded.containsKey(templateId))
        {
            recorded.get(templateId).add(new UnsafeBuffer(bytes));
        }
        if (isCut || takes(toDrop, templateId))
        {
            return 0;
        }
        if (toHold.contains(templateId))
        {
            held.add(new Held(link, bytes));
            return 0;
        }
        return takes(toDuplicate, templateId) ? 2 : 1;
    }

    private static boolean takes(final Map<Integer, Integer> rules, final int templateId)
    {
        final int times = rules.getOrDefault(templateId, 0);
        if (ALL != times && times > 0)
        {
            rules.put(templateId, times - 1);
        }
        return times > 0;
    }

    private static int templateIdOf(final byte[] bytes)
    {
        return (bytes[TEMPLATE_ID_OFFSET] & 0xFF) | (bytes[TEMPLATE_ID_OFFSET + 1] & 0xFF) << 8;
    }
}
