@ about
 * A relay gives peers slots in games and forwards between them. All share the clock of one peer, the primary.
 * The calls take and give bytes: send them as datagrams, or over byte streams that `stream` takes apart.

@ begin
/** First id of a game's own messages, and how many bytes of them come before their data. */
inline constexpr std::uint16_t first_game_id = NETCLOCK_FIRST_GAME_ID;
inline constexpr std::size_t game_header_size = NETCLOCK_GAME_HEADER_SIZE;

/** A message between a relay and a peer. */
struct peer_message {
    /** The peer's connection, for messages of a relay. */
    std::uint64_t connection = 0;
    /** How many of the bytes there are. */
    std::size_t size = 0;
    std::array<std::byte, NETCLOCK_MAX_MESSAGE_SIZE> bytes{};
};

namespace detail {

/** Calls a function of C whose last three parameters are room for a message and for its size. */
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
