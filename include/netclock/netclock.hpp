/*
 * NetClock for C++17: the server's time on every client of a game. Accurate, smooth, never backwards.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock.h by `cargo xtask header`: do not edit.
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
 */

#ifndef NETCLOCK_HPP
#define NETCLOCK_HPP

#include "netclock/netclock_types.hpp"
#include "netclock/netclock_call.hpp"

namespace netclock {

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

/**
 * What a status means, in English. last_error says more about a single call. The text is static and never
 * null. Callable from any thread.
 */
[[nodiscard]] inline const char *text(status code) noexcept
{
    if (code == status::abi_mismatch) {
        return "the library that was loaded has another ABI version than its header, or is older";
    }
    return netclock_status_text(static_cast<netclock_status>(code));
}

/**
 * What exactly was wrong with the newest call on this thread that failed. Never null; empty if none failed;
 * valid until the next call that fails. It does not cover what this header itself refuses (abi_mismatch).
 */
[[nodiscard]] inline const char *last_error() noexcept { return netclock_last_error(); }

/** What the system knows of the rate of local_clock and of server_clock::now_on_server():
 * netclock_rate_hint. */
[[nodiscard]] inline rate_hint known_rate() noexcept
{
    rate_hint hint;
    netclock_rate_hint(&hint.ppm, &hint.doubt_ppm);
    return hint;
}

/**
 * The identity of this machine's boot, for `boot` of config; 0 if the system does not say. Rates may be
 * others after a boot. A server can tell its clients its own, for client::set_server_boot: it says which
 * servers run on one machine, and nothing else of it.
 *
 * Asks Linux and Android for the boot's id, macOS and iOS for the boot session's UUID, Windows for the time
 * of the boot. Callable from any thread. It never fails.
 */
[[nodiscard]] inline std::uint64_t boot_id() noexcept { return netclock_boot_id(); }

/** Writes a request as a datagram. `reliable` is not sent. Errors: wire_stamp. */
[[nodiscard]] inline result<datagram> encode(const request &given) noexcept
{
    return detail::fill<datagram>(netclock_encode_request, given);
}

/** Reads a request from a datagram of `length` bytes. Errors: one of wire_* for a datagram to be ignored. */
[[nodiscard]] inline result<request> decode_request(const void *data, std::size_t length) noexcept
{
    return detail::ask<request>(netclock_decode_request, data, length);
}

/** Writes a reply as a datagram. Errors as encode. */
[[nodiscard]] inline result<datagram> encode(const reply &given) noexcept
{
    return detail::fill<datagram>(netclock_encode_reply, given);
}

/** Reads a reply from a datagram of `length` bytes. Errors as decode_request. */
[[nodiscard]] inline result<reply> decode_reply(const void *data, std::size_t length) noexcept
{
    return detail::ask<reply>(netclock_decode_reply, data, length);
}

/**
 * Answers a datagram of `length` bytes that decode_request refused with wire_older or wire_newer. The answer
 * is a datagram. Send it back, so that the client learns which of the two sides is older: decode_reply tells
 * it so by the same two statuses. The answer is no longer than the request. Nobody signs it, so show it to
 * people and let nothing else depend on it. nothing_due: the datagram is no request of another version.
 */
[[nodiscard]] inline result<datagram> version_notice(const void *data, std::size_t length) noexcept
{
    return detail::fill<datagram>(netclock_version_notice, data, length);
}

/**
 * A client: follows one server's clock.
 *
 * Calls that change it wait for each other, so calling from two threads is safe. It gains nothing, and the
 * log reports it. Calls that read it never wait. Using a client while or after it is destroyed is an error
 * that nobody can detect in general. Owns a netclock_client.
 */
class client : public owned<netclock_client, netclock_client_destroy> {
public:
    using owned::owned;

    /**
     * Creates a client.
     *
     * It may also have what earlier sessions saved. `random` makes request ids unguessable: draw it from the
     * operating system. Errors: abi_mismatch, bad_config, out_of_memory.
     */
    [[nodiscard]] static result<client> create(const seed &random, const config &settings = {}) noexcept
    {
        return detail::create<client>(netclock_client_create, settings, random.high, random.low);
    }

    /**
     * Does what is due at local time `now`. Call it every frame. ok: send the result at once. nothing_due:
     * there is none. Errors: time_out_of_range, time_went_backwards.
     */
    [[nodiscard]] result<request> tick(local_time now) noexcept
    {
        return detail::ask<request>(netclock_client_tick, *this, now);
    }

    /**
     * Makes a request to send at once, whatever the schedule says. It is for callers with a timer of their
     * own. `now` is the local time. Errors as client::tick.
     */
    [[nodiscard]] result<request> make_request(local_time now) noexcept
    {
        return detail::ask<request>(netclock_client_make_request, *this, now);
    }

    /**
     * Begins a burst of requests at once, as after a restart. Call it when you turn to another server.
     * Otherwise the client would ask it only after `steady_interval`. The reading's `round_trip` begins anew
     * with the next reply, so call it as well after a change of the route that you know of.
     */
    status begin_burst() noexcept
    {
        return detail::call(netclock_client_begin_burst, *this);
    }

    /**
     * Tells the client that its local clock may have missed up to `most` (at least 0) before `now`; Empty:
     * nobody knows how much. Call it when the machine or the application resumes, if the local clock stops
     * while the machine sleeps. local_clock::now does not, so it needs no call; CLOCK_MONOTONIC,
     * `mach_absolute_time` and counters of audio samples do. Until the next reply the state is
     * clock_state::doubtful and the bound Empty. A burst begins, so that the reply comes soon. The event is
     * event_kind::discontinuity with discontinuity_cause::local_gap. The shown time does not go back: what
     * was missed is added when the reply arrives. Errors: time_out_of_range, out_of_range for a negative
     * `most`, time_went_backwards.
     */
    status may_have_missed_time(local_time now, std::optional<ticks> most = {}) noexcept
    {
        return detail::call(
            netclock_client_may_have_missed_time, *this, now, detail::count(most, NETCLOCK_UNBOUNDED));
    }

    /**
     * Steps the shown clock to the best estimate at local time `now`, in place of the slew that would go on.
     * Call it when a jump costs nothing, for example at the end of a loading screen. A correction smaller
     * than `least` goes on being slewed; zero or a negative `least` steps any. Writes the shown time after
     * the step minus that before it to the result; zero if nothing was stepped.
     *
     * The step is declared with discontinuity_cause::requested. A step forwards stays in its epoch. A step
     * backwards begins a new epoch, and so does one that a reader could see as a step back, because it has
     * read ahead. Before the first reply, and while the client waits for more replies of a restarted server,
     * nothing is stepped. Errors: time_out_of_range, time_went_backwards.
     */
    [[nodiscard]] result<ticks> make_step(local_time now, ticks least) noexcept
    {
        return detail::ask<ticks>(netclock_client_make_step, *this, now, least);
    }

    /**
     * Learns from a reply that arrived at local time `arrived`. Stamp it as close to the network as possible.
     * ok: accepted. Errors from unknown_request to several_servers, and stamp_out_of_range, say why it was
     * refused.
     */
    status handle_reply(const reply &given, local_time arrived) noexcept
    {
        return detail::call(netclock_client_handle_reply, *this, given, arrived);
    }

    /**
     * Notes that the caller polled its transport at local time `at`, and has handled all messages that were
     * there. So the replies that client::handle_reply gets afterwards arrived after `at`, and may have waited
     * for their stamps. Call it once a poll, with the time of the poll. Before a reply that was stamped on
     * arrival, pass its stamp. It is needed only if replies are handled elsewhere than in the loop that calls
     * client::tick. Errors: time_out_of_range.
     */
    status polled(local_time at) noexcept
    {
        return detail::call(netclock_client_polled, *this, at);
    }

    /**
     * Learns from the four stamps of an exchange, for callers whose transport matches replies to requests.
     * The stamps are: sent by the client, received and answered by the server, received by the client; each
     * by its own clock. `server_wait` and `client_wait` are the longest times that request and reply can have
     * waited for their stamps, as in reply (ticks; 1: stamped on arrival; 0: unknown). `server_epoch` names
     * the run of the server's clock, or is 0 if the transport does not know it. Errors as
     * client::handle_reply.
     */
    status handle_exchange(const exchange &stamps, std::uint64_t server_epoch) noexcept
    {
        return detail::call(
            netclock_client_handle_exchange, *this, stamps.client_sent, stamps.server_received,
            stamps.server_sent, stamps.client_received, stamps.server_wait, stamps.client_wait,
            server_epoch);
    }

    /** Learns from two stamps: at `current` a reply arrived that says `time`, after a round trip of
     * `round_trip`. */
    status update_server_time(server_time time, local_time current, ticks round_trip) noexcept
    {
        return detail::call(netclock_client_update_server_time, *this, time, current, round_trip, nullptr);
    }

    /**
     * The server's time at local time `now`. not_synced: it is zero. It never goes backwards within an epoch:
     * see "Monotone" in the contract. Callable from any thread, wait-free. Errors: time_out_of_range.
     */
    [[nodiscard]] result<server_time> current_server_time(local_time now) const noexcept
    {
        return detail::ask<server_time>(netclock_client_current_server_time, *this, now);
    }

    /** True if a reply was ever accepted. Any thread, wait-free. */
    [[nodiscard]] bool is_time_synced() const noexcept { return netclock_client_is_time_synced(get()) != 0; }

    /**
     * Everything the clock says at local time `now`. not_synced: the reading says so, with a server time of
     * 0. The server's time never goes backwards within an epoch: see "Monotone" in the contract. Callable
     * from any thread, wait-free. Errors: time_out_of_range.
     */
    [[nodiscard]] result<reading> read(local_time now) const noexcept
    {
        return detail::ask<reading>(netclock_client_read, *this, now);
    }

    /**
     * The local time at which the shown clock reads `time`, as far as is known now. not_synced: it is zero.
     * Callable from any thread, wait-free. Errors: stamp_out_of_range.
     */
    [[nodiscard]] result<local_time> local_time_at(server_time time) const noexcept
    {
        return detail::ask<local_time>(netclock_client_local_time_at, *this, time);
    }

    /** Which of the saved states in its settings it began with. */
    [[nodiscard]] result<used_states> used_saved() const noexcept
    {
        const auto used = detail::ask<std::int32_t>(netclock_client_used_saved, *this);
        return {used.code(), {(*used & NETCLOCK_USED_MACHINE) != 0, (*used & NETCLOCK_USED_SERVER) != 0}};
    }

    /**
     * The boot of the server's machine is `boot`, as boot_id gave it there and the game states it. A rate
     * that was saved before the server booted counts less. Call it as soon as you know, and again when you
     * turn to another server. Without it, what was saved of this server counts as of the same boot if its
     * epoch is still the same. 0: unknown.
     */
    status set_server_boot(std::uint64_t boot) noexcept
    {
        return detail::call(netclock_client_set_server_boot, *this, boot);
    }

    /** What later sessions begin with, at `seconds` of a calendar. not_synced until the rate is known, some
     * seconds long. */
    [[nodiscard]] result<saved> save(std::int64_t seconds) noexcept
    {
        saved states;
        const auto code = detail::call(netclock_client_save, *this, seconds, states.machine.data(),
                                       states.server.data(), states.machine.size());
        return {code, states};
    }

    /** Takes the oldest event not yet fetched; the 16 newest are kept. no_event: there is none. */
    [[nodiscard]] result<event> next_event() noexcept
    {
        return detail::ask<event>(netclock_client_next_event, *this);
    }

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
};

/**
 * A server: answers requests, keeps nothing about clients. Any threads may use it at once. Owns a
 * netclock_server.
 */
class server : public owned<netclock_server, netclock_server_destroy> {
public:
    using owned::owned;

    /**
     * Creates a server. `epoch` names this run of the server's clock: draw a random number whenever that
     * clock starts. Errors: abi_mismatch, out_of_memory.
     */
    [[nodiscard]] static result<server> create(std::uint64_t epoch) noexcept
    {
        return detail::create<server>(netclock_server_create, epoch);
    }

    /**
     * Answers `given`, which arrived at server time `received` and will leave at `sent`. Both are by the
     * server's monotonic clock, stamped as close to the network as possible. The time between them does no
     * harm. On an error send nothing. Errors: stamp_out_of_range, sent_before_received.
     */
    [[nodiscard]] result<reply> respond(
        const request &given, server_time received, server_time sent) const noexcept
    {
        return detail::ask<reply>(netclock_server_respond, *this, given, received, sent);
    }
};

/**
 * One end of the channel for a game's messages under a session key. It has 1 KiB at most. Calls on it wait
 * for each other.
 *
 * It numbers what it seals, and opens each message once: the other end's newest 256 in any order, none that
 * is older. So make one for each connection, with a key of its own. A server has session_keys::create for the
 * channels of all its clients. Owns a netclock_sealed_channel.
 */
class sealed_channel : public owned<netclock_sealed_channel, netclock_sealed_channel_destroy> {
public:
    using owned::owned;

    /**
     * Creates the end of a channel that sends in `given`. A client sends in direction::to_server, and a
     * server in direction::to_client. Errors: abi_mismatch, bad_config for the key, out_of_range for another
     * direction, out_of_memory.
     */
    [[nodiscard]] static result<sealed_channel> create(const session_key &key, direction given) noexcept
    {
        return detail::create<sealed_channel>(netclock_sealed_channel_create, key, given);
    }

    /**
     * Seals a message of `length` bytes (1 to 1024): any of NetClock's, as it is. Writes `length` +
     * NETCLOCK_SEAL_OVERHEAD bytes to where there is room for `capacity`, not overlapping the message. Send
     * those in its place, once: seal a message that you repeat again. Errors: wire_length for another length
     * or too little room, full (no number is left), forked.
     */
    [[nodiscard]] result<std::size_t> seal(const void *message, std::size_t length, void *sealed,
                                           std::size_t capacity) noexcept
    {
        const auto code =
            detail::call(netclock_sealed_channel_seal, *this, message, length, sealed, capacity);
        return {code, code == status::ok ? length + seal_overhead : 0};
    }

    /**
     * Opens a datagram of `length` bytes that came from the other end. The message begins at `message` in it,
     * and is NETCLOCK_SEAL_OVERHEAD bytes shorter. On an error ignore the datagram, and answer nothing.
     * Errors: not_sealed (a message without a seal, which a side that has a key must not use), forged,
     * replayed, other_direction, other_channel, unknown_key, wire_length, wire_older, wire_newer, forked.
     */
    [[nodiscard]] result<opened> open(const void *sealed, std::size_t length) noexcept
    {
        const auto message = detail::ask<const void *>(netclock_sealed_channel_open, *this, sealed, length);
        return {message.code(), message ? opened{*message, length - seal_overhead} : opened{}};
    }
};

/**
 * The keys of a server's sessions, for a game's messages. They have 10 KiB at most for 64 sessions, and never
 * grow. Calls on them wait for each other.
 *
 * For every datagram: open it. If the message is a request, ask session_keys::allow whether it may be
 * answered, and seal the answer. Send it to the address that the request came from, and to no other. Owns a
 * netclock_session_keys.
 */
class session_keys : public owned<netclock_session_keys, netclock_session_keys_destroy> {
public:
    using owned::owned;

    /**
     * Creates a set of session keys. It has no key yet, so it refuses every datagram. Errors: abi_mismatch,
     * bad_config, out_of_memory.
     */
    [[nodiscard]] static result<session_keys> create(const session_keys_config &settings = {}) noexcept
    {
        return detail::create<session_keys>(netclock_session_keys_create, settings);
    }

    /**
     * Opens messages sealed with `key` from now on. Admit no key a second time: what was sealed with it
     * before would be opened again. Errors: bad_config (the secret is zero), duplicate (its id is in use),
     * full.
     */
    status admit(const session_key &key) noexcept
    {
        return detail::call(netclock_session_keys_admit, *this, key);
    }

    /** Forgets the key `id`: its messages are refused from now on. Errors: unknown_key. */
    status revoke(std::uint32_t id) noexcept
    {
        return detail::call(netclock_session_keys_revoke, *this, id);
    }

    /**
     * Opens a datagram of `length` bytes from a client, once. `id` is that of its key. The message begins at
     * `message` in the datagram, and is NETCLOCK_SEAL_OVERHEAD bytes shorter. On an error ignore the
     * datagram, and answer nothing. Refusals are counted, except a length that no sealed message has. Errors:
     * not_sealed, forged, replayed, other_direction, other_channel, unknown_key, wire_length, wire_older,
     * wire_newer.
     */
    [[nodiscard]] result<opened_by_server> open(const void *sealed, std::size_t length) noexcept
    {
        opened_by_server to;
        const auto code =
            detail::call(netclock_session_keys_open, *this, sealed, length, &to.id, &to.message.data);
        to.message.size = code == status::ok ? length - seal_overhead : 0;
        return {code, to};
    }

    /**
     * Whether a request that was opened with the key `id` at server time `now` may be answered: ok if so. It
     * spends one answer of the session's budget. Errors: enough_answers, unknown_key (do not answer),
     * stamp_out_of_range.
     */
    status allow(std::uint32_t id, server_time now) noexcept
    {
        return detail::call(netclock_session_keys_allow, *this, id, now);
    }

    /**
     * Seals a message of `length` bytes to the client with the key `id`, as sealed_channel::seal does.
     * Errors: unknown_key, wire_length, full.
     */
    [[nodiscard]] result<std::size_t> seal(std::uint32_t id, const void* message, std::size_t length,
        void* sealed, std::size_t capacity) noexcept
    {
        const auto code =
            detail::call(netclock_session_keys_seal, *this, id, message, length, sealed, capacity);
        return {code, code == status::ok ? length + seal_overhead : 0};
    }

    /** What became of the messages so far. */
    [[nodiscard]] result<session_key_counts> counts() const noexcept
    {
        return detail::ask<session_key_counts>(netclock_session_keys_counts, *this);
    }
};

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

} // namespace netclock

#endif /* NETCLOCK_HPP */
