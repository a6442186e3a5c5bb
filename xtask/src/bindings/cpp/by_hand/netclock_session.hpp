@ about
 * A host on the server and a guest on each client carry every subject in datagrams, which the game sends.

@ begin
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

@ netclock_host_admit
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

@ netclock_host_is_up_to_date
    /** Whether the player has confirmed the newest state of every subject. Errors: unknown_participant. */
    [[nodiscard]] result<bool> is_up_to_date(std::uint64_t player) const noexcept
    {
        std::int32_t is = 0;
        const auto code = detail::call(netclock_host_is_up_to_date, *this, player, &is);
        return {code, is != 0};
    }

@ netclock_host_observe
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

@ netclock_host_observe_utc
    status observe_utc(server_time at, utc_time utc, std::optional<ticks> error_bound) noexcept
    {
        return detail::call(netclock_host_observe_utc, *this, at, utc,
                            detail::count(error_bound, NETCLOCK_UNBOUNDED));
    }

@ netclock_host_next
    /** The next datagram to send. Call it in every frame until it returns nothing_due. */
    [[nodiscard]] result<session_datagram> next(server_time now) noexcept
    {
        session_datagram due;
        const auto code = detail::call(netclock_host_next, *this, now, &due.player, due.bytes.data(),
                                       due.bytes.size(), &due.size);
        return {code, due};
    }

@ netclock_host_blob
    /** The newest segments of all worlds, for a replicated property. It changes only when a world's clock
     * does. */
    [[nodiscard]] result<session_blob> blob() const noexcept
    {
        session_blob now;
        const auto code = detail::call(
            netclock_host_blob, *this, now.bytes.data(), now.bytes.size(), &now.size);
        return {code, now};
    }

@ netclock_guest_create
    /** Creates a guest that is connected without a session key. `random` makes requests and sessions
     * unguessable: draw it from the operating system. Errors: abi_mismatch, bad_config, out_of_memory. */
    [[nodiscard]] static result<guest> create(
        const seed &random, const guest_config &settings = {}, const config &clock = {}) noexcept
    {
        return detail::create<guest>(netclock_guest_create, settings, clock, random.high, random.low);
    }

@ netclock_guest_client
    /** The guest's client, for all calls that read it, and for callbacks, links, steps and saved states. It
     * must not outlive the guest. */
    [[nodiscard]] guest_client clock() const noexcept { return guest_client{netclock_guest_client(get())}; }

@ netclock_guest_connect
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

@ netclock_guest_follow
    /** The same, to a host that is expected to continue this time; see netclock_guest_follow. */
    status follow() noexcept { return detail::call(netclock_guest_follow, *this, nullptr); }

    /** The same, with all datagrams sealed. Errors: bad_config. */
    status follow(const session_key &key) noexcept
    {
        return detail::call(netclock_guest_follow, *this, key);
    }

@ netclock_guest_take_part
    /** Whether this player takes part in starts; see netclock_guest_take_part. */
    status take_part(bool takes_part) noexcept
    {
        return detail::call(netclock_guest_take_part, *this, takes_part ? 1 : 0);
    }

@ netclock_guest_segment
    /** The newest segment of world 0 to 3 that arrived. no_world: there is none. Errors: unknown_world. */
    [[nodiscard]] result<segment_datagram> segment(std::uint32_t world) const noexcept
    {
        return detail::fill<segment_datagram>(netclock_guest_segment, *this, world);
    }

@ netclock_guest_next
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

@ netclock_guest_lead
    /** How far ahead to predict in this frame, and of when to show others. no_messages: not yet known. */
    [[nodiscard]] result<prediction> lead() const noexcept
    {
        std::int64_t handled_by = 0;
        const auto showable = detail::ask<server_time>(netclock_guest_lead, *this, &handled_by);
        return {showable.code(), {server_time{ticks{handled_by}}, *showable}};
    }

@ netclock_guest_link_offer
    /** The link that the host offered in this connection. no_link_offer: there is none. */
    [[nodiscard]] result<netclock::link_offer> link_offer() const noexcept
    {
        std::uint16_t port = 0;
        netclock_session_key key{};
        const auto code = detail::call(netclock_guest_link_offer, *this, &port, &key);
        return {code, {port, detail::from_c(key)}};
    }

@ netclock_guest_real_at
    /** When the clock of world 0 to 3 reads `time`. never: it does not, as far as is known. */
    [[nodiscard]] result<real_range> real_at(std::uint32_t world, world_time time) const noexcept
    {
        std::int64_t first = 0;
        const auto last = detail::ask<server_time>(netclock_guest_real_at, *this, world, time, &first);
        return {last.code(), {server_time{ticks{first}}, *last}};
    }

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
