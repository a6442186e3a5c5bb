/*
 * NetClock for C++17: the server watches the clocks of its players. Uses netclock.hpp and follows its conventions.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_WATCH_HPP
#define NETCLOCK_WATCH_HPP

#include "netclock/netclock_watch.h"
#include "netclock/netclock.hpp"

namespace netclock {

/** How sure a rate watch is that a client's clock is not honest. In order, so that levels can be compared. */
enum class rate_level : std::int32_t {
    /** Too few reports so far. */
    unknown = NETCLOCK_RATE_UNKNOWN,
    /** Delays and ordinary crystals explain everything. */
    plausible = NETCLOCK_RATE_PLAUSIBLE,
    /** Only a path that behaved as paths hardly ever do could explain it. Look closer, do not punish. */
    likely = NETCLOCK_RATE_LIKELY,
    /** No delays explain it. */
    proven = NETCLOCK_RATE_PROVEN
};

/** What a client's clock did. */
enum class rate_finding : std::int32_t {
    nothing = NETCLOCK_RATE_NOTHING,
    /** It ran fast. */
    fast = NETCLOCK_RATE_FAST,
    /** It ran slow. */
    slow = NETCLOCK_RATE_SLOW,
    /** It jumped ahead. */
    added = NETCLOCK_RATE_ADDED,
    /** It fell back. */
    removed = NETCLOCK_RATE_REMOVED
};

/** Settings of a rate watch. Zero means the default. */
struct rate_watch_config {
    /** Largest skew between two honest clocks. (ppm, 1 to 10000, default 200) */
    double max_drift_ppm = 0.0;
    /** A delay that messages do not exceed for 16 s without a break. (100 ms to 60 s, default 5 s) */
    ticks max_delay{};
};

/** The verdict of a rate watch on its client. */
struct rate_verdict {
    /** The level of the last minute. */
    rate_level level = rate_level::unknown;
    /** The highest level so far. */
    rate_level worst = rate_level::unknown;
    /** The newest finding; the three durations belong to it. */
    rate_finding finding = rate_finding::nothing;
    /** How often the level rose to likely or proven. */
    std::uint32_t findings = 0;
    /** What the client's clock gained beyond drift, and if proven, beyond delay. Negative: lost. */
    ticks gained{};
    /** How much of it changes of delay could explain; zero if proven. */
    ticks explained{};
    /** How long it took, as far back as the watch looks. */
    ticks duration{};
    /** Mean skew in ppm. Positive: the client's clock is fast. Empty if not known. */
    std::optional<double> mean_ppm{};
    /** How far off that may be if delays changed by 60 ms, in ppm. */
    double mean_error_ppm = 0.0;
};

namespace detail {

struct destroy_rate_watch {
    void operator()(netclock_rate_watch *handle) const noexcept
    {
        static_cast<void>(netclock_rate_watch_destroy(handle));
    }
};

inline rate_verdict from_c(const netclock_rate_verdict &from) noexcept
{
    rate_verdict to;
    to.level = static_cast<rate_level>(from.level);
    to.worst = static_cast<rate_level>(from.worst);
    to.finding = static_cast<rate_finding>(from.finding);
    to.findings = from.findings;
    to.gained = ticks{from.gained};
    to.explained = ticks{from.explained};
    to.duration = ticks{from.duration};
    if (from.is_mean_known != 0) {
        to.mean_ppm = from.mean_ppm;
    }
    to.mean_error_ppm = from.mean_error_ppm;
    return to;
}

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
        netclock_rate_watch_config chosen{};
        chosen.struct_size = detail::struct_size<netclock_rate_watch_config>();
        chosen.max_drift_ppm = settings.max_drift_ppm;
        chosen.max_delay = detail::count(settings.max_delay);
        netclock_rate_watch *handle = nullptr;
        const auto code = status{netclock_rate_watch_create(&chosen, &handle)};
        return {code, rate_watch{handle}};
    }

    /**
     * Reports a message that the client stamped `stamped` and that arrived at `arrived`. `heard` is the server's send
     * time of the newest reply that the client had received by then, if known. Without it only gains are found early.
     * Errors: stamp_out_of_range, time_went_backwards, arrived_before_sent.
     */
    status report(local_time stamped, server_time arrived, std::optional<server_time> heard = std::nullopt) noexcept
    {
        return status{netclock_rate_watch_report(get(), detail::count(stamped), detail::count(arrived),
                                                 heard ? detail::count(*heard) : NETCLOCK_UNKNOWN_TIME)};
    }

    /** Excuses what arrives from `from` to `to`: it is no evidence. Errors: stamp_out_of_range, time_went_backwards. */
    status excuse(server_time from, server_time to) noexcept
    {
        return status{netclock_rate_watch_excuse(get(), detail::count(from), detail::count(to))};
    }

    /** The verdict as of the newest report. */
    [[nodiscard]] result<rate_verdict> read() const noexcept
    {
        netclock_rate_verdict verdict{};
        verdict.struct_size = detail::struct_size<netclock_rate_verdict>();
        const auto code = status{netclock_rate_watch_read(get(), &verdict)};
        return {code, detail::from_c(verdict)};
    }

    /** True if it owns a handle. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** The handle, for calls of netclock.h. Still owned. */
    [[nodiscard]] netclock_rate_watch *get() const noexcept { return handle_.get(); }

    /** The handle, owned by the caller from now on. */
    [[nodiscard]] netclock_rate_watch *release() noexcept { return handle_.release(); }

private:
    std::unique_ptr<netclock_rate_watch, detail::destroy_rate_watch> handle_;
};

} // namespace netclock

#endif /* NETCLOCK_WATCH_HPP */
