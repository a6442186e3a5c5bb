@ begin
/** A segment as a datagram. */
using segment_datagram = std::array<std::byte, NETCLOCK_SEGMENT_SIZE>;

/** The real times at which a world's clock reads the same: one instant, or a whole pause. */
struct real_range {
    server_time first{};
    server_time last{};
};

@ netclock_publisher_observe
    /** Observes a frame in which the world runs at `rate`, as observe_paused one in which it stands still. */
    [[nodiscard]] result<world_segment> observe(server_time real, world_time world, double rate) noexcept
    {
        return detail::ask<world_segment>(netclock_publisher_observe, *this, real, world, rate, 0);
    }

    [[nodiscard]] result<world_segment> observe_paused(server_time real, world_time world) noexcept
    {
        return detail::ask<world_segment>(netclock_publisher_observe, *this, real, world, 0.0, 1);
    }

@ netclock_timeline_real_at
    /** When the world's clock reads `world`. never: it does not, as far as is known. */
    [[nodiscard]] result<real_range> real_at(std::uint64_t server_epoch, world_time world) const noexcept
    {
        std::int64_t first = 0;
        const auto last =
            detail::ask<server_time>(netclock_timeline_real_at, *this, server_epoch, world, &first);
        return {last.code(), {server_time{ticks{first}}, *last}};
    }
