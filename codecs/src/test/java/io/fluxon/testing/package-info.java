/**
 * What the tests of every module share: the recorder of contract results, logging and JUnit settings.
 */
package io.fluxon.testing;
