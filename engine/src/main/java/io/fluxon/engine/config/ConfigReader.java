package io.fluxon.engine.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Reads one configuration: parses the YAML, applies overrides, hands out sections and collects the problems, so that
 * all of them can be told at once.
 */
final class ConfigReader
{
    /** Fields of the source system that have no place here, and why. */
    private static final Map<String, String> REFUSED = Map.ofEntries(
        Map.entry("replica_writeback_tier1_capacity_ratio", "is not a field here: the master holds no memory and has " +
            "no tiers; every byte is an owner's slot, bounded by replica_writeback_hot_capacity_ratio of that owner"),
        Map.entry("replica_cache_capacity_ratio", "is not a field here: the master allocates no memory; a replica on " +
            "a remote_cache owner lives under that owner's own replica_writeback_hot_capacity_ratio"),
        Map.entry("etcd_endpoints", "is not a field here: there is no etcd; owners name the master in master.endpoint"),
        Map.entry("etcd_addresses", "is not a field here: there is no etcd; owners name the master in master.endpoint"),
        Map.entry("large_file_paths", "is not a field here: values live in memory only"),
        Map.entry("large_limit_size", "is not a field here: values live in memory only"),
        Map.entry("monitoring", "is not a field here: counters lie in a file, see counters_dir"),
        Map.entry("sub_cluster", "is not a field here: a cluster has no parts; use another fluxonkv_spec.cluster_name"),
        Map.entry("p2p_listen_port", "is not a field here: use listen_endpoint"),
        Map.entry("port", "is not a field here: use listen_endpoint"));

    private static final int MAX_TYPOS = 2;
    private static final int FAR = 1000;

    private static final YAMLMapper MAPPER = YAMLMapper.builder()
        .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .build();

    private final String origin;
    private final List<String> unknown = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final TreeSet<String> knownPaths = new TreeSet<>();
    private final List<ConfigSection> sections = new ArrayList<>();
    private final ObjectNode root;

    private ConfigReader(final String origin, final ObjectNode root)
    {
        this.origin = origin;
        this.root = root;
    }

    static ConfigReader ofFile(final Path file, final List<String> overrides)
    {
        try
        {
            return ofText(file.toString(), Files.readString(file), overrides);
        }
        catch (final NoSuchFileException ex)
        {
            throw new ConfigException(file.toString(), List.of("there is no such file"));
        }
        catch (final IOException ex)
        {
            throw new ConfigException(file.toString(), List.of("cannot be read: " + ex.getMessage()));
        }
    }

    static ConfigReader ofText(final String origin, final String text, final List<String> overrides)
    {
        final JsonNode tree = parse(origin, text);
        if (!tree.isMissingNode() && !tree.isNull() && !tree.isObject())
        {
            throw new ConfigException(origin, List.of("is not a YAML mapping of fields to values"));
        }

        final ConfigReader reader = new ConfigReader(
            origin, tree.isObject() ? (ObjectNode) tree : MAPPER.createObjectNode());
        for (final String override : overrides)
        {
            reader.override(override);
        }
        return reader;
    }

    ConfigSection root()
    {
        return section("", root);
    }

    ConfigSection section(final String path, final ObjectNode node)
    {
        for (final ConfigSection section : sections)
        {
            if (section.path().equals(path))
            {
                return section;
            }
        }
        final ConfigSection section = new ConfigSection(this, path, node);
        sections.add(section);
        return section;
    }

    boolean hasProblems()
    {
        return !problems.isEmpty();
    }

    void known(final String path)
    {
        knownPaths.add(path);
    }

    void problem(final String text)
    {
        problems.add(text);
    }

    /**
     * Ends the reading.
     *
     * @throws ConfigException when anything was wrong.
     */
    void conclude()
    {
        for (final ConfigSection section : sections)
        {
            for (final String name : section.unknownNames())
            {
                unknown.add(unknownText(section.pathOf(name), name));
            }
        }
        if (!unknown.isEmpty() || !problems.isEmpty())
        {
            unknown.addAll(problems);
            throw new ConfigException(origin, unknown);
        }
    }

    private String unknownText(final String path, final String name)
    {
        final String reason = REFUSED.get(name);
        return null != reason ?
            "field " + path + " " + reason :
            "unknown field " + path + ", the nearest valid name is " + nearest(path, name);
    }

    /**
     * The most similar name of the same section, unless another section has the name itself or nearly so.
     */
    private String nearest(final String path, final String name)
    {
        String nearest = null;
        int least = Integer.MAX_VALUE;
        for (final String candidate : knownPaths)
        {
            final String lastName = candidate.substring(candidate.lastIndexOf('.') + 1);
            final int distance = EditDistance.between(name, lastName);
            final boolean isSamePlace = parentOf(candidate).equals(parentOf(path));
            final int cost = isSamePlace || distance <= MAX_TYPOS ? distance : distance + FAR;
            if (cost < least)
            {
                least = cost;
                nearest = candidate;
            }
        }
        return nearest;
    }

    private static String parentOf(final String path)
    {
        return path.substring(0, Math.max(0, path.lastIndexOf('.')));
    }

    private void override(final String override)
    {
        final int equals = override.indexOf('=');
        if (equals <= 0)
        {
            throw new ConfigException("--set " + override, List.of("is not of the form path=value"));
        }

        final String[] names = override.substring(0, equals).trim().split("\\.", -1);
        final JsonNode value = parse("--set " + override, override.substring(equals + 1));
        ObjectNode node = root;
        for (int i = 0; i < names.length - 1; i++)
        {
            final JsonNode child = node.get(names[i]);
            if (null != child && !child.isNull() && !child.isObject())
            {
                throw new ConfigException("--set " + override, List.of("field " + names[i] + " has no fields in it"));
            }
            node = null == child || child.isNull() ? node.putObject(names[i]) : (ObjectNode) child;
        }
        node.set(names[names.length - 1], value.isMissingNode() ? MAPPER.nullNode() : value);
    }

    private static JsonNode parse(final String origin, final String text)
    {
        try
        {
            return MAPPER.readTree(text);
        }
        catch (final JsonProcessingException ex)
        {
            final String where = null == ex.getLocation() ? "" :
                " at line " + ex.getLocation().getLineNr() + ", column " + ex.getLocation().getColumnNr();
            throw new ConfigException(
                origin, List.of("is not valid YAML" + where + ": " + ex.getOriginalMessage().replaceAll("\\s+", " ")));
        }
    }
}
