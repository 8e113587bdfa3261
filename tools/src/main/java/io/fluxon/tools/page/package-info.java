/**
 * Pages of simulated inference: the keys they are stored under, and contents that show a wrong, stale or torn page.
 */
package io.fluxon.tools.page;
