/*
 * NetClock for C++17: handover.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_handover.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 */

#ifndef NETCLOCK_HANDOVER_HPP
#define NETCLOCK_HANDOVER_HPP

#include "netclock/netclock_handover_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

/** No participant of an adoption may lie. */
inline constexpr std::uint32_t no_liars = NETCLOCK_NO_LIARS;

/**
 * Sets the authority that the client follows from its first reply, or updates the dispersion of the current
 * one. The caller is responsible for the authority's correctness, so it must have arrived over a trusted
 * connection. A guest learns the authority from its host and does not need this call. `now` is the local
 * time.
 *
 * Setting a different authority for the same timescale is a handover. What is known about the old clock
 * applies to the new one, widened by both dispersions. The shown time and the reading's epoch continue, the
 * difference is slewed, and the client reports event_kind::handed_over. Call this function before the first
 * reply from the new authority. After that reply, it works only while the client still shows the old run,
 * until the burst is answered (about half a second). If the new replies contradict the authority, the clock
 * restarts, as after a server restart.
 *
 * Errors: out_of_range if the dispersion is out of range, other_timescale, time_went_backwards.
 */
inline status set_authority(client &clock, const authority &given, local_time now) noexcept
{
    return detail::call(netclock_client_set_authority, clock, given, now);
}

/**
 * Returns the authority whose clock the readings at local time `now` show. The `error_bound` of a reading
 * refers to this clock, and the timescale is within `dispersion` of it. If the dispersion was not confirmed
 * for 20 s, it grows with the possible drift. Returns not_synced if no accepted reply stated an epoch.
 */
[[nodiscard]] inline result<authority> authority_of(const client &clock, local_time now) noexcept
{
    return detail::ask<authority>(netclock_client_authority, clock, now);
}

/**
 * Answers an adoption request of `length` bytes from a new server. The answer states the timescale's time at
 * local time `now`, and its error bound. It is a datagram. Send it at once, because any delay widens the
 * server's bound. Returns uncertain if nothing certain is known; then send nothing. Errors: wire_*,
 * other_timescale.
 */
[[nodiscard]] inline result<datagram> respond_to_adoption(
    const client &clock, const void *request, std::size_t length, local_time now) noexcept
{
    return detail::fill<datagram>(netclock_client_respond_to_adoption, clock, request, length, now);
}

/**
 * An adoption: a new server continues the timescale of its clients. It needs at most 8 KiB of memory and has
 * up to 64 participants. Owns a netclock_adoption.
 */
class adoption : public owned<netclock_adoption, netclock_adoption_destroy> {
public:
    using owned::owned;

    /**
     * Creates an adoption without answers. `random` makes its requests unpredictable: draw it from the
     * operating system. Errors: abi_mismatch.
     */
    [[nodiscard]] static result<adoption> create(const seed &random, const adoption_config &settings) noexcept
    {
        return detail::create<adoption>(netclock_adoption_create, settings, random.high, random.low);
    }

    /**
     * Adds the new server's own reading, if it was a client. `raw` is the time on the clock from which it
     * will serve, and `time` is what its client showed at that time, to within `error_bound`. Pass the
     * reading's bound plus the dispersion from authority_of. This reading overrules answers that contradict
     * it, and is sufficient by itself. Errors: stamp_out_of_range, also for `raw`, no_agreement if it
     * contradicts an earlier reading.
     */
    status add_own_reading(server_time time, ticks error_bound, local_time raw) noexcept
    {
        return detail::call(netclock_adoption_add_own_reading, *this, time, error_bound, raw);
    }

    /**
     * Creates the request for `participant`, a number of your choice, at `now` on the new server's raw clock.
     * The request is a datagram. Send it at once to a client that requests the time, instead of a reply.
     * Requests and replies have the same size. Returns nothing_due if the last request is less than 250 ms
     * old, or if the participant contradicted itself. Errors: stamp_out_of_range, also for `now`, full.
     */
    [[nodiscard]] result<datagram> request(std::uint64_t participant, local_time now) noexcept
    {
        return detail::fill<datagram>(netclock_adoption_request, *this, participant, now);
    }

    /**
     * Handles the reply of `length` bytes from `participant`, which arrived at `arrived` on the raw clock.
     * Several replies from a participant tighten its bounds, but the participant still counts once. Errors:
     * wire_*, unknown_participant if it was never asked, unknown_request, other_timescale,
     * stamp_out_of_range, also for `arrived`, arrived_before_sent, too_slow after more than 5 s, liar if the
     * participant contradicts itself, in which case none of its replies counts any more.
     */
    status handle_reply(
        std::uint64_t participant, const void *data, std::size_t length, local_time arrived) noexcept
    {
        return detail::call(netclock_adoption_handle_reply, *this, participant, data, length, arrived);
    }

    /**
     * Returns the timescale relative to the new server's clock, at `now` on its raw clock. Call it when all
     * participants have answered or you have waited long enough, and keep the first result. Then add `offset`
     * to the raw clock for the timestamps in replies, draw an epoch for a server, and state `dispersion` to
     * the clients. The result is the middle of the certain interval. A client that shows a later time slews
     * it. Returns too_few if there are too few answers. Errors: no_agreement if more participants lie than
     * are tolerated, stamp_out_of_range, also for `now`.
     */
    [[nodiscard]] result<adoption_result> settle(local_time now) const noexcept
    {
        return detail::ask<adoption_result>(netclock_adoption_settle, *this, now);
    }
};

} // namespace netclock

#endif /* NETCLOCK_HANDOVER_HPP */
