package io.fluxon.tools;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/**
 * {@code fluxon version}: prints the version of the program and of the Java that runs it.
 */
@Command(name = "version", description = "Prints the version.", mixinStandardHelpOptions = true)
public final class VersionCommand implements Runnable, IVersionProvider
{
    @Override
    public void run()
    {
        System.out.println(getVersion()[0]);
    }

    @Override
    public String[] getVersion()
    {
        final String version = VersionCommand.class.getPackage().getImplementationVersion();
        return new String[]{
            "fluxon " + (null == version ? "(unpackaged)" : version) + ", Java " + Runtime.version() };
    }
}
