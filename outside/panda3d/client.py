"""The client: `python client.py HOST PORT SECONDS`. Both clocks see the same stamps.

The kernel's clock judges both. Prints one JSON object: each clock's errors and stated uncertainties, as its table has them.
"""

import json
import sys

from direct.distributed.ClockDelta import globalClockDelta

from engine import TICKS_PER_S, Datagram, NetAddress, Socket, base, kernel_ahead, seconds, ticks
from netclock import Client

# What the comparison of two processes with the kernel's clock may err by (s).
JUDGE_S = 20e-6
# A request is forgotten after this (s), as Panda3D's own manager of time forgets it.
FORGET_S = 10.0

to = NetAddress()
to.setHost(sys.argv[1], int(sys.argv[2]))
game = base()
socket = Socket(0)
ahead, server_ahead, server_delta, end = None, None, None, None
client, sent_at, number = Client(), {}, 0


class Judged:
    """One clock, frame by frame."""

    def __init__(self):
        self.errors, self.bounds, self.outside, self.back, self.last = [], [], 0, 0, float("-inf")

    def judge(self, shown, bound, truth):
        error = abs(shown - truth)
        self.errors.append(error)
        self.bounds.append(bound)
        self.outside += error > bound + JUDGE_S
        self.back += shown < self.last
        self.last = shown

    def summary(self):
        def quantiles(values):
            values = sorted(values)
            return [1e3 * values[int(share * (len(values) - 1))] for share in (0.5, 0.99, 1.0)]
        if not self.errors:
            return {"frames": 0}
        return {"frames": len(self.errors), "error_ms": quantiles(self.errors),
                "bound_ms": quantiles(self.bounds), "outside": self.outside, "back": self.back}


theirs, ours = Judged(), Judged()


def begin(task):
    """In the first frame, because `run` sets the engine's clock."""
    global ahead, end
    ahead, end = kernel_ahead(), seconds() + float(sys.argv[3])
    game.taskMgr.add(synchronise, "synchronise")
    game.taskMgr.add(judge, "judge")
    return task.done


def synchronise(task):
    global number, server_ahead, server_delta
    for _, content, arrived in socket.received():
        start = sent_at.pop(content.getUint32(), None)
        network_time, reply = content.getInt32(), content.getBlob()
        server_ahead, server_delta = content.getFloat64(), content.getFloat64()
        if start is None:
            continue
        # As `TimeManager.serverTime` of Panda3D does.
        globalClockDelta.resynchronize((start + arrived) / 2, network_time, (arrived - start) / 2)
        client.handle_reply(reply, ticks(arrived))
    now = seconds()
    request = client.tick(ticks(now))
    if request is not None:
        number += 1
        sent_at[number] = now
        for old in [it for it, start in sent_at.items() if start < now - FORGET_S]:
            del sent_at[old]
        datagram = Datagram()
        datagram.addUint32(number)
        datagram.addBlob(request)
        socket.send(datagram, to)
    return task.cont


def judge(task):
    now = seconds()
    reading = client.read(ticks(now))
    if reading is not None and globalClockDelta.getUncertainty() is not None:
        truth = now + ahead - server_ahead
        # Not `getRealNetworkTime`, which rounds to 10 ms.
        shown = now - globalClockDelta.getDelta()
        theirs.judge(shown, globalClockDelta.getUncertainty(), truth - server_delta)
        ours.judge(reading.server_time / TICKS_PER_S, reading.error_bound / TICKS_PER_S, truth)
    if now < end:
        return task.cont
    moved = abs(kernel_ahead() - ahead)
    if moved > JUDGE_S / 2:
        sys.exit(f"the machine's clock was set by {moved * 1e6:.0f} us meanwhile: run it again")
    print(json.dumps({"theirs": theirs.summary(), "ours": ours.summary(), "exchanges": number}))
    sys.exit(0)


game.taskMgr.add(begin, "begin")
game.run()
