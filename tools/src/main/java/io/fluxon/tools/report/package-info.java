/**
 * What a run counted, whether it balances, and how that is shown: as JSON with stable names and as a table.
 */
package io.fluxon.tools.report;
