/*
 * NetClock for C++17: saved states.
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

/** The saved states of a session, for later sessions. */
struct saved {
    /** The state of this machine's crystal. Store one per machine. */
    saved_state machine{};
    /** The state of the server and the route to it. Store one per server, under its address or name. */
    saved_state server{};
};

/** Which of the saved states a client used. */
struct used_states {
    bool machine = false;
    bool server = false;
};

namespace detail {

/** Converts a reference to the user data of a C callback. */
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

/** Returns which of the saved states in its settings a client used. */
[[nodiscard]] inline result<used_states> used_saved(const client &clock) noexcept
{
    const auto used = detail::ask<std::int32_t>(netclock_client_used_saved, clock);
    return {used.code(), {(*used & NETCLOCK_USED_MACHINE) != 0, (*used & NETCLOCK_USED_SERVER) != 0}};
}

/**
 * Sets the identity of the current boot of the server's machine. `boot` is the value that machine_hints
 * returned on the server and that the game sent to the client, or 0 if unknown. A rate that was saved before
 * that machine rebooted has less weight. Call this function as soon as the value is known, and again after
 * connecting to a different server. Without this call, the client assumes that a server's saved state is from
 * the same boot if the server epoch is unchanged.
 */
inline status set_server_boot(client &clock, std::uint64_t boot) noexcept
{
    return detail::call(netclock_client_set_server_boot, clock, boot);
}

/** Returns the states to save for later sessions, at the calendar time `seconds`. Returns not_synced until
 * the rate is known, which takes several seconds. */
[[nodiscard]] inline result<saved> save(client &clock, std::int64_t seconds) noexcept
{
    saved states;
    const auto code = detail::call(netclock_client_save, clock, seconds, states.machine.data(),
                                   states.server.data(), states.machine.size());
    return {code, states};
}

/** Returns what the operating system knows about the rate of local_clock; see netclock_machine_hints. */
[[nodiscard]] inline rate_hint known_rate() noexcept
{
    rate_hint hint;
    netclock_machine_hints(&hint.ppm, &hint.doubt_ppm, nullptr);
    return hint;
}

/** Returns the identity of this machine's boot; 0 if unknown. See netclock_machine_hints. */
[[nodiscard]] inline std::uint64_t boot_id() noexcept
{
    std::uint64_t boot = 0;
    netclock_machine_hints(nullptr, nullptr, &boot);
    return boot;
}

/**
 * Calls `callback` with `user_data` for messages of level `most` and more important ones. The callback may
 * call any function, except for destroying this client, and must not throw.
 */
inline status on_log(client &clock, log_level most, netclock_log_callback callback, void *user_data) noexcept
{
    return detail::call(netclock_client_set_log, clock, most, callback, user_data);
}

/** Calls any `callable(log_level, const char *)` on the thread that causes the message. The callable is not
 * copied, so do not move or destroy it until the client is destroyed or has a different one. */
template <class Callable>
status on_log(client &clock, log_level most, Callable &callable) noexcept
{
    return on_log(clock, most, &detail::call_log<Callable>, detail::as_user_data(callable));
}

/** Removes the callback, starting with the next message. */
inline status on_log(client &clock, std::nullptr_t) noexcept
{
    return on_log(clock, log_level::error, nullptr, nullptr);
}

/** Calls `callback` with `user_data` for every exchange, accepted or rejected. Otherwise like on_log. */
inline status on_sample(client &clock, netclock_tap_callback callback, void *user_data) noexcept
{
    return detail::call(netclock_client_set_tap, clock, callback, user_data);
}

/** Calls any `callable(const sample &)` for every exchange. Otherwise like on_log. */
template <class Callable>
status on_sample(client &clock, Callable &callable) noexcept
{
    return on_sample(clock, &detail::call_tap<Callable>, detail::as_user_data(callable));
}

/** Removes the callback, starting with the next exchange. */
inline status on_sample(client &clock, std::nullptr_t) noexcept
{
    return on_sample(clock, nullptr, nullptr);
}

} // namespace netclock

#endif /* NETCLOCK_SAVED_HPP */
