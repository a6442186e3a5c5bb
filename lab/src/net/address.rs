//! Addresses: as the user types them, and sockets for them.

use std::net::{SocketAddr, ToSocketAddrs};

use anyhow::{Context, Result, anyhow};
use netclock::link::sockets::StampedSocket;

/// Resolves `HOST:PORT`. Prefers IPv4, because a name with both is most often reachable by it.
///
/// # Errors
/// The text is no such address, or the name is unknown; the error says what to write.
pub(crate) fn resolve(text: &str) -> Result<SocketAddr> {
    let usage = "expected HOST:PORT, such as example.org:7117, 192.0.2.1:7117 or [2001:db8::1]:7117";
    let found: Vec<SocketAddr> =
        text.to_socket_addrs().with_context(|| format!("cannot resolve `{text}`; {usage}"))?.collect();
    let v4 = found.iter().find(|address| address.is_ipv4());
    let address = v4.or(found.first()).copied().ok_or_else(|| anyhow!("`{text}` has no address"))?;
    if address.port() == 0 {
        return Err(anyhow!("`{text}`: port 0 cannot be sent to; {usage}"));
    }
    Ok(address)
}

/// Reads `ADDR:PORT`, where a program listens.
///
/// # Errors
/// The text is no such address; the error has one.
pub(crate) fn listening(text: &str) -> Result<SocketAddr> {
    // A port alone says not who may send: this machine, or everybody.
    let port = text.parse::<u16>().unwrap_or(7117);
    text.parse().map_err(|_| {
        anyhow!(
            "expected ADDR:PORT, such as 0.0.0.0:{port} for everybody or 127.0.0.1:{port} for this machine"
        )
    })
}

/// Binds a socket to which others send.
///
/// # Errors
/// The address cannot be used; the error says what to do.
pub(crate) fn bind(address: SocketAddr) -> Result<StampedSocket> {
    StampedSocket::bind(address, true).with_context(|| format!("cannot listen on {address}"))
}

/// A socket on any port that sends only to `peer` and receives only from it.
///
/// # Errors
/// There is no way to it.
pub(crate) fn connect(peer: SocketAddr) -> Result<StampedSocket> {
    StampedSocket::connect(peer, true).with_context(|| format!("there is no way to {peer}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_understood_or_explained() {
        assert_eq!(resolve("127.0.0.1:7117").ok(), Some(SocketAddr::from(([127, 0, 0, 1], 7117))));
        assert!(resolve("[::1]:7117").is_ok_and(|address| address.is_ipv6()));
        for wrong in
            ["", "localhost", "localhost:", "localhost:port", "127.0.0.1:0", "127.0.0.1:70000", "::1"]
        {
            assert!(resolve(wrong).is_err_and(|error| error.to_string().contains("HOST:PORT")), "{wrong}");
        }
    }

    #[test]
    fn an_address_in_use_is_explained() -> Result<()> {
        let taken = bind(SocketAddr::from(([127, 0, 0, 1], 0)))?;
        let error = bind(taken.local_address()?).map_or_else(|error| format!("{error:#}"), |_| String::new());
        assert!(error.contains("another program uses the port"), "{error}");
        Ok(())
    }
}
