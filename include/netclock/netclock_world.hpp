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

/** Publishes one clock of the server's world. Owns a netclock_publisher. */
class publisher : public owned<netclock_publisher, netclock_publisher_destroy> {
public:
    using owned::owned;

    /** `server_epoch` as in the server's replies; `instance` names the first world. Errors: abi_mismatch,
     * bad_config. */
    [[nodiscard]] static result<publisher> create(std::uint64_t server_epoch, std::uint32_t instance,
                                                  const publisher_config &settings = {}) noexcept
    {
        return detail::create<publisher>(netclock_publisher_create, settings, server_epoch, instance);
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
        return detail::ask<world_segment>(netclock_publisher_newest, *this);
    }

    /** Begins another world with the next frame. */
    status begin_world() noexcept { return detail::call(netclock_publisher_begin_world, *this); }

private:
    [[nodiscard]] result<world_segment> observe(server_time real, world_time world, double rate,
                                                std::int32_t paused) noexcept
    {
        return detail::ask<world_segment>(netclock_publisher_observe, *this, real, world, rate, paused);
    }
};

/** A client's view of one clock of the server's world. Owns a netclock_timeline. */
class timeline : public owned<netclock_timeline, netclock_timeline_destroy> {
public:
    using owned::owned;

    /** A timeline that knows no world yet. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<timeline> create(const timeline_config &settings = {}) noexcept
    {
        return detail::create<timeline>(netclock_timeline_create, settings);
    }

    /** Inserts a segment that arrived, in any order. already_known is no error. */
    status insert(const world_segment &arrived) noexcept
    {
        return detail::call(netclock_timeline_insert, *this, arrived);
    }

    /**
     * As insert, with a datagram of `length` bytes that came by `channel`. already_known is no error. If it
     * is no segment at all (wire_...), the channel has not opened it, and sealed_channel::open can.
     */
    status insert_sealed(const sealed_channel &channel, const void *sealed, std::size_t length) noexcept
    {
        return detail::call(netclock_timeline_insert_sealed, *this, channel, sealed, length);
    }

    /**
     * Confirms that at `through` the server's newest segment was this one. `through` must not be later than
     * that of publisher::newest, even if the reply is: a change counts from the last observed frame on.
     */
    status confirm(std::uint64_t server_epoch, std::uint32_t instance, std::uint32_t version,
                   server_time through) noexcept
    {
        return detail::call(netclock_timeline_confirm, *this, server_epoch, instance, version, through);
    }

    /**
     * The world's time to show; it never goes back within an epoch. Call it once a frame, with what
     * client::read gave. If `now` is before an earlier one of its epoch, the world is shown as it was last,
     * and `ahead` says how far ahead.
     */
    [[nodiscard]] result<world_reading> show(const reading &now) noexcept
    {
        return detail::ask<world_reading>(netclock_timeline_show, *this, now);
    }

    /** The world's time at any real time, without slewing. */
    [[nodiscard]] result<world_reading> world_at(std::uint64_t server_epoch, server_time real) const noexcept
    {
        return detail::ask<world_reading>(netclock_timeline_world_at, *this, server_epoch, real);
    }

    /** When the world's clock reads `world`. never: it does not, as far as is known. */
    [[nodiscard]] result<real_range> real_at(std::uint64_t server_epoch, world_time world) const noexcept
    {
        std::int64_t first = 0;
        const auto last =
            detail::ask<server_time>(netclock_timeline_real_at, *this, server_epoch, world, &first);
        return {last.code(), {server_time{ticks{first}}, *last}};
    }
};

/** A segment as a datagram. Errors: those of an invalid segment. */
[[nodiscard]] inline result<segment_datagram> encode(const world_segment &from) noexcept
{
    return detail::fill<segment_datagram>(netclock_encode_segment, from);
}

/** Reads a segment from a datagram of `size` bytes. Errors: null_argument, wire_... for a datagram to be
 * ignored. */
[[nodiscard]] inline result<world_segment> decode_segment(const void *data, std::size_t size) noexcept
{
    return detail::ask<world_segment>(netclock_decode_segment, data, size);
}

} // namespace netclock

#endif /* NETCLOCK_WORLD_HPP */
