package io.fluxon.tools.bench;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.fluxon.ipc.aeron.DriverSettings;
import io.fluxon.ipc.aeron.IdleStrategies;
import io.fluxon.ipc.aeron.MediaDrivers;

import org.agrona.CloseHelper;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Aeron of the simulated owners: media driver and client without threads of their own, driven by the thread that makes
 * the load, so that a small machine has cores left for the master.
 */
final class LoadHost implements AutoCloseable
{
    private static final long TIMEOUT_MS = 60_000;

    private final MediaDriver driver;
    private final Aeron aeron;

    LoadHost(final Path directory, final int mtuBytes)
    {
        final String aeronDirectory = directory.resolve("load-aeron").toString();
        final DriverSettings settings = driverSettings(aeronDirectory, IdleStrategies.BACKOFF, mtuBytes);
        driver = MediaDriver.launch(MediaDrivers.driverContext(settings).threadingMode(ThreadingMode.INVOKER));
        try
        {
            aeron = Aeron.connect(
                MediaDrivers.clientContext(aeronDirectory, IdleStrategies.BACKOFF, TIMEOUT_MS)
                    .useConductorAgentInvoker(true)
                    .driverAgentInvoker(driver.sharedAgentInvoker()));
        }
        catch (final RuntimeException ex)
        {
            driver.close();
            throw ex;
        }
    }

    /** Settings of a driver of this benchmark. */
    static DriverSettings driverSettings(final String aeronDirectory, final String idle, final int mtuBytes)
    {
        return new DriverSettings()
            .aeronDirectoryName(aeronDirectory)
            .idleStrategy(idle)
            .driverTimeoutMs(TIMEOUT_MS)
            .clientLivenessTimeoutNs(TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS))
            .udpTermBufferLength(4 << 20)
            .udpMtuLength(mtuBytes);
    }

    Aeron aeron()
    {
        return aeron;
    }

    /** One duty cycle of driver and client. */
    int poll()
    {
        if (aeron.isClosed())
        {
            throw new BenchException("the owners' connection to their media driver has ended");
        }

        return driver.sharedAgentInvoker().invoke() + aeron.conductorAgentInvoker().invoke();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver);
    }
}
