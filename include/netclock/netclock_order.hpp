/*
 * NetClock for C++17: order, rewinding, beats.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_order.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 * An order_stamp is the time of an event and its error. Beats count fixed steps from an instant.
 */

#ifndef NETCLOCK_ORDER_HPP
#define NETCLOCK_ORDER_HPP

#include "netclock/netclock_order_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

/** The time of an event. A client creates an order_stamp from a reading. The server creates one from its own
 * time, which has no error. */
struct order_stamp {
    server_time time{};
    /** Hard bound on the error. Empty if there is none. */
    std::optional<ticks> error_bound = ticks{};
    /** Expected error (one standard deviation). Empty if unknown. */
    std::optional<ticks> expected_error = ticks{};

    order_stamp() noexcept = default;
    explicit order_stamp(server_time exact) noexcept : time{exact} {}
    order_stamp(server_time when, std::optional<ticks> bound, std::optional<ticks> expected) noexcept
        : time{when}, error_bound{bound}, expected_error{expected}
    {
    }
    explicit order_stamp(const reading &taken) noexcept
        : order_stamp{taken.time, taken.error_bound, taken.expected_error}
    {}
};

/** The clocks that two timestamps come from. */
enum class clocks : std::int32_t {
    /** The clocks of two clients, or of a client and the server. */
    independent = 0,
    /** The server's clock, or a client's clock within one epoch of its readings. In this case, both times
     * have the same error. */
    same = 1
};

namespace detail {

inline netclock_order_stamp to_c(const order_stamp &from) noexcept
{
    netclock_order_stamp to{};
    to.time = count(from.time);
    to.error_bound = count(from.error_bound, NETCLOCK_UNBOUNDED);
    to.expected_error = count(from.expected_error, NETCLOCK_UNBOUNDED);
    return to;
}

} // namespace detail

/**
 * Determines which of two events came first, and returns the verdict in `*verdict`. Set `same_clock` to 1 if
 * both times are the server's, or if the same client read both in the same epoch. Otherwise, set it to 0.
 * Times from the same clock share that clock's error, so the error does not affect their order. `confidence`,
 * from 0.5 to 1, is the minimum probability of an unproven order. At 0.5, the order is undecided only if both
 * orders are equally likely. At 1, the order is undecided unless it is proven. Errors:
 * `NETCLOCK_STAMP_OUT_OF_RANGE`, `NETCLOCK_OUT_OF_RANGE` if an error is negative or the confidence is out of
 * range.
 */
[[nodiscard]] inline result<order_verdict> arbitrate(
    const order_stamp &first, const order_stamp &second, clocks made_by, double confidence) noexcept
{
    return detail::ask<order_verdict>(netclock_arbitrate, first, second, made_by, confidence);
}

/**
 * Determines the instant that a client saw when it acted, and returns it in `*rewound`. `claimed` is the
 * server time at which the client claims to have acted, and `arrived` is the server time at which this claim
 * arrived. If `*path` cannot explain the claim, the function uses the nearest plausible time instead. Errors:
 * `NETCLOCK_OUT_OF_RANGE` if a field of the path is out of range.
 */
[[nodiscard]] inline result<rewind_result> rewind(
    server_time claimed, server_time arrived, const rewind_path &path) noexcept
{
    return detail::ask<rewind_result>(netclock_rewind, claimed, arrived, path);
}

/** The steps to run in this frame; see netclock_beat_steps. */
using steps = netclock_beat_steps;

/** The number of a beat, and its elapsed fraction, from 0 to just below 1. */
struct beat_position {
    std::int64_t number = 0;
    double alpha = 0.0;
};

/** Beats at a rate of `beats` per `seconds` from an origin, and the progress of a simulation that runs one
 * step per beat. A beat can be copied freely. */
class beat {
public:
    /** If `max_steps` is zero, a call returns at most 5 steps. If `max_behind` is zero, no step is ever
     * skipped. The first advance() begins with the current beat, or with number 0 before the origin or if
     * `catch_up` is true. The member functions check the ranges of these values. */
    constexpr beat(server_time origin, std::uint32_t beats, std::uint32_t seconds,
        std::uint32_t max_steps = 0, std::uint32_t max_behind = 0, bool catch_up = false) noexcept :
        state_{detail::count(origin), 0, beats, seconds, max_steps, max_behind, catch_up ? 1U : 0U, 0}
    {
    }

    /** Returns the current beat at `now`. Errors: bad_config. */
    [[nodiscard]] result<beat_position> at(server_time now) const noexcept
    {
        beat_position under_way;
        const auto code =
            detail::call(netclock_beat_at, &state_, now, &under_way.number, &under_way.alpha);
        return {code, under_way};
    }

    /** Returns the start of a beat. Errors: bad_config. */
    [[nodiscard]] result<server_time> time_of(std::int64_t number) const noexcept
    {
        return detail::ask<server_time>(netclock_beat_time, &state_, number);
    }

    /** Returns the steps to run at `now`. No step is returned twice, and `skipped` counts every omitted step.
     * Errors: bad_config. */
    [[nodiscard]] result<steps> advance(server_time now) noexcept
    {
        return detail::ask<steps>(netclock_beat_advance, &state_, now);
    }

private:
    netclock_beat state_;
};

} // namespace netclock

#endif /* NETCLOCK_ORDER_HPP */
