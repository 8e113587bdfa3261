package io.fluxon.engine.transfer.ucx;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * For tests of the real transport: where UCX is not installed they are skipped, and it is said why.
 */
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresUcx.Condition.class)
public @interface RequiresUcx
{
    /**
     * Looks for the library.
     */
    final class Condition implements ExecutionCondition
    {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(final ExtensionContext context)
        {
            final String problem = UcxLibrary.load();
            if (null == problem)
            {
                return ConditionEvaluationResult.enabled("UCX is here");
            }
            System.out.println("skipped " + context.getDisplayName() + ": " + problem);
            return ConditionEvaluationResult.disabled(problem);
        }
    }
}
