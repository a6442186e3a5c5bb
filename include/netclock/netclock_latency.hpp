/*
 * NetClock for C++17: changes of latency.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_latency.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 */

#ifndef NETCLOCK_LATENCY_HPP
#define NETCLOCK_LATENCY_HPP

#include "netclock/netclock_latency_types.hpp"
#include "netclock/netclock.hpp"
#include "netclock/netclock_keys.hpp"

namespace netclock {

/**
 * A watch over the latency of one client's path. Its memory never grows. Calls from several threads wait for
 * each other. Owns a netclock_latency.
 */
class latency : public owned<netclock_latency, netclock_latency_destroy> {
public:
    using owned::owned;

    /**
     * Creates a latency watch that knows no exchange yet. Errors: abi_mismatch, bad_config, out_of_memory.
     */
    [[nodiscard]] static result<latency> create(const latency_config &settings = {}) noexcept
    {
        return detail::create<latency>(netclock_latency_create, settings);
    }

    /**
     * Learns from the newest exchange that `clock` accepted. Call it after each reply that you handed to the
     * client. nothing_new: the exchange is known, or came less than 125 ms after another, or there is none.
     * You may call it every frame, but then it misses exchanges if several come in one frame. When the clock
     * restarts, the watch starts to learn again. Errors: out_of_range for a delay of more than 60 s,
     * time_went_backwards.
     */
    status follow(const client &clock) noexcept
    {
        return detail::call(netclock_latency_follow, *this, clock);
    }

    /**
     * Learns from the four stamps of an exchange, if you have them elsewhere: sent by the client, received
     * and answered by the server, received by the client; each by its own clock. `shown` is the shown server
     * time at `client_received`, and `epoch` that of the reading. Pass exchanges in the order of arrival.
     * outdated: of an epoch that has ended, not used. Otherwise as latency::follow; also stamp_out_of_range.
     */
    status learn(
        local_time client_sent, server_time server_received, server_time server_sent,
        local_time client_received, server_time shown, std::uint32_t epoch) noexcept
    {
        return detail::call(
            netclock_latency_learn, *this, client_sent, server_received, server_sent, client_received, shown,
            epoch);
    }

    /**
     * Takes the next change that was found. no_change: none is waiting. A change that is not taken is merged
     * with the next one of its direction.
     */
    [[nodiscard]] result<latency_change> next_change() noexcept
    {
        return detail::ask<latency_change>(netclock_latency_next_change, *this);
    }

    /**
     * The speed at which the local avatar should play at local time `now`. Call it in every frame. When the
     * latency rises by `d`, the server's copy of the avatar becomes `d` older. The avatar plays slower than 1
     * until it has played `d` less; then the distance to its copy is what it was. The difference of `done`
     * between two frames is exactly what to play more between them, at any frame rate. A clock that runs
     * ahead by the latency does the opposite: `2 - scale`. Errors: time_out_of_range.
     */
    [[nodiscard]] result<latency_speed> speed(local_time now) noexcept
    {
        return detail::ask<latency_speed>(netclock_latency_read_speed, *this, now);
    }
};

} // namespace netclock

#endif /* NETCLOCK_LATENCY_HPP */
