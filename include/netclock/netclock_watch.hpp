/*
 * NetClock for C++17: the server's watch over the clocks of its players. On top of netclock.hpp, whose conventions hold.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_WATCH_HPP
#define NETCLOCK_WATCH_HPP

#include "netclock/netclock.hpp"

namespace netclock {

/** How sure a rate watch is that a client's clock is not an honest one. In order: they can be compared. */
enum class rate_level : std::int32_t {
    /** Too few reports so far. */
    unknown = NETCLOCK_RATE_UNKNOWN,
    /** Delay and ordinary crystals explain everything. */
    plausible = NETCLOCK_RATE_PLAUSIBLE,
    /** Only a path that behaved as paths hardly ever do would explain it. Look closer, do not punish. */
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
    /** Largest rate difference between two honest clocks. (ppm, 1 to 10000, default 200) */
    double max_drift_ppm = 0.0;
    /** A delay that messages do not exceed for 16 s on end. (100 ms to 60 s, default 5 s) */
    ticks max_delay{};
};

/** What a rate watch thinks of a client. */
struct rate_verdict {
    /** Of the last minute. */
    rate_level level = rate_level::unknown;
    /** The highest there ever was. */
    rate_level worst = rate_level::unknown;
    /** What the newest finding was; the three durations belong to it. */
    rate_finding finding = rate_finding::nothing;
    /** Times that the level rose to likely or proven. */
    std::uint32_t findings = 0;
    /** What the client's clock gained beyond drift; negative: lost. If proven, beyond delay too. */
    ticks gained{};
    /** As much would pass for changes of delay; zero if proven. */
    ticks explained{};
    /** How long it took, as far back as it was looked. */
    ticks duration{};
    /** Rate of the client's clock against the server's, in ppm; positive: the client's is fast. Empty if not known. */
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
        if (abi_version() != NETCLOCK_ABI_VERSION) {
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
     * A message that the client stamped `stamped` arrived at `arrived`. `heard`: when the server sent the newest thing
     * that the client had received by then, if that is known; without it only gains can be told early. Errors:
     * stamp_out_of_range, time_went_backwards, arrived_before_sent.
     */
    status report(local_time stamped, server_time arrived, std::optional<server_time> heard = std::nullopt) noexcept
    {
        return status{netclock_rate_watch_report(get(), detail::count(stamped), detail::count(arrived),
                                                 heard ? detail::count(*heard) : NETCLOCK_UNKNOWN_TIME)};
    }

    /** What arrives from `from` to `to` is no evidence. Errors: stamp_out_of_range, time_went_backwards. */
    status excuse(server_time from, server_time to) noexcept
    {
        return status{netclock_rate_watch_excuse(get(), detail::count(from), detail::count(to))};
    }

    /** What the watch thinks of the client. */
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
