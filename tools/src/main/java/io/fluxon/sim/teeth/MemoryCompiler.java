package io.fluxon.sim.teeth;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles changed sources against the classes of this JVM, from memory to memory.
 */
final class MemoryCompiler implements AutoCloseable
{
    private static final List<String> OPTIONS = List.of(
        "-proc:none", "-nowarn", "-g", "-implicit:none", "-classpath", System.getProperty("java.class.path"));

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final StandardJavaFileManager files;

    MemoryCompiler()
    {
        if (null == compiler)
        {
            throw new TeethException("faults are planted with the compiler of a JDK, this is a runtime without one");
        }
        files = compiler.getStandardFileManager(null, null, null);
    }

    /**
     * Compiles sources.
     *
     * @param sources text by path.
     * @return bytes of the classes by name.
     * @throws TeethException when they do not compile.
     */
    synchronized Map<String, byte[]> compile(final Map<String, String> sources)
    {
        final Map<String, ByteArrayOutputStream> outputs = new HashMap<>();
        final StringWriter messages = new StringWriter();
        final List<Source> units = sources.entrySet().stream()
            .map((entry) -> new Source(entry.getKey(), entry.getValue())).toList();
        if (!compiler.getTask(messages, new Outputs(files, outputs), null, OPTIONS, null, units).call())
        {
            throw new TeethException("does not compile: " + sources.keySet() + "\n" + messages);
        }
        final Map<String, byte[]> classes = new HashMap<>();
        outputs.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
        return classes;
    }

    @Override
    public void close()
    {
        try
        {
            files.close();
        }
        catch (final IOException ex)
        {
            throw new TeethException("compiler could not be closed: " + ex);
        }
    }

    private static final class Source extends SimpleJavaFileObject
    {
        private final String text;

        private Source(final String path, final String text)
        {
            super(URI.create("memory:///" + path), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(final boolean ignoreEncodingErrors)
        {
            return text;
        }
    }

    private static final class Outputs extends ForwardingJavaFileManager<JavaFileManager>
    {
        private final Map<String, ByteArrayOutputStream> outputs;

        private Outputs(final JavaFileManager files, final Map<String, ByteArrayOutputStream> outputs)
        {
            super(files);
            this.outputs = outputs;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
            final Location location, final String name, final JavaFileObject.Kind kind, final FileObject sibling)
        {
            final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            outputs.put(name, bytes);
            return new SimpleJavaFileObject(URI.create("memory:///" + name), kind)
            {
                @Override
                public OutputStream openOutputStream()
                {
                    return bytes;
                }
            };
        }
    }
}
