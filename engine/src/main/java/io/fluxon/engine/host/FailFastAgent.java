package io.fluxon.engine.host;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;

/**
 * Stops an agent at the first exception that it lets out: a core that may have broken an invariant must do nothing
 * more.
 */
final class FailFastAgent implements Agent
{
    private final Agent agent;
    private final ErrorHandler failureHandler;

    FailFastAgent(final Agent agent, final ErrorHandler failureHandler)
    {
        this.agent = agent;
        this.failureHandler = failureHandler;
    }

    @Override
    public void onStart()
    {
        try
        {
            agent.onStart();
        }
        catch (final RuntimeException | Error ex)
        {
            failureHandler.onError(ex);
            throw new AgentTerminationException();
        }
    }

    @Override
    public int doWork() throws Exception
    {
        try
        {
            return agent.doWork();
        }
        catch (final RuntimeException | Error ex)
        {
            failureHandler.onError(ex);
            throw new AgentTerminationException();
        }
    }

    @Override
    public void onClose()
    {
        agent.onClose();
    }

    @Override
    public String roleName()
    {
        return agent.roleName();
    }
}
