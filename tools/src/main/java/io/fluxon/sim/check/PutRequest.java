package io.fluxon.sim.check;

/**
 * What a worker asks for with a put.
 *
 * @param length          of each value in bytes.
 * @param groups          lengths of the atomic groups, null = every key alone.
 * @param rejectsExisting is {@code rejectIfExistSameKey} set?
 * @param rejectsInflight is {@code rejectIfInflightSameKey} set?
 * @param names           of the keys.
 */
public record PutRequest(int length, int[] groups, boolean rejectsExisting, boolean rejectsInflight, String... names)
{
}
