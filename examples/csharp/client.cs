/*
 * A client in C#, for .NET and Mono: it follows a server in the same process and shows how far it is ahead.
 * Structures are sequential, and calls are those of C. Pass structures by `ref`: Mono does not take `in` for
 * native calls.
 */
using System;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

[StructLayout(LayoutKind.Sequential)]
struct NetclockRequest
{
    public uint StructSize;
    public int Reliable;
    public ulong Id;
    public long ClientTime;
}

[StructLayout(LayoutKind.Sequential)]
struct NetclockReply { public uint StructSize, Reserved; public ulong Id, Epoch; public long Received, Sent; }

static class NetClock
{
    const string Library = "netclock";
    public const int Ok = 0;

    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int netclock_client_create(
        IntPtr config, ulong seedHigh, ulong seedLow, out IntPtr client);

    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int netclock_client_tick(IntPtr client, long now, ref NetclockRequest request);

    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int netclock_client_handle_reply(
        IntPtr client, ref NetclockReply reply, long arrived);

    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int netclock_client_current_server_time(
        IntPtr client, long now, out long serverTime);

    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int netclock_client_destroy(IntPtr client);

    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int netclock_server_create(ulong epoch, out IntPtr server);

    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int netclock_server_respond(
        IntPtr server, ref NetclockRequest request, long received, long sent, ref NetclockReply reply);

    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern int netclock_server_destroy(IntPtr server);

    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern long netclock_monotonic_now();

    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
    public static extern IntPtr netclock_last_error();

    /* A text of the library's as an IntPtr: if it were a string, the runtime would free it. */
    public static void Check(int status)
    {
        if (status < Ok)
            throw new InvalidOperationException(Marshal.PtrToStringAnsi(netclock_last_error()));
    }
}

static class Program
{
    const long Second = 10000000, Ahead = 3600 * Second, Way = Second / 50;

    static int Main()
    {
        var seed = new byte[24];
        using (var random = RandomNumberGenerator.Create())
            random.GetBytes(seed);
        IntPtr client, server;
        NetClock.Check(NetClock.netclock_client_create(
            IntPtr.Zero, BitConverter.ToUInt64(seed, 0), BitConverter.ToUInt64(seed, 8), out client));
        NetClock.Check(NetClock.netclock_server_create(BitConverter.ToUInt64(seed, 16), out server));

        var request = new NetclockRequest { StructSize = (uint)Marshal.SizeOf(typeof(NetclockRequest)) };
        var reply = new NetclockReply { StructSize = (uint)Marshal.SizeOf(typeof(NetclockReply)) };
        long now = NetClock.netclock_monotonic_now(), shown;
        for (int frame = 0; frame < 100; frame++, now += Second / 10)
        {
            int due = NetClock.netclock_client_tick(client, now, ref request);
            NetClock.Check(due);
            if (due != NetClock.Ok)
                continue;
            long arrived = now + Ahead + Way;
            NetClock.Check(
                NetClock.netclock_server_respond(server, ref request, arrived, arrived, ref reply));
            NetClock.Check(NetClock.netclock_client_handle_reply(client, ref reply, now + 2 * Way));
        }
        NetClock.Check(NetClock.netclock_client_current_server_time(client, now, out shown));
        Console.WriteLine("the server is ahead by {0} s", (shown - now) / Second);
        NetClock.Check(NetClock.netclock_client_destroy(client));
        NetClock.Check(NetClock.netclock_server_destroy(server));
        return 0;
    }
}
