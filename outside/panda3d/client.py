"""Runs the client, which gives both clocks the same timestamps and compares them with the kernel's clock."""

from direct.distributed.ClockDelta import globalClockDelta

from engine import TICKS_PER_S, Datagram, NetAddress, ShowBase, Socket, kernel_ahead, seconds, ticks
from netclock import Client

# The largest error when the clocks of two processes are compared through the kernel's clock (s).
JUDGE_S = 20e-6


class Judged:
    """A clock's errors and stated uncertainties in each frame (s)."""

    def __init__(self):
        self.errors, self.bounds, self.outside, self.back, self.last = [], [], 0, 0, float("-inf")

    def judge(self, shown, bound, truth):
        error = abs(shown - truth)
        self.errors.append(error)
        self.bounds.append(bound)
        self.outside += error > bound + JUDGE_S
        self.back += shown < self.last
        self.last = shown


class Game:
    """Follows the server at this address for `length` seconds."""

    def __init__(self, host, port, length):
        self.base, self.socket, self.to, self.length = ShowBase(), Socket(0), NetAddress(), length
        self.to.setHost(host, port)
        self.client, self.sent_at, self.number = Client(), {}, 0
        # On the server, the engine's clock is behind the kernel's by `server_ahead`, and the network time
        # is behind the engine's clock by `server_delta`.
        self.server_ahead, self.server_delta = None, None
        self.theirs, self.ours = Judged(), Judged()
        self.base.taskMgr.add(self.begin, "begin")
        self.base.run()

    def begin(self, task):
        """Must run in the first frame, because `run` sets the engine's clock."""
        self.ahead, self.end = kernel_ahead(), seconds() + self.length
        self.base.taskMgr.add(self.synchronise, "synchronise")
        self.base.taskMgr.add(self.judge, "judge")
        return task.done

    def synchronise(self, task):
        for _, content, arrived in self.socket.received():
            start = self.sent_at.pop(content.getUint32(), None)
            network_time, reply = content.getInt32(), content.getBlob()
            self.server_ahead, self.server_delta = content.getFloat64(), content.getFloat64()
            if start is None:
                continue
            # This is what `TimeManager.serverTime` does in Panda3D.
            globalClockDelta.resynchronize((start + arrived) / 2, network_time, (arrived - start) / 2)
            self.client.handle_reply(reply, ticks(arrived))
        # [frame]
        now = seconds()
        request = self.client.tick(ticks(now))
        if request is not None:
            self.number += 1
            self.sent_at[self.number] = now
            datagram = Datagram()
            datagram.addUint32(self.number)
            datagram.addBlob(request)
            self.socket.send(datagram, self.to)
        return task.cont
        # [/frame]

    def judge(self, task):
        now = seconds()
        reading = self.client.read(ticks(now))
        if reading is not None and globalClockDelta.getUncertainty() is not None:
            truth = now + self.ahead - self.server_ahead
            # We do not use `getRealNetworkTime`, which rounds to 10 ms.
            shown = now - globalClockDelta.getDelta()
            self.theirs.judge(shown, globalClockDelta.getUncertainty(), truth - self.server_delta)
            self.ours.judge(reading.server_time / TICKS_PER_S, reading.error_bound / TICKS_PER_S, truth)
        if now < self.end:
            return task.cont
        self.base.taskMgr.stop()
        return task.done


def follow(host, port, length):
    """Runs and judges both clocks."""
    game = Game(host, port, length)
    moved = abs(kernel_ahead() - game.ahead)
    if moved > JUDGE_S / 2:
        raise RuntimeError(f"the machine's clock was set by {moved * 1e6:.0f} us during the run; try again")
    return {"ClockDelta": game.theirs, "NetClock": game.ours}
