package io.fluxon.tools.report;

/**
 * Calls of a worker whose time is recorded.
 */
public enum Operation
{
    /** From the call of put start until there is a plan. */
    PUT_START("put_start"),
    /** From the call of commit until the values can be read at this owner (contract V1). */
    PUT_COMMIT_LOCAL("put_commit_local"),
    /** From the call of commit until every key has its terminal result (contract PUT-2). */
    PUT_COMMIT_GLOBAL("put_commit_global"),
    /** From the call of get start until the restorable prefix is known. */
    GET_START("get_start"),
    /** From the call of get transfer until there is a read plan. */
    GET_TRANSFER("get_transfer"),
    /** From the call of restore until the pages are in the worker's pools and the read plan is released. */
    RESTORE("restore"),
    /** From the call of backup until the pages are in the plan's values and the commit is called. */
    BACKUP("backup");

    private final String label;

    Operation(final String label)
    {
        this.label = label;
    }

    /**
     * Name in reports, stable.
     *
     * @return the name.
     */
    public String label()
    {
        return label;
    }

    /**
     * Finds an operation by its name in reports.
     *
     * @param label of the operation.
     * @return the operation.
     * @throws IllegalArgumentException if there is none of that name.
     */
    public static Operation ofLabel(final String label)
    {
        for (final Operation operation : values())
        {
            if (operation.label.equals(label))
            {
                return operation;
            }
        }
        throw new IllegalArgumentException("unknown operation: " + label);
    }
}
