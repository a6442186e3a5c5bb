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

/** The states that a client saves for later sessions. */
struct saved {
    /** The state of this machine's crystal. Store one such state per machine. */
    saved_state machine{};
    /** The state of the server and the route to it. Store one such state per server, under its address or
     * name. */
    saved_state server{};
};

/** Which of the saved states a client used. */
struct used_states {
    bool machine = false;
    bool server = false;
};

/** Returns which of the saved states in its settings a client used. */
[[nodiscard]] inline result<used_states> used_saved(const client &clock) noexcept
{
    const auto used = detail::ask<std::int32_t>(netclock_client_used_saved, clock);
    return {used.code(), {(*used & NETCLOCK_USED_MACHINE) != 0, (*used & NETCLOCK_USED_SERVER) != 0}};
}

/**
 * Sets the boot identifier of the server's machine. `boot` is the value that `netclock_machine_hints`
 * returned on the server and that the game sent to the client, or 0 if unknown. A saved rate has less weight
 * if the server's machine has rebooted since. Call this function as soon as the value is known, and again
 * after connecting to a different server. Without this call, the client assumes that a server's saved state
 * is from the same boot if the server epoch is unchanged.
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

/** Returns an identifier of this machine's current boot, or 0 if unknown. See netclock_machine_hints. */
[[nodiscard]] inline std::uint64_t boot_id() noexcept
{
    std::uint64_t boot = 0;
    netclock_machine_hints(nullptr, nullptr, &boot);
    return boot;
}

/**
 * Sets the callback that receives every exchange, for recordings and statistics. A null `callback` removes
 * it. A new client has no callback. The callback receives `user_data`, which may be null. A new callback
 * takes effect with the next exchange, even if the old callback sets it. Calls in progress on other threads
 * may still call the old callback.
 */
inline status on_sample(client &clock, netclock_tap_callback callback, void *user_data) noexcept
{
    return detail::call(netclock_client_set_tap, clock, callback, user_data);
}

} // namespace netclock

#endif /* NETCLOCK_SAVED_HPP */
