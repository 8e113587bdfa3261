/**
 * The CUDA driver: loaded when first asked for, every return code checked and named, one small class for each thing
 * that lives and must be given back. Its functions come from the generated bindings in {@code io.fluxon.cuda.ffi}.
 */
package io.fluxon.cuda.driver;
