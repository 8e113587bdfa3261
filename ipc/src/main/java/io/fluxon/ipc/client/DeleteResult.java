package io.fluxon.ipc.client;

import io.fluxon.ipc.ErrorCode;

/**
 * What has become of the keys of a delete.
 *
 * @param codes one item a key: 0 = its value is gone; or negative: −105 (KEY_NOT_FOUND) = there was none, −122
 *              (KEY_BEING_WRITTEN) = a put of it is running, −1002 (BACK_PRESSURED) = it was in use for too long, and
 *              is as it was.
 */
public record DeleteResult(int[] codes)
{
    /**
     * What has become of a key?
     *
     * @param index of the key in its batch.
     * @return 0 or a negative error code.
     */
    public int code(final int index)
    {
        return codes[index];
    }

    /**
     * Is the value of a key gone, now or before?
     *
     * @param index of the key in its batch.
     * @return true when no owner has it.
     */
    public boolean isGone(final int index)
    {
        return ErrorCode.OK == codes[index] || -ErrorCode.KEY_NOT_FOUND == codes[index];
    }

    /**
     * Number of keys.
     *
     * @return number of keys.
     */
    public int count()
    {
        return codes.length;
    }
}
