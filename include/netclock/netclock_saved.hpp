/*
 * NetClock for C++17: what outlives a session.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_saved.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 */

#ifndef NETCLOCK_SAVED_HPP
#define NETCLOCK_SAVED_HPP

#include "netclock/netclock_saved_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

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

/** Which of the saved states in its settings a client began with. */
[[nodiscard]] inline result<used_states> used_saved(const client &clock) noexcept
{
    const auto used = detail::ask<std::int32_t>(netclock_client_used_saved, clock);
    return {used.code(), {(*used & NETCLOCK_USED_MACHINE) != 0, (*used & NETCLOCK_USED_SERVER) != 0}};
}

/**
 * The boot of the server's machine is `boot`, as boot_id gave it there and the game states it. A rate that
 * was saved before the server booted counts less. Call it as soon as you know, and again when you turn to
 * another server. Without it, what was saved of this server counts as of the same boot if its epoch is still
 * the same. 0: unknown.
 */
inline status set_server_boot(client &clock, std::uint64_t boot) noexcept
{
    return detail::call(netclock_client_set_server_boot, clock, boot);
}

/** What later sessions begin with, at `seconds` of a calendar. not_synced until the rate is known, some
 * seconds long. */
[[nodiscard]] inline result<saved> save(client &clock, std::int64_t seconds) noexcept
{
    saved states;
    const auto code = detail::call(netclock_client_save, clock, seconds, states.machine.data(),
                                   states.server.data(), states.machine.size());
    return {code, states};
}

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
 * others after a boot. A server can tell its clients its own, for set_server_boot: it says which servers run
 * on one machine, and nothing else of it.
 *
 * Asks Linux and Android for the boot's id, macOS and iOS for the boot session's UUID, Windows for the time
 * of the boot. Callable from any thread. It never fails.
 */
[[nodiscard]] inline std::uint64_t boot_id() noexcept { return netclock_boot_id(); }

/**
 * Calls `callback` with `user_data` for messages of `most` and more important ones. Every call is allowed in
 * it, except destroying this client. It must not throw.
 */
inline status on_log(client &clock, log_level most, netclock_log_callback callback, void *user_data) noexcept
{
    return detail::call(netclock_client_set_log, clock, most, callback, user_data);
}

/**
 * The same with any `callable(log_level, const char *)`. It is not copied, so keep it where it is until the
 * client is destroyed or has another one. It runs on the thread whose call caused the message.
 */
template <class Callable>
status on_log(client &clock, log_level most, Callable &callable) noexcept
{
    return on_log(clock, most, &detail::call_log<Callable>, detail::as_user_data(callable));
}

/** Stops calling it, from the next message on. */
inline status on_log(client &clock, std::nullptr_t) noexcept
{
    return on_log(clock, log_level::error, nullptr, nullptr);
}

/** Calls `callback` with `user_data` for every exchange, accepted or refused. Otherwise as on_log. */
inline status on_sample(client &clock, netclock_tap_callback callback, void *user_data) noexcept
{
    return detail::call(netclock_client_set_tap, clock, callback, user_data);
}

/** The same with any `callable(const sample &)`. */
template <class Callable>
status on_sample(client &clock, Callable &callable) noexcept
{
    return on_sample(clock, &detail::call_tap<Callable>, detail::as_user_data(callable));
}

/** Stops calling it, from the next exchange on. */
inline status on_sample(client &clock, std::nullptr_t) noexcept
{
    return on_sample(clock, nullptr, nullptr);
}

} // namespace netclock

#endif /* NETCLOCK_SAVED_HPP */
