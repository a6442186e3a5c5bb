"""What both processes use of Panda3D: frame loop, clock and datagrams; and the kernel's clock as judge."""

import sys
import time

try:
    from panda3d.core import (ConnectionWriter, Datagram, DatagramIterator, NetAddress, NetDatagram,
                              QueuedConnectionManager, QueuedConnectionReader, loadPrcFileData)
    loadPrcFileData("", "window-type none\naudio-library-name null\nnotify-level-device fatal\n"
                        "clock-mode limited\nclock-frame-rate 60\n")
    from direct.showbase.ShowBase import ShowBase
    import netclock
except ImportError as missing:
    sys.exit(f"{missing}: install `panda3d==1.10.16`, and start `cargo xtask outside --only panda3d`")

TICKS_PER_S = 10_000_000
# Readings of two clocks that lie closer together than this are compared (s).
CLOSE_S = 5e-6
# So many pairs of readings are tried.
PAIRS = 20_000


def seconds():
    """The engine's clock: every stamp of either network clock is one call of this."""
    return globalClock.getRealTime()


def ticks(of_seconds):
    """The same stamp in the unit of NetClock."""
    return int(of_seconds * TICKS_PER_S)


def kernel_ahead():
    """How far the kernel's clock is ahead of the engine's (s): from the closest readings of both."""
    best, ahead = float("inf"), 0.0
    for _ in range(PAIRS):
        before, engine, after = time.monotonic(), seconds(), time.monotonic()
        if after - before < best:
            best, ahead = after - before, (before + after) / 2 - engine
    if best > CLOSE_S:
        sys.exit("this machine is too busy to compare its clocks: run it again")
    return ahead


class Socket:
    """UDP by Panda3D's connection manager, read once a frame."""

    def __init__(self, port):
        self.manager = QueuedConnectionManager()
        self.connection = self.manager.openUDPConnection(port)
        if self.connection is None:
            sys.exit(f"port {port} is taken")
        self.reader = QueuedConnectionReader(self.manager, 0)
        self.reader.addConnection(self.connection)
        self.writer = ConnectionWriter(self.manager, 0)

    def send(self, datagram, to):
        self.writer.send(datagram, self.connection, to)

    def received(self):
        """Each datagram that came, with the engine's time at which it was read."""
        while self.reader.dataAvailable():
            datagram = NetDatagram()
            if self.reader.getData(datagram):
                yield datagram, DatagramIterator(datagram), seconds()
