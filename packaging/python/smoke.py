"""A client and a server in one process, through the installed module: `python smoke.py`."""

import ctypes as c

import netclock as n

MILLISECOND = 10_000  # ticks
OFFSET = 3 * 3600 * 1000 * MILLISECOND  # of the server's clock
client, server = c.c_void_p(), c.c_void_p()
n.check(n.lib.netclock_server_create(42, c.byref(server)))
n.check(n.lib.netclock_client_create(None, 1, 2, c.byref(client)))
request, reply, reading = n.sized(n.Request), n.sized(n.Reply), n.sized(n.Reading)
now = 0
for frame in range(600):
    now += 16 * MILLISECOND
    if n.check(n.lib.netclock_client_tick(client, now, c.byref(request))) == n.OK:
        at = now + 25 * MILLISECOND + OFFSET
        n.check(n.lib.netclock_server_respond(server, c.byref(request), at, at, c.byref(reply)))
        n.check(n.lib.netclock_client_handle_reply(client, c.byref(reply), now + 50 * MILLISECOND))
        now += 50 * MILLISECOND
n.check(n.lib.netclock_client_read(client, now, c.byref(reading)))
error = reading.server_time - (now + OFFSET)
assert abs(error) <= reading.error_bound, (error, reading.error_bound)
try:
    n.check(n.lib.netclock_client_tick(client, -(2**63), c.byref(request)))
    raise AssertionError("a time that cannot be was taken")
except n.Error as refusal:
    assert "netclock_client_tick" in str(refusal), refusal
n.check(n.lib.netclock_client_destroy(client))
n.check(n.lib.netclock_server_destroy(server))
print(f"NetClock {n.__version__}: error {error / 10:.1f} us, bound {reading.error_bound / MILLISECOND:.1f} ms")
