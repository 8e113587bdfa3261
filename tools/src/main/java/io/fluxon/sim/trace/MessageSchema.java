package io.fluxon.sim.trace;

import io.fluxon.codecs.control.MessageHeaderDecoder;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * The messages of the control protocol as its schema describes them, so that any of them can be shown.
 */
final class MessageSchema
{
    private static final String FILE = "/io/fluxon/codecs/control.xml";
    private static final Map<String, Integer> PRIMITIVES = Map.of(
        "uint8", 1, "int8", 1, "uint16", 2, "int16", 2, "uint32", 4, "int32", 4, "uint64", 8, "int64", 8);

    private final Map<String, Type> types = new HashMap<>();
    private final Map<Integer, Message> messages = new HashMap<>();

    /** A type of a field: number of bytes, names of values or bits, or parts. */
    record Type(int length, boolean isSet, Map<Long, String> names, List<Field> parts)
    {
    }

    /** A field at an offset of its block. */
    record Field(String name, int offset, Type type)
    {
    }

    /** Fields, then groups, then data of variable length; data of text when its name says so. */
    record Block(String name, List<Field> fields, List<Block> groups, List<String> data)
    {
    }

    /** A message. */
    record Message(int templateId, Block block)
    {
    }

    private MessageSchema()
    {
        PRIMITIVES.forEach((name, length) -> types.put(name, new Type(length, false, Map.of(), List.of())));
    }

    static MessageSchema read()
    {
        final MessageSchema schema = new MessageSchema();
        try (InputStream in = MessageHeaderDecoder.class.getResourceAsStream(FILE))
        {
            final Document document = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(in);
            for (final Element element : children(document.getDocumentElement()))
            {
                schema.add(element);
            }
        }
        catch (final IOException | ParserConfigurationException | SAXException ex)
        {
            throw new IllegalStateException(FILE + " cannot be read", ex);
        }
        return schema;
    }

    /** The message of a template id, null when there is none. */
    Message message(final int templateId)
    {
        return messages.get(templateId);
    }

    private void add(final Element element)
    {
        if ("types".equals(element.getTagName()))
        {
            children(element).forEach((type) -> types.put(type.getAttribute("name"), type(type)));
        }
        else
        {
            final int templateId = Integer.parseInt(element.getAttribute("id"));
            messages.put(templateId, new Message(templateId, block(element)));
        }
    }

    private Type type(final Element element)
    {
        if ("composite".equals(element.getTagName()))
        {
            final List<Field> parts = new ArrayList<>();
            final int length = addFields(element, "type", "primitiveType", parts);
            return new Type(length, false, Map.of(), parts);
        }
        final Map<Long, String> names = new HashMap<>();
        for (final Element name : children(element))
        {
            names.put(Long.parseLong(name.getTextContent().strip()), name.getAttribute("name"));
        }
        return new Type(
            PRIMITIVES.get(element.getAttribute("encodingType")), "set".equals(element.getTagName()), names, List.of());
    }

    private Block block(final Element element)
    {
        final Block block = new Block(
            element.getAttribute("name"), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        addFields(element, "field", "type", block.fields);
        for (final Element child : children(element))
        {
            switch (child.getTagName())
            {
                case "group" -> block.groups.add(block(child));
                case "data" -> block.data.add(child.getAttribute("name"));
                default ->
                {
                }
            }
        }
        return block;
    }

    private int addFields(final Element element, final String tag, final String typeName, final List<Field> fields)
    {
        int offset = 0;
        for (final Element child : children(element))
        {
            if (tag.equals(child.getTagName()))
            {
                final Type type = types.get(child.getAttribute(typeName));
                fields.add(new Field(child.getAttribute("name"), offset, type));
                offset += type.length;
            }
        }
        return offset;
    }

    private static List<Element> children(final Element parent)
    {
        final List<Element> children = new ArrayList<>();
        for (Node node = parent.getFirstChild(); null != node; node = node.getNextSibling())
        {
            if (node instanceof Element element)
            {
                children.add(element);
            }
        }
        return children;
    }
}
