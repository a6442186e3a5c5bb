"""link_client.py [HOST [PORT]]: follows a server's clock over the link and prints its time."""

import ctypes
import sys
import time

import netclock as n

host = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1"
port = int(sys.argv[2]) if len(sys.argv) > 2 else 7117
# The key comes from the server, over the game's own connection. Its last number grows with every run.
key = n.SessionKey(0x0123456789ABCDEF, 0xFEDCBA9876543210, 1, n.lib.netclock_monotonic_now() // 1000000)
client, link = n.Client(), ctypes.c_void_p()
n.check(n.lib.netclock_link_client_create(
    None, client.handle, host.encode(), port, ctypes.byref(key), ctypes.byref(link)))
reading, end = None, time.monotonic() + 3
while reading is None and time.monotonic() < end:
    time.sleep(1 / 60)  # a game reads the time once a frame
    reading = client.read(n.lib.netclock_monotonic_now())
n.lib.netclock_link_client_destroy(link)
if reading is None:
    sys.exit(f"no reply from {host}:{port}")
print(f"server time {reading.server_time / 1e7:.6f} s, within {reading.error_bound / 1e4:.4f} ms")
