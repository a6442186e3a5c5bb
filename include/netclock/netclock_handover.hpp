/*
 * NetClock for C++17: another server takes a timescale over. Uses netclock.hpp and follows its conventions.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef NETCLOCK_HANDOVER_HPP
#define NETCLOCK_HANDOVER_HPP

#include "netclock/netclock_handover_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

/** No participant of an adoption may lie. */
inline constexpr std::uint32_t no_liars = NETCLOCK_NO_LIARS;

/** Follows `next` from its first reply on, or updates its dispersion. Errors: out_of_range,
 * other_timescale. */
inline status set_authority(client &clock, const authority &next, local_time now) noexcept
{
    return detail::call(netclock_client_set_authority, clock, next, now);
}

/** The authority whose clock the readings at `now` are about. not_synced is no error. */
[[nodiscard]] inline result<authority> authority_of(const client &clock, local_time now) noexcept
{
    return detail::ask<authority>(netclock_client_authority, clock, now);
}

/** Begins a burst of requests at once: call it when you turn to another server. */
inline status begin_burst(client &clock) noexcept { return detail::call(netclock_client_begin_burst, clock); }

/** The request for the authority to send to the server; call it every frame, after tick. nothing_due is no
 * error. */
[[nodiscard]] inline result<datagram> request_authority(client &clock, local_time now) noexcept
{
    return detail::fill<datagram>(netclock_client_request_authority, clock, now);
}

/** Handles the server's reply about its authority. Errors: those of set_authority, unknown_request, and those
 * of datagrams. */
inline status handle_authority_reply(
    client& clock, const void* data, std::size_t size, local_time arrived) noexcept
{
    return detail::call(netclock_client_handle_authority_reply, clock, data, size, arrived);
}

/** The answer to a server that adopts the timescale. uncertain is no error: send nothing. */
[[nodiscard]] inline result<datagram> respond_to_adoption(
    const client& clock, const void* data, std::size_t size, local_time now) noexcept
{
    return detail::fill<datagram>(netclock_client_respond_to_adoption, clock, data, size, now);
}

/** The server's reply to a request for its authority. Errors: those of datagrams. */
[[nodiscard]] inline result<datagram> authority_respond(const authority &stated, const void *data,
                                                             std::size_t size) noexcept
{
    return detail::fill<datagram>(netclock_authority_respond, stated, data, size);
}

/** Adopts a timescale for a new server, from what its clients know. Owns a netclock_adoption. */
class adoption : public owned<netclock_adoption, netclock_adoption_destroy> {
public:
    using owned::owned;

    /** An adoption that knows nothing yet. Errors: abi_mismatch, bad_config. */
    [[nodiscard]] static result<adoption> create(const seed &random, const adoption_config &settings) noexcept
    {
        return detail::create<adoption>(netclock_adoption_create, settings, random.high, random.low);
    }

    /** Adds the new server's own reading, if it was a client. Errors: stamp_out_of_range, no_agreement. */
    status add_own_reading(server_time shown, ticks error_bound, local_time raw) noexcept
    {
        return detail::call(netclock_adoption_add_own_reading, *this, shown, error_bound, raw);
    }

    /** The request to send to a participant in place of a reply. nothing_due is no error. Errors: full. */
    [[nodiscard]] result<datagram> request(std::uint64_t participant, local_time now) noexcept
    {
        return detail::fill<datagram>(netclock_adoption_request, *this, participant, now);
    }

    /** Handles the reply of a participant. Errors: unknown_participant, unknown_request, liar, too_slow and
     * others. */
    status handle_reply(
        std::uint64_t participant, const void* data, std::size_t size, local_time arrived) noexcept
    {
        return detail::call(netclock_adoption_handle_reply, *this, participant, data, size, arrived);
    }

    /** The timescale on the new server's clock: take it once. too_few is no error. Errors: no_agreement. */
    [[nodiscard]] result<adoption_result> settle(local_time now) const noexcept
    {
        return detail::ask<adoption_result>(netclock_adoption_settle, *this, now);
    }
};

} // namespace netclock

#endif /* NETCLOCK_HANDOVER_HPP */
