@ begin
/** A request for a claim, or its reply, as a datagram. */
using utc_datagram = std::array<std::byte, NETCLOCK_UTC_DATAGRAM_SIZE>;

/** The machine's UTC and its local time at one instant; see netclock_utc_now. */
struct utc_sample {
    local_time local{};
    utc_time utc{};
    /** How far the two instants may be apart. Add it to the bound of the machine's source of time. */
    ticks uncertainty{};

    /** `local` on a server whose time is netclock_monotonic_now(). */
    [[nodiscard]] constexpr server_time on_server() const noexcept
    {
        return server_time{local.time_since_epoch()};
    }
};

@ netclock_utc_now
/** Reads the machine's UTC and netclock_monotonic_now() as one. no_utc, on a system without UTC, is no
 * error. */
[[nodiscard]] inline result<utc_sample> utc_now() noexcept
{
    std::int64_t local = 0;
    std::int64_t utc = 0;
    const auto uncertainty = detail::ask<ticks>(netclock_utc_now, &local, &utc);
    return {uncertainty.code(), {local_time{ticks{local}}, utc_time{ticks{utc}}, *uncertainty}};
}

@ netclock_utc_publisher_observe
    [[nodiscard]] result<utc_claim> observe(server_time at, utc_time utc, std::optional<ticks> bound) noexcept
    {
        return detail::ask<utc_claim>(
            netclock_utc_publisher_observe, *this, at, utc, detail::count(bound, NETCLOCK_UNBOUNDED));
    }
