"""NetClock in a Python engine: everything that a game adds to synchronise."""

import ctypes as c
import secrets

import netclock as n


class Server:
    """Answers requests with the server's time (ticks)."""

    def __init__(self):
        self.handle = c.c_void_p()
        n.check(n.lib.netclock_server_create(secrets.randbits(64), c.byref(self.handle)))
        self.request, self.reply = n.sized(n.Request), n.sized(n.Reply)

    def answer(self, request, received, sent):
        """The bytes to send back at once; none for what is no request."""
        if n.lib.netclock_decode_request(request, len(request), c.byref(self.request)) != n.OK:
            return None
        n.check(n.lib.netclock_server_respond(self.handle, c.byref(self.request), received, sent,
                                              c.byref(self.reply)))
        datagram = c.create_string_buffer(n.DATAGRAM_SIZE)
        n.check(n.lib.netclock_encode_reply(c.byref(self.reply), datagram, len(datagram)))
        return datagram.raw


class Client:
    """Follows the server's time. Call `tick` and `read` every frame."""

    def __init__(self):
        self.handle = c.c_void_p()
        n.check(n.lib.netclock_client_create(None, secrets.randbits(64) | 1, secrets.randbits(64),
                                             c.byref(self.handle)))
        self.request, self.reply, self.reading = n.sized(n.Request), n.sized(n.Reply), n.sized(n.Reading)

    def tick(self, now):
        """The bytes to send at once, if any."""
        if n.check(n.lib.netclock_client_tick(self.handle, now, c.byref(self.request))) != n.OK:
            return None
        datagram = c.create_string_buffer(n.DATAGRAM_SIZE)
        n.check(n.lib.netclock_encode_request(c.byref(self.request), datagram, len(datagram)))
        return datagram.raw

    def answered(self, reply, arrived):
        """Takes what the server sent. What is no reply of this client's is ignored."""
        if n.lib.netclock_decode_reply(reply, len(reply), c.byref(self.reply)) == n.OK:
            n.lib.netclock_client_handle_reply(self.handle, c.byref(self.reply), arrived)

    def read(self, now):
        """The server's time and its bounds, once it is known."""
        status = n.check(n.lib.netclock_client_read(self.handle, now, c.byref(self.reading)))
        return self.reading if status == n.OK else None
