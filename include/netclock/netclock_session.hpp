/*
 * NetClock for C++17: one conversation.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_session.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 * A host on the server and a guest on each client carry every subject in datagrams, which the game sends.
 */

#ifndef NETCLOCK_SESSION_HPP
#define NETCLOCK_SESSION_HPP

#include "netclock/netclock_session_types.hpp"
#include "netclock/netclock.hpp"
#include "netclock/netclock_keys.hpp"
#include "netclock/netclock_handover.hpp"

namespace netclock {

/** A datagram of a session. */
struct session_datagram {
    /** The player to whom a host sends it. */
    std::uint64_t player = 0;
    /** Whether to send it reliably, if the transport can. */
    bool reliable = false;
    /** How many of the bytes there are. */
    std::size_t size = 0;
    std::array<std::byte, NETCLOCK_SESSION_DATAGRAM_MOST> bytes{};
};

/** How far ahead to predict, and of when to show others; see netclock_guest_lead. */
struct prediction {
    server_time handled_by{};
    server_time showable{};
};

/** An offered link; see netclock_guest_link_offer. */
struct link_offer {
    std::uint16_t port = 0;
    session_key key{};
};

/** What a host replicates for replays; see netclock_host_blob. */
struct session_blob {
    /** How many of the bytes there are. */
    std::size_t size = 0;
    std::array<std::byte, NETCLOCK_SESSION_BLOB_MOST> bytes{};
};

/** A segment as a datagram. */
using segment_datagram = std::array<std::byte, NETCLOCK_SEGMENT_SIZE>;

/** The real times at which a world's clock reads the same: one instant, or a whole pause. */
struct real_range {
    server_time first{};
    server_time last{};
};

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

/** The client of a guest, which owns it. */
class guest_client : public client {
public:
    explicit guest_client(netclock_client *of) noexcept : client{of} {}
    guest_client(guest_client &&) noexcept = default;
    guest_client &operator=(guest_client &&) = delete;
    ~guest_client() { static_cast<void>(release()); }
};

/**
 * The server's end: answers requests, and tells all players the worlds' time, UTC, the authority and starts.
 * Calls on it wait for each other. Owns a netclock_host.
 */
class host : public owned<netclock_host, netclock_host_destroy> {
public:
    using owned::owned;

    /**
     * Creates a host without players. `server_epoch` names the run of the server's clock: a random number,
     * drawn at each start. `random` makes tokens unguessable: draw it from the operating system. Errors:
     * abi_mismatch, bad_config, out_of_memory.
     */
    [[nodiscard]] static result<host> create(
        std::uint64_t server_epoch, const seed &random, const host_config &settings = {}) noexcept
    {
        return detail::create<host>(netclock_host_create, settings, server_epoch, random.high, random.low);
    }

    /** Admits a player whose datagrams come over the game's own connection. Errors: duplicate, full. */
    status admit(std::uint64_t player) noexcept
    {
        return detail::call(netclock_host_admit, *this, player, nullptr);
    }

    /** The same, with all datagrams sealed. Draw another key for each connection. Errors: also bad_config. */
    status admit(std::uint64_t player, const session_key &key) noexcept
    {
        return detail::call(netclock_host_admit, *this, player, key);
    }

    /**
     * Admits a player whose address may be forged, over plain UDP for example. The host sends it no more
     * bytes than it received, until the player returns a token. Errors: duplicate, full.
     */
    status admit_unproven(std::uint64_t player) noexcept
    {
        return detail::call(netclock_host_admit_unproven, *this, player);
    }

    /** Forgets a player who has left. Starts do not wait for it. Errors: unknown_participant. */
    status dismiss(std::uint64_t player) noexcept
    {
        return detail::call(netclock_host_dismiss, *this, player);
    }

    /**
     * A player from whom nothing has arrived for `longest` (at least 0) at server time `now`: dismiss it if
     * the transport reports no lost connections, and ask again. A guest at rest sends a datagram every
     * `steady_interval` of its clock's settings. nothing_due: there is none. Errors: stamp_out_of_range,
     * out_of_range.
     */
    [[nodiscard]] result<std::uint64_t> silent(server_time now, ticks longest) noexcept
    {
        return detail::ask<std::uint64_t>(netclock_host_silent, *this, now, longest);
    }

    /** Whether the player has confirmed the newest state of every subject. Errors: unknown_participant. */
    [[nodiscard]] result<bool> is_up_to_date(std::uint64_t player) const noexcept
    {
        std::int32_t is = 0;
        const auto code = detail::call(netclock_host_is_up_to_date, *this, player, &is);
        return {code, is != 0};
    }

    /** Observes a frame of world 0 to 3, which runs at `rate`; see netclock_host_observe. */
    status observe(std::uint32_t world, server_time real, world_time time, double rate) noexcept
    {
        return detail::call(netclock_host_observe, *this, world, real, time, rate, 0);
    }

    /** The same of a frame in which the world stands still. */
    status observe_paused(std::uint32_t world, server_time real, world_time time) noexcept
    {
        return detail::call(netclock_host_observe, *this, world, real, time, 0.0, 1);
    }

    /**
     * Begins another world under the number `world`, 0 to 3, with the next observed frame: another map, whose
     * clock may begin at any time. Errors: unknown_world.
     */
    status begin_world(std::uint32_t world) noexcept
    {
        return detail::call(netclock_host_begin_world, *this, world);
    }

    /**
     * Observes that at server time `at` the machine's UTC was `utc`, within `error_bound` of true UTC. Empty:
     * nobody states a bound. Call it about once a second; utc_now reads both clocks. Errors:
     * stamp_out_of_range, utc_out_of_range, out_of_range for a negative bound, time_went_backwards.
     */
    status observe_utc(server_time at, utc_time utc, std::optional<ticks> error_bound) noexcept
    {
        return detail::call(netclock_host_observe_utc, *this, at, utc,
                            detail::count(error_bound, NETCLOCK_UNBOUNDED));
    }

    /**
     * States whose clock this server shows, and how far it may be off. Players learn it with their first
     * reply. Errors: wire_stamp for the dispersion.
     */
    status state_authority(const authority &given) noexcept
    {
        return detail::call(netclock_host_state_authority, *this, given);
    }

    /**
     * Has the players report how good their clocks are, so that a start that is proposed later need not wait
     * for it. host::propose_start does it too.
     */
    status prepare_start() noexcept
    {
        return detail::call(netclock_host_prepare_start, *this);
    }

    /**
     * Schedules a start of all players, or says who is not ready; call it until a start is scheduled. The
     * start is as early as all ready players learn of it in time with probability `confidence` (above 0.5, at
     * most 0.99999), and not before `earliest`. `now` and `earliest` are server time. If `earliest` is in the
     * future and nobody was admitted, the start is then. ok: the result has the start. held_up: the result
     * says who holds it up and why. Errors: bad_config for the confidence, start_pending, unknown_participant
     * if nobody was admitted, stamp_out_of_range.
     */
    [[nodiscard]] result<start_proposal> propose_start(
        server_time now, server_time earliest, double confidence) noexcept
    {
        return detail::ask<start_proposal>(netclock_host_propose_start, *this, now, earliest, confidence);
    }

    /**
     * Cancels the start that is under way; `now` is server time. A player who does not learn of it in time
     * starts. no_start: none is under way, or its time has come. Errors: stamp_out_of_range.
     */
    status cancel_start(server_time now) noexcept
    {
        return detail::call(netclock_host_cancel_start, *this, now);
    }

    /**
     * Ends the newest start: players who join later do not learn of it. Call it when the game needs no
     * further start, or when its next start is for another world. The next start waits until the players have
     * reported anew how good their clocks are.
     */
    status end_starts() noexcept
    {
        return detail::call(netclock_host_end_starts, *this);
    }

    /** The result of the newest start. no_start: there was none yet. */
    [[nodiscard]] result<netclock::start_result> start_result() const noexcept
    {
        return detail::ask<netclock::start_result>(netclock_host_start_result, *this);
    }

    /**
     * What the host knows about the player's part in starts at server time `now`. Errors:
     * unknown_participant, stamp_out_of_range.
     */
    [[nodiscard]] result<start_participation> participation(
        std::uint64_t player, server_time now) const noexcept
    {
        return detail::ask<start_participation>(netclock_host_participation, *this, player, now);
    }

    /** What the watch over the rate of the player's clock has found. Errors: unknown_participant. */
    [[nodiscard]] result<rate_verdict> verdict(std::uint64_t player) const noexcept
    {
        return detail::ask<rate_verdict>(netclock_host_verdict, *this, player);
    }

    /**
     * Ignores what the player's clock did from `from` to `to` of server time, because it stood still or was
     * set for a good reason. Errors: unknown_participant, stamp_out_of_range, time_went_backwards if `to` is
     * before `from`.
     */
    status excuse(std::uint64_t player, server_time from, server_time to) noexcept
    {
        return detail::call(netclock_host_excuse, *this, player, from, to);
    }

    /**
     * The shortest round trip to the player in the last seconds at server time `now`, the frames of both ends
     * included. The host measures it for ten seconds after each call, so call it about once a second as long
     * as you need it. A player can make it longer, but not shorter. no_messages: it is not yet known. Errors:
     * unknown_participant, stamp_out_of_range.
     */
    [[nodiscard]] result<ticks> round_trip(std::uint64_t player, server_time now) noexcept
    {
        return detail::ask<ticks>(netclock_host_round_trip, *this, player, now);
    }

    /** The newest segments of all worlds, for a replicated property. It changes only when a world's clock
     * does. */
    [[nodiscard]] result<session_blob> blob() const noexcept
    {
        session_blob now;
        const auto code = detail::call(
            netclock_host_blob, *this, now.bytes.data(), now.bytes.size(), &now.size);
        return {code, now};
    }

    /**
     * Offers the player a link beside the game's connection: the UDP port of a link_server at the same
     * address, and the key that it admitted for this player. The offer is repeated until the guest confirms
     * it. Seals do not hide what they seal, so offer a link only if the game's own connection is private.
     * Errors: unknown_participant, bad_config for the key.
     */
    status offer_link(std::uint64_t player, std::uint16_t port, const session_key &key) noexcept
    {
        return detail::call(netclock_host_offer_link, *this, player, port, key);
    }

    /**
     * Notes that the caller polled its transport at server time `at`, and has handled all datagrams that were
     * there. So the datagrams that host::receive gets afterwards arrived after `at`. Call it once a poll,
     * after the last datagram. Before a datagram that was stamped on arrival, pass its stamp. Errors:
     * stamp_out_of_range.
     */
    status polled(server_time at) noexcept
    {
        return detail::call(netclock_host_polled, *this, at);
    }

    /**
     * Handles a datagram of `length` bytes from `player` that arrived at server time `arrived`. Errors, which
     * change nothing: unknown_participant, other_session, wire_truncated, one of wire_*, not_sealed, forged,
     * replayed, other_direction, other_channel, unknown_key, stamp_out_of_range.
     */
    status receive(std::uint64_t player, const void *data, std::size_t length, server_time arrived) noexcept
    {
        return detail::call(netclock_host_receive, *this, player, data, length, arrived);
    }

    /** The next datagram to send. Call it in every frame until it returns nothing_due. */
    [[nodiscard]] result<session_datagram> next(server_time now) noexcept
    {
        session_datagram due;
        const auto code = detail::call(netclock_host_next, *this, now, &due.player, due.bytes.data(),
                                       due.bytes.size(), &due.size);
        return {code, due};
    }
};

/**
 * A player's end: asks, learns what the host says, and shows it. Calls on it and on its client wait for each
 * other. Calls that read its client never wait. Owns a netclock_guest.
 */
class guest : public owned<netclock_guest, netclock_guest_destroy> {
public:
    using owned::owned;

    /** Creates a guest that is connected without a session key. `random` makes requests and sessions
     * unguessable: draw it from the operating system. Errors: abi_mismatch, bad_config, out_of_memory. */
    [[nodiscard]] static result<guest> create(
        const seed &random, const guest_config &settings = {}, const config &clock = {}) noexcept
    {
        return detail::create<guest>(netclock_guest_create, settings, clock, random.high, random.low);
    }

    /** The guest's client, for all calls that read it, and for callbacks, links, steps and saved states. It
     * must not outlive the guest. */
    [[nodiscard]] guest_client clock() const noexcept { return guest_client{netclock_guest_client(get())}; }

    /** Begins another connection; see netclock_guest_connect. Errors: time_went_backwards. */
    status connect(local_time now) noexcept
    {
        return detail::call(netclock_guest_connect, *this, nullptr, now);
    }

    /** The same, with all datagrams sealed. Errors: also bad_config. */
    status connect(const session_key &key, local_time now) noexcept
    {
        return detail::call(netclock_guest_connect, *this, key, now);
    }

    /** The same, to a host that is expected to continue this time; see netclock_guest_follow. */
    status follow() noexcept { return detail::call(netclock_guest_follow, *this, nullptr); }

    /** The same, with all datagrams sealed. Errors: bad_config. */
    status follow(const session_key &key) noexcept
    {
        return detail::call(netclock_guest_follow, *this, key);
    }

    /** The server epoch of the host that answered in this connection. not_synced: none did yet. */
    [[nodiscard]] result<std::uint64_t> host_epoch() const noexcept
    {
        return detail::ask<std::uint64_t>(netclock_guest_host_epoch, *this);
    }

    /** Whether this player takes part in starts; see netclock_guest_take_part. */
    status take_part(bool takes_part) noexcept
    {
        return detail::call(netclock_guest_take_part, *this, takes_part ? 1 : 0);
    }

    /**
     * Reads `length` bytes that host::blob wrote, for example from a replay. In a guest that never connects,
     * guest::world_at and guest::real_at then answer for the newest blob. Errors, which change nothing:
     * wire_torn, one of wire_*.
     */
    status read_blob(const void *blob, std::size_t length) noexcept
    {
        return detail::call(netclock_guest_read_blob, *this, blob, length);
    }

    /** The newest segment of world 0 to 3 that arrived. no_world: there is none. Errors: unknown_world. */
    [[nodiscard]] result<segment_datagram> segment(std::uint32_t world) const noexcept
    {
        return detail::fill<segment_datagram>(netclock_guest_segment, *this, world);
    }

    /**
     * Handles a datagram of `length` bytes from the host that arrived at local time `arrived`. A reply that
     * the clock refuses is no error. After other_session the guest tells the host of this connection again.
     * The other errors change nothing: wire_truncated, unknown_world, one of wire_*, not_sealed, forged,
     * replayed, other_direction, other_channel, unknown_key, rate_out_of_range, time_out_of_range.
     */
    status receive(const void *data, std::size_t length, local_time arrived) noexcept
    {
        return detail::call(netclock_guest_receive, *this, data, length, arrived);
    }

    /** The next datagram to send. Call it in every frame until it returns nothing_due. Errors:
     * time_went_backwards. */
    [[nodiscard]] result<session_datagram> next(local_time now) noexcept
    {
        session_datagram due;
        std::int32_t reliable = 0;
        const auto code = detail::call(netclock_guest_next, *this, now, &reliable, due.bytes.data(),
                                       due.bytes.size(), &due.size);
        due.reliable = reliable != 0;
        return {code, due};
    }

    /**
     * Begins the frame at local time `now`: everything that the guest shows until the next call is of this
     * instant. Writes the server's time to the result. Call it once a frame: world time does not go backwards
     * from call to call, and a start fires in one of them. not_synced: the reading says so. Errors:
     * time_out_of_range.
     */
    [[nodiscard]] result<reading> view(local_time now) noexcept
    {
        return detail::ask<reading>(netclock_guest_view, *this, now);
    }

    /**
     * The time of world 0 to 3 in this frame. not_synced, no_world: there is none. Errors: unknown_world.
     */
    [[nodiscard]] result<world_reading> world(std::uint32_t world) const noexcept
    {
        return detail::ask<world_reading>(netclock_guest_world, *this, world);
    }

    /** The server's UTC in this frame. not_synced, no_utc: there is none. */
    [[nodiscard]] result<utc_reading> utc() const noexcept
    {
        return detail::ask<utc_reading>(netclock_guest_utc, *this);
    }

    /**
     * The newest start, and whether to start in this frame. `fires` is true in the first frame in which the
     * shown server time has reached the start, and never earlier. not_synced: no frame was begun in this
     * connection.
     */
    [[nodiscard]] result<start_progress> start() const noexcept
    {
        return detail::ask<start_progress>(netclock_guest_start, *this);
    }

    /**
     * The speed at which the local avatar plays in this frame to hide a changed latency. When the latency
     * rises by `d`, the server's copy of the avatar becomes `d` older. The avatar plays slower than 1 until
     * it has played `d` less; then the distance to its copy is what it was. The difference of `done` between
     * two frames is exactly what to play more between them, at any frame rate. A clock that runs ahead by the
     * latency does the opposite: `2 - scale`. not_synced: no frame was begun in this connection.
     */
    [[nodiscard]] result<latency_speed> speed() const noexcept
    {
        return detail::ask<latency_speed>(netclock_guest_speed, *this);
    }

    /** How far ahead to predict in this frame, and of when to show others. no_messages: not yet known. */
    [[nodiscard]] result<prediction> lead() const noexcept
    {
        std::int64_t handled_by = 0;
        const auto showable = detail::ask<server_time>(netclock_guest_lead, *this, &handled_by);
        return {showable.code(), {server_time{ticks{handled_by}}, *showable}};
    }

    /** Takes the next change of the latency that was found. no_change: none is waiting. */
    [[nodiscard]] result<latency_change> next_latency_change() noexcept
    {
        return detail::ask<latency_change>(netclock_guest_next_latency_change, *this);
    }

    /** The link that the host offered in this connection. no_link_offer: there is none. */
    [[nodiscard]] result<netclock::link_offer> link_offer() const noexcept
    {
        std::uint16_t port = 0;
        netclock_session_key key{};
        const auto code = detail::call(netclock_guest_link_offer, *this, &port, &key);
        return {code, {port, detail::from_c(key)}};
    }

    /**
     * What the clock of world 0 to 3 reads at the server's real time `real` of the run that is shown, by all
     * news that has arrived. It is not slewed, so it may differ from the shown time. not_synced, no_world:
     * there is none. not_kept: `real` is before the oldest segment that is kept. Errors: unknown_world,
     * stamp_out_of_range.
     */
    [[nodiscard]] result<world_reading> world_at(std::uint32_t world, server_time real) const noexcept
    {
        return detail::ask<world_reading>(netclock_guest_world_at, *this, world, real);
    }

    /** When the clock of world 0 to 3 reads `time`. never: it does not, as far as is known. */
    [[nodiscard]] result<real_range> real_at(std::uint32_t world, world_time time) const noexcept
    {
        std::int64_t first = 0;
        const auto last = detail::ask<server_time>(netclock_guest_real_at, *this, world, time, &first);
        return {last.code(), {server_time{ticks{first}}, *last}};
    }

    /**
     * The server time at which UTC is `utc`, by the newest claim about the run that is shown. not_synced,
     * no_utc: there is none. Errors: utc_out_of_range, stamp_out_of_range.
     */
    [[nodiscard]] result<server_time> server_time_at(utc_time utc) const noexcept
    {
        return detail::ask<server_time>(netclock_guest_server_time_at, *this, utc);
    }
};

/**
 * Writes a segment as a datagram. Errors: rate_out_of_range, stamp_out_of_range or out_of_range (its
 * tolerance) for an invalid segment.
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

/** Reads the machine's UTC and netclock_monotonic_now() as one. no_utc, on a system without UTC, is no
 * error. */
[[nodiscard]] inline result<utc_sample> utc_now() noexcept
{
    std::int64_t local = 0;
    std::int64_t utc = 0;
    const auto uncertainty = detail::ask<ticks>(netclock_utc_now, &local, &utc);
    return {uncertainty.code(), {local_time{ticks{local}}, utc_time{ticks{utc}}, *uncertainty}};
}

} // namespace netclock

#endif /* NETCLOCK_SESSION_HPP */
