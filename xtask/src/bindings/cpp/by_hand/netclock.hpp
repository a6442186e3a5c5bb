@ about
 *
 * A thin layer over netclock.h, whose contract holds here, too. This header adds:
 *
 * - Handles are move-only values that destroy what they own. A handle that owns nothing (default-made or
 *   moved from) may be used: every call returns status::null_argument.
 * - Times have types, so a local_time and a server_time cannot be mixed up. Durations are those of
 *   std::chrono: write settings as `4s` or `20ms`.
 * - Nothing throws. Only creating a handle allocates. Neither exceptions nor RTTI are needed.
 * - The compiler warns about an ignored status. A call that gives a value returns a result. If that is true,
 *   `*result` is the value; otherwise `result.code()` says why there is none.
 * - Threads as in C: members may be called from any thread. Four of them never wait: current_server_time(),
 *   read(), local_time_at() and is_time_synced() of a client. Nor does respond() of a server. All others wait
 *   for other calls on the same handle. Create, move and destroy a handle only while no other thread uses it.
 * - Every call on a handle may return null_argument or poisoned, so comments do not name these two.
 * - Const members change nothing that a later call would show.

@ begin
/** A state that outlives a session, to be kept as it is. */
using saved_state = std::array<std::byte, NETCLOCK_SAVED_SIZE>;

/** The stamps of an exchange, from a transport that matches replies to requests. */
struct exchange {
    local_time client_sent{};
    server_time server_received{};
    server_time server_sent{};
    local_time client_received{};
    /** The longest time that the request can have waited for its stamp (ticks); 1: it was stamped on arrival;
     * 0: unknown. */
    std::uint32_t server_wait{};
    /** The same for the reply. */
    std::uint32_t client_wait{};
};

/** A request or a reply as a datagram. */
using datagram = std::array<std::byte, NETCLOCK_DATAGRAM_SIZE>;

@ netclock_abi_version
@ netclock_abi_revision
@ netclock_monotonic_now
@ netclock_status_text
[[nodiscard]] inline const char *text(status code) noexcept
{
    if (code == status::abi_mismatch) {
        return "the library that was loaded has another ABI version than its header, or is older";
    }
    return netclock_status_text(static_cast<netclock_status>(code));
}

@ netclock_last_error
/**
 * What exactly was wrong with the newest call on this thread that failed. Never null; empty if none failed;
 * valid until the next call that fails. It does not cover what this header itself refuses (abi_mismatch).
 */
[[nodiscard]] inline const char *last_error() noexcept { return netclock_last_error(); }

@ netclock_client_handle_exchange
    status handle_exchange(const exchange &stamps, std::uint64_t server_epoch) noexcept
    {
        return detail::call(
            netclock_client_handle_exchange, *this, stamps.client_sent, stamps.server_received,
            stamps.server_sent, stamps.client_received, stamps.server_wait, stamps.client_wait,
            server_epoch);
    }

@ netclock_client_update_server_time
    /** Learns from two stamps: at `current` a reply arrived that says `time`, after a round trip of
     * `round_trip`. */
    status update_server_time(server_time time, local_time current, ticks round_trip) noexcept
    {
        return detail::call(netclock_client_update_server_time, *this, time, current, round_trip, nullptr);
    }

@ netclock_client_is_time_synced
    /** True if a reply was ever accepted. Any thread, wait-free. */
    [[nodiscard]] bool is_time_synced() const noexcept { return netclock_client_is_time_synced(get()) != 0; }

@ netclock_client_may_have_missed_time
    status may_have_missed_time(local_time now, std::optional<ticks> most = {}) noexcept
    {
        return detail::call(
            netclock_client_may_have_missed_time, *this, now, detail::count(most, NETCLOCK_UNBOUNDED));
    }

@ end
/**
 * Writes a request to `data`, a buffer of `size` bytes; NETCLOCK_DATAGRAM_SIZE are enough. Errors:
 * null_argument, wire_length, wire_stamp.
 */
inline status encode(const request &from, void *data, std::size_t size) noexcept
{
    return detail::call(netclock_encode_request, from, data, size);
}

/** Writes a reply to `data`, a buffer of `size` bytes. Errors as for a request. */
inline status encode(const reply &from, void *data, std::size_t size) noexcept
{
    return detail::call(netclock_encode_reply, from, data, size);
}

[[nodiscard]] inline result<request> decode_request(const datagram &from) noexcept
{
    return decode_request(from.data(), from.size());
}

[[nodiscard]] inline result<reply> decode_reply(const datagram &from) noexcept
{
    return decode_reply(from.data(), from.size());
}
