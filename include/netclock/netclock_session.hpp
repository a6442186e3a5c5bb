/*
 * NetClock for C++17: sessions.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Generated from netclock_session.h by `cargo xtask header`: do not edit.
 * Uses netclock.hpp and follows its conventions.
 * A host on the server and a guest on each client exchange datagrams, which the game transports.
 */

#ifndef NETCLOCK_SESSION_HPP
#define NETCLOCK_SESSION_HPP

#include "netclock/netclock_session_types.hpp"
#include "netclock/netclock.hpp"
#include "netclock/netclock_keys.hpp"
#include "netclock/netclock_handover.hpp"

namespace netclock {

/** A session datagram to send. */
struct session_datagram {
    /** The recipient, if a host sends the datagram. */
    std::uint64_t player = 0;
    /** Whether a guest's datagram should be sent reliably, if the transport supports that. */
    bool reliable = false;
    /** The number of bytes in the datagram. */
    std::size_t size = 0;
    std::array<std::byte, NETCLOCK_SESSION_DATAGRAM_MOST> bytes{};
};

/** An offered link; see netclock_guest_link_offer. */
struct link_offer {
    std::uint16_t port = 0;
    session_key key{};
};

/** A host's blob, which you replicate for replays; see netclock_host_blob. */
struct session_blob {
    /** The number of bytes in the blob. */
    std::size_t size = 0;
    std::array<std::byte, NETCLOCK_SESSION_BLOB_MOST> bytes{};
};

/** An encoded segment. */
using segment_datagram = std::array<std::byte, NETCLOCK_SEGMENT_SIZE>;

/** The first and last real time at which a world's clock shows a given time. The two times differ during a
 * pause. */
struct real_range {
    server_time first{};
    server_time last{};
};

/** The machine's UTC and its local time at the same instant; see netclock_utc_now. */
struct utc_sample {
    local_time local{};
    utc_time utc{};
    /** The largest possible time between the two reads. Add this time to the error bound of the machine's
     * time source. */
    ticks uncertainty{};

    /** Returns `local` as server time, for a server whose clock is netclock_monotonic_now(). */
    [[nodiscard]] constexpr server_time on_server() const noexcept
    {
        return server_time{local.time_since_epoch()};
    }
};

/** A client that belongs to a guest. */
class guest_client : public client {
public:
    explicit guest_client(netclock_client *of) noexcept : client{of} {}
    guest_client(guest_client &&) noexcept = default;
    guest_client &operator=(guest_client &&) = delete;
    ~guest_client() { static_cast<void>(release()); }
};

/**
 * The server's end of all sessions. A host answers requests, and sends world time, UTC, the authority and
 * starts to all players. Opaque.
 */
class host : public owned<netclock_host, netclock_host_destroy> {
public:
    using owned::owned;

    /**
     * Creates a host without players and stores it in `*host`. Pass a null `config` for the defaults.
     * `server_epoch` identifies this run of the server's clock, so draw a random number whenever the clock
     * starts. `seed_high` and `seed_low` make tokens unpredictable. Draw all 128 bits from the operating
     * system's random number generator.
     */
    [[nodiscard]] static result<host> create(
        std::uint64_t server_epoch, const seed &random, const host_config &settings = {}) noexcept
    {
        return detail::create<host>(netclock_host_create, settings, server_epoch, random.high, random.low);
    }

    /** Admits a player whose datagrams arrive over the game's own connection. Errors: duplicate, full. */
    status admit(std::uint64_t player) noexcept
    {
        return detail::call(netclock_host_admit, *this, player, nullptr, 0);
    }

    /** Admits a player and seals all datagrams. Draw a new key for each connection. Errors: duplicate, full,
     * bad_config. */
    status admit(std::uint64_t player, const session_key &key) noexcept
    {
        return detail::call(netclock_host_admit, *this, player, key, 0);
    }

    /** Admits a player whose address may be forged, as over plain UDP. Until the player returns a token, the
     * host sends no more bytes than it has received. Errors: duplicate, full. */
    status admit_unproven(std::uint64_t player) noexcept
    {
        return detail::call(netclock_host_admit, *this, player, nullptr, 1);
    }

    /**
     * Removes a player who has left. Starts no longer wait for this player. Errors:
     * `NETCLOCK_UNKNOWN_PARTICIPANT`.
     */
    status dismiss(std::uint64_t player) noexcept
    {
        return detail::call(netclock_host_dismiss, *this, player);
    }

    /**
     * Finds a player who has sent nothing for `longest` (ticks, at least 0) at server time `now` (ticks), and
     * returns the player's number in `*player`. If the transport does not report lost connections, dismiss
     * the player and call this again. In steady state, a guest sends a datagram every `steady_interval` of
     * its clock's settings. Returns `NETCLOCK_NOTHING_DUE` if there is no such player. Errors:
     * `NETCLOCK_OUT_OF_RANGE` if `longest` is negative.
     */
    [[nodiscard]] result<std::uint64_t> silent(server_time now, ticks longest) noexcept
    {
        return detail::ask<std::uint64_t>(netclock_host_silent, *this, now, longest);
    }

    /** Observes a frame of world 0 to 3, which runs at `rate`. `is_new` marks the first frame of a new world.
     * See netclock_host_observe. */
    status observe(std::uint32_t world, server_time real, world_time time, double rate,
                   bool is_new = false) noexcept
    {
        return detail::call(
            netclock_host_observe, *this, world, real, time, rate, is_new ? NETCLOCK_WORLD_NEW : 0U);
    }

    /** Observes a frame of world 0 to 3 while it is paused. */
    status observe_paused(
        std::uint32_t world, server_time real, world_time time, bool is_new = false) noexcept
    {
        return detail::call(netclock_host_observe, *this, world, real, time, 0.0,
                            NETCLOCK_WORLD_PAUSED | (is_new ? NETCLOCK_WORLD_NEW : 0U));
    }

    /**
     * Records that the machine's UTC was `utc` (ticks since 1970) at server time `at` (ticks). `error_bound`
     * (ticks) is the largest difference from true UTC, or `NETCLOCK_UNBOUNDED` if unknown. Call this about
     * once a second. `netclock_utc_now` reads both clocks. Errors: `NETCLOCK_UTC_OUT_OF_RANGE`,
     * `NETCLOCK_OUT_OF_RANGE` if the bound is negative, `NETCLOCK_TIME_WENT_BACKWARDS`.
     */
    status observe_utc(server_time at, utc_time utc, std::optional<ticks> error_bound) noexcept
    {
        return detail::call(netclock_host_observe_utc, *this, at, utc,
                            detail::count(error_bound, NETCLOCK_UNBOUNDED));
    }

    /**
     * Sets the authority, which states which timescale this server's clock shows and how far the clock may be
     * off. Players receive the authority with their first reply. Errors: `NETCLOCK_WIRE_STAMP` if the
     * dispersion is out of range.
     */
    status state_authority(const authority &given) noexcept
    {
        return detail::call(netclock_host_state_authority, *this, given);
    }

    /** Asks players to report the quality of their clocks, so a later start does not have to wait for the
     * reports. */
    status prepare_start() noexcept { return detail::call(netclock_host_use_starts, *this, 1); }

    /** Ends the latest start, so players who join later do not receive it. See netclock_host_use_starts. */
    status end_starts() noexcept { return detail::call(netclock_host_use_starts, *this, 0); }

    /**
     * Schedules a start for all players, or reports who is not ready. Call this until a start is scheduled.
     * The host chooses the earliest suitable time that is not before `earliest`. By that time, the
     * announcement will have reached all ready players with probability `confidence` (above 0.5, at most
     * 0.99999). `now` and `earliest` are server times in ticks. If no player was admitted and `earliest` is
     * in the future, the start is at `earliest`. Returns `NETCLOCK_OK` and the start in `*proposal`, or
     * `NETCLOCK_HELD_UP` with the player who delays the start and the reason. Errors: `NETCLOCK_BAD_CONFIG`
     * if the confidence is out of range, `NETCLOCK_START_PENDING`, `NETCLOCK_UNKNOWN_PARTICIPANT` if no
     * player was admitted.
     */
    [[nodiscard]] result<start_proposal> propose_start(
        server_time now, server_time earliest, double confidence) noexcept
    {
        return detail::ask<start_proposal>(netclock_host_propose_start, *this, now, earliest, confidence);
    }

    /**
     * Cancels the pending start at server time `now` (ticks). A player who does not receive the cancellation
     * in time starts anyway. Returns `NETCLOCK_NO_START` if no start is pending or its time has come.
     */
    status cancel_start(server_time now) noexcept
    {
        return detail::call(netclock_host_cancel_start, *this, now);
    }

    /**
     * Returns the result of the latest start in `*outcome`, or `NETCLOCK_NO_START` if there was no start.
     */
    [[nodiscard]] result<netclock::start_result> start_result() const noexcept
    {
        return detail::ask<netclock::start_result>(netclock_host_start_result, *this);
    }

    /**
     * Checks the player at server time `now` (ticks), and returns a report in `*report`. Errors:
     * `NETCLOCK_UNKNOWN_PARTICIPANT`.
     */
    [[nodiscard]] result<player_report> player(std::uint64_t player, server_time now) const noexcept
    {
        return detail::ask<player_report>(netclock_host_player, *this, player, now);
    }

    /**
     * Excludes the player's clock from the rate check between the server times `from` and `to` (ticks). Call
     * this if the clock stopped or was set for a legitimate reason. Errors: `NETCLOCK_UNKNOWN_PARTICIPANT`,
     * `NETCLOCK_TIME_WENT_BACKWARDS` if `to` is before `from`.
     */
    status excuse(std::uint64_t player, server_time from, server_time to) noexcept
    {
        return detail::call(netclock_host_excuse, *this, player, from, to);
    }

    /**
     * Measures the shortest recent round-trip time to the player, including the frames at both ends, and
     * returns it in `*round_trip` (ticks). `now` is server time in ticks. Each call enables the measurement
     * for ten seconds, so call this about once a second while you need the value. A player can make the round
     * trip longer, but not shorter. Returns `NETCLOCK_NO_MESSAGES` if the round-trip time is not known yet.
     * Errors: `NETCLOCK_UNKNOWN_PARTICIPANT`.
     */
    [[nodiscard]] result<ticks> round_trip(std::uint64_t player, server_time now) noexcept
    {
        return detail::ask<ticks>(netclock_host_round_trip, *this, player, now);
    }

    /** Returns the latest segments of all worlds, for a replicated property. The segments change only when a
     * world's clock changes. */
    [[nodiscard]] result<session_blob> blob() const noexcept
    {
        session_blob now;
        const auto code = detail::call(
            netclock_host_blob, *this, now.bytes.data(), now.bytes.size(), &now.size);
        return {code, now};
    }

    /**
     * Offers the player a link in addition to the game's connection. `port` is the UDP port of a
     * `netclock_link_server` at the same address, and `key` is the key that this link admitted for the
     * player. The host repeats the offer until the guest confirms it. Sealed datagrams are not encrypted, so
     * offer a link only if the game's own connection is private. Errors: `NETCLOCK_UNKNOWN_PARTICIPANT`,
     * `NETCLOCK_BAD_CONFIG` if the secret of the key is zero.
     */
    status offer_link(std::uint64_t player, std::uint16_t port, const session_key &key) noexcept
    {
        return detail::call(netclock_host_offer_link, *this, player, port, key);
    }

    /**
     * Reports that you polled your transport at server time `at` (ticks) and have handled every datagram that
     * had arrived by then. The host assumes that datagrams you pass to `netclock_host_receive` afterwards
     * arrived after `at`. Call this once per poll, after the last datagram. Before you pass a datagram that
     * was timestamped on arrival, call this with that timestamp.
     */
    status polled(server_time at) noexcept
    {
        return detail::call(netclock_host_polled, *this, at);
    }

    /**
     * Handles a datagram of `length` bytes from `player`, received at server time `arrived` (ticks). Errors:
     * `NETCLOCK_UNKNOWN_PARTICIPANT`, `NETCLOCK_OTHER_SESSION`, `NETCLOCK_WIRE_TRUNCATED`,
     * `NETCLOCK_WIRE_...`, and with a key `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`, `NETCLOCK_REPLAYED`,
     * `NETCLOCK_OTHER_DIRECTION`, `NETCLOCK_OTHER_CHANNEL`, `NETCLOCK_UNKNOWN_KEY`. After
     * `NETCLOCK_WIRE_OLDER` and `NETCLOCK_WIRE_NEWER`, the host notifies the player of its version.
     */
    status receive(std::uint64_t player, const void *data, std::size_t length, server_time arrived) noexcept
    {
        return detail::call(netclock_host_receive, *this, player, data, length, arrived);
    }

    /** Returns the next datagram to send. Every frame, call this until it returns nothing_due. */
    [[nodiscard]] result<session_datagram> next(server_time now) noexcept
    {
        session_datagram due;
        const auto code = detail::call(netclock_host_next, *this, now, &due.player, due.bytes.data(),
                                       due.bytes.size(), &due.size);
        return {code, due};
    }
};

/**
 * The client's end of a session. A guest sends requests and shows the state that the host sends. Opaque.
 * Calls on the guest and on its client wait for each other, but reading the client's clock is wait-free.
 */
class guest : public owned<netclock_guest, netclock_guest_destroy> {
public:
    using owned::owned;

    /** Creates a guest whose first connection has no session key. `random` makes requests and sessions
     * unpredictable; draw it from the operating system. Errors: abi_mismatch. */
    [[nodiscard]] static result<guest> create(
        const seed &random, const guest_config &settings = {}, const config &clock = {}) noexcept
    {
        return detail::create<guest>(netclock_guest_create, settings, clock, random.high, random.low);
    }

    /** Returns the guest's client for reads, callbacks, links, steps and saved states. The returned client
     * must not outlive the guest. */
    [[nodiscard]] guest_client clock() const noexcept { return guest_client{netclock_guest_client(get())}; }

    /** Starts a new connection; see netclock_guest_connect. Errors: time_went_backwards. */
    status connect(local_time now) noexcept
    {
        return detail::call(netclock_guest_connect, *this, nullptr, now, 0);
    }

    /** Starts a new connection in which all datagrams are sealed. Errors: time_went_backwards, bad_config. */
    status connect(const session_key &key, local_time now) noexcept
    {
        return detail::call(netclock_guest_connect, *this, key, now, 0);
    }

    /** Starts a new connection to a host that is expected to continue the previous host's time. */
    status follow() noexcept { return detail::call(netclock_guest_connect, *this, nullptr, 0, 1); }

    /** Like follow(), with all datagrams sealed. Errors: bad_config. */
    status follow(const session_key &key) noexcept
    {
        return detail::call(netclock_guest_connect, *this, key, 0, 1);
    }

    /** Sets whether this player takes part in starts; see netclock_guest_take_part. */
    status take_part(bool takes_part) noexcept
    {
        return detail::call(netclock_guest_take_part, *this, takes_part ? 1 : 0);
    }

    /**
     * Reads `length` bytes that `netclock_host_blob` wrote, for example from a replay. In a guest that never
     * connects, `netclock_guest_world_at` and `netclock_guest_real_at` use the latest blob. Errors:
     * `NETCLOCK_WIRE_TORN`, `NETCLOCK_WIRE_...`.
     */
    status read_blob(const void *blob, std::size_t length) noexcept
    {
        return detail::call(netclock_guest_read_blob, *this, blob, length);
    }

    /** Returns the latest segment of world 0 to 3 that arrived, or no_world. Errors: unknown_world. */
    [[nodiscard]] result<segment_datagram> segment(std::uint32_t world) const noexcept
    {
        return detail::fill<segment_datagram>(netclock_guest_segment, *this, world);
    }

    /**
     * Handles a datagram of `length` bytes from the host, received at local time `arrived` (ticks). It is not
     * an error if the clock rejects a reply. After `NETCLOCK_OTHER_SESSION`, the guest announces this
     * connection to the host again. After any other error, the datagram has had no effect. Errors:
     * `NETCLOCK_OTHER_SESSION`, `NETCLOCK_WIRE_TRUNCATED`, `NETCLOCK_UNKNOWN_WORLD`, `NETCLOCK_WIRE_...`,
     * `NETCLOCK_RATE_OUT_OF_RANGE`, and with a key `NETCLOCK_NOT_SEALED`, `NETCLOCK_FORGED`,
     * `NETCLOCK_REPLAYED`, `NETCLOCK_OTHER_DIRECTION`, `NETCLOCK_OTHER_CHANNEL`, `NETCLOCK_UNKNOWN_KEY`.
     * `NETCLOCK_WIRE_OLDER` means that the host must be updated, and `NETCLOCK_WIRE_NEWER` means that this
     * side must be updated. Without a key, an attacker can cause these two errors, so ignore them once the
     * host has replied.
     */
    status receive(const void *data, std::size_t length, local_time arrived) noexcept
    {
        return detail::call(netclock_guest_receive, *this, data, length, arrived);
    }

    /** Returns the next datagram to send. Every frame, call this until it returns nothing_due. Errors:
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
     * Begins the frame at local time `now` (ticks) and returns the server's time in `*reading`. Until the
     * next call, all values that the guest returns are for this instant. Call this once per frame. World time
     * does not go backwards from one call to the next, and a start fires in only one of the calls. Before the
     * first reply, returns `NETCLOCK_NOT_SYNCED` and an unsynced reading.
     */
    [[nodiscard]] result<reading> view(local_time now) noexcept
    {
        return detail::ask<reading>(netclock_guest_view, *this, now);
    }

    /**
     * Reads world 0 to 3 in the current frame, and returns its time in `*reading`. Returns
     * `NETCLOCK_NOT_SYNCED` or `NETCLOCK_NO_WORLD` if the time is unknown. Errors: `NETCLOCK_UNKNOWN_WORLD`.
     */
    [[nodiscard]] result<world_reading> world(std::uint32_t world) const noexcept
    {
        return detail::ask<world_reading>(netclock_guest_world, *this, world);
    }

    /**
     * Reads the server's UTC in the current frame, and returns it in `*reading`. Returns
     * `NETCLOCK_NOT_SYNCED` or `NETCLOCK_NO_UTC` if UTC is unknown.
     */
    [[nodiscard]] result<utc_reading> utc() const noexcept
    {
        return detail::ask<utc_reading>(netclock_guest_utc, *this);
    }

    /**
     * Reads the latest start in the current frame, and returns its progress in `*progress`. `fires` is 1 in
     * the first frame whose shown server time has reached the start, and never earlier. Returns
     * `NETCLOCK_NOT_SYNCED` before the first frame of this connection.
     */
    [[nodiscard]] result<start_progress> start() const noexcept
    {
        return detail::ask<start_progress>(netclock_guest_start, *this);
    }

    /** Checks the guest's connection in the current frame, and returns its state in `*report`. */
    [[nodiscard]] result<connection_report> report() const noexcept
    {
        return detail::ask<connection_report>(netclock_guest_report, *this);
    }

    /** Returns the next latency change in `*change`, or `NETCLOCK_NO_CHANGE` if no change is pending. */
    [[nodiscard]] result<latency_change> next_latency_change() noexcept
    {
        return detail::ask<latency_change>(netclock_guest_next_latency_change, *this);
    }

    /** Returns the link that the host has offered in this connection, or no_link_offer. */
    [[nodiscard]] result<netclock::link_offer> link_offer() const noexcept
    {
        std::uint16_t port = 0;
        netclock_session_key key{};
        const auto code = detail::call(netclock_guest_link_offer, *this, &port, &key);
        return {code, {port, detail::from_c(key)}};
    }

    /**
     * Converts the server's real time `real` (ticks) in the current server epoch to the time of world 0 to 3,
     * and returns it in `*reading`. The result uses all segments that have arrived and is not slewed, so it
     * may differ from the time that the guest showed at `real`. Returns `NETCLOCK_NOT_SYNCED` or
     * `NETCLOCK_NO_WORLD` if the time is unknown, and `NETCLOCK_NOT_KEPT` if `real` is before the oldest
     * stored segment. Errors: `NETCLOCK_UNKNOWN_WORLD`.
     */
    [[nodiscard]] result<world_reading> world_at(std::uint32_t world, server_time real) const noexcept
    {
        return detail::ask<world_reading>(netclock_guest_world_at, *this, world, real);
    }

    /** Returns the real times at which the clock of world 0 to 3 reads `time`; see netclock_guest_real_at. */
    [[nodiscard]] result<real_range> real_at(std::uint32_t world, world_time time) const noexcept
    {
        std::int64_t first = 0;
        const auto last = detail::ask<server_time>(netclock_guest_real_at, *this, world, time, &first);
        return {last.code(), {server_time{ticks{first}}, *last}};
    }
};

/** Reads the machine's UTC and netclock_monotonic_now() as a pair. Returns no_utc on a system without UTC. */
[[nodiscard]] inline result<utc_sample> utc_now() noexcept
{
    std::int64_t local = 0;
    std::int64_t utc = 0;
    const auto uncertainty = detail::ask<ticks>(netclock_utc_now, &local, &utc);
    return {uncertainty.code(), {local_time{ticks{local}}, utc_time{ticks{utc}}, *uncertainty}};
}

} // namespace netclock

#endif /* NETCLOCK_SESSION_HPP */
