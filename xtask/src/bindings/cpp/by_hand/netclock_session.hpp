@ about
 * A host on the server and a guest on each client exchange datagrams, which the game transports.

@ begin
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

@ netclock_host_admit
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

@ netclock_host_observe
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

@ netclock_host_use_starts
    /** Asks players to report the quality of their clocks, so a later start does not have to wait for the
     * reports. */
    status prepare_start() noexcept { return detail::call(netclock_host_use_starts, *this, 1); }

    /** Ends the latest start, so players who join later do not receive it. See netclock_host_use_starts. */
    status end_starts() noexcept { return detail::call(netclock_host_use_starts, *this, 0); }

@ netclock_host_observe_utc
    status observe_utc(server_time at, utc_time utc, std::optional<ticks> error_bound) noexcept
    {
        return detail::call(netclock_host_observe_utc, *this, at, utc,
                            detail::count(error_bound, NETCLOCK_UNBOUNDED));
    }

@ netclock_host_next
    /** Returns the next datagram to send. Every frame, call this until it returns nothing_due. */
    [[nodiscard]] result<session_datagram> next(server_time now) noexcept
    {
        session_datagram due;
        const auto code = detail::call(netclock_host_next, *this, now, &due.player, due.bytes.data(),
                                       due.bytes.size(), &due.size);
        return {code, due};
    }

@ netclock_host_blob
    /** Returns the latest segments of all worlds, for a replicated property. The segments change only when a
     * world's clock changes. */
    [[nodiscard]] result<session_blob> blob() const noexcept
    {
        session_blob now;
        const auto code = detail::call(
            netclock_host_blob, *this, now.bytes.data(), now.bytes.size(), &now.size);
        return {code, now};
    }

@ netclock_guest_create
    /** Creates a guest whose first connection has no session key. `random` makes requests and sessions
     * unpredictable; draw it from the operating system. Errors: abi_mismatch. */
    [[nodiscard]] static result<guest> create(
        const seed &random, const guest_config &settings = {}, const config &clock = {}) noexcept
    {
        return detail::create<guest>(netclock_guest_create, settings, clock, random.high, random.low);
    }

@ netclock_guest_client
    /** Returns the guest's client for reads, callbacks, links, steps and saved states. The returned client
     * must not outlive the guest. */
    [[nodiscard]] guest_client clock() const noexcept { return guest_client{netclock_guest_client(get())}; }

@ netclock_guest_connect
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

@ netclock_guest_take_part
    /** Sets whether this player takes part in starts; see netclock_guest_take_part. */
    status take_part(bool takes_part) noexcept
    {
        return detail::call(netclock_guest_take_part, *this, takes_part ? 1 : 0);
    }

@ netclock_guest_segment
    /** Returns the latest segment of world 0 to 3 that arrived, or no_world. Errors: unknown_world. */
    [[nodiscard]] result<segment_datagram> segment(std::uint32_t world) const noexcept
    {
        return detail::fill<segment_datagram>(netclock_guest_segment, *this, world);
    }

@ netclock_guest_next
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

@ netclock_guest_link_offer
    /** Returns the link that the host has offered in this connection, or no_link_offer. */
    [[nodiscard]] result<netclock::link_offer> link_offer() const noexcept
    {
        std::uint16_t port = 0;
        netclock_session_key key{};
        const auto code = detail::call(netclock_guest_link_offer, *this, &port, &key);
        return {code, {port, detail::from_c(key)}};
    }

@ netclock_guest_real_at
    /** Returns the real times at which the clock of world 0 to 3 reads `time`; see netclock_guest_real_at. */
    [[nodiscard]] result<real_range> real_at(std::uint32_t world, world_time time) const noexcept
    {
        std::int64_t first = 0;
        const auto last = detail::ask<server_time>(netclock_guest_real_at, *this, world, time, &first);
        return {last.code(), {server_time{ticks{first}}, *last}};
    }

@ netclock_utc_now
/** Reads the machine's UTC and netclock_monotonic_now() as a pair. Returns no_utc on a system without UTC. */
[[nodiscard]] inline result<utc_sample> utc_now() noexcept
{
    std::int64_t local = 0;
    std::int64_t utc = 0;
    const auto uncertainty = detail::ask<ticks>(netclock_utc_now, &local, &utc);
    return {uncertainty.code(), {local_time{ticks{local}}, utc_time{ticks{utc}}, *uncertainty}};
}
