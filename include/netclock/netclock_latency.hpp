/*
 * NetClock for C++17: changes of the latency, and the speed that hides them. Uses netclock.hpp and
 * follows its conventions.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_LATENCY_HPP
#define NETCLOCK_LATENCY_HPP

#include "netclock/netclock_latency_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

/** Watches the latency of a client's path. Owns a netclock_latency. */
class latency : public owned<netclock_latency, netclock_latency_destroy> {
public:
    using owned::owned;

    /** A watch that knows no exchange yet. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<latency> create(const latency_config &settings = {}) noexcept
    {
        return detail::create<latency>(netclock_latency_create, settings);
    }

    /** Learns from the newest exchange of the client: call it after each reply. nothing_new is no error. */
    status follow(const client &of) noexcept { return detail::call(netclock_latency_follow, *this, of); }

    /**
     * Learns from the four stamps of an exchange, the server time shown for its arrival, and the epoch of
     * that reading. nothing_new and outdated are no errors. Errors: stamp_out_of_range, out_of_range,
     * time_went_backwards.
     */
    status learn(local_time client_sent, server_time server_received, server_time server_sent,
                 local_time client_received, server_time shown, std::uint32_t epoch) noexcept
    {
        return detail::call(
            netclock_latency_learn, *this, client_sent, server_received, server_sent, client_received, shown,
            epoch);
    }

    /** Takes the next change. no_change is no error. */
    [[nodiscard]] result<latency_change> next_change() noexcept
    {
        return detail::ask<latency_change>(netclock_latency_next_change, *this);
    }

    /** The speed at which the local avatar should play in the frame at `now`. Errors: time_out_of_range. */
    [[nodiscard]] result<latency_speed> speed(local_time now) noexcept
    {
        return detail::ask<latency_speed>(netclock_latency_read_speed, *this, now);
    }
};

} // namespace netclock

#endif /* NETCLOCK_LATENCY_HPP */
