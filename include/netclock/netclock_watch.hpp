/*
 * NetClock for C++17: the server watches the clocks of its players. Uses netclock.hpp and follows its
 * conventions. SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_WATCH_HPP
#define NETCLOCK_WATCH_HPP

#include "netclock/netclock_watch_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

/** Watches the clock of one client, on the server. Owns a netclock_rate_watch. */
class rate_watch : public owned<netclock_rate_watch, netclock_rate_watch_destroy> {
public:
    using owned::owned;

    /** A watch that knows nothing yet. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<rate_watch> create(const rate_watch_config &settings = {}) noexcept
    {
        return detail::create<rate_watch>(netclock_rate_watch_create, settings);
    }

    /**
     * Reports a message that the client stamped `stamped` and that arrived at `arrived`. `heard` is the
     * server's send time of the newest reply that the client had received by then, if known. Without it only
     * gains are found early. Errors: stamp_out_of_range, time_went_backwards, arrived_before_sent.
     */
    status report(
        local_time stamped, server_time arrived, std::optional<server_time> heard = std::nullopt) noexcept
    {
        return detail::call(
            netclock_rate_watch_report, *this, stamped, arrived,
            heard ? detail::count(*heard) : NETCLOCK_UNKNOWN_TIME);
    }

    /** Excuses what arrives from `from` to `to`: it is no evidence. Errors: stamp_out_of_range,
     * time_went_backwards. */
    status excuse(server_time from, server_time to) noexcept
    {
        return detail::call(netclock_rate_watch_excuse, *this, from, to);
    }

    /** The verdict as of the newest report. */
    [[nodiscard]] result<rate_verdict> read() const noexcept
    {
        return detail::ask<rate_verdict>(netclock_rate_watch_read, *this);
    }
};

} // namespace netclock

#endif /* NETCLOCK_WATCH_HPP */
