@ about
 * An organiser on the server finds out who is ready, schedules a start that all learn of in time, and
 * collects when they started. A participant on each client starts once. A beat counts fixed steps from there.

@ begin
/** A datagram and its receiver. */
struct addressed {
    std::uint64_t participant = 0;
    datagram content{};
};

@ netclock_organiser_next_message
    [[nodiscard]] result<addressed> next_message(server_time now) noexcept
    {
        addressed next;
        const auto code = detail::call(netclock_organiser_next_message, *this, now, &next.participant,
                                       next.content.data(), next.content.size());
        return {code, next};
    }

@ netclock_beat_time
@ netclock_beat_advance
@ netclock_beat_at
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
