/*
 * NetClock for C++17: durations, clocks and instants. netclock.hpp includes this file.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_TIME_HPP
#define NETCLOCK_TIME_HPP

#if !defined(__cplusplus) || (__cplusplus < 201703L && (!defined(_MSVC_LANG) || _MSVC_LANG < 201703L))
#error "NetClock's C++ headers need C++17 or newer: compile with -std=c++17, or use netclock/netclock.h"
/* This file does not exist. Compilation stops here, before errors that would hide the error above. */
#include "netclock/needs_cpp17"
#endif

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <ratio>

#include "netclock/netclock.h"

namespace netclock {

/** A duration in ticks of 100 ns. Milliseconds and longer units convert to it implicitly. */
using ticks = std::chrono::duration<std::int64_t, std::ratio<1, 10000000>>;
static_assert(ticks::period::den == NETCLOCK_TICKS_PER_SECOND, "the unit of netclock.h");

/** The requirements of std::chrono for a clock. */
template <class Clock, bool IsSteady>
struct clock_in_ticks {
    using duration = ticks;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<Clock, duration>;
    static constexpr bool is_steady = IsSteady;
};

/**
 * The client's clock: any monotonic clock, never the wall clock. now() is netclock_monotonic_now(), for
 * callers without their own clock. If you have a clock, construct all instants from it as local_time{ticks}.
 */
struct local_clock : clock_in_ticks<local_clock, true> {
    [[nodiscard]] static time_point now() noexcept { return time_point{ticks{netclock_monotonic_now()}}; }
};

/** The server's clock. On a client, only a netclock::client knows its time. */
struct server_clock : clock_in_ticks<server_clock, false> {
    /** Returns netclock_monotonic_now() as server time, for a server without another clock. */
    [[nodiscard]] static time_point now_on_server() noexcept
    {
        return time_point{ticks{netclock_monotonic_now()}};
    }
};

/** An instant of the client's clock. */
using local_time = local_clock::time_point;

/** Returns netclock_monotonic_now(), an unslewed clock of this machine that counts the time in suspend. */
[[nodiscard]] inline local_time monotonic_now() noexcept { return local_clock::now(); }

/** An instant of the server's clock. */
using server_time = server_clock::time_point;

/** The clock of a game world. It pauses, runs fast or slow, and restarts with each world. On a client, only a
 * netclock::guest knows its time. */
struct world_clock : clock_in_ticks<world_clock, false> {};

/** An instant of a world's clock. */
using world_time = world_clock::time_point;

/**
 * An instant of UTC: ticks since 1970-01-01 00:00, without leap seconds, as std::chrono::system_clock counts.
 * It may jump in either direction when the server's UTC changes.
 */
using utc_time = std::chrono::time_point<std::chrono::system_clock, ticks>;

/** Makes request ids unpredictable: draw both numbers from the operating system. Not both may be zero. */
struct seed {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
};

/** A hint at the rate of a clock. */
struct rate_hint {
    /** How much faster than true time the clock runs, within its configured drift. (ppm) */
    double ppm = 0.0;
    /** Standard deviation of `ppm`; zero if unknown. (ppm, 0 to 1000) */
    double doubt_ppm = 0.0;
};

/* Conversions from and to C structures. */
namespace detail {

constexpr std::int64_t count(ticks duration) noexcept { return duration.count(); }

template <class Clock, class Duration>
constexpr std::int64_t count(std::chrono::time_point<Clock, Duration> time) noexcept
{
    return ticks{time.time_since_epoch()}.count();
}

/** Returns `none` if there is no value. */
template <class T>
constexpr std::int64_t count(const std::optional<T> &value, std::int64_t none) noexcept
{
    return value ? count(*value) : none;
}

/** Returns a duration or a time of this many ticks. */
template <class T>
constexpr T from_count(std::int64_t count) noexcept
{
    return T{ticks{count}};
}

/** Returns an empty optional for the count `none`. */
template <class T>
constexpr std::optional<T> known(std::int64_t count, std::int64_t none) noexcept
{
    return count == none ? std::nullopt : std::optional<T>{from_count<T>(count)};
}

/** Structures that may grow begin with their size; others do not. */
template <class T>
constexpr auto state_size(T &made, int) noexcept -> decltype(made.struct_size, void())
{
    made.struct_size = static_cast<std::uint32_t>(sizeof(T));
}
template <class T>
constexpr void state_size(T &, long) noexcept
{
}

/** Returns a C structure whose `struct_size` is set, if it has that field. */
template <class T>
constexpr T sized() noexcept
{
    T made{};
    state_size(made, 0);
    return made;
}

} // namespace detail

} // namespace netclock

#endif /* NETCLOCK_TIME_HPP */
