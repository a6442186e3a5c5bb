// NetClock for C#: the declarations of its C headers. MIT OR Apache-2.0.
// Generated from src/ffi. Do not edit: run `cargo xtask header`.
//
// A handle is an IntPtr. Set StructSize to Marshal.SizeOf. Strings are returned as IntPtr for
// Marshal.PtrToStringAnsi, because the runtime would free a marshalled string. Keep a reference to each
// callback delegate. The library does not use UserData.
using System;
using System.Runtime.InteropServices;

namespace NetClock
{
    [StructLayout(LayoutKind.Sequential)]
    public struct Request
    {
        public uint StructSize;
        public int Reliable;
        public ulong Id;
        public long ClientTime;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Reply
    {
        public uint StructSize;
        public uint Wait;
        public ulong Id;
        public ulong Epoch;
        public long Received;
        public long Sent;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Reading
    {
        public uint StructSize;
        public int State;
        public long ServerTime;
        public long ErrorBound;
        public long ExpectedError;
        public long RoundTrip;
        public double FrequencyPpm;
        public ulong ServerEpoch;
        public uint Epoch;
        public int Reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Config
    {
        public uint StructSize;
        public uint BurstCount;
        public double ClientDriftPpm;
        public double ServerDriftPpm;
        public double MaxSlew;
        public long StepThreshold;
        public long MaxRoundTrip;
        public long BurstInterval;
        public long SteadyInterval;
        public long LocalGap;
        public long HoldoverAfter;
        public long TargetBound;
        public long ClientResolution;
        public long ServerResolution;
        public long ClientFrame;
        public long ServerFrame;
        public double ClientRatePpm;
        public double ClientRateDoubtPpm;
        public double ServerRatePpm;
        public double ServerRateDoubtPpm;
        public long TargetError;
        public long SavedSeconds;
        public ulong Boot;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 60)]
        public byte[] SavedMachine;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 60)]
        public byte[] SavedServer;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Event
    {
        public uint StructSize;
        public int Kind;
        public int Cause;
        public uint Epoch;
        public long Jump;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct SessionKey
    {
        public ulong SecretHigh;
        public ulong SecretLow;
        public uint Id;
        public uint Restarts;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Sample
    {
        public uint StructSize;
        public int Status;
        public ulong Id;
        public ulong Epoch;
        public long ClientSent;
        public long ServerReceived;
        public long ServerSent;
        public long ClientReceived;
        public int Path;
        public uint ServerWait;
        public uint ClientWait;
        public uint Reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct LinkReport
    {
        public uint StructSize;
        public int State;
        public int Trouble;
        public int Stamps;
        public ulong Requests;
        public ulong Replies;
        public ulong Foreign;
        public ulong Refused;
        public ulong Unsent;
        public int Mark;
        public uint Port;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct LinkServerConfig
    {
        public uint StructSize;
        public uint Flags;
        public uint Capacity;
        public uint Answers;
        public long ClockOffset;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct LinkClientConfig
    {
        public uint StructSize;
        public uint Flags;
        public long ClockOffset;
        public long SteadyInterval;
        public long MessageInterval;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct OrderStamp
    {
        public long Time;
        public long ErrorBound;
        public long ExpectedError;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct OrderVerdict
    {
        public uint StructSize;
        public int Order;
        public double Probability;
        public int Proven;
        public int Reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct RewindPath
    {
        public uint StructSize;
        public uint Reserved;
        public long RoundTrip;
        public long Jitter;
        public long Interpolation;
        public long MaxRewind;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct RewindResult
    {
        public uint StructSize;
        public int Limit;
        public long Target;
        public long Moved;
        public long Acted;
        public long ErrorBound;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Beat
    {
        public long Origin;
        public long Next;
        public uint Beats;
        public uint Seconds;
        public uint MaxSteps;
        public uint MaxBehind;
        public uint Begun;
        public uint Reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct BeatSteps
    {
        public long First;
        public long Count;
        public long Skipped;
        public long Behind;
        public double Alpha;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Authority
    {
        public uint StructSize;
        public uint Reserved;
        public ulong Epoch;
        public ulong Timescale;
        public long Dispersion;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct RelayConfig
    {
        public uint StructSize;
        public uint Games;
        public uint Slots;
        public uint Players;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct RelayGame
    {
        public uint StructSize;
        public uint Players;
        public uint Generation;
        public int Began;
        public ulong Primary;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct PeerReading
    {
        public uint StructSize;
        public int Stage;
        public int Leads;
        public int State;
        public uint Slot;
        public uint Players;
        public uint Epoch;
        public int Rejection;
        public long Time;
        public long ErrorBound;
        public long ExpectedError;
        public long Inherited;
        public long RoundTrip;
        public ulong Authority;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct HostConfig
    {
        public uint StructSize;
        public uint Capacity;
        public long WorldReadLag;
        public long WorldResolution;
        public uint WorldMaxPerSecond;
        public uint UtcDriftPpm;
        public uint StartCapacity;
        public uint Reserved;
        public long StartPatience;
        public long StartMaxExpectedError;
        public long StartFrame;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct GuestConfig
    {
        public uint StructSize;
        public uint WorldSegments;
        public double WorldMaxRate;
        public double LeadQuantile;
        public long LeadServerFrame;
        public long LatencyLeastChange;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct WorldReading
    {
        public uint StructSize;
        public uint Epoch;
        public long WorldTime;
        public long ErrorBound;
        public long ErrorBoundIfUnchanged;
        public long Ahead;
        public long Jump;
        public double Rate;
        public uint Instance;
        public uint Version;
        public int Paused;
        public uint Reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct UtcReading
    {
        public uint StructSize;
        public uint Reserved;
        public long Utc;
        public long ErrorBound;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct StartProposal
    {
        public uint StructSize;
        public int HoldUp;
        public long At;
        public ulong Participant;
        public uint NotReady;
        public uint Version;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct StartResult
    {
        public uint StructSize;
        public uint Version;
        public long At;
        public long Earliest;
        public long Latest;
        public long ErrorBound;
        public uint Counted;
        public uint Acknowledged;
        public uint Fired;
        public int Cancelled;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct StartProgress
    {
        public uint StructSize;
        public int Stage;
        public int Fires;
        public uint Version;
        public long At;
        public long Lateness;
        public long ErrorBound;
        public long ExpectedError;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct PlayerReport
    {
        public uint StructSize;
        public int IsUpToDate;
        public int HoldUp;
        public int Counted;
        public int Acknowledged;
        public int RateLevel;
        public int RateWorst;
        public int RateFinding;
        public uint RateFindings;
        public int IsMeanKnown;
        public long Lead;
        public long ErrorBound;
        public long ExpectedError;
        public long RoundTrip;
        public double Loss;
        public long Lateness;
        public long LatenessBound;
        public long RateGained;
        public long RateExplained;
        public long RateDuration;
        public double MeanPpm;
        public double MeanErrorPpm;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct LatencyChange
    {
        public uint StructSize;
        public int Direction;
        public long Before;
        public long After;
        public long Since;
        public long Found;
        public double Confidence;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct ConnectionReport
    {
        public uint StructSize;
        public int IsHiding;
        public ulong HostEpoch;
        public long HandledBy;
        public long Showable;
        public double SpeedScale;
        public long SpeedDone;
        public long SpeedRemaining;
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public delegate void TapCallback(IntPtr @user_data, ref Sample @sample);

    public static class Native
    {
        public const string Library = "netclock";

        public const int OK = 0;
        public const int NOTHING_DUE = 1;
        public const int NULL_ARGUMENT = -1;
        public const int UNKNOWN_STRUCT = -2;
        public const int BAD_CONFIG = -3;
        public const int OUT_OF_RANGE = -4;
        public const int TIME_OUT_OF_RANGE = -5;
        public const int STAMP_OUT_OF_RANGE = -6;
        public const int TIME_WENT_BACKWARDS = -7;
        public const int UNKNOWN_HANDLE = -8;
        public const int BUSY = -9;
        public const int POISONED = -10;
        public const int PANICKED = -11;
        public const int FULL = -12;
        public const int DUPLICATE = -13;
        public const int UNKNOWN_PARTICIPANT = -16;
        public const int OUT_OF_MEMORY = -17;
        public const int FORKED = -18;
        public const int TICKS_PER_SECOND = 10000000;
        public const int DATAGRAM_SIZE = 32;
        public const int UNKNOWN_REQUEST = -101;
        public const int ARRIVED_BEFORE_SENT = -102;
        public const int SENT_BEFORE_RECEIVED = -103;
        public const int HELD_TOO_LONG = -104;
        public const int TOO_SLOW = -105;
        public const int CONTRADICTION = -106;
        public const int SEVERAL_SERVERS = -107;
        public const int WIRE_LENGTH = -111;
        public const int WIRE_MAGIC = -112;
        public const int WIRE_OLDER = -113;
        public const int WIRE_KIND = -114;
        public const int WIRE_RESERVED = -115;
        public const int WIRE_STAMP = -116;
        public const int WIRE_NEWER = -117;
        public const int STATE_UNSYNCED = 0;
        public const int STATE_SYNCED = 1;
        public const int STATE_HOLDOVER = 2;
        public const int STATE_DOUBTFUL = 3;
        public const long UNBOUNDED = 9223372036854775807;
        public const long UNKNOWN_TIME = long.MinValue;
        public const int SAVED_SIZE = 60;
        public const int EVENT_SYNCED = 1;
        public const int EVENT_DISCONTINUITY = 2;
        public const int EVENT_DEGRADED = 3;
        public const int EVENT_RECOVERED = 4;
        public const int EVENT_HANDED_OVER = 5;
        public const int EVENT_LINKED = 6;
        public const int EVENT_LINK_BLOCKED = 7;
        public const int EVENT_LINK_NOT_POSSIBLE = 8;
        public const int CAUSE_SERVER_RESTART = 1;
        public const int CAUSE_PROVEN_STEP = 2;
        public const int CAUSE_LOCAL_GAP = 3;
        public const int CAUSE_LOCAL_STEP = 4;
        public const int CAUSE_CORRECTION = 5;
        public const int CAUSE_REQUESTED = 6;
        public const int DEGRADED_NO_REPLIES = 1;
        public const int DEGRADED_BOUND_ABOVE_TARGET = 2;
        public const int DEGRADED_CONTRADICTION = 3;
        public const int DEGRADED_SEVERAL_SERVERS = 4;
        public const int DEGRADED_SLEWED = 5;
        public const int NOT_SYNCED = 201;
        public const int NO_EVENT = 202;
        public const int OTHER_TIMESCALE = -201;
        public const int ABI_VERSION = 1;
        public const int ABI_REVISION = 1;
        public const int TO_SERVER = 1;
        public const int TO_CLIENT = 2;
        public const int NOT_SEALED = -121;
        public const int OTHER_DIRECTION = -122;
        public const int UNKNOWN_KEY = -123;
        public const int FORGED = -124;
        public const int ENOUGH_ANSWERS = -125;
        public const int REPLAYED = -126;
        public const int OTHER_CHANNEL = -127;
        public const int USED_MACHINE = 1;
        public const int USED_SERVER = 2;
        public const int PATH_MESSAGES = 0;
        public const int PATH_LINK = 1;
        public const int LINK_POLLED = 1;
        public const int LINK_THREAD_STAMPS = 2;
        public const int LINK_CARRIED = 8;
        public const int LINK_NO_MARK = 16;
        public const int LINK_DATAGRAM_SIZE = 64;
        public const int LINK_CHECKING = 1;
        public const int LINK_LINKED = 2;
        public const int LINK_BLOCKED = 3;
        public const int LINK_NOT_POSSIBLE = 4;
        public const int LINK_SERVING = 5;
        public const int LINK_NO_TROUBLE = 10;
        public const int LINK_RESOLVING = 11;
        public const int LINK_UNKNOWN_HOST = 12;
        public const int LINK_NO_ROUTE = 13;
        public const int LINK_NOBODY_LISTENS = 14;
        public const int LINK_NOT_SENT = 15;
        public const int LINK_HOST_UNREACHABLE = 16;
        public const int LINK_PROHIBITED = 17;
        public const int LINK_NO_SOCKET = 18;
        public const int LINK_REPLACED = 19;
        public const int LINK_KEY_IN_USE = 24;
        public const int LINK_NO_STAMPS = 20;
        public const int LINK_STAMPS_KERNEL = 21;
        public const int LINK_STAMPS_THREAD = 22;
        public const int LINK_STAMPS_CALLER = 23;
        public const int LINK_NOT_MARKED = 30;
        public const int LINK_MARKED = 31;
        public const int LINK_MARK_DROPPED = 32;
        public const int PORT_IN_USE = -1001;
        public const int NO_PERMISSION = -1002;
        public const int BAD_ADDRESS = -1003;
        public const int NO_SOCKET = -1004;
        public const int NO_THREAD = -1005;
        public const int NOT_CARRIED = -1008;
        public const int ORDER_TOO_CLOSE = 0;
        public const int ORDER_BEFORE = 1;
        public const int ORDER_AFTER = 2;
        public const int LIMIT_NONE = 0;
        public const int LIMIT_ARRIVAL = 1;
        public const int LIMIT_PATH = 2;
        public const int LIMIT_MAX_REWIND = 3;
        public const int PEER_DATAGRAM_SIZE = 64;
        public const int PEER_JOINING = 0;
        public const int PEER_WAITING = 1;
        public const int PEER_SYNCED = 2;
        public const int PEER_PLAYING = 3;
        public const int PEER_ENDED = 4;
        public const int REJECTED_NONE = 0;
        public const int REJECTED_FULL = 1;
        public const int REJECTED_DUPLICATE = 2;
        public const int REJECTED_LOGIN = 3;
        public const int NO_GAME = 804;
        public const int NOT_LOGGED_IN = -805;
        public const int WRONG_ROLE = -806;
        public const int OVER_BUDGET = -807;
        public const int UNSOLICITED = -808;
        public const int QUEUE_FULL = -809;
        public const int LOGIN_REJECTED = -810;
        public const int STALE = -811;
        public const int WRONG_KEY = -812;
        public const int SESSION_DATAGRAM_MOST = 256;
        public const int SESSION_BLOB_MOST = 306;
        public const int WORLD_PAUSED = 1;
        public const int WORLD_NEW = 2;
        public const int SEGMENT_SIZE = 72;
        public const int HOLD_UP_NONE = 0;
        public const int HOLD_UP_SILENT = 1;
        public const int HOLD_UP_UNSYNCED = 2;
        public const int HOLD_UP_INACCURATE = 3;
        public const int HOLD_UP_TOO_SLOW = 4;
        public const int STAGE_WAITING = 0;
        public const int STAGE_ANNOUNCED = 1;
        public const int STAGE_STARTED = 2;
        public const int STAGE_JOINED = 3;
        public const int RATE_UNKNOWN = 0;
        public const int RATE_PLAUSIBLE = 1;
        public const int RATE_LIKELY = 2;
        public const int RATE_PROVEN = 3;
        public const int RATE_NOTHING = 0;
        public const int RATE_FAST = 1;
        public const int RATE_SLOW = 2;
        public const int RATE_ADDED = 3;
        public const int RATE_REMOVED = 4;
        public const int NO_LINK_OFFER = 1101;
        public const int NO_WORLD = 1102;
        public const int NEVER = 1103;
        public const int NOT_KEPT = 1104;
        public const int NO_UTC = 1105;
        public const int HELD_UP = 1106;
        public const int NO_START = 1107;
        public const int NO_CHANGE = 1108;
        public const int NO_MESSAGES = 1109;
        public const int UNKNOWN_WORLD = -1101;
        public const int OTHER_SESSION = -1102;
        public const int WIRE_TRUNCATED = -1103;
        public const int WIRE_TORN = -1104;
        public const int RATE_OUT_OF_RANGE = -1105;
        public const int REAL_WENT_BACKWARDS = -1106;
        public const int WORLD_WENT_BACKWARDS = -1107;
        public const int UTC_OUT_OF_RANGE = -1108;
        public const int START_PENDING = -1109;

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr netclock_status_text(int @status);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr netclock_last_error();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern long netclock_monotonic_now();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_encode_request(ref Request @request, byte[] @datagram, UIntPtr @capacity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_decode_request(byte[] @datagram, UIntPtr @length, ref Request @request);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_encode_reply(ref Reply @reply, byte[] @datagram, UIntPtr @capacity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_decode_reply(byte[] @datagram, UIntPtr @length, ref Reply @reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_server_create(ulong @epoch, out IntPtr @server);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_server_destroy(IntPtr @server);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_server_respond(IntPtr @server, ref Request @request, long @received, long @sent, ref Reply @reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_create(IntPtr @config, ulong @seed_high, ulong @seed_low, out IntPtr @client);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_destroy(IntPtr @client);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_tick(IntPtr @client, long @now, ref Request @request);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_handle_reply(IntPtr @client, ref Reply @reply, long @arrived);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_current_server_time(IntPtr @client, long @now, ref long @server_time);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_read(IntPtr @client, long @now, ref Reading @reading);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_local_time_at(IntPtr @client, long @server_time, ref long @local_time);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_next_event(IntPtr @client, ref Event @event);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_make_request(IntPtr @client, long @now, ref Request @request);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_begin_burst(IntPtr @client);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_may_have_missed_time(IntPtr @client, long @now, long @most);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_make_step(IntPtr @client, long @now, long @least, ref long @step);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_polled(IntPtr @client, long @at);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_handle_exchange(IntPtr @client, long @client_sent, long @server_received, long @server_sent, long @client_received, uint @server_wait, uint @client_wait, ulong @server_epoch);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern uint netclock_abi_version();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern uint netclock_abi_revision();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_used_saved(IntPtr @client, ref int @used);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_set_server_boot(IntPtr @client, ulong @boot);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_save(IntPtr @client, long @seconds, byte[] @machine, byte[] @server, UIntPtr @capacity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void netclock_machine_hints(ref double @ppm, ref double @doubt_ppm, ref ulong @boot);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_set_tap(IntPtr @client, TapCallback @callback, IntPtr @user_data);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_link_server_create(IntPtr @config, IntPtr @address, ushort @port, ulong @epoch, out IntPtr @link);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_link_server_destroy(IntPtr @link);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_link_server_admit(IntPtr @link, ref SessionKey @key);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_link_server_revoke(IntPtr @link, uint @id);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_link_server_poll(IntPtr @link, ref LinkReport @report);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_link_server_answer(IntPtr @link, byte[] @datagram, UIntPtr @length, long @received, long @sent, byte[] @answer, UIntPtr @capacity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_link_client_create(IntPtr @config, IntPtr @client, IntPtr @host, ushort @port, ref SessionKey @key, out IntPtr @link);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_link_client_destroy(IntPtr @link);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_link_client_poll(IntPtr @link, ref LinkReport @report);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_link_client_due(IntPtr @link, long @now, byte[] @datagram, UIntPtr @capacity, ref long @next);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_link_client_handle(IntPtr @link, byte[] @datagram, UIntPtr @length, long @arrived);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_arbitrate(ref OrderStamp @first, ref OrderStamp @second, int @same_clock, double @confidence, ref OrderVerdict @verdict);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_rewind(long @claimed, long @arrived, ref RewindPath @path, ref RewindResult @rewound);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_beat_at(ref Beat @beat, long @now, ref long @number, ref double @alpha);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_beat_time(ref Beat @beat, long @number, ref long @server_time);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_beat_advance(ref Beat @beat, long @now, ref BeatSteps @steps);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_set_authority(IntPtr @client, ref Authority @authority, long @now);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_client_authority(IntPtr @client, long @now, ref Authority @authority);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_relay_create(IntPtr @config, ulong @seed_high, ulong @seed_low, out IntPtr @relay);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_relay_destroy(IntPtr @relay);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_relay_receive(IntPtr @relay, ulong @connection, byte[] @datagram, UIntPtr @length, long @received);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_relay_disconnect(IntPtr @relay, ulong @connection, long @now);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_relay_has_slot(IntPtr @relay, ulong @connection);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_relay_next_message(IntPtr @relay, long @now, ref ulong @connection, byte[] @datagram, UIntPtr @capacity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_relay_read_game(IntPtr @relay, ulong @game, ref RelayGame @state);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_peer_create(IntPtr @config, ulong @game, ulong @seed_high, ulong @seed_low, out IntPtr @peer);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_peer_destroy(IntPtr @peer);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_peer_receive(IntPtr @peer, byte[] @datagram, UIntPtr @length, long @arrived);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_peer_next_message(IntPtr @peer, long @now, byte[] @datagram, UIntPtr @capacity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_peer_read(IntPtr @peer, long @now, ref PeerReading @reading);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_peer_leave(IntPtr @peer);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_create(IntPtr @config, ulong @server_epoch, ulong @seed_high, ulong @seed_low, out IntPtr @host);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_destroy(IntPtr @host);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_admit(IntPtr @host, ulong @player, ref SessionKey @key, int @unproven);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_dismiss(IntPtr @host, ulong @player);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_silent(IntPtr @host, long @now, long @longest, ref ulong @player);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_observe(IntPtr @host, uint @world, long @real, long @time, double @rate, uint @flags);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_observe_utc(IntPtr @host, long @at, long @utc, long @error_bound);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_state_authority(IntPtr @host, ref Authority @authority);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_use_starts(IntPtr @host, int @in_use);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_propose_start(IntPtr @host, long @now, long @earliest, double @confidence, ref StartProposal @proposal);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_cancel_start(IntPtr @host, long @now);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_start_result(IntPtr @host, ref StartResult @outcome);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_player(IntPtr @host, ulong @player, long @now, ref PlayerReport @report);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_excuse(IntPtr @host, ulong @player, long @from, long @to);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_round_trip(IntPtr @host, ulong @player, long @now, ref long @round_trip);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_blob(IntPtr @host, byte[] @blob, UIntPtr @capacity, ref UIntPtr @length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_offer_link(IntPtr @host, ulong @player, ushort @port, ref SessionKey @key);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_polled(IntPtr @host, long @at);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_receive(IntPtr @host, ulong @player, byte[] @datagram, UIntPtr @length, long @arrived);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_host_next(IntPtr @host, long @now, ref ulong @player, byte[] @datagram, UIntPtr @capacity, ref UIntPtr @length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_create(IntPtr @config, ref Config @clock, ulong @seed_high, ulong @seed_low, out IntPtr @guest);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_destroy(IntPtr @guest);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr netclock_guest_client(IntPtr @guest);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_connect(IntPtr @guest, ref SessionKey @key, long @now, int @continues);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_take_part(IntPtr @guest, int @takes_part);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_read_blob(IntPtr @guest, byte[] @blob, UIntPtr @length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_segment(IntPtr @guest, uint @world, byte[] @segment, UIntPtr @capacity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_receive(IntPtr @guest, byte[] @datagram, UIntPtr @length, long @arrived);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_next(IntPtr @guest, long @now, ref int @reliable, byte[] @datagram, UIntPtr @capacity, ref UIntPtr @length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_view(IntPtr @guest, long @now, ref Reading @reading);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_world(IntPtr @guest, uint @world, ref WorldReading @reading);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_utc(IntPtr @guest, ref UtcReading @reading);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_start(IntPtr @guest, ref StartProgress @progress);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_report(IntPtr @guest, ref ConnectionReport @report);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_next_latency_change(IntPtr @guest, ref LatencyChange @change);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_link_offer(IntPtr @guest, ref ushort @port, ref SessionKey @key);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_world_at(IntPtr @guest, uint @world, long @real, ref WorldReading @reading);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_guest_real_at(IntPtr @guest, uint @world, long @time, ref long @first, ref long @last);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int netclock_utc_now(ref long @local, ref long @utc, ref long @uncertainty);
    }
}
