use std::net::{Ipv6Addr, SocketAddr, ToSocketAddrs};

use anyhow::{Context, Result, anyhow};
use netclock::link::sockets::StampedSocket;

const PORT: u16 = 7117;

#[derive(Debug, thiserror::Error)]
#[error("cannot resolve `{0}`; check the name and this machine's name service")]
pub(crate) struct UnknownHost(String);

/// Resolves `HOST:PORT`. Prefers IPv4, because it reaches more hosts.
pub(crate) fn resolve(text: &str) -> Result<SocketAddr> {
    check(text)?;
    let found: Vec<SocketAddr> = text.to_socket_addrs().map_err(|_| UnknownHost(text.to_owned()))?.collect();
    let v4 = found.iter().find(|address| address.is_ipv4());
    Ok(v4.or(found.first()).copied().ok_or_else(|| UnknownHost(text.to_owned()))?)
}

fn check(text: &str) -> Result<()> {
    let usage = "expected HOST:PORT, such as example.org:7117, 192.0.2.1:7117 or [2001:db8::1]:7117";
    if text.parse::<Ipv6Addr>().is_ok() {
        return Err(anyhow!("an IPv6 address needs brackets and a port: [{text}]:{PORT} ({usage})"));
    }
    match text.rsplit_once(':') {
        Some((host, _)) if host.starts_with('[') != host.ends_with(']') => {
            Err(anyhow!("`{text}`: missing bracket; {usage}"))
        }
        Some(("", _)) => Err(anyhow!("`{text}` has no host; {usage}")),
        Some((_, port)) => match port.parse::<u16>() {
            Ok(0) => Err(anyhow!("`{text}`: port 0 cannot be a destination; {usage}")),
            Ok(_) => Ok(()),
            Err(_) => Err(anyhow!("`{port}` is not a port (1 to 65535); {usage}")),
        },
        None if text.is_empty() => Err(anyhow!("{usage}")),
        None => Err(anyhow!("the port is missing: {text}:{PORT} ({usage})")),
    }
}

pub(crate) fn listening(text: &str) -> Result<SocketAddr> {
    // A bare port does not specify whether other machines may connect.
    let port = text.parse::<u16>().unwrap_or(PORT);
    if text.parse::<Ipv6Addr>().is_ok() {
        return Err(anyhow!("an IPv6 address needs brackets and a port: [{text}]:{port}"));
    }
    text.parse().map_err(|_| {
        anyhow!(
            "expected ADDR:PORT, such as 0.0.0.0:{port} for everyone or 127.0.0.1:{port} for this machine"
        )
    })
}

pub(crate) fn bind(address: SocketAddr) -> Result<StampedSocket> {
    StampedSocket::bind(address, true).with_context(|| format!("cannot listen on {address}"))
}

pub(crate) fn connect(peer: SocketAddr) -> Result<StampedSocket> {
    StampedSocket::connect(peer, true).with_context(|| format!("cannot reach {peer}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed_or_rejected_with_advice() {
        assert_eq!(resolve("127.0.0.1:7117").ok(), Some(SocketAddr::from(([127, 0, 0, 1], 7117))));
        assert!(resolve("[::1]:7117").is_ok_and(|address| address.is_ipv6()));
        for wrong in
            ["", "localhost", "localhost:", "localhost:port", "127.0.0.1:0", "127.0.0.1:70000", "::1", "[::1"]
        {
            assert!(resolve(wrong).is_err_and(|error| error.to_string().contains("HOST:PORT")), "{wrong}");
        }
    }

    #[test]
    fn errors_name_the_missing_part_and_the_usage() {
        let said = |text| resolve(text).map_or_else(|error| error.to_string(), |_| String::new());
        assert!(said("2001:db8::1").contains("[2001:db8::1]:7117"), "{}", said("2001:db8::1"));
        assert!(said("example.org").contains("example.org:7117"), "{}", said("example.org"));
        assert!(said("example.org:http").contains("`http` is not a port"));
        let unknown = resolve("no.such.host.invalid:7117").expect_err("the name does not exist");
        assert!(unknown.is::<UnknownHost>(), "{unknown}");
        assert!(listening("::1").is_err_and(|error| error.to_string().contains("[::1]:7117")));
    }

    #[test]
    fn an_address_in_use_is_explained() -> Result<()> {
        let taken = bind(SocketAddr::from(([127, 0, 0, 1], 0)))?;
        let error = bind(taken.local_address()?).map_or_else(|error| format!("{error:#}"), |_| String::new());
        assert!(error.contains("another program uses the port"), "{error}");
        Ok(())
    }
}
