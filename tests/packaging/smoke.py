"""Runs a client and a server of the installed module in one process: `python smoke.py`."""

import netclock as n

MILLISECOND = 10_000  # ticks
OFFSET = 3 * 3600 * 1000 * MILLISECOND  # of the server's clock
client, server = n.Client(), n.Server()
now = 0
assert client.read(now) is None and server.answer(b"no request", now, now) is None
for frame in range(600):
    now += 16 * MILLISECOND
    request = client.tick(now)
    if request is not None:
        at = now + 25 * MILLISECOND + OFFSET
        reply = server.answer(request, at, at)
        now += 50 * MILLISECOND
        assert client.handle_reply(reply, now) and not client.handle_reply(reply, now), "a reply counts once"
reading = client.read(now)
error = reading.server_time - (now + OFFSET)
assert abs(error) <= reading.error_bound, (error, reading.error_bound)
try:
    client.tick(-(2**63))
    raise AssertionError("an invalid time was accepted")
except n.Error as refusal:
    assert "netclock_client_tick" in str(refusal), refusal
print(f"NetClock {n.__version__}: error {error / 10:.1f} us, bound {reading.error_bound / MILLISECOND:.1f} ms")
