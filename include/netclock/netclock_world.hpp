/*
 * NetClock for C++17: the time of the server's game world.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A thin layer over netclock_world.h. Uses netclock.hpp and follows its conventions. Calls on one
 * handle wait for each other.
 */

#ifndef NETCLOCK_WORLD_HPP
#define NETCLOCK_WORLD_HPP

#include "netclock/netclock_world_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

/** A segment as a datagram. */
using segment_datagram = std::array<std::byte, NETCLOCK_SEGMENT_SIZE>;

/** The real times at which a world's clock reads the same: one instant, or a whole pause. */
struct real_range {
    server_time first{};
    server_time last{};
};

namespace detail {

struct destroy_world {
    void operator()(netclock_publisher* it) const noexcept
    {
        static_cast<void>(netclock_publisher_destroy(it));
    }
    void operator()(netclock_timeline* it) const noexcept
    {
        static_cast<void>(netclock_timeline_destroy(it));
    }
};

} // namespace detail

/** Publishes one clock of the server's world. Owns a netclock_publisher. */
class publisher {
public:
    /** Owns nothing. */
    publisher() noexcept = default;

    /** Takes over a handle made by netclock_publisher_create. */
    explicit publisher(netclock_publisher *handle) noexcept : handle_{handle} {}

    /** `server_epoch` as in the server's replies; `instance` names the first world. Errors: abi_mismatch,
     * bad_config. */
    [[nodiscard]] static result<publisher> create(std::uint64_t server_epoch, std::uint32_t instance,
                                                  const publisher_config &settings = {}) noexcept
    {
        if (!library_fits()) {
            return {status::abi_mismatch, publisher{}};
        }
        const auto chosen = detail::to_c(settings);
        netclock_publisher *handle = nullptr;
        const auto code = status{netclock_publisher_create(&chosen, server_epoch, instance, &handle)};
        return {code, publisher{handle}};
    }

    /** Observes a frame in which the world runs at `rate`. True: send the segment to every client.
     * nothing_due is no error. */
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

    /** The handle, for calls of C. Still owned. */
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
        const auto chosen = detail::to_c(settings);
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
     * As insert, with a datagram of `length` bytes that came by `channel`. already_known is no error. If it
     * is no segment at all (wire_...), the channel has not opened it, and sealed_channel::open can.
     */
    status insert_sealed(const sealed_channel &channel, const void *sealed, std::size_t length) noexcept
    {
        return status{netclock_timeline_insert_sealed(get(), channel.get(), sealed, length)};
    }

    /**
     * Confirms that at `through` the server's newest segment was this one. `through` must not be later than
     * that of publisher::newest, even if the reply is: a change counts from the last observed frame on.
     */
    status confirm(std::uint64_t server_epoch, std::uint32_t instance, std::uint32_t version,
                   server_time through) noexcept
    {
        return status{
            netclock_timeline_confirm(get(), server_epoch, instance, version, detail::count(through))};
    }

    /**
     * The world's time to show; it never goes back within an epoch. Call it once a frame, with what
     * client::read gave. If `now` is before an earlier one of its epoch, the world is shown as it was last,
     * and `ahead` says how far ahead.
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
        return {
            code, real_range{detail::from_count<server_time>(first), detail::from_count<server_time>(last)}};
    }

    /** True if it owns a handle. */
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /** The handle, for calls of C. Still owned. */
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

/** Reads a segment from a datagram of `size` bytes. Errors: null_argument, wire_... for a datagram to be
 * ignored. */
[[nodiscard]] inline result<world_segment> decode_segment(const void *data, std::size_t size) noexcept
{
    auto read = detail::sized<netclock_world_segment>();
    const auto code = status{netclock_decode_segment(data, size, &read)};
    return {code, detail::from_c(read)};
}

} // namespace netclock

#endif /* NETCLOCK_WORLD_HPP */
