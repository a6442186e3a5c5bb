"""A complete session through ctypes, without glue: full_sync.py PATH_OF_THE_SHARED_LIBRARY

Requests and replies travel as datagrams over a simulated link of 25 ms each way with up to 8 ms of jitter. The
server's clock is three hours ahead and runs 80 ppm fast. Every frame's reading is judged against the truth.
"""

import ctypes as c
import sys

MILLISECOND = 10_000  # ticks of 100 ns
SECOND = 1000 * MILLISECOND
OFFSET = 3 * 3600 * SECOND
DATAGRAM_SIZE = 32
SAVED_SIZE, USED_BOTH = 60, 3
OK, NOT_SYNCED, NO_EVENT, NOTHING_DUE = 0, 201, 202, 1
UNKNOWN_HANDLE, UNKNOWN_REQUEST = -8, -101
ABI_VERSION, ABI_REVISION = 1, 1


class Request(c.Structure):
    _fields_ = [
        ("struct_size", c.c_uint32),
        ("reliable", c.c_int32),
        ("id", c.c_uint64),
        ("client_time", c.c_int64),
    ]


class Reply(c.Structure):
    _fields_ = [
        ("struct_size", c.c_uint32),
        ("reserved", c.c_uint32),
        ("id", c.c_uint64),
        ("epoch", c.c_uint64),
        ("received", c.c_int64),
        ("sent", c.c_int64),
    ]


class Config(c.Structure):
    _fields_ = [
        ("struct_size", c.c_uint32),
        ("burst_count", c.c_uint32),
        ("others", c.c_uint64 * 19),
        ("saved_seconds", c.c_int64),
        ("boot", c.c_uint64),
        ("saved_machine", c.c_uint8 * SAVED_SIZE),
        ("saved_server", c.c_uint8 * SAVED_SIZE),
    ]


class Reading(c.Structure):
    _fields_ = [
        ("struct_size", c.c_uint32),
        ("state", c.c_int32),
        ("server_time", c.c_int64),
        ("error_bound", c.c_int64),
        ("expected_error", c.c_int64),
        ("round_trip", c.c_int64),
        ("frequency_ppm", c.c_double),
        ("server_epoch", c.c_uint64),
        ("epoch", c.c_uint32),
        ("reserved", c.c_int32),
    ]


def sized(structure):
    """Such a structure, all zero, that states its size."""
    return structure(struct_size=c.sizeof(structure))


LOG = c.CFUNCTYPE(None, c.c_void_p, c.c_int32, c.c_char_p)


def load(path):
    """The library, with the types that ctypes would guess wrong: it takes everything for an int."""
    library = c.CDLL(path)
    pointer, ticks, out = c.c_void_p, c.c_int64, c.POINTER
    signatures = {
        "netclock_abi_version": (c.c_uint32, []),
        "netclock_abi_revision": (c.c_uint32, []),
        "netclock_last_error": (c.c_char_p, []),
        "netclock_client_create": (c.c_int32, [pointer, c.c_uint64, c.c_uint64, out(pointer)]),
        "netclock_client_used_saved": (c.c_int32, [pointer, out(c.c_int32)]),
        "netclock_client_save": (c.c_int32, [pointer, c.c_int64, pointer, pointer, c.c_size_t]),
        "netclock_rate_hint": (None, [out(c.c_double), out(c.c_double)]),
        "netclock_boot_id": (c.c_uint64, []),
        "netclock_client_destroy": (c.c_int32, [pointer]),
        "netclock_client_tick": (c.c_int32, [pointer, ticks, out(Request)]),
        "netclock_client_handle_reply": (c.c_int32, [pointer, out(Reply), ticks]),
        "netclock_client_read": (c.c_int32, [pointer, ticks, out(Reading)]),
        "netclock_client_set_log": (c.c_int32, [pointer, c.c_int32, LOG, pointer]),
        "netclock_server_create": (c.c_int32, [c.c_uint64, out(pointer)]),
        "netclock_server_destroy": (c.c_int32, [pointer]),
        "netclock_server_respond": (c.c_int32, [pointer, out(Request), ticks, ticks, out(Reply)]),
        "netclock_encode_request": (c.c_int32, [out(Request), pointer, c.c_size_t]),
        "netclock_decode_request": (c.c_int32, [pointer, c.c_size_t, out(Request)]),
        "netclock_encode_reply": (c.c_int32, [out(Reply), pointer, c.c_size_t]),
        "netclock_decode_reply": (c.c_int32, [pointer, c.c_size_t, out(Reply)]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def check(condition, what):
    """Not an assert, which `python -O` leaves out."""
    if not condition:
        sys.exit(f"failed: {what}")


def server_clock(local):
    return OFFSET + local + local * 80 // 1_000_000


def delays():
    """The same ones in every run: a small generator, modulo what jitter there may be."""
    state = 20261120
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield 25 * MILLISECOND + (state >> 33) % (8 * MILLISECOND)


def answer(library, server, request, sent, link):
    """When the reply arrives, and the datagram that it is."""
    wire = c.create_string_buffer(DATAGRAM_SIZE)
    asked, reply = sized(Request), sized(Reply)
    received = sent + next(link)
    answered = received + 3 * MILLISECOND
    check(library.netclock_encode_request(request, wire, len(wire)) == OK, "encoding a request")
    check(library.netclock_decode_request(wire, len(wire), asked) == OK, "decoding a request")
    status = library.netclock_server_respond(server, asked, server_clock(received), server_clock(answered), reply)
    check(status == OK, "answering")
    check(library.netclock_encode_reply(reply, wire, len(wire)) == OK, "encoding a reply")
    return answered + next(link), wire.raw


def restart(library, client):
    """Another session, with what this one leaves."""
    machine, server = c.create_string_buffer(SAVED_SIZE), c.create_string_buffer(SAVED_SIZE)
    check(library.netclock_client_save(client, 1_800_000_000, machine, server, SAVED_SIZE) == OK, "saving")
    warm, used = c.c_void_p(), c.c_int32()
    seconds = 1_800_086_400
    config = Config(struct_size=c.sizeof(Config), saved_seconds=seconds, boot=library.netclock_boot_id())
    config.saved_machine[:] = machine.raw
    config.saved_server[:] = server.raw
    check(library.netclock_client_create(c.byref(config), 3, 4, warm) == OK, "creating a client with both states")
    check(library.netclock_client_used_saved(warm, used) == OK and used.value == USED_BOTH, "using both states")
    check(library.netclock_client_save(warm, seconds, machine, server, SAVED_SIZE) == NOT_SYNCED, "saving nothing")
    check(library.netclock_client_destroy(warm) == OK, "destroying the second client")
    ppm, doubt = c.c_double(), c.c_double()
    library.netclock_rate_hint(ppm, doubt)
    check(doubt.value >= 0 and abs(ppm.value) < 1000, f"a hint of {ppm.value} ppm")


def main(path):
    library = load(path)
    check(library.netclock_abi_version() == ABI_VERSION, "this script is written for another ABI version")
    check(library.netclock_abi_revision() >= ABI_REVISION, "this script is written for a newer library")
    client, server = c.c_void_p(), c.c_void_p()
    check(library.netclock_client_create(None, 1, 2, client) == OK, "creating a client")
    check(library.netclock_server_create(77, server) == OK, "creating a server")
    messages = []
    log = LOG(lambda _, level, message: messages.append((level, message)))  # kept as long as the client calls it
    check(library.netclock_client_set_log(client, 3, log, None) == OK, "setting the log")

    link, letters, last, worst = delays(), [], 0, 0
    reading = sized(Reading)
    for now in range(0, 120 * SECOND, 16 * MILLISECOND):
        for letter in [letter for letter in letters if letter[0] <= now]:
            letters.remove(letter)
            arrived, datagram = letter
            reply = sized(Reply)
            check(library.netclock_decode_reply(datagram, len(datagram), reply) == OK, "decoding a reply")
            check(library.netclock_client_handle_reply(client, reply, arrived) == OK, "handling a reply")
            check(library.netclock_client_handle_reply(client, reply, arrived) == UNKNOWN_REQUEST, "a duplicate")
        request = sized(Request)
        status = library.netclock_client_tick(client, now, request)
        check(status in (OK, NOTHING_DUE), "ticking")
        if status == OK:
            letters.append(answer(library, server, request, now, link))

        status = library.netclock_client_read(client, now, reading)
        check(status == OK or (status == NOT_SYNCED and now < SECOND), "not synced within a second")
        if status == OK:
            error = abs(reading.server_time - server_clock(now))
            check(error <= reading.error_bound, "the error bound")
            check(reading.server_time > last, "the clock went backwards")
            last = reading.server_time
            worst = max(worst, error) if now > 10 * SECOND else worst

    check(worst < 3 * MILLISECOND, f"an error of {worst / MILLISECOND} ms")
    check(reading.server_epoch == 77 and reading.state != 0, "the reading's other fields")
    check(abs(reading.frequency_ppm - 80.0) < 10.0, f"a frequency of {reading.frequency_ppm} ppm")
    check(messages and all(message for _, message in messages), "the log has been told of the first reply")
    check(library.netclock_last_error(), "the duplicates were explained")
    restart(library, client)
    check(library.netclock_client_destroy(client) == OK, "destroying the client")
    check(library.netclock_client_destroy(client) == UNKNOWN_HANDLE, "destroying it twice")
    check(library.netclock_server_destroy(server) == OK, "destroying the server")
    print(f"synced; worst error after 10 s: {worst / MILLISECOND:.3f} ms; {reading.frequency_ppm:.1f} ppm")


main(sys.argv[1])
