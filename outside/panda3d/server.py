"""Runs the server, which answers both clocks with a single datagram."""

from direct.distributed.ClockDelta import globalClockDelta

from engine import Datagram, ShowBase, Socket, kernel_ahead, seconds, ticks
from netclock import Server


def serve(port, ready):
    """Answers until the process is killed, and sets `ready` once it can do so."""
    game, socket, server = ShowBase(), Socket(port), Server()

    def begin(task):
        """Must run in the first frame, because `run` sets the engine's clock."""
        game.taskMgr.add(answer, "answer", extraArgs=[kernel_ahead()], appendTask=True)
        ready.set()
        return task.done

    def answer(ahead, task):
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
            # To judge, the client needs the engine's clock relative to the kernel's and to network time.
            answer.addFloat64(ahead)
            answer.addFloat64(globalClockDelta.getDelta())
            socket.send(answer, datagram.getAddress())
        return task.cont

    game.taskMgr.add(begin, "begin")
    game.run()
