/**
 * Tests of the client with copies, beside an owner that is the least there can be.
 */
package io.fluxon.cuda.client;
