package io.fluxon.engine.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One mapping of a configuration. Each call reads one field; a field that is not asked for is an unknown one. What is
 * wrong is told to the {@link ConfigReader} and the default is returned in its place.
 */
final class ConfigSection
{
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})\\s*(B|KiB|MiB|GiB|TiB)?");
    private static final Pattern ENDPOINT = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[A-Za-z0-9._-]+):(\\d{1,5})");

    private final ConfigReader reader;
    private final String path;
    private final ObjectNode node;
    private final TreeSet<String> asked = new TreeSet<>();

    ConfigSection(final ConfigReader reader, final String path, final ObjectNode node)
    {
        this.reader = reader;
        this.path = path;
        this.node = node;
    }

    String path()
    {
        return path;
    }

    String pathOf(final String name)
    {
        return path.isEmpty() ? name : path + "." + name;
    }

    /**
     * Is the field there with a value?
     *
     * @param name of the field.
     * @return true when it is.
     */
    boolean has(final String name)
    {
        return null != ask(name);
    }

    /**
     * A mapping in this one; an absent one is empty.
     *
     * @param name of the field.
     * @return section.
     */
    ConfigSection section(final String name)
    {
        final JsonNode value = ask(name);
        if (null != value && !value.isObject())
        {
            wrong(name, value, "a mapping of fields to values");
        }
        final ObjectNode child =
            null != value && value.isObject() ? (ObjectNode) value : JsonNodeFactory.instance.objectNode();
        return reader.section(pathOf(name), child);
    }

    /**
     * A text.
     *
     * @param name         of the field.
     * @param defaultValue where it is absent, null = the field is required.
     * @param pattern      that it has to match.
     * @param allowed      the pattern in words.
     * @return text.
     */
    String text(final String name, final String defaultValue, final Pattern pattern, final String allowed)
    {
        final JsonNode value = ask(name);
        if (null == value)
        {
            return orRequired(name, defaultValue, allowed);
        }
        if (!value.isValueNode() || !pattern.matcher(value.asText()).matches())
        {
            wrong(name, value, allowed);
            return defaultValue;
        }
        return value.asText();
    }

    /**
     * One of some words.
     *
     * @param name         of the field.
     * @param defaultValue where it is absent, null = the field is required.
     * @param type         whose constants, in lower case, are the words.
     * @param <E>          of the words.
     * @return the constant.
     */
    <E extends Enum<E>> E word(final String name, final E defaultValue, final Class<E> type)
    {
        final List<String> words = new ArrayList<>();
        final JsonNode value = ask(name);
        for (final E constant : type.getEnumConstants())
        {
            final String word = constant.name().toLowerCase(Locale.ROOT);
            if (null != value && value.isTextual() && word.equals(value.asText()))
            {
                return constant;
            }
            words.add(word);
        }
        final String allowed = "one of " + String.join(", ", words);
        if (null == value)
        {
            orRequired(name, null == defaultValue ? null : "", allowed);
        }
        else
        {
            wrong(name, value, allowed);
        }
        return defaultValue;
    }

    /**
     * A list of words of which only one is allowed yet, so that it says nothing but has to be right.
     *
     * @param name of the field; may be absent.
     * @param word that has to be its only item.
     */
    void onlyWords(final String name, final String word)
    {
        final JsonNode value = ask(name);
        if (null != value && (!value.isArray() || 1 != value.size() || !word.equals(value.get(0).asText())))
        {
            wrong(name, value, "[" + word + "]: copies go to owners of this role only");
        }
    }

    /**
     * A host and a port.
     *
     * @param name         of the field.
     * @param defaultValue where it is absent, null = the field is required.
     * @param leastPort    0 when the system may choose the port, else 1.
     * @return text of the form host:port.
     */
    String endpoint(final String name, final String defaultValue, final int leastPort)
    {
        final String allowed = "host:port with a port of " + leastPort + " to 65535";
        final JsonNode value = ask(name);
        if (null == value)
        {
            return orRequired(name, defaultValue, allowed);
        }
        final Matcher matcher = ENDPOINT.matcher(value.asText());
        final int port = value.isTextual() && matcher.matches() ? Integer.parseInt(matcher.group(2)) : -1;
        if (port < leastPort || port > 65_535)
        {
            wrong(name, value, allowed);
            return defaultValue;
        }
        return value.asText();
    }

    /**
     * A whole number.
     *
     * @param name         of the field.
     * @param defaultValue where it is absent, null = the field is required.
     * @param least        allowed.
     * @param most         allowed.
     * @return number.
     */
    int integer(final String name, final Integer defaultValue, final int least, final int most)
    {
        final Long longDefault = null == defaultValue ? null : Long.valueOf(defaultValue);
        return (int) number(name, longDefault, least, most, "a whole number of " + least + " to " + most);
    }

    /**
     * A size: a whole number of bytes, or a text such as 512MiB.
     *
     * @param name         of the field.
     * @param defaultValue where it is absent, null = the field is required.
     * @param least        allowed, in bytes.
     * @param most         allowed, in bytes.
     * @return size in bytes.
     */
    long bytes(final String name, final Long defaultValue, final long least, final long most)
    {
        return number(name, defaultValue, least, most,
            "a number of bytes, or a text such as 512MiB, of " + least + " to " + most);
    }

    /**
     * Yes or no.
     *
     * @param name         of the field.
     * @param defaultValue where it is absent.
     * @return true or false.
     */
    boolean flag(final String name, final boolean defaultValue)
    {
        final JsonNode value = ask(name);
        if (null != value && !value.isBoolean())
        {
            wrong(name, value, "true or false");
            return defaultValue;
        }
        return null == value ? defaultValue : value.asBoolean();
    }

    /**
     * A number between two others, neither of them included.
     *
     * @param name         of the field.
     * @param defaultValue where it is absent.
     * @param above        what it has to be above.
     * @param below        what it has to be below.
     * @return number.
     */
    double ratio(final String name, final double defaultValue, final double above, final double below)
    {
        final JsonNode value = ask(name);
        if (null == value)
        {
            return defaultValue;
        }
        if (!value.isNumber() || !(value.asDouble() > above) || !(value.asDouble() < below))
        {
            wrong(name, value, "a number above " + above + " and below " + below);
            return defaultValue;
        }
        return value.asDouble();
    }

    /**
     * Tells that a field, by itself well-formed, does not fit the others.
     *
     * @param name    of the field.
     * @param value   of the field.
     * @param allowed in words.
     */
    void refuse(final String name, final Object value, final String allowed)
    {
        reader.problem("field " + pathOf(name) + " is " + value + ", allowed is " + allowed);
    }

    List<String> unknownNames()
    {
        final List<String> names = new ArrayList<>();
        final Iterator<String> iterator = node.fieldNames();
        while (iterator.hasNext())
        {
            final String name = iterator.next();
            if (!asked.contains(name))
            {
                names.add(name);
            }
        }
        return names;
    }

    private long number(
        final String name, final Long defaultValue, final long least, final long most, final String allowed)
    {
        final JsonNode value = ask(name);
        if (null == value)
        {
            if (null == defaultValue)
            {
                orRequired(name, null, allowed);
                return least;
            }
            return defaultValue;
        }
        final BigDecimal number = value.isNumber() && !isNotFinite(value) ? value.decimalValue() : sizeOf(value);
        if (null == number || number.stripTrailingZeros().scale() > 0 ||
            number.compareTo(BigDecimal.valueOf(least)) < 0 || number.compareTo(BigDecimal.valueOf(most)) > 0)
        {
            wrong(name, value, allowed);
            return null == defaultValue ? least : defaultValue;
        }
        return number.longValueExact();
    }

    private static boolean isNotFinite(final JsonNode value)
    {
        return value.isFloatingPointNumber() && !Double.isFinite(value.asDouble());
    }

    private static BigDecimal sizeOf(final JsonNode value)
    {
        final Matcher matcher = SIZE.matcher(value.asText());
        if (!value.isTextual() || !matcher.matches() || null == matcher.group(2))
        {
            return null;
        }
        final int shift = switch (matcher.group(2))
        {
            case "KiB" -> 10;
            case "MiB" -> 20;
            case "GiB" -> 30;
            case "TiB" -> 40;
            default -> 0;
        };
        return new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(1L << shift));
    }

    private JsonNode ask(final String name)
    {
        asked.add(name);
        reader.known(pathOf(name));
        final JsonNode value = node.get(name);
        return null == value || value.isNull() ? null : value;
    }

    private String orRequired(final String name, final String defaultValue, final String allowed)
    {
        if (null == defaultValue)
        {
            reader.problem("field " + pathOf(name) + " is missing, needed is " + allowed);
        }
        return defaultValue;
    }

    private void wrong(final String name, final JsonNode value, final String allowed)
    {
        reader.problem("field " + pathOf(name) + " is " + value + ", allowed is " + allowed);
    }
}
