/*
 * NetClock for C++17: scheduled starts and beats. Uses netclock.hpp and follows its conventions.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * An organiser on the server finds out who is ready, schedules a start that all learn of in time, and
 * collects when they started. A participant on each client starts once. A beat counts fixed steps from there.
 */

#ifndef NETCLOCK_START_HPP
#define NETCLOCK_START_HPP

#include "netclock/netclock_start_types.hpp"
#include "netclock/netclock.hpp"

namespace netclock {

/** A datagram and its receiver. */
struct addressed {
    std::uint64_t participant = 0;
    datagram content{};
};

/** Plans starts, announces them, and collects when they happened. Owns a netclock_organiser. */
class organiser : public owned<netclock_organiser, netclock_organiser_destroy> {
public:
    using owned::owned;

    /** `server_epoch` is the epoch of the server that answers requests for the time. Errors: abi_mismatch,
     * bad_config. */
    [[nodiscard]] static result<organiser> create(
        std::uint64_t server_epoch, const organiser_config& settings = {}) noexcept
    {
        return detail::create<organiser>(netclock_organiser_create, settings, server_epoch);
    }

    /** Admits a connection to starts. Errors: duplicate, full. */
    status admit(std::uint64_t participant) noexcept
    {
        return detail::call(netclock_organiser_admit, *this, participant);
    }

    /** Removes a connection. Errors: unknown_participant. */
    status remove(std::uint64_t participant) noexcept
    {
        return detail::call(netclock_organiser_remove, *this, participant);
    }

    /** Schedules a start. held_up is no error: the proposal says who holds it up and why. Errors: bad_config,
     * start_pending. */
    [[nodiscard]] result<start_proposal> propose(server_time now, double confidence) noexcept
    {
        return detail::ask<start_proposal>(netclock_organiser_propose, *this, now, confidence);
    }

    /** Cancels the start that is under way. no_start: none is. */
    status cancel(server_time now) noexcept
    {
        return detail::call(netclock_organiser_cancel, *this, now);
    }

    /** Handles a datagram. duplicate and stale are normal events on a network. */
    status receive(std::uint64_t participant, const void *data, std::size_t size, server_time now) noexcept
    {
        return detail::call(netclock_organiser_receive, *this, participant, data, size, now);
    }

    /** The next datagram to send; nothing_due if there is none left. */
    [[nodiscard]] result<addressed> next_message(server_time now) noexcept
    {
        addressed next;
        const auto code = detail::call(netclock_organiser_next_message, *this, now, &next.participant,
                                       next.content.data(), next.content.size());
        return {code, next};
    }

    /** What is known about a participant. Errors: unknown_participant. */
    [[nodiscard]] result<start_participation> participation(
        std::uint64_t participant, server_time now) const noexcept
    {
        return detail::ask<start_participation>(netclock_organiser_participation, *this, participant, now);
    }

    /** The result of the newest start. no_start: there was none. */
    [[nodiscard]] result<netclock::start_result> start_result() const noexcept
    {
        return detail::ask<netclock::start_result>(netclock_organiser_result, *this);
    }
};

/** Takes part in the starts of one server. Owns a netclock_participant. */
class participant : public owned<netclock_participant, netclock_participant_destroy> {
public:
    using owned::owned;

    /** `key` makes its messages unguessable: a random number. Errors: abi_mismatch. */
    [[nodiscard]] static result<participant> create(std::uint64_t key) noexcept
    {
        return detail::create<participant>(netclock_participant_create, key);
    }

    /** Handles a datagram from the organiser. stale and other_server_epoch are normal events. */
    status receive(const void *data, std::size_t size) noexcept
    {
        return detail::call(netclock_participant_receive, *this, data, size);
    }

    /** What to do in the frame at `now`, by this client's clock. */
    [[nodiscard]] result<start_progress> tick(const client &clock, local_time now) noexcept
    {
        return detail::ask<start_progress>(netclock_participant_tick, *this, clock, now);
    }

    /** The next datagram to send to the organiser; nothing_due if there is none left. */
    [[nodiscard]] result<datagram> next_message() noexcept
    {
        return detail::fill<datagram>(netclock_participant_next_message, *this);
    }
};

/** The steps to run in this frame; see netclock_beat_steps. */
using steps = netclock_beat_steps;

/** The number of a beat, and the fraction of it that has passed, from 0 to just below 1. */
struct beat_position {
    std::int64_t number = 0;
    double alpha = 0.0;
};

/** Beats of `beats` in `seconds` from an origin, and the steps of a simulation that runs by them. A value:
 * free to copy. */
class beat {
public:
    /** Zero steps: at most 5 in a call. Zero behind: none is ever skipped. Ranges are checked on use. */
    constexpr beat(server_time origin, std::uint32_t beats, std::uint32_t seconds,
        std::uint32_t max_steps = 0, std::uint32_t max_behind = 0) noexcept :
        state_{detail::count(origin), 0, beats, seconds, max_steps, max_behind}
    {
    }

    /** The beat under way at `now`. Errors: bad_config. */
    [[nodiscard]] result<beat_position> at(server_time now) const noexcept
    {
        beat_position under_way;
        const auto code =
            detail::call(netclock_beat_at, &state_, now, &under_way.number, &under_way.alpha);
        return {code, under_way};
    }

    /** When a beat begins. Errors: bad_config. */
    [[nodiscard]] result<server_time> time_of(std::int64_t number) const noexcept
    {
        return detail::ask<server_time>(netclock_beat_time, &state_, number);
    }

    /** The steps to run at `now`. No number is given twice, and none is left out without being declared.
     * Errors: bad_config. */
    [[nodiscard]] result<steps> advance(server_time now) noexcept
    {
        return detail::ask<steps>(netclock_beat_advance, &state_, now);
    }

private:
    netclock_beat state_;
};

} // namespace netclock

#endif /* NETCLOCK_START_HPP */
