/*
 * NetClock for C++17: world time.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_world.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 */

#ifndef NETCLOCK_WORLD_HPP
#define NETCLOCK_WORLD_HPP

#include "netclock/netclock_world_types.hpp"
#include "netclock/netclock.hpp"
#include "netclock/netclock_keys.hpp"

namespace netclock {

/** A segment as a datagram. */
using segment_datagram = std::array<std::byte, NETCLOCK_SEGMENT_SIZE>;

/** The real times at which a world's clock reads the same: one instant, or a whole pause. */
struct real_range {
    server_time first{};
    server_time last{};
};

/**
 * Writes a segment as a datagram. Errors: rate_out_of_range, stamp_out_of_range or tolerance_out_of_range for
 * an invalid segment.
 */
[[nodiscard]] inline result<segment_datagram> encode(const world_segment &segment) noexcept
{
    return detail::fill<segment_datagram>(netclock_encode_segment, segment);
}

/** Reads a segment from a datagram of `length` bytes. Errors: one of wire_* for a datagram to be ignored. */
[[nodiscard]] inline result<world_segment> decode_segment(const void *data, std::size_t length) noexcept
{
    return detail::ask<world_segment>(netclock_decode_segment, data, length);
}

/** Publishes one clock of the server's world. Calls on it wait for each other. Owns a netclock_publisher. */
class publisher : public owned<netclock_publisher, netclock_publisher_destroy> {
public:
    using owned::owned;

    /**
     * Creates a publisher. `server_epoch` names the run of the server's clock as its replies do, and
     * `instance` names the world. Errors: abi_mismatch, bad_config, out_of_memory.
     */
    [[nodiscard]] static result<publisher> create(
        std::uint64_t server_epoch, std::uint32_t instance, const publisher_config &settings = {}) noexcept
    {
        return detail::create<publisher>(netclock_publisher_create, settings, server_epoch, instance);
    }

    /** Begins another world with the next frame, under the next instance. */
    status begin_world() noexcept
    {
        return detail::call(netclock_publisher_begin_world, *this);
    }

    /** Observes a frame in which the world runs at `rate`, as observe_paused one in which it stands still. */
    [[nodiscard]] result<world_segment> observe(server_time real, world_time world, double rate) noexcept
    {
        return detail::ask<world_segment>(netclock_publisher_observe, *this, real, world, rate, 0);
    }

    [[nodiscard]] result<world_segment> observe_paused(server_time real, world_time world) noexcept
    {
        return detail::ask<world_segment>(netclock_publisher_observe, *this, real, world, 0.0, 1);
    }

    /**
     * The newest segment, and until which frame (`through`) the server may confirm it. Send it to clients
     * that join, and from time to time to all, if segments may get lost. no_world: the world has had no
     * frame.
     */
    [[nodiscard]] result<world_segment> newest() const noexcept
    {
        return detail::ask<world_segment>(netclock_publisher_newest, *this);
    }
};

/**
 * A client's view of one clock of the server's world. Calls on it wait for each other. Owns a
 * netclock_timeline.
 */
class timeline : public owned<netclock_timeline, netclock_timeline_destroy> {
public:
    using owned::owned;

    /** Creates a timeline that knows no world yet. Errors: abi_mismatch, bad_config, out_of_memory. */
    [[nodiscard]] static result<timeline> create(const timeline_config &settings = {}) noexcept
    {
        return detail::create<timeline>(netclock_timeline_create, settings);
    }

    /**
     * Inserts a segment that arrived, in any order. already_known: it had arrived before. A newer world drops
     * the segments of the older one. A segment of another run of the server's clock waits until a shown
     * reading is about that run. Errors: rate_out_of_range, stamp_out_of_range, tolerance_out_of_range,
     * segment_outdated, segment_conflict, not_sealed (the settings ask for a seal).
     */
    status insert(const world_segment &segment) noexcept
    {
        return detail::call(netclock_timeline_insert, *this, segment);
    }

    /**
     * As timeline::insert, with the `sealed` datagram of `length` bytes that came by `channel`: the server
     * sealed what encode wrote. The seal is checked first. If a genuine message is no segment at all
     * (wire_*), the channel has not opened it, and sealed_channel::open can. Errors: those of both calls.
     */
    status insert_sealed(sealed_channel &channel, const void *sealed, std::size_t length) noexcept
    {
        return detail::call(netclock_timeline_insert_sealed, *this, channel, sealed, length);
    }

    /**
     * Confirms the newest segment: the server says, with a reply for example, that at its real time `through`
     * its newest segment was `version` of the world `instance`. `through` must not be later than that of
     * publisher::newest, even if the reply is: a change counts from the last observed frame on. no_world: no
     * segment of that run of its clock is known. Errors: stamp_out_of_range, segment_outdated for an older
     * world.
     */
    status confirm(
        std::uint64_t server_epoch, std::uint32_t instance, std::uint32_t version,
        server_time through) noexcept
    {
        return detail::call(netclock_timeline_confirm, *this, server_epoch, instance, version, through);
    }

    /**
     * The world's time to be shown now. It never goes back within an epoch. Call it once a frame. `now` is
     * what client::read gave, or a reading that you make from another clock of the server's real time: only
     * `time`, `error_bound`, `server_epoch`, `epoch` and whether its `state` is clock_state::unsynced are
     * used. Readings may come in any order, from any thread. If `now` is before an earlier one of its epoch,
     * the world stands still. Then `ahead` says how far it is ahead of `now`. not_synced, no_world: there is
     * none. not_kept: `now` is surely before the oldest segment. Errors: stamp_out_of_range.
     */
    [[nodiscard]] result<world_reading> show(const reading &now) noexcept
    {
        return detail::ask<world_reading>(netclock_timeline_show, *this, now);
    }

    /**
     * What the world's clock read or will read at the server's real time `real`, by the segments that have
     * arrived. It is not slewed, so it may differ from the shown time. It is rounded down to a tick, by which
     * the truth may be beyond a bound of zero. no_world: there is none. not_kept: `real` is before the oldest
     * segment that is kept. Errors: stamp_out_of_range.
     */
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

} // namespace netclock

#endif /* NETCLOCK_WORLD_HPP */
