package io.fluxon.sim.check;

import io.fluxon.engine.owner.OwnerView;

/** Leaders wait for those of other reads only while the master is being asked, and no longer than the window (G9). */
@Watches({"G9"})
final class StartWindows implements Checker
{
    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        final OwnerView.WindowPicture window = owner.view().startWindow();
        if (0 == window.gathered())
        {
            return;
        }
        final long overNs = owner.view().nowNs() - window.deadlineNs();
        if (0 == window.asking() || overNs >= 0)
        {
            throw new Violation("G9", owner + ": " + window.gathered() + " leaders wait while " + window.asking() +
                " batch get starts are being asked, " + overNs + " ns after their window");
        }
    }
}
