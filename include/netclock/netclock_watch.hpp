/*
 * NetClock for C++17: the server watches the clocks of its players. Uses netclock.hpp and follows its
 * conventions. SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_WATCH_HPP
#define NETCLOCK_WATCH_HPP

#include "netclock/netclock_watch_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

namespace detail {

struct destroy_rate_watch {
    void operator()(netclock_rate_watch *handle) const noexcept
    {
        static_cast<void>(netclock_rate_watch_destroy(handle));
    }
};

} // namespace detail

/** Watches the clock of one client, on the server. Owns a netclock_rate_watch. */
class rate_watch {
public:
    /** Owns nothing. */
    rate_watch() noexcept = default;

    /** Takes over a handle made by netclock_rate_watch_create. */
    explicit rate_watch(netclock_rate_watch *handle) noexcept : handle_{handle} {}

    /** A watch that knows nothing yet. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<rate_watch> create(const rate_watch_config &settings = {}) noexcept
    {
        if (!library_fits()) {
            return {status::abi_mismatch, rate_watch{}};
        }
        const auto chosen = detail::to_c(settings);
        netclock_rate_watch *handle = nullptr;
        const auto code = status{netclock_rate_watch_create(&chosen, &handle)};
        return {code, rate_watch{handle}};
    }

    /**
     * Reports a message that the client stamped `stamped` and that arrived at `arrived`. `heard` is the
     * server's send time of the newest reply that the client had received by then, if known. Without it only
     * gains are found early. Errors: stamp_out_of_range, time_went_backwards, arrived_before_sent.
     */
    status report(
        local_time stamped, server_time arrived, std::optional<server_time> heard = std::nullopt) noexcept
    {
        return status{netclock_rate_watch_report(get(), detail::count(stamped), detail::count(arrived),
                                                 heard ? detail::count(*heard) : NETCLOCK_UNKNOWN_TIME)};
    }

    /** Excuses what arrives from `from` to `to`: it is no evidence. Errors: stamp_out_of_range,
     * time_went_backwards. */
    status excuse(server_time from, server_time to) noexcept
    {
        return status{netclock_rate_watch_excuse(get(), detail::count(from), detail::count(to))};
    }

    /** The verdict as of the newest report. */
    [[nodiscard]] result<rate_verdict> read() const noexcept
    {
        auto verdict = detail::sized<netclock_rate_verdict>();
        const auto code = status{netclock_rate_watch_read(get(), &verdict)};
        return {code, detail::from_c(verdict)};
    }

    /** True if it owns a handle. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** The handle, for calls of C. Still owned. */
    [[nodiscard]] netclock_rate_watch *get() const noexcept { return handle_.get(); }

    /** The handle, owned by the caller from now on. */
    [[nodiscard]] netclock_rate_watch *release() noexcept { return handle_.release(); }

private:
    std::unique_ptr<netclock_rate_watch, detail::destroy_rate_watch> handle_;
};

} // namespace netclock

#endif /* NETCLOCK_WATCH_HPP */
