/*
 * NetClock for C++17: starts and beats.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_start.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
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

/**
 * An organiser: plans a start, announces it until all know it, and collects when they started. Calls on it
 * wait for each other. Owns a netclock_organiser.
 */
class organiser : public owned<netclock_organiser, netclock_organiser_destroy> {
public:
    using owned::owned;

    /**
     * Creates an organiser of starts. `server_epoch` is the epoch of the server that answers requests for the
     * time. Errors: abi_mismatch, bad_config, out_of_memory.
     */
    [[nodiscard]] static result<organiser> create(
        std::uint64_t server_epoch, const organiser_config &settings = {}) noexcept
    {
        return detail::create<organiser>(netclock_organiser_create, settings, server_epoch);
    }

    /**
     * Admits `participant` to starts from now on: any number that names a connection of yours. If it is
     * admitted after a start, it is told of that start. Errors: duplicate, full.
     */
    status admit(std::uint64_t participant) noexcept
    {
        return detail::call(netclock_organiser_admit, *this, participant);
    }

    /**
     * Removes `participant`: nobody waits for it, and it is told nothing more. If a client reconnects with a
     * new key, remove it and admit it again. Errors: unknown_participant.
     */
    status remove(std::uint64_t participant) noexcept
    {
        return detail::call(netclock_organiser_remove, *this, participant);
    }

    /**
     * Schedules a start, or says who is not ready. The start is as early as all ready participants learn of
     * it in time with probability `confidence` (above 0.5, at most 0.99999), judged by the losses and outages
     * of their readiness messages so far. So it does not hold for the first outages of a participant, and for
     * outages that are longer than those before. At most a quarter of `patience` is added for outages: with
     * long ones, raise `patience` rather than `confidence`. Before the start, `acknowledged` in
     * organiser::start_result counts those who know of it, and a game may cancel it and propose another.
     *
     * `now` is server time. ok: the result has the start. held_up: the result says who holds it up and why;
     * call again later. Errors: bad_config for the confidence, start_pending, unknown_participant if nobody
     * was admitted, stamp_out_of_range.
     */
    [[nodiscard]] result<start_proposal> propose(server_time now, double confidence) noexcept
    {
        return detail::ask<start_proposal>(netclock_organiser_propose, *this, now, confidence);
    }

    /**
     * Cancels the start that is under way; `now` is server time. A participant that acknowledges the
     * cancellation will not start. One that does not hear of it in time starts, and reports that. no_start:
     * none is under way, or its time has come. Errors: stamp_out_of_range.
     */
    status cancel(server_time now) noexcept
    {
        return detail::call(netclock_organiser_cancel, *this, now);
    }

    /**
     * Handles a datagram of `length` bytes from `participant` that arrived at server time `now`. Errors, of
     * which the first two are normal events on a network: duplicate, stale, wrong_key, implausible,
     * unknown_participant, one of wire_*, stamp_out_of_range.
     */
    status receive(std::uint64_t participant, const void *data, std::size_t length, server_time now) noexcept
    {
        return detail::call(netclock_organiser_receive, *this, participant, data, length, now);
    }

    /**
     * The next datagram to send at server time `now`. Its receiver goes into `participant`. Call it in every
     * frame until it returns nothing_due. Errors: stamp_out_of_range.
     */
    [[nodiscard]] result<addressed> next_message(server_time now) noexcept
    {
        addressed next;
        const auto code = detail::call(netclock_organiser_next_message, *this, now, &next.participant,
                                       next.content.data(), next.content.size());
        return {code, next};
    }

    /**
     * What the organiser knows about `participant` at server time `now`. Errors: unknown_participant,
     * stamp_out_of_range.
     */
    [[nodiscard]] result<start_participation> participation(
        std::uint64_t participant, server_time now) const noexcept
    {
        return detail::ask<start_participation>(netclock_organiser_participation, *this, participant, now);
    }

    /** The result of the newest start. no_start: there was none yet. */
    [[nodiscard]] result<netclock::start_result> start_result() const noexcept
    {
        return detail::ask<netclock::start_result>(netclock_organiser_result, *this);
    }
};

/**
 * A participant: takes part in the starts of one server. Calls on it wait for each other. Owns a
 * netclock_participant.
 */
class participant : public owned<netclock_participant, netclock_participant_destroy> {
public:
    using owned::owned;

    /**
     * Creates a participant that knows no start. `key` makes its messages unguessable: draw 64 bits from the
     * operating system. Errors: abi_mismatch, out_of_memory.
     */
    [[nodiscard]] static result<participant> create(std::uint64_t key) noexcept
    {
        return detail::create<participant>(netclock_participant_create, key);
    }

    /**
     * Handles a datagram of `length` bytes from the organiser. A repeated announcement is answered again,
     * because the answer may have been lost. Errors: stale, wrong_key, other_server_epoch (also while the
     * clock is not in sync), one of wire_*.
     */
    status receive(const void *data, std::size_t length) noexcept
    {
        return detail::call(netclock_participant_receive, *this, data, length);
    }

    /**
     * What to do in the frame at local time `now`, as `clock` shows the time. Call it in every frame. `fires`
     * is true in the first frame in which the shown server time has reached the start, and never earlier.
     * Errors: time_out_of_range.
     */
    [[nodiscard]] result<start_progress> tick(const client &clock, local_time now) noexcept
    {
        return detail::ask<start_progress>(netclock_participant_tick, *this, clock, now);
    }

    /** The next datagram to send to the organiser. Call it in every frame until it returns nothing_due. */
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
    /** Zero steps: at most 5 in a call. Zero behind: none is ever skipped. The first advance() begins with
     * the beat under way; before the origin, or if `catch_up`, with number 0. Ranges are checked on use. */
    constexpr beat(server_time origin, std::uint32_t beats, std::uint32_t seconds,
        std::uint32_t max_steps = 0, std::uint32_t max_behind = 0, bool catch_up = false) noexcept :
        state_{detail::count(origin), 0, beats, seconds, max_steps, max_behind, catch_up ? 1U : 0U, 0}
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
