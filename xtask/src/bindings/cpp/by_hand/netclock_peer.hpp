@ about
 * A relay assigns slots in games to peers and forwards their messages. All share the clock of one peer, the
 * primary. Messages are bytes: send them as datagrams, or over byte streams, which `stream` splits.

@ begin
/** The smallest id of a message of the game, and the number of bytes before its data. */
inline constexpr std::uint16_t first_game_id = NETCLOCK_FIRST_GAME_ID;
inline constexpr std::size_t game_header_size = NETCLOCK_GAME_HEADER_SIZE;

/** A message between a relay and a peer. */
struct peer_message {
    /** The peer's connection, for messages of a relay. */
    std::uint64_t connection = 0;
    /** Number of bytes. */
    std::size_t size = 0;
    std::array<std::byte, NETCLOCK_MAX_MESSAGE_SIZE> bytes{};
};

namespace detail {

/** Calls a C function whose last three parameters are a message buffer, its capacity, and its size. */
template <class Message, class... Parameters, class... Given>
result<Message> message(netclock_status (*function)(Parameters...), const Given &...given) noexcept
{
    Message made;
    const auto code = status{function(in(given)..., made.bytes.data(), made.bytes.size(), &made.size)};
    return {code, made};
}

} // namespace detail

@ netclock_relay_next_message
    [[nodiscard]] result<peer_message> next_message(local_time now) noexcept
    {
        std::uint64_t connection = 0;
        auto next = detail::message<peer_message>(netclock_relay_next_message, *this, now, &connection);
        next->connection = connection;
        return next;
    }

@ netclock_peer_receive
    status receive(const void *data, std::size_t size, local_time arrived, peer_game_message &heard) noexcept
    {
        auto game = detail::sized<netclock_peer_game_message>();
        const auto code = detail::call(netclock_peer_receive, *this, data, size, arrived, &game);
        if (code == status::game_message) {
            heard = detail::from_c(game);
        }
        return code;
    }
