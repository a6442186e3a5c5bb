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

/** What a session leaves to later ones. */
struct saved {
    /** About this machine's crystal: keep one for the machine. */
    saved_state machine{};
    /** About the server and the route to it: keep one for each, under its address or name. */
    saved_state server{};
};

/** Which of the saved states a client began with. */
struct used_states {
    bool machine = false;
    bool server = false;
};

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

namespace detail {

/** A reference as the user data of a C callback, and back. */
template <class Callable>
void *as_user_data(Callable &callable) noexcept
{
    return const_cast<void *>(static_cast<const void *>(std::addressof(callable)));
}

template <class Callable>
void call_log(void *user_data, std::int32_t level, const char *message) noexcept
{
    (*static_cast<Callable *>(user_data))(static_cast<log_level>(level), message);
}

template <class Callable>
void call_tap(void *user_data, const netclock_sample *taken) noexcept
{
    (*static_cast<Callable *>(user_data))(from_c(*taken));
}

} // namespace detail

/** Bytes that a seal adds to a message. */
inline constexpr std::size_t seal_overhead = NETCLOCK_SEAL_OVERHEAD;

/** Longest sealed message, in bytes. */
inline constexpr std::size_t sealed_most = NETCLOCK_SEALED_MOST;

/** Bytes of a message that was opened: part of the datagram, and valid as long as that. */
struct opened {
    const void *data = nullptr;
    std::size_t size = 0;
};

/** A message that a server opened, and the id of its key. */
struct opened_by_server {
    std::uint32_t id = 0;
    opened message{};
};

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

@ netclock_rate_hint
/** What the system knows of the rate of local_clock and of server_clock::now_on_server():
 * netclock_rate_hint. */
[[nodiscard]] inline rate_hint known_rate() noexcept
{
    rate_hint hint;
    netclock_rate_hint(&hint.ppm, &hint.doubt_ppm);
    return hint;
}

@ netclock_boot_id
[[nodiscard]] inline std::uint64_t boot_id() noexcept { return netclock_boot_id(); }

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

@ netclock_client_used_saved
    /** Which of the saved states in its settings it began with. */
    [[nodiscard]] result<used_states> used_saved() const noexcept
    {
        const auto used = detail::ask<std::int32_t>(netclock_client_used_saved, *this);
        return {used.code(), {(*used & NETCLOCK_USED_MACHINE) != 0, (*used & NETCLOCK_USED_SERVER) != 0}};
    }

@ netclock_client_save
    /** What later sessions begin with, at `seconds` of a calendar. not_synced until the rate is known, some
     * seconds long. */
    [[nodiscard]] result<saved> save(std::int64_t seconds) noexcept
    {
        saved states;
        const auto code = detail::call(netclock_client_save, *this, seconds, states.machine.data(),
                                       states.server.data(), states.machine.size());
        return {code, states};
    }

@ netclock_client_set_log
    /**
     * Calls `callable(log_level, const char *)` for messages of `most` and more important ones. It is not
     * copied: keep it where it is until the client is destroyed or has another one. It runs on the thread
     * whose call caused the message. Every call is allowed in it, except destroying this client. It must not
     * throw.
     */
    template <class Callable>
    status on_log(log_level most, Callable &callable) noexcept
    {
        return on_log(most, &detail::call_log<Callable>, detail::as_user_data(callable));
    }

    /** The same with a function and its user data. */
    status on_log(log_level most, netclock_log_callback callback, void *user_data) noexcept
    {
        return detail::call(netclock_client_set_log, *this, most, callback, user_data);
    }

    /** Stops calling it, from the next message on. */
    status on_log(std::nullptr_t) noexcept { return on_log(log_level::error, nullptr, nullptr); }

@ netclock_client_set_tap
    /** Calls `callable(const sample &)` for every exchange, accepted or refused. Otherwise as on_log. */
    template <class Callable>
    status on_sample(Callable &callable) noexcept
    {
        return on_sample(&detail::call_tap<Callable>, detail::as_user_data(callable));
    }

    /** The same with a function and its user data. */
    status on_sample(netclock_tap_callback callback, void *user_data) noexcept
    {
        return detail::call(netclock_client_set_tap, *this, callback, user_data);
    }

    /** Stops calling it, from the next exchange on. */
    status on_sample(std::nullptr_t) noexcept { return on_sample(nullptr, nullptr); }

@ netclock_sealed_channel_seal
    [[nodiscard]] result<std::size_t> seal(const void *message, std::size_t length, void *sealed,
                                           std::size_t capacity) noexcept
    {
        const auto code =
            detail::call(netclock_sealed_channel_seal, *this, message, length, sealed, capacity);
        return {code, code == status::ok ? length + seal_overhead : 0};
    }

@ netclock_sealed_channel_open
    [[nodiscard]] result<opened> open(const void *sealed, std::size_t length) noexcept
    {
        const auto message = detail::ask<const void *>(netclock_sealed_channel_open, *this, sealed, length);
        return {message.code(), message ? opened{*message, length - seal_overhead} : opened{}};
    }

@ netclock_session_keys_open
    [[nodiscard]] result<opened_by_server> open(const void *sealed, std::size_t length) noexcept
    {
        opened_by_server to;
        const auto code =
            detail::call(netclock_session_keys_open, *this, sealed, length, &to.id, &to.message.data);
        to.message.size = code == status::ok ? length - seal_overhead : 0;
        return {code, to};
    }

@ netclock_session_keys_seal
    [[nodiscard]] result<std::size_t> seal(std::uint32_t id, const void* message, std::size_t length,
        void* sealed, std::size_t capacity) noexcept
    {
        const auto code =
            detail::call(netclock_session_keys_seal, *this, id, message, length, sealed, capacity);
        return {code, code == status::ok ? length + seal_overhead : 0};
    }

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
