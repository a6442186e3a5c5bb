/*
 * NetClock for C++17: the time of the server's game world.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A thin layer over publishers and timelines of netclock.h. Uses netclock.hpp and follows its conventions. Calls on one
 * handle wait for each other.
 */

#ifndef NETCLOCK_WORLD_HPP
#define NETCLOCK_WORLD_HPP

#include "netclock/netclock_world.h"
#include "netclock/netclock.hpp"

namespace netclock {

/** The clock of a game world. It pauses, runs fast or slow, and starts again with each world. Only a timeline knows it. */
struct world_clock {
    using duration = ticks;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<world_clock, duration>;
    static constexpr bool is_steady = false;
};

/** An instant of a world's clock. */
using world_time = world_clock::time_point;

/** A segment as a datagram. */
using segment_datagram = std::array<std::byte, NETCLOCK_SEGMENT_SIZE>;

/** From `real` on, a world's clock reads `world + (now - real) * rate`; see netclock_world_segment. */
struct world_segment {
    std::uint64_t server_epoch = 0;
    std::uint32_t instance = 0;
    std::uint32_t version = 0;
    server_time since{};
    server_time real{};
    world_time world{};
    /** World ticks per real tick; ignored while paused. */
    double rate = 1.0;
    bool paused = false;
    ticks tolerance{};
    /** Until when it is known to be in force. Empty if not known. */
    std::optional<server_time> through{};
};

/** Settings of a publisher. Zero means the default; see netclock_publisher_config. */
struct publisher_config {
    /** The most segments in any one second. (2 to 1000, default 20) */
    std::uint32_t max_per_second = 0;
    /** How far the line may be from the world's clock. (10 us to 1 s, default 0.5 ms) */
    ticks tolerance{};
    /** How much later real time may be read than the world's clock was set. (100 ns to 1 s, default 0.5 ms) */
    ticks read_lag{};
    /** Step of the world's clock as it is read. (100 ns to 1 s, default 100 ns) */
    ticks resolution{};
};

/** Settings of a timeline. Zero means the default; see netclock_timeline_config. */
struct timeline_config {
    /** How much faster or slower a world is shown while it slews to late news. (fraction, 0.001 to 1, default 0.25) */
    double max_slew = 0.0;
    /** If the world is further ahead than this, the shown time steps forwards. (1 ms to 1 h, default 250 ms) */
    ticks step_threshold{};
    /** The fastest that a world may run before anybody has said so. (1e-4 to 100, default 1) */
    double max_rate = 0.0;
};

/** Everything a timeline says about one instant; see netclock_world_reading. */
struct world_reading {
    world_time time{};
    /** Hard bound. It covers changes that the client cannot have heard of yet. Empty if nothing can be promised. */
    std::optional<ticks> error_bound{};
    /** The hard bound if the newest segment is still in force. Empty if nothing can be promised. */
    std::optional<ticks> error_bound_if_unchanged{};
    ticks ahead{};
    ticks jump{};
    double rate = 0.0;
    bool paused = false;
    bool is_missing_news = false;
    std::uint32_t epoch = 0;
    std::uint32_t instance = 0;
    std::uint32_t version = 0;
};

/** The real times at which a world's clock reads the same: one instant, or a whole pause. */
struct real_range {
    server_time first{};
    server_time last{};
};

/** How long ago something was; negative for the future. */
struct world_age {
    ticks real{};
    ticks world{};
};

namespace detail {

constexpr std::int64_t count(world_time time) noexcept { return time.time_since_epoch().count(); }
constexpr world_time world(std::int64_t count) noexcept { return world_time{ticks{count}}; }

inline netclock_world_segment to_c(const world_segment &from) noexcept
{
    netclock_world_segment to{};
    to.struct_size = struct_size<netclock_world_segment>();
    to.instance = from.instance;
    to.version = from.version;
    to.paused = from.paused ? 1 : 0;
    to.server_epoch = from.server_epoch;
    to.since = count(from.since);
    to.real = count(from.real);
    to.world = count(from.world);
    to.rate = from.rate;
    to.tolerance = count(from.tolerance);
    to.through = from.through ? count(*from.through) : NETCLOCK_UNKNOWN_TIME;
    return to;
}

inline world_segment from_c(const netclock_world_segment &from) noexcept
{
    world_segment to;
    to.server_epoch = from.server_epoch;
    to.instance = from.instance;
    to.version = from.version;
    to.since = server(from.since);
    to.real = server(from.real);
    to.world = world(from.world);
    to.rate = from.rate;
    to.paused = from.paused != 0;
    to.tolerance = ticks{from.tolerance};
    if (from.through != NETCLOCK_UNKNOWN_TIME) {
        to.through = server(from.through);
    }
    return to;
}

inline world_reading from_c(const netclock_world_reading &from) noexcept
{
    world_reading to;
    to.time = world(from.world_time);
    to.error_bound = known(from.error_bound);
    to.error_bound_if_unchanged = known(from.error_bound_if_unchanged);
    to.ahead = ticks{from.ahead};
    to.jump = ticks{from.jump};
    to.rate = from.rate;
    to.paused = from.paused != 0;
    to.is_missing_news = from.is_missing_news != 0;
    to.epoch = from.epoch;
    to.instance = from.instance;
    to.version = from.version;
    return to;
}

/** The fields of a reading that a timeline uses. */
inline netclock_reading to_c(const reading &from) noexcept
{
    netclock_reading to{};
    to.struct_size = struct_size<netclock_reading>();
    to.state = static_cast<std::int32_t>(from.state);
    to.server_time = count(from.time);
    to.error_bound = from.error_bound ? count(*from.error_bound) : NETCLOCK_UNBOUNDED;
    to.server_epoch = from.server_epoch;
    to.epoch = from.epoch;
    return to;
}

template <class T>
T sized() noexcept
{
    T made{};
    made.struct_size = struct_size<T>();
    return made;
}

struct destroy_world {
    void operator()(netclock_publisher *it) const noexcept { static_cast<void>(netclock_publisher_destroy(it)); }
    void operator()(netclock_timeline *it) const noexcept { static_cast<void>(netclock_timeline_destroy(it)); }
};

} // namespace detail

/** Publishes one clock of the server's world. Owns a netclock_publisher. */
class publisher {
public:
    /** Owns nothing. */
    publisher() noexcept = default;

    /** Takes over a handle made by netclock_publisher_create. */
    explicit publisher(netclock_publisher *handle) noexcept : handle_{handle} {}

    /** `server_epoch` as in the server's replies; `instance` names the first world. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<publisher> create(std::uint64_t server_epoch, std::uint32_t instance,
                                                  const publisher_config &settings = {}) noexcept
    {
        if (!library_fits()) {
            return {status::abi_mismatch, publisher{}};
        }
        auto chosen = detail::sized<netclock_publisher_config>();
        chosen.max_per_second = settings.max_per_second;
        chosen.tolerance = detail::count(settings.tolerance);
        chosen.read_lag = detail::count(settings.read_lag);
        chosen.resolution = detail::count(settings.resolution);
        netclock_publisher *handle = nullptr;
        const auto code = status{netclock_publisher_create(&chosen, server_epoch, instance, &handle)};
        return {code, publisher{handle}};
    }

    /** Observes a frame in which the world runs at `rate`. True: send the segment to every client. nothing_due is no error. */
    [[nodiscard]] result<world_segment> observe(server_time real, world_time world, double rate) noexcept
    {
        return observe(real, world, rate, 0);
    }

    /** Observes a frame in which the world stands still. */
    [[nodiscard]] result<world_segment> observe_paused(server_time real, world_time world) noexcept
    {
        return observe(real, world, 0.0, 1);
    }

    /** The newest segment, for clients that join or may have lost it. no_world: there was no frame. */
    [[nodiscard]] result<world_segment> newest() const noexcept
    {
        auto newest = detail::sized<netclock_world_segment>();
        const auto code = status{netclock_publisher_newest(get(), &newest)};
        return {code, detail::from_c(newest)};
    }

    /** Begins another world with the next frame. */
    status begin_world() noexcept { return status{netclock_publisher_begin_world(get())}; }

    /** True if it owns a handle. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** The handle, for calls of netclock.h. Still owned. */
    [[nodiscard]] netclock_publisher *get() const noexcept { return handle_.get(); }

private:
    [[nodiscard]] result<world_segment> observe(server_time real, world_time world, double rate,
                                                std::int32_t paused) noexcept
    {
        auto due = detail::sized<netclock_world_segment>();
        const auto code = status{
            netclock_publisher_observe(get(), detail::count(real), detail::count(world), rate, paused, &due)};
        return {code, detail::from_c(due)};
    }

    std::unique_ptr<netclock_publisher, detail::destroy_world> handle_;
};

/** A client's view of one clock of the server's world. Owns a netclock_timeline. */
class timeline {
public:
    /** Owns nothing. */
    timeline() noexcept = default;

    /** Takes over a handle made by netclock_timeline_create. */
    explicit timeline(netclock_timeline *handle) noexcept : handle_{handle} {}

    /** A timeline that knows no world yet. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<timeline> create(const timeline_config &settings = {}) noexcept
    {
        if (!library_fits()) {
            return {status::abi_mismatch, timeline{}};
        }
        auto chosen = detail::sized<netclock_timeline_config>();
        chosen.max_slew = settings.max_slew;
        chosen.step_threshold = detail::count(settings.step_threshold);
        chosen.max_rate = settings.max_rate;
        netclock_timeline *handle = nullptr;
        const auto code = status{netclock_timeline_create(&chosen, &handle)};
        return {code, timeline{handle}};
    }

    /** Inserts a segment that arrived, in any order. already_known is no error. */
    status insert(const world_segment &arrived) noexcept
    {
        const netclock_world_segment travelled = detail::to_c(arrived);
        return status{netclock_timeline_insert(get(), &travelled)};
    }

    /**
     * Confirms that at `through` the server's newest segment was this one. `through` must not be later than that of
     * publisher::newest, even if the reply is: a change counts from the last observed frame on.
     */
    status confirm(std::uint64_t server_epoch, std::uint32_t instance, std::uint32_t version,
                   server_time through) noexcept
    {
        return status{netclock_timeline_confirm(get(), server_epoch, instance, version, detail::count(through))};
    }

    /**
     * The world's time to show; it never goes back within an epoch. Call it once a frame, with what client::read gave.
     * If `now` is before an earlier one of its epoch, the world is shown as it was last, and `ahead` says how far ahead.
     */
    [[nodiscard]] result<world_reading> show(const reading &now) noexcept
    {
        const netclock_reading clock = detail::to_c(now);
        auto shown = detail::sized<netclock_world_reading>();
        const auto code = status{netclock_timeline_show(get(), &clock, &shown)};
        return {code, detail::from_c(shown)};
    }

    /** The world's time at any real time, without slewing. */
    [[nodiscard]] result<world_reading> world_at(std::uint64_t server_epoch, server_time real) const noexcept
    {
        auto then = detail::sized<netclock_world_reading>();
        const auto code = status{netclock_timeline_world_at(get(), server_epoch, detail::count(real), &then)};
        return {code, detail::from_c(then)};
    }

    /** When the world's clock reads `world`. never: it does not, as far as is known. */
    [[nodiscard]] result<real_range> real_at(std::uint64_t server_epoch, world_time world) const noexcept
    {
        std::int64_t first = 0;
        std::int64_t last = 0;
        const auto code =
            status{netclock_timeline_real_at(get(), server_epoch, detail::count(world), &first, &last)};
        return {code, real_range{detail::server(first), detail::server(last)}};
    }

    /** How long ago the server's real time was `stamp`. */
    [[nodiscard]] result<world_age> age_of(const reading &now, server_time stamp) const noexcept
    {
        const netclock_reading clock = detail::to_c(now);
        netclock_world_age since{};
        const auto code = status{netclock_timeline_age_of_real(get(), &clock, detail::count(stamp), &since)};
        return {code, world_age{ticks{since.real}, ticks{since.world}}};
    }

    /** How long ago the world's clock read `stamp`. */
    [[nodiscard]] result<world_age> age_of(const reading &now, world_time stamp) const noexcept
    {
        const netclock_reading clock = detail::to_c(now);
        netclock_world_age since{};
        const auto code = status{netclock_timeline_age_of_world(get(), &clock, detail::count(stamp), &since)};
        return {code, world_age{ticks{since.real}, ticks{since.world}}};
    }

    /** True if it owns a handle. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** The handle, for calls of netclock.h. Still owned. */
    [[nodiscard]] netclock_timeline *get() const noexcept { return handle_.get(); }

private:
    std::unique_ptr<netclock_timeline, detail::destroy_world> handle_;
};

/** A segment as a datagram. Errors: those of an invalid segment. */
[[nodiscard]] inline result<segment_datagram> encode(const world_segment &from) noexcept
{
    const netclock_world_segment travelling = detail::to_c(from);
    segment_datagram to{};
    const auto code = status{netclock_encode_segment(&travelling, to.data(), to.size())};
    return {code, to};
}

/** Reads a segment from a datagram of `size` bytes. Errors: null_argument, wire_... for a datagram to be ignored. */
[[nodiscard]] inline result<world_segment> decode_segment(const void *data, std::size_t size) noexcept
{
    auto read = detail::sized<netclock_world_segment>();
    const auto code = status{netclock_decode_segment(data, size, &read)};
    return {code, detail::from_c(read)};
}

} // namespace netclock

#endif /* NETCLOCK_WORLD_HPP */
