package io.fluxon.ipc.counters;

import org.agrona.BitUtil;

/**
 * Layout of a counters file, after Aeron's command and control file. Native byte order; the file appears whole, under
 * its name, when everything is in place.
 * <pre>
 *   +---------------------------------------------------------------+
 *   |  Header, 4096 bytes                                           |
 *   +---------------------------------------------------------------+
 *   |  Counters' metadata: 512 bytes a counter                      |
 *   +---------------------------------------------------------------+
 *   |  Counters' values: 128 bytes a counter                        |
 *   +---------------------------------------------------------------+
 *   |  Distinct error log                                           |
 *   +---------------------------------------------------------------+
 *
 *   Header
 *   +-------------------------------+-------------------------------+
 *   |                             Magic                             |   0
 *   +-------------------------------+-------------------------------+
 *   |            Version            |       Max counters            |   8
 *   +-------------------------------+-------------------------------+
 *   |       Error log length        |         Name length           |  16
 *   +-------------------------------+-------------------------------+
 *   |                              Pid                              |  24
 *   +---------------------------------------------------------------+
 *   |                 Start time, ms since the epoch                |  32
 *   +---------------------------------------------------------------+
 *   |                   Name, UTF-8, 200 bytes at most             ...  40
 *   +---------------------------------------------------------------+
 * </pre>
 */
public final class CountersFileDescriptor
{
    /** "FXCNTR01" read as a little endian long. */
    public static final long MAGIC = 0x313052544E435846L;
    /** Version of this layout. */
    public static final int VERSION = 1;
    /** Bytes of the header. */
    public static final int HEADER_LENGTH = 4096;
    /** Most bytes of the process's name. */
    public static final int MAX_NAME_LENGTH = 200;
    /** Most counters of a file. */
    public static final int MAX_COUNTERS = 65_536;
    /** Least bytes of the error log, and its unit. */
    public static final int MIN_ERROR_LOG_LENGTH = 4096;
    /** Most bytes of the error log. */
    public static final int MAX_ERROR_LOG_LENGTH = 64 * 1024 * 1024;

    /** Offset of the magic, a long. */
    public static final int MAGIC_OFFSET = 0;
    /** Offset of the version, an int. */
    public static final int VERSION_OFFSET = MAGIC_OFFSET + BitUtil.SIZE_OF_LONG;
    /** Offset of the number of counters, an int. */
    public static final int MAX_COUNTERS_OFFSET = VERSION_OFFSET + BitUtil.SIZE_OF_INT;
    /** Offset of the length of the error log, an int. */
    public static final int ERROR_LOG_LENGTH_OFFSET = MAX_COUNTERS_OFFSET + BitUtil.SIZE_OF_INT;
    /** Offset of the length of the name, an int. */
    public static final int NAME_LENGTH_OFFSET = ERROR_LOG_LENGTH_OFFSET + BitUtil.SIZE_OF_INT;
    /** Offset of the process id, a long. */
    public static final int PID_OFFSET = NAME_LENGTH_OFFSET + BitUtil.SIZE_OF_INT;
    /** Offset of the start time, a long. */
    public static final int START_TIME_OFFSET = PID_OFFSET + BitUtil.SIZE_OF_LONG;
    /** Offset of the name. */
    public static final int NAME_OFFSET = START_TIME_OFFSET + BitUtil.SIZE_OF_LONG;

    private CountersFileDescriptor()
    {
    }
}
