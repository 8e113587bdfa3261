package io.fluxon.tools.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.ipc.client.Inspection;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * What owners have said of a key, slot, grant or cohort, for people and as JSON.
 */
public final class InspectionReport
{
    private InspectionReport()
    {
    }

    /**
     * For people.
     *
     * @param found of each owner.
     * @return lines.
     */
    public static String text(final List<Inspection> found)
    {
        final StringBuilder text = new StringBuilder();
        for (final Inspection one : found)
        {
            text.append("owner ").append(one.ownerId());
            if (null != one.grant())
            {
                text.append(", grant ").append(one.grant().grantId()).append(": ").append(0 == one.grant().slots() ?
                    "serves no slot class" : one.grant().used() + " of " + one.grant().slots() + " slots of " +
                    one.grant().slotSize() + " bytes used");
            }
            text.append(": ").append(one.members()).append(one.members() == 1 ? " slot" : " slots");
            text.append(one.members() > one.slots().size() ? ", the first " + one.slots().size() : "").append('\n');
            text.append(slots(one));
            text.append(one.note().isEmpty() ? "" : "  " + one.note() + '\n');
        }
        final Inspection.Route route = routeOf(found);
        return null == route ? text.toString() : text.append(text(route)).toString();
    }

    private static String slots(final Inspection one)
    {
        if (one.slots().isEmpty())
        {
            return "";
        }
        final Table table = new Table().row("  key", "grant", "slot", "use", "offset", "state", "residence", "route",
            "holders", "bytes", "put id", "group", "cohort");
        for (final Inspection.Slot slot : one.slots())
        {
            table.row("  " + (slot.key().isEmpty() ? "-" : slot.key()),
                Integer.toString(slot.backing().grantId()),
                Integer.toString(slot.backing().slotIndex()),
                Long.toString(slot.backing().useCounter()),
                Long.toString(slot.backing().offset()),
                SlotState.get(slot.state()).name(),
                Residence.get(slot.residence()).name(),
                slot.isRouteLive() ? "live" : "-",
                Integer.toString(slot.holders()),
                Long.toString(slot.valueLength()),
                text(slot.version()),
                slot.groupId() + " of " + slot.groupLength(),
                0 == slot.cohortSize() ? "-" :
                    slot.cohortId() + " rank " + slot.cohortRank() + " of " + slot.cohortSize());
        }
        return table.toString();
    }

    private static String text(final Inspection.Route route)
    {
        if (!route.exists())
        {
            return "master: no route\n";
        }
        final StringBuilder text = new StringBuilder("master: route of put " + text(route.version()) + ", " +
            route.valueLength() + " bytes, group of " + route.groupLength() +
            (route.isBeingDeleted() ? ", being deleted" : "") + '\n');
        for (final Inspection.Replica replica : route.replicas())
        {
            text.append("  owner ").append(replica.ownerId())
                .append(" grant ").append(replica.backing().grantId())
                .append(" slot ").append(replica.backing().slotIndex())
                .append(" use ").append(replica.backing().useCounter())
                .append(", readers ").append(replica.readers()).append('\n');
        }
        return text.toString();
    }

    private static String text(final Inspection.PutId putId)
    {
        return putId.ownerId() + "." + putId.generation() + "." + putId.sequence();
    }

    private static Inspection.Route routeOf(final List<Inspection> found)
    {
        return found.stream().map(Inspection::route).filter((route) -> null != route).findFirst().orElse(null);
    }

    /**
     * As JSON: {@code {"owners":[{"owner_id","members","grant","slots","note"}],"route"}}.
     *
     * @param found of each owner.
     * @return one object.
     */
    public static String json(final List<Inspection> found)
    {
        final StringWriter text = new StringWriter();
        try (JsonGenerator out = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter())
        {
            out.writeStartObject();
            out.writeArrayFieldStart("owners");
            for (final Inspection one : found)
            {
                write(out, one);
            }
            out.writeEndArray();
            final Inspection.Route route = routeOf(found);
            if (null != route)
            {
                write(out, route);
            }
            out.writeEndObject();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return text.append(System.lineSeparator()).toString();
    }

    private static void write(final JsonGenerator out, final Inspection one) throws IOException
    {
        out.writeStartObject();
        out.writeNumberField("owner_id", one.ownerId());
        out.writeNumberField("members", one.members());
        if (null != one.grant())
        {
            out.writeObjectFieldStart("grant");
            out.writeNumberField("grant_id", one.grant().grantId());
            out.writeNumberField("slot_size", one.grant().slotSize());
            out.writeNumberField("slots", one.grant().slots());
            out.writeNumberField("used", one.grant().used());
            out.writeEndObject();
        }
        out.writeArrayFieldStart("slots");
        for (final Inspection.Slot slot : one.slots())
        {
            write(out, slot);
        }
        out.writeEndArray();
        out.writeStringField("note", one.note());
        out.writeEndObject();
    }

    private static void write(final JsonGenerator out, final Inspection.Slot slot) throws IOException
    {
        out.writeStartObject();
        out.writeStringField("key", slot.key());
        writeBacking(out, slot.backing());
        out.writeStringField("state", SlotState.get(slot.state()).name());
        out.writeStringField("residence", Residence.get(slot.residence()).name());
        out.writeBooleanField("route_live", slot.isRouteLive());
        out.writeNumberField("holders", slot.holders());
        out.writeNumberField("value_length", slot.valueLength());
        out.writeNumberField("checksum", slot.checksum());
        writePutId(out, slot.version());
        out.writeNumberField("group_id", slot.groupId());
        out.writeNumberField("group_length", slot.groupLength());
        out.writeNumberField("cohort_id", slot.cohortId());
        out.writeNumberField("cohort_rank", slot.cohortRank());
        out.writeNumberField("cohort_size", slot.cohortSize());
        out.writeNumberField("eviction_job", slot.evictionJobId());
        out.writeEndObject();
    }

    private static void write(final JsonGenerator out, final Inspection.Route route) throws IOException
    {
        out.writeObjectFieldStart("route");
        out.writeBooleanField("exists", route.exists());
        if (route.exists())
        {
            writePutId(out, route.version());
            out.writeNumberField("value_length", route.valueLength());
            out.writeNumberField("group_length", route.groupLength());
            out.writeBooleanField("being_deleted", route.isBeingDeleted());
        }
        out.writeArrayFieldStart("replicas");
        for (final Inspection.Replica replica : route.replicas())
        {
            out.writeStartObject();
            out.writeNumberField("owner_id", replica.ownerId());
            out.writeNumberField("generation", replica.generation());
            writeBacking(out, replica.backing());
            out.writeNumberField("readers", replica.readers());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private static void writeBacking(final JsonGenerator out, final Inspection.Backing backing) throws IOException
    {
        out.writeNumberField("grant_id", backing.grantId());
        out.writeNumberField("slot_index", backing.slotIndex());
        out.writeNumberField("slot_size", backing.slotSize());
        out.writeNumberField("use_counter", backing.useCounter());
        out.writeNumberField("offset", backing.offset());
    }

    private static void writePutId(final JsonGenerator out, final Inspection.PutId putId) throws IOException
    {
        out.writeObjectFieldStart("put_id");
        out.writeNumberField("owner_id", putId.ownerId());
        out.writeNumberField("generation", putId.generation());
        out.writeNumberField("sequence", putId.sequence());
        out.writeEndObject();
    }
}
