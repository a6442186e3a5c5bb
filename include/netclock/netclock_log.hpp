/*
 * NetClock for C++17: log and tap.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_log.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 */

#ifndef NETCLOCK_LOG_HPP
#define NETCLOCK_LOG_HPP

#include "netclock/netclock_log_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

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

#endif /* NETCLOCK_LOG_HPP */
