package io.fluxon.sim.teeth;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/**
 * Loads the classes of the project anew, some of them changed, so that the ones that are loaded already stay what they
 * are.
 */
final class PlantedLoader extends ClassLoader
{
    private static final List<String> OWN = List.of("io.fluxon.engine.", "io.fluxon.ipc.", "io.fluxon.sim.");
    // a map's key type, for which the map's library generates and compiles a class in each loader
    private static final String GENERATED_FOR = "io.fluxon.engine.index.DigestKey";

    private final Map<String, byte[]> changed;

    /**
     * Creates it.
     *
     * @param changed bytes of the changed classes by name.
     */
    PlantedLoader(final Map<String, byte[]> changed)
    {
        super(PlantedLoader.class.getClassLoader());
        this.changed = changed;
    }

    @Override
    protected Class<?> loadClass(final String name, final boolean isToResolve) throws ClassNotFoundException
    {
        if (!isOwn(name))
        {
            return super.loadClass(name, isToResolve);
        }
        synchronized (getClassLoadingLock(name))
        {
            final Class<?> loaded = findLoadedClass(name);
            return null != loaded ? loaded : define(name);
        }
    }

    private static boolean isOwn(final String name)
    {
        return OWN.stream().anyMatch(name::startsWith) &&
            !GENERATED_FOR.equals(name) && !Probe.class.getName().equals(name);
    }

    private Class<?> define(final String name) throws ClassNotFoundException
    {
        final byte[] bytes = changed.containsKey(name) ? changed.get(name) : read(name);
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] read(final String name) throws ClassNotFoundException
    {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class"))
        {
            if (null == in)
            {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        }
        catch (final IOException ex)
        {
            throw new ClassNotFoundException(name, ex);
        }
    }
}
