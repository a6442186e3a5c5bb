/*
 * NetClock for C++17: watching clients' clocks.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_watch.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 */

#ifndef NETCLOCK_WATCH_HPP
#define NETCLOCK_WATCH_HPP

#include "netclock/netclock_watch_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

/**
 * A watch over the clock of one client, on the server. It has 248 bytes and never grows. Calls from several
 * threads wait for each other. Owns a netclock_rate_watch.
 */
class rate_watch : public owned<netclock_rate_watch, netclock_rate_watch_destroy> {
public:
    using owned::owned;

    /** Creates a watch over the clock of one client. Errors: abi_mismatch, bad_config, out_of_memory. */
    [[nodiscard]] static result<rate_watch> create(const rate_watch_config &settings = {}) noexcept
    {
        return detail::create<rate_watch>(netclock_rate_watch_create, settings);
    }

    /**
     * Reports a message that the client stamped `stamped` and that arrived at `arrived`. The stamp may be up
     * to 50 ms old when the message leaves. Take `arrived` as early as possible. Requests of NetClock's
     * clients are such messages, and so is any other with a stamp. Loss, duplicates and reordering do no
     * harm.
     *
     * `heard` is the server's send time of the newest reply that the client had received when it stamped the
     * message. Take it from acknowledgements or from stamps that come back. A stamp of the server that the
     * client returns can be believed, because a false one only speaks against the client. Leave it empty if
     * it is not known: then only gains are found early, and only gains beyond `max_delay` are proved.
     *
     * Errors: stamp_out_of_range, time_went_backwards (report in the order of arrival), arrived_before_sent
     * (heard after it arrived).
     */
    status report(
        local_time stamped, server_time arrived, std::optional<server_time> heard = std::nullopt) noexcept
    {
        return detail::call(
            netclock_rate_watch_report, *this, stamped, arrived,
            heard ? detail::count(*heard) : NETCLOCK_UNKNOWN_TIME);
    }

    /**
     * Excuses the messages that arrive from `from` to `to`: they are no evidence. Use it when the client's
     * clock stood still or was set for a good reason: the game paused or changed its level, or the machine
     * resumed. If you call it afterwards, the suspicion of the last minute is dropped. In either case the
     * watch forgets what it observed until then. Two calls excuse the time between them, too. Stalls of
     * client, server or network need no excuse. Choose `to` as late as the last message from before may
     * arrive. Errors: stamp_out_of_range, time_went_backwards (`to` is before `from`).
     */
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
