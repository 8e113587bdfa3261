/**
 * The main job on an embedded cluster of real processes, and variations of it: with a process killed in the middle,
 * with delayed master messages, and with faults planted on purpose.
 */
package io.fluxon.tools.demo;
