"""NetClock for Python: the shared library in this directory, with the declarations of its C headers for ctypes.

`lib` has every C function: `lib.netclock_client_tick(client, now, request)`. `check` raises an exception if a status is
negative. `sized` returns a zeroed structure that contains its size. Times are ticks of 100 ns. Keep a reference to each
callback for as long as the library may call it.

Most games only need `Client` and `Server`, which take and return datagrams.
"""

import ctypes as _c
import pathlib as _pathlib
import secrets as _secrets
import sys as _sys
import weakref as _weakref

from ._headers import *
from ._headers import _SIGNATURES, __version__

_LIBRARY = {"win32": "netclock.dll", "darwin": "libnetclock.dylib"}.get(_sys.platform, "libnetclock.so")


class Error(Exception):
    """A call failed; `status` is its negative result."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def check(status):
    """Returns a status that is not an error, and raises `Error` otherwise."""
    if status < 0:
        raise Error(status, lib.netclock_last_error().decode())
    return status


def sized(structure):
    """Returns a zeroed structure that contains its size."""
    return structure(struct_size=_c.sizeof(structure))


def library_path():
    """Returns the path of the shared library."""
    return str(_pathlib.Path(__file__).resolve().with_name(_LIBRARY))


def _load():
    library = _c.CDLL(library_path())
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    if library.netclock_abi_version() != ABI_VERSION:
        raise ImportError("the shared library has a different ABI version than this module")
    return library


lib = _load()


class Server:
    """Answers requests with the server's time (ticks)."""

    def __init__(self):
        self.handle = _c.c_void_p()
        check(lib.netclock_server_create(_secrets.randbits(64), _c.byref(self.handle)))
        # Also runs when the interpreter exits, before the library is unloaded.
        _weakref.finalize(self, lib.netclock_server_destroy, self.handle)
        self._request, self._reply = sized(Request), sized(Reply)

    def answer(self, request, received, sent):
        """Returns the reply to send at once, or None if `request` is not a request. Both times are the server's."""
        if lib.netclock_decode_request(request, len(request), _c.byref(self._request)) != OK:
            return None
        check(lib.netclock_server_respond(self.handle, _c.byref(self._request), received, sent,
                                          _c.byref(self._reply)))
        datagram = _c.create_string_buffer(DATAGRAM_SIZE)
        check(lib.netclock_encode_reply(_c.byref(self._reply), datagram, DATAGRAM_SIZE))
        return datagram.raw


class Client:
    """Follows a server's time. Call `tick` and `read` every frame, with local time (ticks)."""

    def __init__(self):
        self.handle = _c.c_void_p()
        check(lib.netclock_client_create(None, _secrets.randbits(64) | 1, _secrets.randbits(64),
                                         _c.byref(self.handle)))
        _weakref.finalize(self, lib.netclock_client_destroy, self.handle)
        self._request, self._reply = sized(Request), sized(Reply)

    def tick(self, now):
        """Returns a request to send to the server at once, or None."""
        if check(lib.netclock_client_tick(self.handle, now, _c.byref(self._request))) != OK:
            return None
        datagram = _c.create_string_buffer(DATAGRAM_SIZE)
        check(lib.netclock_encode_request(_c.byref(self._request), datagram, DATAGRAM_SIZE))
        return datagram.raw

    def handle_reply(self, reply, arrived):
        """Handles a reply. Returns False if it was rejected, which changes nothing."""
        if lib.netclock_decode_reply(reply, len(reply), _c.byref(self._reply)) != OK:
            return False
        return lib.netclock_client_handle_reply(self.handle, _c.byref(self._reply), arrived) == OK

    def read(self, now):
        """Returns the server's time and its bounds, or None before the first reply."""
        reading = sized(Reading)
        status = check(lib.netclock_client_read(self.handle, now, _c.byref(reading)))
        return reading if status == OK else None
