"""Provides the parts of Panda3D that both processes use, and the kernel's clock to compare with."""

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
# Two clocks are compared if their readings are no further apart than this (s).
CLOSE_S = 5e-6
# We try this many pairs of readings.
PAIRS = 20_000


def seconds():
    """Returns the time of the engine's clock, from which both network clocks get every timestamp."""
    return globalClock.getRealTime()


def ticks(of_seconds):
    """Converts a timestamp to NetClock's unit."""
    return int(of_seconds * TICKS_PER_S)


def kernel_ahead():
    """Returns how far the kernel's clock is ahead of the engine's (s), from the closest readings of both."""
    best, ahead = float("inf"), 0.0
    for _ in range(PAIRS):
        before, engine, after = time.monotonic(), seconds(), time.monotonic()
        if after - before < best:
            best, ahead = after - before, (before + after) / 2 - engine
    if best > CLOSE_S:
        sys.exit("this machine is too busy to compare its clocks; try again")
    return ahead


class Socket:
    """A UDP socket of Panda3D's connection manager, read once per frame."""

    def __init__(self, port):
        self.manager = QueuedConnectionManager()
        self.connection = self.manager.openUDPConnection(port)
        if self.connection is None:
            sys.exit(f"port {port} is in use")
        self.reader = QueuedConnectionReader(self.manager, 0)
        self.reader.addConnection(self.connection)
        self.writer = ConnectionWriter(self.manager, 0)

    def send(self, datagram, to):
        self.writer.send(datagram, self.connection, to)

    def received(self):
        """Yields the received datagrams, each with the engine's time when it was read."""
        while self.reader.dataAvailable():
            datagram = NetDatagram()
            if self.reader.getData(datagram):
                yield datagram, DatagramIterator(datagram), seconds()
