// LinkClient [HOST [PORT]]: follows a server's clock over the link and prints its time.
using System;
using System.Runtime.InteropServices;
using NetClock;
static class LinkClient
{
    static int Main(string[] arguments)
    {
        string host = arguments.Length > 0 ? arguments[0] : "127.0.0.1";
        ushort port = arguments.Length > 1 ? ushort.Parse(arguments[1]) : (ushort)7117;
        // The key comes from the server, over the game's own connection. Its last number grows.
        var key = new SessionKey { SecretHigh = 0x0123456789ABCDEF, SecretLow = 0xFEDCBA9876543210, Id = 1 };
        key.Restarts = (uint)(Native.netclock_monotonic_now() / 1000000);
        var reading = new Reading { StructSize = (uint)Marshal.SizeOf(typeof(Reading)) };
        long end = Native.netclock_monotonic_now() + 3 * Native.TICKS_PER_SECOND;
        IntPtr client, link = IntPtr.Zero, name = Marshal.StringToHGlobalAnsi(host);
        // A game gets both numbers from a secure random source.
        if (Native.netclock_client_create(IntPtr.Zero, (ulong)end, 1, out client) != 0 ||
            Native.netclock_link_client_create(IntPtr.Zero, client, name, port, ref key, out link) != 0)
            Console.Error.WriteLine(Marshal.PtrToStringAnsi(Native.netclock_last_error()));
        else
            while (Native.netclock_client_read(client, Native.netclock_monotonic_now(), ref reading) != 0)
                if (Native.netclock_monotonic_now() > end) // a game reads the time once a frame
                    break;
        bool isKnown = reading.State != Native.STATE_UNSYNCED;
        Console.WriteLine(isKnown ? "server time {0:F6} s, within {1:F4} ms" : "no reply from the server",
            reading.ServerTime / 1e7, reading.ErrorBound / 1e4);
        return isKnown ? 0 : 1;
    }
}
