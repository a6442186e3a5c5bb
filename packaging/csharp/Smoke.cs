// A client and a server in one process, through NetClock.cs.
using System;
using System.Runtime.InteropServices;
using NetClock;

static class Smoke
{
    const long Millisecond = 10000;
    const long Offset = 3L * 3600 * 1000 * Millisecond;

    static int Check(int status)
    {
        if (status < 0)
        {
            throw new Exception(Marshal.PtrToStringAnsi(Native.netclock_last_error()));
        }
        return status;
    }

    static int Main()
    {
        IntPtr client, server;
        Check(Native.netclock_server_create(42, out server));
        Check(Native.netclock_client_create(IntPtr.Zero, 1, 2, out client));
        var request = new Request { StructSize = (uint)Marshal.SizeOf(typeof(Request)) };
        var reply = new Reply { StructSize = (uint)Marshal.SizeOf(typeof(Reply)) };
        var reading = new Reading { StructSize = (uint)Marshal.SizeOf(typeof(Reading)) };
        long now = 0;
        for (int frame = 0; frame < 600; frame++)
        {
            now += 16 * Millisecond;
            if (Check(Native.netclock_client_tick(client, now, ref request)) == Native.OK)
            {
                long at = now + 25 * Millisecond + Offset;
                Check(Native.netclock_server_respond(server, ref request, at, at, ref reply));
                Check(Native.netclock_client_handle_reply(client, ref reply, now + 50 * Millisecond));
                now += 50 * Millisecond;
            }
        }
        Check(Native.netclock_client_read(client, now, ref reading));
        long error = reading.ServerTime - (now + Offset);
        if (Math.Abs(error) > reading.ErrorBound)
        {
            throw new Exception("the bound did not hold: " + error);
        }
        Check(Native.netclock_client_destroy(client));
        Check(Native.netclock_server_destroy(server));
        Console.WriteLine("error {0} ticks, bound {1} ticks", error, reading.ErrorBound);
        return 0;
    }
}
