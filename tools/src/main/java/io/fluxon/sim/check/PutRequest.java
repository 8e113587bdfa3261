package io.fluxon.sim.check;

/**
 * What a worker asks for with a put.
 *
 * @param length          of each value in bytes.
 * @param groups          lengths of the atomic groups, null = every key alone.
 * @param rejectsExisting is {@code rejectIfExistSameKey} set?
 * @param rejectsInflight is {@code rejectIfInflightSameKey} set?
 * @param wishes          which keys are to have a replica, null = none.
 * @param names           of the keys.
 */
public record PutRequest(
    int length, int[] groups, boolean rejectsExisting, boolean rejectsInflight, boolean[] wishes, String... names)
{
}
