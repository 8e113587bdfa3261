package io.fluxon.engine.master;

/**
 * Layout of the two records of a {@link RouteTable}. A reference is the record's first line in its {@link LineSlab}.
 * <pre>
 *  route (1 to 10 lines)
 *   0        4        8       12       16       20       24                32
 *  +--------+--------+--------+--------+--------+--------+-----------------+
 *  |tag     |chain   |first   |replica |value   |key     |put generation   |
 *  |        |next    |replica |count   |length  |length  |                 |
 *  +--------+--------+--------+--------+--------+--------+-----------------+
 *  32                40       44       48                56                64
 *  +-----------------+--------+--------+-----------------+-----------------+
 *  |put sequence     |put     |group   |group id         |cohort id        |
 *  |                 |owner   |length  |                 |                 |
 *  +-----------------+--------+--------+-----------------+-----------------+
 *  64       68       72
 *  +--------+--------+------------------------ ... ------+
 *  |cohort  |cohort  |key                                |
 *  |rank    |size    |                                   |
 *  +--------+--------+------------------------ ... ------+
 *
 *  replica (1 line)
 *   0        4        8       12       16       20       24       28       32
 *  +--------+--------+--------+--------+--------+--------+--------+--------+
 *  |tag     |route   |next of |previous|next of |tenure  |activity|checksum|
 *  |        |or -1   |route   |of ten. |tenure  |        |        |        |
 *  +--------+--------+--------+--------+--------+--------+--------+--------+
 *  32       36       40                48                56                64
 *  +--------+--------+-----------------+-----------------+-----------------+
 *  |grant   |slot    |slot size        |use counter      |offset in the    |
 *  |        |index   |                 |                 |segment file     |
 *  +--------+--------+-----------------+-----------------+-----------------+
 * </pre>
 * Cohort size 0 = none given. Activity is the number of gets that read from the replica now, or {@link #FENCED}.
 */
final class RouteDescriptor
{
    static final int ROUTE_TYPE = 1;
    static final int REPLICA_TYPE = 2;

    static final int CHAIN_NEXT = 4;
    static final int FIRST_REPLICA = 8;
    static final int REPLICA_COUNT = 12;
    static final int VALUE_LENGTH = 16;
    static final int KEY_LENGTH = 20;
    static final int PUT_GENERATION = 24;
    static final int PUT_SEQUENCE = 32;
    static final int PUT_OWNER_ID = 40;
    static final int GROUP_LENGTH = 44;
    static final int GROUP_ID = 48;
    static final int COHORT_ID = 56;
    static final int COHORT_RANK = 64;
    static final int COHORT_SIZE = 68;
    static final int KEY = 72;

    static final int REPLICA_ROUTE = 4;
    static final int REPLICA_NEXT = 8;
    static final int TENURE_PREVIOUS = 12;
    static final int TENURE_NEXT = 16;
    static final int TENURE = 20;
    static final int ACTIVITY = 24;
    static final int CHECKSUM = 28;
    static final int GRANT_ID = 32;
    static final int SLOT_INDEX = 36;
    static final int SLOT_SIZE = 40;
    static final int USE_COUNTER = 48;
    static final int SLOT_OFFSET = 56;

    /** Activity of a replica that is about to be removed: no get reads from it, and none may begin to. */
    static final int FENCED = -1;

    private RouteDescriptor()
    {
    }
}
