package io.fluxon.tools.cluster;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;

/**
 * For tests on hosts in network namespaces: where these cannot be made they are skipped, and it is said why.
 */
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresHosts.Condition.class)
public @interface RequiresHosts
{
    /**
     * Makes a host, with everything that tests ask of one.
     */
    final class Condition implements ExecutionCondition
    {
        private static final int MEGABITS = 100;
        private static final double LOSS = 0.5;

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(final ExtensionContext context)
        {
            final String problem = problem();
            if (null == problem)
            {
                return ConditionEvaluationResult.enabled("hosts can be made here");
            }
            System.out.println("skipped " + context.getDisplayName() + ": " + problem);
            return ConditionEvaluationResult.disabled(problem);
        }

        private static String problem()
        {
            final String missing = HostNetwork.missing(true);
            if (null != missing)
            {
                return missing;
            }
            try (HostNetwork network = new HostNetwork())
            {
                network.open(List.of("probe"), LOSS);
                network.rate(0, MEGABITS);
                return null;
            }
            catch (final ClusterException ex)
            {
                return ex.getMessage();
            }
        }
    }
}
