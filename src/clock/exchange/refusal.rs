/// The reason why a client rejects a reply or an exchange, which then does not affect the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// No outstanding request has this id, because the reply is forged, duplicated, or too old. The client
    /// also returns this error if the local clock may have missed time since the request was sent.
    #[error("no outstanding request has this id (forged, duplicate or expired)")]
    UnknownRequest,
    /// A timestamp is outside the valid range of [`Time::is_valid`](crate::Time::is_valid), or a wait is
    /// negative.
    #[error("a timestamp is outside the valid range of +-2^62 ticks, or a wait is negative")]
    StampOutOfRange,
    /// The reply arrived before its request was sent (`t3 < t0`), or the round trip is negative.
    #[error("the reply arrived before its request was sent")]
    ArrivedBeforeSent,
    /// The server sent the reply before it received the request (`t2 < t1`).
    #[error("the server sent the reply before it received the request")]
    SentBeforeReceived,
    /// The server claims to have held the request for longer than the whole round trip took.
    #[error("the server claims to have held the request for longer than the round trip")]
    HeldTooLong,
    /// The round trip exceeded [`Config::max_round_trip`](crate::Config::max_round_trip).
    #[error("the round trip exceeded the configured maximum")]
    TooSlow,
    /// The timestamps contradict the current bounds. The client stores one such reply and widens the error
    /// bound. A second reply that agrees with the stored reply proves that a clock stepped.
    #[error("the timestamps contradict the clock; a second exchange will decide")]
    Contradiction,
    /// Several servers reply from the same address, and this reply is not from the server that the client
    /// follows. Once the client is certain, it also reports this with an event.
    #[error("the reply is from a server that is not followed; several servers reply from one address")]
    SeveralServers,
}
