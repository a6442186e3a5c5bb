/*
 * NetClock for C++17: changes of the latency, and the speed that hides them. Uses netclock_order.hpp and netclock.hpp,
 * and follows their conventions.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_LATENCY_HPP
#define NETCLOCK_LATENCY_HPP

#include "netclock/netclock_latency.h"
#include "netclock/netclock_order.hpp"

namespace netclock {

/** Settings of a latency watch. Zero means the default. */
struct latency_config {
    /** The direction whose changes the speed hides. Empty: both together, the round trip. */
    std::optional<direction> hide{};
    /** Smaller changes are not reported. (1 ms to 1 s, default 10 ms) */
    ticks least_change{};
    /** How far the speed may differ from 1. (0.001 to 0.5, default 0.1) */
    double max_speed_change = 0.0;
    /** Time from speed 1 to the largest difference. (10 ms to 10 s, default 250 ms) */
    ticks ramp{};
    /** Mean time between false reports on a path that does not change. (hours, 0.1 to 10000, default 100) */
    double hours_per_false_alarm = 0.0;
};

/** The delays of one direction changed, and stayed so. */
struct latency_change {
    direction went = direction::to_server;
    /** The typical delay (median) before and after. */
    ticks before{};
    ticks after{};
    /** When the first and the last exchange arrived that show the change. */
    local_time since{};
    local_time found{};
    /** Confidence: one minus the false reports per hour expected at this strength of evidence. (0 to 1) */
    double confidence = 0.0;
};

/** The present delays by the shown clock: the median since the last change, and the least. */
struct latency_levels {
    ticks to_server{};
    ticks least_to_server{};
    ticks to_client{};
    ticks least_to_client{};
};

/** The speed at which the local avatar should play. */
struct latency_speed {
    /** Usually 1, less after a rise of the latency, more after a fall. */
    double scale = 1.0;
    /** How much more than the time that passed it should have played; negative: less. Exact at any frame rate. */
    ticks done{};
    /** How much more it still has to play; negative: less. */
    ticks remaining{};
    /** Whether a change is being hidden. */
    bool is_hiding = false;
};

namespace detail {

struct destroy_latency {
    void operator()(netclock_latency *handle) const noexcept { static_cast<void>(netclock_latency_destroy(handle)); }
};

} // namespace detail

/** Watches the latency of a client's path. Owns a netclock_latency. */
class latency {
public:
    /** Owns nothing. */
    latency() noexcept = default;

    /** Takes over a handle made by netclock_latency_create. */
    explicit latency(netclock_latency *handle) noexcept : handle_{handle} {}

    /** A watch that knows no exchange yet. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<latency> create(const latency_config &settings = {}) noexcept
    {
        if (!library_fits()) {
            return {status::abi_mismatch, latency{}};
        }
        netclock_latency_config chosen{};
        chosen.struct_size = detail::struct_size<netclock_latency_config>();
        chosen.hide = settings.hide ? static_cast<std::int32_t>(*settings.hide) : 0;
        chosen.least_change = detail::count(settings.least_change);
        chosen.max_speed_change = settings.max_speed_change;
        chosen.ramp = detail::count(settings.ramp);
        chosen.hours_per_false_alarm = settings.hours_per_false_alarm;
        netclock_latency *handle = nullptr;
        const auto code = status{netclock_latency_create(&chosen, &handle)};
        return {code, latency{handle}};
    }

    /** Learns from the newest exchange of the client: call it after each reply. nothing_new is no error. */
    status follow(const client &of) noexcept { return status{netclock_latency_follow(get(), of.get())}; }

    /**
     * Learns from the four stamps of an exchange, the server time shown for its arrival, and the epoch of that reading.
     * nothing_new and outdated are no errors. Errors: stamp_out_of_range, out_of_range, time_went_backwards.
     */
    status learn(local_time client_sent, server_time server_received, server_time server_sent,
                 local_time client_received, server_time shown, std::uint32_t epoch) noexcept
    {
        return status{netclock_latency_learn(get(), detail::count(client_sent), detail::count(server_received),
                                             detail::count(server_sent), detail::count(client_received),
                                             detail::count(shown), epoch)};
    }

    /** Takes the next change. no_change is no error. */
    [[nodiscard]] result<latency_change> next_change() noexcept
    {
        netclock_latency_change found{};
        found.struct_size = detail::struct_size<netclock_latency_change>();
        const auto code = status{netclock_latency_next_change(get(), &found)};
        latency_change change;
        change.went = static_cast<direction>(found.direction);
        change.before = ticks{found.before};
        change.after = ticks{found.after};
        change.since = detail::local(found.since);
        change.found = detail::local(found.found);
        change.confidence = found.confidence;
        return {code, change};
    }

    /** The present delays. no_messages, if nothing was learnt yet, is no error. */
    [[nodiscard]] result<latency_levels> levels() const noexcept
    {
        netclock_latency_levels known{};
        known.struct_size = detail::struct_size<netclock_latency_levels>();
        const auto code = status{netclock_latency_read(get(), &known)};
        return {code, latency_levels{ticks{known.to_server}, ticks{known.least_to_server}, ticks{known.to_client},
                                     ticks{known.least_to_client}}};
    }

    /** The speed at which the local avatar should play in the frame at `now`. Errors: time_out_of_range. */
    [[nodiscard]] result<latency_speed> speed(local_time now) const noexcept
    {
        netclock_latency_speed present{};
        present.struct_size = detail::struct_size<netclock_latency_speed>();
        const auto code = status{netclock_latency_read_speed(get(), detail::count(now), &present)};
        return {code, latency_speed{present.scale, ticks{present.done}, ticks{present.remaining},
                                    present.is_hiding != 0}};
    }

    /** True if it owns a handle. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** The handle, for calls of netclock.h. Still owned. */
    [[nodiscard]] netclock_latency *get() const noexcept { return handle_.get(); }

    /** The handle, owned by the caller from now on. */
    [[nodiscard]] netclock_latency *release() noexcept { return handle_.release(); }

private:
    std::unique_ptr<netclock_latency, detail::destroy_latency> handle_;
};

} // namespace netclock

#endif /* NETCLOCK_LATENCY_HPP */
