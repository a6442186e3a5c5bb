@ about
 *
 * A thin layer over netclock.h, whose contract also applies here. In addition:
 *
 * - Handles are move-only and destroy the object that they own. On a handle that owns nothing
 *   (default-constructed or moved from), every call returns status::null_argument.
 * - Each clock has its own time type, so a local_time cannot be passed as a server_time. Durations are
 *   std::chrono durations, so write settings as `4s` or `20ms`.
 * - Nothing throws. Only creation allocates. Neither exceptions nor RTTI are required.
 * - The compiler warns about an ignored status. A call with an output returns a result. If the result is
 *   true, `*result` is the value; otherwise `result.code()` is the reason.
 * - Any thread may call any member function, as in C. Four of them are wait-free: current_server_time(),
 *   read(), local_time_at() and is_time_synced() of a client. respond() of a server does not wait either. All
 *   others wait for other calls on the same handle. Create, move and destroy a handle only while no other
 *   thread uses it.
 * - Const member functions do not affect the results of later calls.
 * - Most comments are those of the C functions. In C++, `*output` is the result, `NETCLOCK_X` is status::x or
 *   a constant of an enumeration, and an optional is empty where C has NETCLOCK_UNBOUNDED or
 *   NETCLOCK_UNKNOWN_TIME. Each create() may also return status::abi_mismatch.

@ begin
/** A saved state, opaque to the application. */
using saved_state = std::array<std::byte, NETCLOCK_SAVED_SIZE>;

/** The timestamps of an exchange, from a transport that matches replies to requests. */
struct exchange {
    local_time client_sent{};
    server_time server_received{};
    server_time server_sent{};
    local_time client_received{};
    /** The longest time that the request may have waited before it was timestamped (ticks). 1 means that it
     * was timestamped on arrival, and 0 that the wait is unknown. */
    std::uint32_t server_wait{};
    /** The longest time that the reply may have waited before it was timestamped, encoded like
     * `server_wait`. */
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
        return "the loaded library has a different ABI version than this header, or is older";
    }
    return netclock_status_text(static_cast<netclock_status>(code));
}

@ netclock_last_error
/** Returns a description of the latest error on this thread. The text is never null, is empty before the
 * first error, and stays valid until the next error. The text does not describe abi_mismatch, which only this
 * header returns. */
[[nodiscard]] inline const char *last_error() noexcept { return netclock_last_error(); }

@ netclock_client_handle_exchange
    status handle_exchange(const exchange &stamps, std::uint64_t server_epoch) noexcept
    {
        return detail::call(
            netclock_client_handle_exchange, *this, stamps.client_sent, stamps.server_received,
            stamps.server_sent, stamps.client_received, stamps.server_wait, stamps.client_wait,
            server_epoch);
    }

    /** Handles a reply with server time `time` that arrived at `current` after `round_trip`. */
    status update_server_time(server_time time, local_time current, ticks round_trip) noexcept
    {
        return handle_exchange({current - round_trip, time, time, current, 0, 0}, 0);
    }

    /** Returns true if the server time is known, that is, after the first accepted reply. Wait-free. */
    [[nodiscard]] bool is_time_synced() const noexcept
    {
        return current_server_time({}).code() == status::ok;
    }

@ netclock_client_may_have_missed_time
    status may_have_missed_time(local_time now, std::optional<ticks> most = {}) noexcept
    {
        return detail::call(
            netclock_client_may_have_missed_time, *this, now, detail::count(most, NETCLOCK_UNBOUNDED));
    }
