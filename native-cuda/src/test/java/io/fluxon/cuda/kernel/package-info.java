/**
 * Tests of the commands and of the kernel's twin on the host.
 */
package io.fluxon.cuda.kernel;
