# Generated from src/ffi. Do not edit: run `cargo xtask header`.

import ctypes as _c

__version__ = "0.1.0"

# The constants without NETCLOCK_, and the structures.
OK = 0
NOTHING_DUE = 1
NULL_ARGUMENT = -1
UNKNOWN_STRUCT = -2
BAD_CONFIG = -3
OUT_OF_RANGE = -4
TIME_OUT_OF_RANGE = -5
STAMP_OUT_OF_RANGE = -6
TIME_WENT_BACKWARDS = -7
UNKNOWN_HANDLE = -8
BUSY = -9
POISONED = -10
PANICKED = -11
FULL = -12
DUPLICATE = -13
UNKNOWN_PARTICIPANT = -16
OUT_OF_MEMORY = -17
FORKED = -18
TICKS_PER_SECOND = 10000000
DATAGRAM_SIZE = 32
UNKNOWN_REQUEST = -101
ARRIVED_BEFORE_SENT = -102
SENT_BEFORE_RECEIVED = -103
HELD_TOO_LONG = -104
TOO_SLOW = -105
CONTRADICTION = -106
SEVERAL_SERVERS = -107
WIRE_LENGTH = -111
WIRE_MAGIC = -112
WIRE_OLDER = -113
WIRE_KIND = -114
WIRE_RESERVED = -115
WIRE_STAMP = -116
WIRE_NEWER = -117
STATE_UNSYNCED = 0
STATE_SYNCED = 1
STATE_HOLDOVER = 2
STATE_DOUBTFUL = 3
UNBOUNDED = 9223372036854775807
UNKNOWN_TIME = -9223372036854775808
SAVED_SIZE = 60
EVENT_SYNCED = 1
EVENT_DISCONTINUITY = 2
EVENT_DEGRADED = 3
EVENT_RECOVERED = 4
EVENT_HANDED_OVER = 5
EVENT_LINKED = 6
EVENT_LINK_BLOCKED = 7
EVENT_LINK_NOT_POSSIBLE = 8
CAUSE_SERVER_RESTART = 1
CAUSE_PROVEN_STEP = 2
CAUSE_LOCAL_GAP = 3
CAUSE_LOCAL_STEP = 4
CAUSE_CORRECTION = 5
CAUSE_REQUESTED = 6
DEGRADED_NO_REPLIES = 1
DEGRADED_BOUND_ABOVE_TARGET = 2
DEGRADED_CONTRADICTION = 3
DEGRADED_SEVERAL_SERVERS = 4
DEGRADED_SLEWED = 5
NOT_SYNCED = 201
NO_EVENT = 202
OTHER_TIMESCALE = -201
ABI_VERSION = 1
ABI_REVISION = 1
TO_SERVER = 1
TO_CLIENT = 2
NOT_SEALED = -121
OTHER_DIRECTION = -122
UNKNOWN_KEY = -123
FORGED = -124
ENOUGH_ANSWERS = -125
REPLAYED = -126
OTHER_CHANNEL = -127
USED_MACHINE = 1
USED_SERVER = 2
PATH_MESSAGES = 0
PATH_LINK = 1
LINK_POLLED = 1
LINK_THREAD_STAMPS = 2
LINK_CARRIED = 8
LINK_NO_MARK = 16
LINK_DATAGRAM_SIZE = 64
LINK_CHECKING = 1
LINK_LINKED = 2
LINK_BLOCKED = 3
LINK_NOT_POSSIBLE = 4
LINK_SERVING = 5
LINK_NO_TROUBLE = 10
LINK_RESOLVING = 11
LINK_UNKNOWN_HOST = 12
LINK_NO_ROUTE = 13
LINK_NOBODY_LISTENS = 14
LINK_NOT_SENT = 15
LINK_HOST_UNREACHABLE = 16
LINK_PROHIBITED = 17
LINK_NO_SOCKET = 18
LINK_REPLACED = 19
LINK_KEY_IN_USE = 24
LINK_NO_STAMPS = 20
LINK_STAMPS_KERNEL = 21
LINK_STAMPS_THREAD = 22
LINK_STAMPS_CALLER = 23
LINK_NOT_MARKED = 30
LINK_MARKED = 31
LINK_MARK_DROPPED = 32
PORT_IN_USE = -1001
NO_PERMISSION = -1002
BAD_ADDRESS = -1003
NO_SOCKET = -1004
NO_THREAD = -1005
NOT_CARRIED = -1008
ORDER_TOO_CLOSE = 0
ORDER_BEFORE = 1
ORDER_AFTER = 2
LIMIT_NONE = 0
LIMIT_ARRIVAL = 1
LIMIT_PATH = 2
LIMIT_MAX_REWIND = 3
PEER_DATAGRAM_SIZE = 64
PEER_JOINING = 0
PEER_WAITING = 1
PEER_SYNCED = 2
PEER_PLAYING = 3
PEER_ENDED = 4
REJECTED_NONE = 0
REJECTED_FULL = 1
REJECTED_DUPLICATE = 2
REJECTED_LOGIN = 3
NO_GAME = 804
NOT_LOGGED_IN = -805
WRONG_ROLE = -806
OVER_BUDGET = -807
UNSOLICITED = -808
QUEUE_FULL = -809
LOGIN_REJECTED = -810
STALE = -811
WRONG_KEY = -812
SESSION_DATAGRAM_MOST = 256
SESSION_BLOB_MOST = 306
WORLD_PAUSED = 1
WORLD_NEW = 2
SEGMENT_SIZE = 72
HOLD_UP_NONE = 0
HOLD_UP_SILENT = 1
HOLD_UP_UNSYNCED = 2
HOLD_UP_INACCURATE = 3
HOLD_UP_TOO_SLOW = 4
STAGE_WAITING = 0
STAGE_ANNOUNCED = 1
STAGE_STARTED = 2
STAGE_JOINED = 3
RATE_UNKNOWN = 0
RATE_PLAUSIBLE = 1
RATE_LIKELY = 2
RATE_PROVEN = 3
RATE_NOTHING = 0
RATE_FAST = 1
RATE_SLOW = 2
RATE_ADDED = 3
RATE_REMOVED = 4
NO_LINK_OFFER = 1101
NO_WORLD = 1102
NEVER = 1103
NOT_KEPT = 1104
NO_UTC = 1105
HELD_UP = 1106
NO_START = 1107
NO_CHANGE = 1108
NO_MESSAGES = 1109
UNKNOWN_WORLD = -1101
OTHER_SESSION = -1102
WIRE_TRUNCATED = -1103
WIRE_TORN = -1104
RATE_OUT_OF_RANGE = -1105
REAL_WENT_BACKWARDS = -1106
WORLD_WENT_BACKWARDS = -1107
UTC_OUT_OF_RANGE = -1108
START_PENDING = -1109


class Request(_c.Structure):
    """`netclock_request` of the C headers."""


class Reply(_c.Structure):
    """`netclock_reply` of the C headers."""


class Reading(_c.Structure):
    """`netclock_reading` of the C headers."""


class Config(_c.Structure):
    """`netclock_config` of the C headers."""


class Event(_c.Structure):
    """`netclock_event` of the C headers."""


class SessionKey(_c.Structure):
    """`netclock_session_key` of the C headers."""


class Sample(_c.Structure):
    """`netclock_sample` of the C headers."""


class LinkReport(_c.Structure):
    """`netclock_link_report` of the C headers."""


class LinkServerConfig(_c.Structure):
    """`netclock_link_server_config` of the C headers."""


class LinkClientConfig(_c.Structure):
    """`netclock_link_client_config` of the C headers."""


class OrderStamp(_c.Structure):
    """`netclock_order_stamp` of the C headers."""


class OrderVerdict(_c.Structure):
    """`netclock_order_verdict` of the C headers."""


class RewindPath(_c.Structure):
    """`netclock_rewind_path` of the C headers."""


class RewindResult(_c.Structure):
    """`netclock_rewind_result` of the C headers."""


class Beat(_c.Structure):
    """`netclock_beat` of the C headers."""


class BeatSteps(_c.Structure):
    """`netclock_beat_steps` of the C headers."""


class Authority(_c.Structure):
    """`netclock_authority` of the C headers."""


class RelayConfig(_c.Structure):
    """`netclock_relay_config` of the C headers."""


class RelayGame(_c.Structure):
    """`netclock_relay_game` of the C headers."""


class PeerReading(_c.Structure):
    """`netclock_peer_reading` of the C headers."""


class HostConfig(_c.Structure):
    """`netclock_host_config` of the C headers."""


class GuestConfig(_c.Structure):
    """`netclock_guest_config` of the C headers."""


class WorldReading(_c.Structure):
    """`netclock_world_reading` of the C headers."""


class UtcReading(_c.Structure):
    """`netclock_utc_reading` of the C headers."""


class StartProposal(_c.Structure):
    """`netclock_start_proposal` of the C headers."""


class StartResult(_c.Structure):
    """`netclock_start_result` of the C headers."""


class StartProgress(_c.Structure):
    """`netclock_start_progress` of the C headers."""


class PlayerReport(_c.Structure):
    """`netclock_player_report` of the C headers."""


class LatencyChange(_c.Structure):
    """`netclock_latency_change` of the C headers."""


class ConnectionReport(_c.Structure):
    """`netclock_connection_report` of the C headers."""


TapCallback = _c.CFUNCTYPE(None, _c.c_void_p, _c.POINTER(Sample))
Request._fields_ = [
    ("struct_size", _c.c_uint32),
    ("reliable", _c.c_int32),
    ("id", _c.c_uint64),
    ("client_time", _c.c_int64),
]
Reply._fields_ = [
    ("struct_size", _c.c_uint32),
    ("wait", _c.c_uint32),
    ("id", _c.c_uint64),
    ("epoch", _c.c_uint64),
    ("received", _c.c_int64),
    ("sent", _c.c_int64),
]
Reading._fields_ = [
    ("struct_size", _c.c_uint32),
    ("state", _c.c_int32),
    ("server_time", _c.c_int64),
    ("error_bound", _c.c_int64),
    ("expected_error", _c.c_int64),
    ("round_trip", _c.c_int64),
    ("frequency_ppm", _c.c_double),
    ("server_epoch", _c.c_uint64),
    ("epoch", _c.c_uint32),
    ("reserved", _c.c_int32),
]
Config._fields_ = [
    ("struct_size", _c.c_uint32),
    ("burst_count", _c.c_uint32),
    ("client_drift_ppm", _c.c_double),
    ("server_drift_ppm", _c.c_double),
    ("max_slew", _c.c_double),
    ("step_threshold", _c.c_int64),
    ("max_round_trip", _c.c_int64),
    ("burst_interval", _c.c_int64),
    ("steady_interval", _c.c_int64),
    ("local_gap", _c.c_int64),
    ("holdover_after", _c.c_int64),
    ("target_bound", _c.c_int64),
    ("client_resolution", _c.c_int64),
    ("server_resolution", _c.c_int64),
    ("client_frame", _c.c_int64),
    ("server_frame", _c.c_int64),
    ("client_rate_ppm", _c.c_double),
    ("client_rate_doubt_ppm", _c.c_double),
    ("server_rate_ppm", _c.c_double),
    ("server_rate_doubt_ppm", _c.c_double),
    ("target_error", _c.c_int64),
    ("saved_seconds", _c.c_int64),
    ("boot", _c.c_uint64),
    ("saved_machine", _c.c_uint8 * 60),
    ("saved_server", _c.c_uint8 * 60),
]
Event._fields_ = [
    ("struct_size", _c.c_uint32),
    ("kind", _c.c_int32),
    ("cause", _c.c_int32),
    ("epoch", _c.c_uint32),
    ("jump", _c.c_int64),
]
SessionKey._fields_ = [
    ("secret_high", _c.c_uint64),
    ("secret_low", _c.c_uint64),
    ("id", _c.c_uint32),
    ("restarts", _c.c_uint32),
]
Sample._fields_ = [
    ("struct_size", _c.c_uint32),
    ("status", _c.c_int32),
    ("id", _c.c_uint64),
    ("epoch", _c.c_uint64),
    ("client_sent", _c.c_int64),
    ("server_received", _c.c_int64),
    ("server_sent", _c.c_int64),
    ("client_received", _c.c_int64),
    ("path", _c.c_int32),
    ("server_wait", _c.c_uint32),
    ("client_wait", _c.c_uint32),
    ("reserved", _c.c_uint32),
]
LinkReport._fields_ = [
    ("struct_size", _c.c_uint32),
    ("state", _c.c_int32),
    ("trouble", _c.c_int32),
    ("stamps", _c.c_int32),
    ("requests", _c.c_uint64),
    ("replies", _c.c_uint64),
    ("foreign", _c.c_uint64),
    ("refused", _c.c_uint64),
    ("unsent", _c.c_uint64),
    ("mark", _c.c_int32),
    ("port", _c.c_uint32),
]
LinkServerConfig._fields_ = [
    ("struct_size", _c.c_uint32),
    ("flags", _c.c_uint32),
    ("capacity", _c.c_uint32),
    ("answers", _c.c_uint32),
    ("clock_offset", _c.c_int64),
]
LinkClientConfig._fields_ = [
    ("struct_size", _c.c_uint32),
    ("flags", _c.c_uint32),
    ("clock_offset", _c.c_int64),
    ("steady_interval", _c.c_int64),
    ("message_interval", _c.c_int64),
]
OrderStamp._fields_ = [
    ("time", _c.c_int64),
    ("error_bound", _c.c_int64),
    ("expected_error", _c.c_int64),
]
OrderVerdict._fields_ = [
    ("struct_size", _c.c_uint32),
    ("order", _c.c_int32),
    ("probability", _c.c_double),
    ("proven", _c.c_int32),
    ("reserved", _c.c_int32),
]
RewindPath._fields_ = [
    ("struct_size", _c.c_uint32),
    ("reserved", _c.c_uint32),
    ("round_trip", _c.c_int64),
    ("jitter", _c.c_int64),
    ("interpolation", _c.c_int64),
    ("max_rewind", _c.c_int64),
]
RewindResult._fields_ = [
    ("struct_size", _c.c_uint32),
    ("limit", _c.c_int32),
    ("target", _c.c_int64),
    ("moved", _c.c_int64),
    ("acted", _c.c_int64),
    ("error_bound", _c.c_int64),
]
Beat._fields_ = [
    ("origin", _c.c_int64),
    ("next", _c.c_int64),
    ("beats", _c.c_uint32),
    ("seconds", _c.c_uint32),
    ("max_steps", _c.c_uint32),
    ("max_behind", _c.c_uint32),
    ("begun", _c.c_uint32),
    ("reserved", _c.c_uint32),
]
BeatSteps._fields_ = [
    ("first", _c.c_int64),
    ("count", _c.c_int64),
    ("skipped", _c.c_int64),
    ("behind", _c.c_int64),
    ("alpha", _c.c_double),
]
Authority._fields_ = [
    ("struct_size", _c.c_uint32),
    ("reserved", _c.c_uint32),
    ("epoch", _c.c_uint64),
    ("timescale", _c.c_uint64),
    ("dispersion", _c.c_int64),
]
RelayConfig._fields_ = [
    ("struct_size", _c.c_uint32),
    ("games", _c.c_uint32),
    ("slots", _c.c_uint32),
    ("players", _c.c_uint32),
]
RelayGame._fields_ = [
    ("struct_size", _c.c_uint32),
    ("players", _c.c_uint32),
    ("generation", _c.c_uint32),
    ("began", _c.c_int32),
    ("primary", _c.c_uint64),
]
PeerReading._fields_ = [
    ("struct_size", _c.c_uint32),
    ("stage", _c.c_int32),
    ("leads", _c.c_int32),
    ("state", _c.c_int32),
    ("slot", _c.c_uint32),
    ("players", _c.c_uint32),
    ("epoch", _c.c_uint32),
    ("rejection", _c.c_int32),
    ("time", _c.c_int64),
    ("error_bound", _c.c_int64),
    ("expected_error", _c.c_int64),
    ("inherited", _c.c_int64),
    ("round_trip", _c.c_int64),
    ("authority", _c.c_uint64),
]
HostConfig._fields_ = [
    ("struct_size", _c.c_uint32),
    ("capacity", _c.c_uint32),
    ("world_read_lag", _c.c_int64),
    ("world_resolution", _c.c_int64),
    ("world_max_per_second", _c.c_uint32),
    ("utc_drift_ppm", _c.c_uint32),
    ("start_capacity", _c.c_uint32),
    ("reserved", _c.c_uint32),
    ("start_patience", _c.c_int64),
    ("start_max_expected_error", _c.c_int64),
    ("start_frame", _c.c_int64),
]
GuestConfig._fields_ = [
    ("struct_size", _c.c_uint32),
    ("world_segments", _c.c_uint32),
    ("world_max_rate", _c.c_double),
    ("lead_quantile", _c.c_double),
    ("lead_server_frame", _c.c_int64),
    ("latency_least_change", _c.c_int64),
]
WorldReading._fields_ = [
    ("struct_size", _c.c_uint32),
    ("epoch", _c.c_uint32),
    ("world_time", _c.c_int64),
    ("error_bound", _c.c_int64),
    ("error_bound_if_unchanged", _c.c_int64),
    ("ahead", _c.c_int64),
    ("jump", _c.c_int64),
    ("rate", _c.c_double),
    ("instance", _c.c_uint32),
    ("version", _c.c_uint32),
    ("paused", _c.c_int32),
    ("reserved", _c.c_uint32),
]
UtcReading._fields_ = [
    ("struct_size", _c.c_uint32),
    ("reserved", _c.c_uint32),
    ("utc", _c.c_int64),
    ("error_bound", _c.c_int64),
]
StartProposal._fields_ = [
    ("struct_size", _c.c_uint32),
    ("hold_up", _c.c_int32),
    ("at", _c.c_int64),
    ("participant", _c.c_uint64),
    ("not_ready", _c.c_uint32),
    ("version", _c.c_uint32),
]
StartResult._fields_ = [
    ("struct_size", _c.c_uint32),
    ("version", _c.c_uint32),
    ("at", _c.c_int64),
    ("earliest", _c.c_int64),
    ("latest", _c.c_int64),
    ("error_bound", _c.c_int64),
    ("counted", _c.c_uint32),
    ("acknowledged", _c.c_uint32),
    ("fired", _c.c_uint32),
    ("cancelled", _c.c_int32),
]
StartProgress._fields_ = [
    ("struct_size", _c.c_uint32),
    ("stage", _c.c_int32),
    ("fires", _c.c_int32),
    ("version", _c.c_uint32),
    ("at", _c.c_int64),
    ("lateness", _c.c_int64),
    ("error_bound", _c.c_int64),
    ("expected_error", _c.c_int64),
]
PlayerReport._fields_ = [
    ("struct_size", _c.c_uint32),
    ("is_up_to_date", _c.c_int32),
    ("hold_up", _c.c_int32),
    ("counted", _c.c_int32),
    ("acknowledged", _c.c_int32),
    ("rate_level", _c.c_int32),
    ("rate_worst", _c.c_int32),
    ("rate_finding", _c.c_int32),
    ("rate_findings", _c.c_uint32),
    ("is_mean_known", _c.c_int32),
    ("lead", _c.c_int64),
    ("error_bound", _c.c_int64),
    ("expected_error", _c.c_int64),
    ("round_trip", _c.c_int64),
    ("loss", _c.c_double),
    ("lateness", _c.c_int64),
    ("lateness_bound", _c.c_int64),
    ("rate_gained", _c.c_int64),
    ("rate_explained", _c.c_int64),
    ("rate_duration", _c.c_int64),
    ("mean_ppm", _c.c_double),
    ("mean_error_ppm", _c.c_double),
]
LatencyChange._fields_ = [
    ("struct_size", _c.c_uint32),
    ("direction", _c.c_int32),
    ("before", _c.c_int64),
    ("after", _c.c_int64),
    ("since", _c.c_int64),
    ("found", _c.c_int64),
    ("confidence", _c.c_double),
]
ConnectionReport._fields_ = [
    ("struct_size", _c.c_uint32),
    ("is_hiding", _c.c_int32),
    ("host_epoch", _c.c_uint64),
    ("handled_by", _c.c_int64),
    ("showable", _c.c_int64),
    ("speed_scale", _c.c_double),
    ("speed_done", _c.c_int64),
    ("speed_remaining", _c.c_int64),
]
_SIGNATURES = {
    "netclock_status_text": (_c.c_char_p, [_c.c_int32]),
    "netclock_last_error": (_c.c_char_p, []),
    "netclock_monotonic_now": (_c.c_int64, []),
    "netclock_encode_request": (_c.c_int32, [_c.POINTER(Request), _c.c_void_p, _c.c_size_t]),
    "netclock_decode_request": (_c.c_int32, [_c.c_void_p, _c.c_size_t, _c.POINTER(Request)]),
    "netclock_encode_reply": (_c.c_int32, [_c.POINTER(Reply), _c.c_void_p, _c.c_size_t]),
    "netclock_decode_reply": (_c.c_int32, [_c.c_void_p, _c.c_size_t, _c.POINTER(Reply)]),
    "netclock_server_create": (_c.c_int32, [_c.c_uint64, _c.POINTER(_c.c_void_p)]),
    "netclock_server_destroy": (_c.c_int32, [_c.c_void_p]),
    "netclock_server_respond": (_c.c_int32, [_c.c_void_p, _c.POINTER(Request), _c.c_int64, _c.c_int64, _c.POINTER(Reply)]),
    "netclock_client_create": (_c.c_int32, [_c.POINTER(Config), _c.c_uint64, _c.c_uint64, _c.POINTER(_c.c_void_p)]),
    "netclock_client_destroy": (_c.c_int32, [_c.c_void_p]),
    "netclock_client_tick": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.POINTER(Request)]),
    "netclock_client_handle_reply": (_c.c_int32, [_c.c_void_p, _c.POINTER(Reply), _c.c_int64]),
    "netclock_client_current_server_time": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.POINTER(_c.c_int64)]),
    "netclock_client_read": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.POINTER(Reading)]),
    "netclock_client_local_time_at": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.POINTER(_c.c_int64)]),
    "netclock_client_next_event": (_c.c_int32, [_c.c_void_p, _c.POINTER(Event)]),
    "netclock_client_make_request": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.POINTER(Request)]),
    "netclock_client_begin_burst": (_c.c_int32, [_c.c_void_p]),
    "netclock_client_may_have_missed_time": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.c_int64]),
    "netclock_client_make_step": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.c_int64, _c.POINTER(_c.c_int64)]),
    "netclock_client_polled": (_c.c_int32, [_c.c_void_p, _c.c_int64]),
    "netclock_client_handle_exchange": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.c_int64, _c.c_int64, _c.c_int64, _c.c_uint32, _c.c_uint32, _c.c_uint64]),
    "netclock_abi_version": (_c.c_uint32, []),
    "netclock_abi_revision": (_c.c_uint32, []),
    "netclock_client_used_saved": (_c.c_int32, [_c.c_void_p, _c.POINTER(_c.c_int32)]),
    "netclock_client_set_server_boot": (_c.c_int32, [_c.c_void_p, _c.c_uint64]),
    "netclock_client_save": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.c_void_p, _c.c_void_p, _c.c_size_t]),
    "netclock_machine_hints": (None, [_c.POINTER(_c.c_double), _c.POINTER(_c.c_double), _c.POINTER(_c.c_uint64)]),
    "netclock_client_set_tap": (_c.c_int32, [_c.c_void_p, TapCallback, _c.c_void_p]),
    "netclock_link_server_create": (_c.c_int32, [_c.POINTER(LinkServerConfig), _c.c_char_p, _c.c_uint16, _c.c_uint64, _c.POINTER(_c.c_void_p)]),
    "netclock_link_server_destroy": (_c.c_int32, [_c.c_void_p]),
    "netclock_link_server_admit": (_c.c_int32, [_c.c_void_p, _c.POINTER(SessionKey)]),
    "netclock_link_server_revoke": (_c.c_int32, [_c.c_void_p, _c.c_uint32]),
    "netclock_link_server_poll": (_c.c_int32, [_c.c_void_p, _c.POINTER(LinkReport)]),
    "netclock_link_server_answer": (_c.c_int32, [_c.c_void_p, _c.c_void_p, _c.c_size_t, _c.c_int64, _c.c_int64, _c.c_void_p, _c.c_size_t]),
    "netclock_link_client_create": (_c.c_int32, [_c.POINTER(LinkClientConfig), _c.c_void_p, _c.c_char_p, _c.c_uint16, _c.POINTER(SessionKey), _c.POINTER(_c.c_void_p)]),
    "netclock_link_client_destroy": (_c.c_int32, [_c.c_void_p]),
    "netclock_link_client_poll": (_c.c_int32, [_c.c_void_p, _c.POINTER(LinkReport)]),
    "netclock_link_client_due": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.c_void_p, _c.c_size_t, _c.POINTER(_c.c_int64)]),
    "netclock_link_client_handle": (_c.c_int32, [_c.c_void_p, _c.c_void_p, _c.c_size_t, _c.c_int64]),
    "netclock_arbitrate": (_c.c_int32, [_c.POINTER(OrderStamp), _c.POINTER(OrderStamp), _c.c_int32, _c.c_double, _c.POINTER(OrderVerdict)]),
    "netclock_rewind": (_c.c_int32, [_c.c_int64, _c.c_int64, _c.POINTER(RewindPath), _c.POINTER(RewindResult)]),
    "netclock_beat_at": (_c.c_int32, [_c.POINTER(Beat), _c.c_int64, _c.POINTER(_c.c_int64), _c.POINTER(_c.c_double)]),
    "netclock_beat_time": (_c.c_int32, [_c.POINTER(Beat), _c.c_int64, _c.POINTER(_c.c_int64)]),
    "netclock_beat_advance": (_c.c_int32, [_c.POINTER(Beat), _c.c_int64, _c.POINTER(BeatSteps)]),
    "netclock_client_set_authority": (_c.c_int32, [_c.c_void_p, _c.POINTER(Authority), _c.c_int64]),
    "netclock_client_authority": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.POINTER(Authority)]),
    "netclock_relay_create": (_c.c_int32, [_c.POINTER(RelayConfig), _c.c_uint64, _c.c_uint64, _c.POINTER(_c.c_void_p)]),
    "netclock_relay_destroy": (_c.c_int32, [_c.c_void_p]),
    "netclock_relay_receive": (_c.c_int32, [_c.c_void_p, _c.c_uint64, _c.c_void_p, _c.c_size_t, _c.c_int64]),
    "netclock_relay_disconnect": (_c.c_int32, [_c.c_void_p, _c.c_uint64, _c.c_int64]),
    "netclock_relay_has_slot": (_c.c_int32, [_c.c_void_p, _c.c_uint64]),
    "netclock_relay_next_message": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.POINTER(_c.c_uint64), _c.c_void_p, _c.c_size_t]),
    "netclock_relay_read_game": (_c.c_int32, [_c.c_void_p, _c.c_uint64, _c.POINTER(RelayGame)]),
    "netclock_peer_create": (_c.c_int32, [_c.POINTER(Config), _c.c_uint64, _c.c_uint64, _c.c_uint64, _c.POINTER(_c.c_void_p)]),
    "netclock_peer_destroy": (_c.c_int32, [_c.c_void_p]),
    "netclock_peer_receive": (_c.c_int32, [_c.c_void_p, _c.c_void_p, _c.c_size_t, _c.c_int64]),
    "netclock_peer_next_message": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.c_void_p, _c.c_size_t]),
    "netclock_peer_read": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.POINTER(PeerReading)]),
    "netclock_peer_leave": (_c.c_int32, [_c.c_void_p]),
    "netclock_host_create": (_c.c_int32, [_c.POINTER(HostConfig), _c.c_uint64, _c.c_uint64, _c.c_uint64, _c.POINTER(_c.c_void_p)]),
    "netclock_host_destroy": (_c.c_int32, [_c.c_void_p]),
    "netclock_host_admit": (_c.c_int32, [_c.c_void_p, _c.c_uint64, _c.POINTER(SessionKey), _c.c_int32]),
    "netclock_host_dismiss": (_c.c_int32, [_c.c_void_p, _c.c_uint64]),
    "netclock_host_silent": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.c_int64, _c.POINTER(_c.c_uint64)]),
    "netclock_host_observe": (_c.c_int32, [_c.c_void_p, _c.c_uint32, _c.c_int64, _c.c_int64, _c.c_double, _c.c_uint32]),
    "netclock_host_observe_utc": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.c_int64, _c.c_int64]),
    "netclock_host_state_authority": (_c.c_int32, [_c.c_void_p, _c.POINTER(Authority)]),
    "netclock_host_use_starts": (_c.c_int32, [_c.c_void_p, _c.c_int32]),
    "netclock_host_propose_start": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.c_int64, _c.c_double, _c.POINTER(StartProposal)]),
    "netclock_host_cancel_start": (_c.c_int32, [_c.c_void_p, _c.c_int64]),
    "netclock_host_start_result": (_c.c_int32, [_c.c_void_p, _c.POINTER(StartResult)]),
    "netclock_host_player": (_c.c_int32, [_c.c_void_p, _c.c_uint64, _c.c_int64, _c.POINTER(PlayerReport)]),
    "netclock_host_excuse": (_c.c_int32, [_c.c_void_p, _c.c_uint64, _c.c_int64, _c.c_int64]),
    "netclock_host_round_trip": (_c.c_int32, [_c.c_void_p, _c.c_uint64, _c.c_int64, _c.POINTER(_c.c_int64)]),
    "netclock_host_blob": (_c.c_int32, [_c.c_void_p, _c.c_void_p, _c.c_size_t, _c.POINTER(_c.c_size_t)]),
    "netclock_host_offer_link": (_c.c_int32, [_c.c_void_p, _c.c_uint64, _c.c_uint16, _c.POINTER(SessionKey)]),
    "netclock_host_polled": (_c.c_int32, [_c.c_void_p, _c.c_int64]),
    "netclock_host_receive": (_c.c_int32, [_c.c_void_p, _c.c_uint64, _c.c_void_p, _c.c_size_t, _c.c_int64]),
    "netclock_host_next": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.POINTER(_c.c_uint64), _c.c_void_p, _c.c_size_t, _c.POINTER(_c.c_size_t)]),
    "netclock_guest_create": (_c.c_int32, [_c.POINTER(GuestConfig), _c.POINTER(Config), _c.c_uint64, _c.c_uint64, _c.POINTER(_c.c_void_p)]),
    "netclock_guest_destroy": (_c.c_int32, [_c.c_void_p]),
    "netclock_guest_client": (_c.c_void_p, [_c.c_void_p]),
    "netclock_guest_connect": (_c.c_int32, [_c.c_void_p, _c.POINTER(SessionKey), _c.c_int64, _c.c_int32]),
    "netclock_guest_take_part": (_c.c_int32, [_c.c_void_p, _c.c_int32]),
    "netclock_guest_read_blob": (_c.c_int32, [_c.c_void_p, _c.c_void_p, _c.c_size_t]),
    "netclock_guest_segment": (_c.c_int32, [_c.c_void_p, _c.c_uint32, _c.c_void_p, _c.c_size_t]),
    "netclock_guest_receive": (_c.c_int32, [_c.c_void_p, _c.c_void_p, _c.c_size_t, _c.c_int64]),
    "netclock_guest_next": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.POINTER(_c.c_int32), _c.c_void_p, _c.c_size_t, _c.POINTER(_c.c_size_t)]),
    "netclock_guest_view": (_c.c_int32, [_c.c_void_p, _c.c_int64, _c.POINTER(Reading)]),
    "netclock_guest_world": (_c.c_int32, [_c.c_void_p, _c.c_uint32, _c.POINTER(WorldReading)]),
    "netclock_guest_utc": (_c.c_int32, [_c.c_void_p, _c.POINTER(UtcReading)]),
    "netclock_guest_start": (_c.c_int32, [_c.c_void_p, _c.POINTER(StartProgress)]),
    "netclock_guest_report": (_c.c_int32, [_c.c_void_p, _c.POINTER(ConnectionReport)]),
    "netclock_guest_next_latency_change": (_c.c_int32, [_c.c_void_p, _c.POINTER(LatencyChange)]),
    "netclock_guest_link_offer": (_c.c_int32, [_c.c_void_p, _c.POINTER(_c.c_uint16), _c.POINTER(SessionKey)]),
    "netclock_guest_world_at": (_c.c_int32, [_c.c_void_p, _c.c_uint32, _c.c_int64, _c.POINTER(WorldReading)]),
    "netclock_guest_real_at": (_c.c_int32, [_c.c_void_p, _c.c_uint32, _c.c_int64, _c.POINTER(_c.c_int64), _c.POINTER(_c.c_int64)]),
    "netclock_utc_now": (_c.c_int32, [_c.POINTER(_c.c_int64), _c.POINTER(_c.c_int64), _c.POINTER(_c.c_int64)]),
}
