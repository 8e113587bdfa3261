/**
 * The check that every rule of {@code docs/contract.md} has a test.
 */
package io.fluxon.tools.contract;
