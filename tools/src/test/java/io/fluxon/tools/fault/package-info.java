/**
 * Real processes under faults of the machine: killed, stopped, without memory or with a bad network.
 */
package io.fluxon.tools.fault;
