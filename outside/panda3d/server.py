"""The server: `python server.py PORT`. It answers both clocks in one datagram.

It ends with its standard input.
"""

import select
import sys

from direct.distributed.ClockDelta import globalClockDelta

from engine import Datagram, Socket, base, kernel_ahead, seconds, ticks
from netclock import Server

game = base()
socket = Socket(int(sys.argv[1]))
ahead = None
server = Server()


def begin(task):
    """In the first frame, because `run` sets the engine's clock."""
    global ahead
    ahead = kernel_ahead()
    game.taskMgr.add(answer, "answer")
    print("ready", flush=True)
    return task.done


def answer(task):
    for datagram, content, received in socket.received():
        number, request = content.getUint32(), content.getBlob()
        sent = seconds()
        reply = server.answer(request, ticks(received), ticks(sent))
        if reply is None:
            continue
        answer = Datagram()
        answer.addUint32(number)
        answer.addInt32(globalClockDelta.localToNetworkTime(sent, bits=32))
        answer.addBlob(reply)
        # For the judge: the server's clocks against the kernel's, and its network time against its engine's.
        answer.addFloat64(ahead)
        answer.addFloat64(globalClockDelta.getDelta())
        socket.send(answer, datagram.getAddress())
    if select.select([sys.stdin], [], [], 0)[0]:
        sys.exit(0)
    return task.cont


game.taskMgr.add(begin, "begin")
game.run()
