//! Resolves names on a separate thread, because lookups may take a minute and cannot be interrupted.

use std::net::{IpAddr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;

use parking_lot::Mutex;

use super::runner::spawn;
use super::waker::Waker;

/// Parses an IP address, which may have brackets and a scope such as `%eth0`.
pub(crate) fn address_in(host: &str, port: u16) -> Option<SocketAddr> {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    if let Ok(address) = bare.parse::<IpAddr>() {
        return Some((address, port).into());
    }
    // Only the system can convert interface names to numbers, which requires no DNS query.
    bare.split_once('%')?.0.parse::<Ipv6Addr>().ok()?;
    (bare, port).to_socket_addrs().ok()?.next()
}

/// The addresses, once they are known. The list is empty if the name is unknown.
pub(super) type Resolving = Arc<Mutex<Option<Vec<SocketAddr>>>>;

/// The thread of a lookup runs until the system call returns, even if the result is no longer needed.
pub(super) fn resolve(host: &str, port: u16, waker: Waker) -> Resolving {
    let answer = Resolving::default();
    if let Some(address) = address_in(host, port) {
        *answer.lock() = Some(vec![address]);
        return answer;
    }
    let (told, asked) = (answer.clone(), (host.to_owned(), port));
    let look_up = move || {
        let found = asked.to_socket_addrs().map_or_else(|_| Vec::new(), Iterator::collect);
        *told.lock() = Some(found);
        waker.wake();
    };
    if spawn("netclock-resolve", Box::new(look_up)).is_err() {
        *answer.lock() = Some(Vec::new());
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_need_no_resolver() {
        for (host, expected) in [("127.0.0.1", "127.0.0.1:5"), ("::1", "[::1]:5"), ("[::1]", "[::1]:5")] {
            let waker = Waker::new().expect("a pipe");
            let found = resolve(host, 5, waker).lock().take().expect("known at once");
            assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
        }
    }

    #[test]
    fn scopes_are_numbers_or_interface_names() {
        let scope = |host| address_in(host, 5).map(|address| address.to_string());
        assert_eq!(scope("fe80::1%7"), Some("[fe80::1%7]:5".to_owned()));
        if cfg!(target_os = "linux") {
            assert_eq!(scope("[fe80::1%lo]"), Some("[fe80::1%1]:5".to_owned()));
        }
        for bad in ["fe80::1%no.such.interface", "%lo", "name%lo", "127.0.0.1%lo"] {
            assert_eq!(scope(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_waker_is_notified_when_a_name_is_resolved() {
        // On Windows, the empty name resolves to this machine, but connections never use it.
        let no_name = ("", cfg!(windows));
        let has_localhost = ("localhost", 5).to_socket_addrs().is_ok();
        if !has_localhost {
            super::super::tests::tools::skip("localhost has no address on this machine");
        }
        for (host, is_known) in [("localhost", has_localhost), ("no.such.host.invalid", false), no_name] {
            let waker = Waker::new().expect("a pipe");
            let resolving = resolve(host, 5, waker.clone());
            let found = loop {
                if let Some(found) = resolving.lock().take() {
                    break found;
                }
                super::super::socket::wait_without_socket(&waker, None);
            };
            assert_eq!(!found.is_empty(), is_known, "{host}: {found:?}");
        }
    }
}
