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
 * Sets the authority that the client follows from its first reply on, or updates the dispersion of the one it
 * follows. The caller vouches for it, because it came over a trusted connection. A guest learns the authority
 * from its host and needs no such call. `now` is the local time.
 *
 * If the authority is another one of the same timescale, this is a handover. What is known of the old clock
 * holds for the new one, widened by both dispersions. Shown time and the reading's epoch continue, the
 * difference is slewed, and the event is event_kind::handed_over. Call it before the first reply of the new
 * authority. Afterwards it works only while the old run is still shown, until the burst is answered (about
 * half a second). If the new replies contradict what was said, the clock starts again, as after a restart.
 *
 * Errors: out_of_range (the dispersion), other_timescale, time_out_of_range, time_went_backwards.
 */
inline status set_authority(client &clock, const authority &given, local_time now) noexcept
{
    return detail::call(netclock_client_set_authority, clock, given, now);
}

/**
 * The authority whose clock the readings at local time `now` are about. A reading's `error_bound` is about
 * this clock, and the timescale is within `dispersion` of it. The dispersion grows with possible drift if
 * nobody has confirmed it for 20 s. not_synced: no accepted reply named an epoch. Errors: time_out_of_range.
 */
[[nodiscard]] inline result<authority> authority_of(const client &clock, local_time now) noexcept
{
    return detail::ask<authority>(netclock_client_authority, clock, now);
}

/**
 * Answers the request of `length` bytes of a server that adopts the timescale: what time it is on the
 * timescale at local time `now`, and how far that may be off. The answer is a datagram. Send it at once: any
 * delay widens what the server can conclude. uncertain: nothing certain is known, send nothing. Errors: one
 * of wire_*, other_timescale, time_out_of_range.
 */
[[nodiscard]] inline result<datagram> respond_to_adoption(
    const client &clock, const void *request, std::size_t length, local_time now) noexcept
{
    return detail::fill<datagram>(netclock_client_respond_to_adoption, clock, request, length, now);
}

/**
 * An adoption: a new server takes a timescale over from its clients. It has at most 8 KiB and never grows.
 * Calls from several threads wait for each other. It asks up to 64 participants. Owns a netclock_adoption.
 */
class adoption : public owned<netclock_adoption, netclock_adoption_destroy> {
public:
    using owned::owned;

    /**
     * Creates an adoption that knows nothing yet. `random` makes its requests unguessable: draw it from the
     * operating system. Errors: abi_mismatch, bad_config, out_of_memory.
     */
    [[nodiscard]] static result<adoption> create(const seed &random, const adoption_config &settings) noexcept
    {
        return detail::create<adoption>(netclock_adoption_create, settings, random.high, random.low);
    }

    /**
     * Adds the new server's own reading, if it was a client: at `raw` of the clock that it will serve by, its
     * client showed `time` within `error_bound`. For the bound, add the reading's bound and the dispersion of
     * authority_of. The reading is believed against any contradiction, and it is enough. Errors:
     * stamp_out_of_range, no_agreement (it contradicts an earlier reading).
     */
    status add_own_reading(server_time time, ticks error_bound, local_time raw) noexcept
    {
        return detail::call(netclock_adoption_add_own_reading, *this, time, error_bound, raw);
    }

    /**
     * Makes the request to send to `participant`, a number of your choice, at `now` of the new server's raw
     * clock. It is a datagram. Send it at once to a client that asks for the time, in place of a reply: it
     * has the same length. nothing_due: the last request is younger than 250 ms, or the participant
     * contradicted itself. Errors: stamp_out_of_range, full.
     */
    [[nodiscard]] result<datagram> request(std::uint64_t participant, local_time now) noexcept
    {
        return detail::fill<datagram>(netclock_adoption_request, *this, participant, now);
    }

    /**
     * Handles the reply of `length` bytes from `participant` that arrived at `arrived` of the raw clock.
     * Several replies of one participant tighten its bounds, and it still counts once. Errors: one of wire_*,
     * unknown_participant (never asked), unknown_request (no such request is open), other_timescale,
     * stamp_out_of_range, arrived_before_sent, too_slow (more than 5 s), liar (it contradicts itself, and
     * none of its replies counts any more).
     */
    status handle_reply(
        std::uint64_t participant, const void *data, std::size_t length, local_time arrived) noexcept
    {
        return detail::call(netclock_adoption_handle_reply, *this, participant, data, length, arrived);
    }

    /**
     * The timescale on the new server's clock, as of `now` of its raw clock. Take it once, when all have
     * answered or you have waited long enough; it holds from then on. Then stamp replies with the raw clock
     * plus `offset`, draw an epoch for a server, and state `dispersion`. The result is the middle of what is
     * certain. A client may show a later time: it slews. too_few: too few answers yet. Errors: no_agreement
     * (more lie than are tolerated), stamp_out_of_range.
     */
    [[nodiscard]] result<adoption_result> settle(local_time now) const noexcept
    {
        return detail::ask<adoption_result>(netclock_adoption_settle, *this, now);
    }
};

} // namespace netclock

#endif /* NETCLOCK_HANDOVER_HPP */
