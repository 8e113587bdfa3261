/**
 * CRC-32C of values, computed away from the owner's duty cycle and from the transfer thread (contract CRC-1).
 */
package io.fluxon.engine.checksum;
