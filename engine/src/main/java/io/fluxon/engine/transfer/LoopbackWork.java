package io.fluxon.engine.transfer;

/**
 * A submission that is being copied: the transfer it has come to, and the peer, null when that is lost.
 */
final class LoopbackWork
{
    Transfer transfer;
    LoopbackPeer peer;

    void init(final Transfer first, final LoopbackPeer peer)
    {
        this.transfer = first;
        this.peer = peer;
    }
}
