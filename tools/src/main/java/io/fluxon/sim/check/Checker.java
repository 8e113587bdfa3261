package io.fluxon.sim.check;

import io.fluxon.sim.cluster.VirtualWorker;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Watches rules of the contract while a run goes on, and throws a {@link Violation} when one is broken. It looks only:
 * a run with a checker is the same run. Every method does nothing unless a checker wants to know; none may change, or
 * call, what changes a core.
 */
public interface Checker
{
    /**
     * The rule that it is there for.
     *
     * @return name of the rule in the contract.
     */
    default String rule()
    {
        return rules().getFirst();
    }

    /**
     * All rules that it watches.
     *
     * @return their names in the contract, those of its {@link Watches}.
     */
    default List<String> rules()
    {
        return List.of(getClass().getAnnotation(Watches.class).value());
    }

    /**
     * An owner is there, and has not worked yet.
     *
     * @param owner that is new.
     */
    default void onOwner(final OwnerWatch owner)
    {
    }

    /**
     * An owner has done a duty cycle: cheap checks.
     *
     * @param owner that has worked.
     */
    default void afterOwner(final OwnerWatch owner)
    {
    }

    /** The master has done a duty cycle: cheap checks. */
    default void afterMaster()
    {
    }

    /**
     * A worker has done a duty cycle: cheap checks.
     *
     * @param worker that has worked.
     */
    default void afterWorker(final VirtualWorker worker)
    {
    }

    /**
     * A whole message has been taken by a link; it may be lost later.
     *
     * @param message valid during the call.
     */
    default void onSent(final Message message)
    {
    }

    /**
     * A whole message is handed to its receiver now.
     *
     * @param message valid during the call.
     */
    default void onDelivered(final Message message)
    {
    }

    /**
     * A client has accepted a put.
     *
     * @param put that has no slots yet.
     */
    default void onPutAsked(final PutAttempt put)
    {
    }

    /**
     * A worker begins to write the pages of a put.
     *
     * @param put that has its slots.
     */
    default void onPutStarted(final PutAttempt put)
    {
    }

    /**
     * A worker has stopped to write the pages of a put: it commits or gives up.
     *
     * @param put that has its slots.
     */
    default void onWritten(final PutAttempt put)
    {
    }

    /**
     * Every key of a put has its result.
     *
     * @param put that is done.
     */
    default void onPutDone(final PutAttempt put)
    {
    }

    /**
     * A put has ended without results.
     *
     * @param put that was given up or has failed.
     */
    default void onPutFailed(final PutAttempt put)
    {
    }

    /**
     * A client has accepted a get.
     *
     * @param get that was asked for.
     */
    default void onGetAsked(final ReadAttempt get)
    {
    }

    /**
     * The result of a get is there.
     *
     * @param get that was asked for.
     */
    default void onGetStarted(final ReadAttempt get)
    {
    }

    /**
     * A worker begins to read the pages of a get.
     *
     * @param get that is readable.
     */
    default void onReadable(final ReadAttempt get)
    {
    }

    /**
     * A worker has read a page.
     *
     * @param get   that is readable.
     * @param index of the key.
     * @param page  copy of the whole page.
     */
    default void onPage(final ReadAttempt get, final int index, final DirectBuffer page)
    {
    }

    /**
     * A worker reads the pages of a get no more.
     *
     * @param get that was readable.
     */
    default void onViewsGone(final ReadAttempt get)
    {
    }

    /**
     * A get has ended otherwise.
     *
     * @param get that was cancelled or has failed.
     */
    default void onGetFailed(final ReadAttempt get)
    {
    }

    /**
     * The full check of an owner that has a process, called often and between two duty cycles.
     *
     * @param owner to check.
     */
    default void full(final OwnerWatch owner)
    {
    }

    /** The full check of all that is not one owner's. */
    default void full()
    {
    }

    /** Faults have ended and everything outstanding has had its time: nothing may be left. */
    default void atQuiet()
    {
    }
}
