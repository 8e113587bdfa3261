package io.fluxon.sim.check;

import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/**
 * The rules of the contract that a {@link Checker} watches, the one that it is there for first. What it throws names
 * one of them.
 */
@Documented
@Retention(RUNTIME)
@Target(TYPE)
public @interface Watches
{
    /**
     * Names of the rules.
     *
     * @return at least one.
     */
    String[] value();
}
