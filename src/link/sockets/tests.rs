//! Tests with real sockets on the loopback interface, which never assert durations.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::sync::{Arc, Mutex};

use super::*;
use crate::clock::keyed::SessionKey;
use crate::clock::{Client, Config, Event, LocalTime, ServerTime, Span};
use crate::link::{ClientLinkConfig, DATAGRAM, LinkState, Mark};

#[path = "../../../tests/support/tools.rs"]
pub(super) mod tools;

const PATIENCE: Span = Span::from_secs(120);

const OFFSET: Span = Span::from_secs(1_000);

fn key(id: u32, byte: u8) -> SessionKey {
    SessionKey::new(id, [byte; 16]).expect("a secret")
}

fn server_time(local: LocalTime) -> ServerTime {
    ServerTime::from_ticks((local + OFFSET).ticks())
}

fn serve(address: &str, thread: bool) -> LinkServer {
    let address = address.parse().expect("an address");
    let config = ServeConfig { address, thread, ..ServeConfig::default() };
    let server = LinkServer::serve(&config, 7, server_time).expect("a free port");
    server.admit(&key(1, 9)).expect("there is room");
    server
}

fn client() -> Arc<Mutex<Client>> {
    Arc::new(Mutex::new(Client::new(Config::default(), 5).expect("fine settings")))
}

fn connect(config: &ConnectConfig, client: &Arc<Mutex<Client>>, key: &SessionKey) -> LinkConnection {
    LinkConnection::connect(config, client.clone(), key, |local| local).expect("a thread")
}

#[track_caller]
#[expect(clippy::disallowed_methods, reason = "a test that waits for another thread")]
fn wait(mut done: impl FnMut() -> bool) {
    let start = crate::monotonic_now();
    while !done() {
        assert!(crate::monotonic_now() - start < PATIENCE, "waited for two minutes");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

fn next_event(client: &Mutex<Client>) -> Option<Event> {
    client.lock().expect("no panic").next_event()
}

fn error_of(client: &Mutex<Client>) -> Span {
    let now = crate::monotonic_now();
    let reading = client.lock().expect("no panic").read(now);
    let error = reading.server_time - server_time(now);
    assert!(error.abs() <= reading.error_bound);
    error
}

#[test]
fn clients_link_over_both_ip_versions_and_by_name() {
    let ends = [("[::]:0", "127.0.0.1"), ("[::]:0", "localhost"), ("[::1]:0", "::1")];
    // Linux treats all of 127.0.0.0/8 as local. By default, the kernel and Wine reply from 127.0.0.1.
    let second_address = [("0.0.0.0:0", "127.0.0.2"), ("[::]:0", "127.0.0.3")];
    let second_address = second_address.into_iter().filter(|_| cfg!(target_os = "linux"));
    for (bind, host) in ends.into_iter().chain(second_address) {
        if host == "::1" && UdpSocket::bind((Ipv6Addr::LOCALHOST, 0)).is_err() {
            tools::skip("no ::1 on this machine");
            continue;
        }
        if (host, 0).to_socket_addrs().is_err() {
            tools::skip(&format!("{host} has no address on this machine"));
            continue;
        }
        let server = serve(bind, true);
        let client = client();
        let link = connect(&ConnectConfig::to(host, server.address().port()), &client, &key(1, 9));
        wait(|| link.status().state == LinkState::Linked && link.status().counts.replies > 5);
        assert!(error_of(&client) < Span::from_millis(5), "{host}");
        let (status, served) = (link.status(), server.status());
        assert_eq!((status.trouble, status.unsent), (Trouble::None, 0));
        let expected = if cfg!(unix) { Stamps::Kernel } else { Stamps::Thread };
        assert_eq!((status.stamps, served.stamps), (expected, expected));
        assert!(served.counts.answered >= status.counts.replies);
    }
}

#[test]
fn a_second_client_with_a_key_is_informed_and_both_stay_linked() {
    let server = serve("127.0.0.1:0", true);
    let to = ConnectConfig::to("127.0.0.1", server.address().port());
    let links = [0, 3].map(|starts| connect(&to, &client(), &key(1, 9).after_restarts(starts)));
    let troubles = || links.each_ref().map(|link| link.status().trouble);
    wait(|| troubles() == [Trouble::None, Trouble::KeyInUse]);
    assert!(links.iter().all(|link| link.status().state == LinkState::Linked));
}

#[cfg(target_os = "linux")]
fn class_of_next(socket: &UdpSocket, buffer: &mut [u8]) -> u8 {
    use nix::sys::socket::{ControlMessageOwned, MsgFlags, SockaddrIn, recvmsg};
    use std::os::fd::AsRawFd;
    let (mut parts, mut control) = ([io::IoSliceMut::new(buffer)], [0; 64]);
    let come = recvmsg::<SockaddrIn>(socket.as_raw_fd(), &mut parts, Some(&mut control), MsgFlags::empty());
    let come = come.expect("a datagram");
    let class = come.cmsgs().expect("whole").find_map(|it| match it {
        ControlMessageOwned::Ipv4Tos(class) => Some(class),
        _ => None,
    });
    class.expect("it was enabled")
}

#[test]
#[cfg(target_os = "linux")]
fn requests_and_replies_are_marked_unless_disabled() {
    use crate::clock::keyed::{Channel, SealedChannel};
    use crate::clock::{Direction, Request, RequestId, wire};
    const MARKED: u8 = 45 << 2;
    let listening = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    nix::sys::socket::setsockopt(&listening, nix::sys::socket::sockopt::IpRecvTos, &true).expect("Linux");
    let port = listening.local_addr().expect("it is bound").port();
    let request = Request { id: RequestId(1), client_time: LocalTime::from_ticks(1), reliable: false };
    for (unmarked, class) in [(false, MARKED), (true, 0)] {
        let settings = ClientLinkConfig { unmarked, ..ClientLinkConfig::default() };
        let config = ConnectConfig { link: settings, ..ConnectConfig::to("127.0.0.1", port) };
        let (client, mut buffer) = (client(), [0; 100]);
        let link = connect(&config, &client, &key(1, 9));
        assert_eq!(class_of_next(&listening, &mut buffer), class);
        assert_eq!(link.status().mark, if unmarked { Mark::Off } else { Mark::On });
        drop(link);
        listening.set_nonblocking(true).expect("a socket");
        while listening.recv(&mut buffer).is_ok() {}
        listening.set_nonblocking(false).expect("a socket");

        let address = "[::]:0".parse().expect("an address");
        let config = ServeConfig { address, unmarked, ..ServeConfig::default() };
        let server = LinkServer::serve(&config, 7, server_time).expect("a free port");
        server.admit(&key(1, 9)).expect("there is room");
        let mut channel = SealedChannel::new(&key(1, 9), Channel::Link, Direction::ToServer);
        for (asks, class) in [(true, class), (false, 0), (true, class)] {
            let mut message = wire::encode_request(&request).expect("a valid stamp");
            if asks {
                wire::mark(&mut message);
            }
            let mut sealed = [0; DATAGRAM];
            let sealed = channel.seal(&message, &mut sealed).expect("a message");
            listening.send_to(sealed, ("127.0.0.1", server.address().port())).expect("the loopback");
            assert_eq!(class_of_next(&listening, &mut buffer), class, "over IPv4 on an IPv6 socket");
        }
    }
}

#[test]
fn callers_may_poll_without_kernel_timestamps() {
    let server = serve("127.0.0.1:0", false);
    let client = client();
    let port = server.address().port();
    let config =
        ConnectConfig { thread: false, kernel_stamps: false, ..ConnectConfig::to("127.0.0.1", port) };
    let link = connect(&config, &client, &key(1, 9));
    wait(|| server.poll() && link.poll() && link.status().counts.replies > 5);
    assert_eq!((link.status().stamps, link.status().state), (Stamps::Thread, LinkState::Linked));
    assert_eq!((link.status().trouble, link.status().unsent), (Trouble::None, 0));
    assert!(error_of(&client) < Span::from_millis(100));
    server.stop();
    assert!(!server.poll());
}

#[test]
fn datagrams_do_not_allocate() {
    let server = serve("127.0.0.1:0", false);
    let client = client();
    let config = ConnectConfig { thread: false, ..ConnectConfig::to("127.0.0.1", server.address().port()) };
    let link = connect(&config, &client, &key(1, 9));
    wait(|| server.poll() && link.poll() && link.status().counts.replies > 5);
    let attacker = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    while link.status().counts.replies < 15 {
        attacker.send_to(&[0x4E; 100], server.address()).expect("the loopback interface");
        let made = allocation_counter::measure(|| assert!(server.poll() && link.poll()));
        assert_eq!(made.count_total, 0);
    }
    assert!(server.status().counts.unsealed > 0);
    assert_eq!(link.status().state, LinkState::Linked, "the garbage ended the link");
    assert!(error_of(&client) < Span::from_millis(100));
}

#[test]
fn links_stop_from_any_thread_and_repeatedly() {
    let server = serve("127.0.0.1:0", true);
    let client = client();
    let link = connect(&ConnectConfig::to("127.0.0.1", server.address().port()), &client, &key(1, 9));
    let unreachable = connect(&ConnectConfig::to("no.such.host.invalid", 9), &client, &key(2, 9));
    #[expect(clippy::disallowed_methods, reason = "a test of concurrency")]
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| (link.stop(), server.stop(), unreachable.stop()));
        }
    });
    assert_eq!(Arc::strong_count(&client), 1, "no other thread uses the client");
    let again = ServeConfig { address: server.address(), ..ServeConfig::default() };
    assert!(LinkServer::serve(&again, 7, server_time).is_ok(), "the port is free again");
}

#[test]
fn unavailable_sockets_are_errors() {
    let taken = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let serve = |address: SocketAddr| {
        let config = ServeConfig { address, ..ServeConfig::default() };
        LinkServer::serve(&config, 7, server_time).map(|_| ())
    };
    let in_use = serve(taken.local_addr().expect("it is bound"));
    assert!(matches!(in_use, Err(NetError::PortInUse)), "{in_use:?}");
    let foreign = serve(SocketAddr::from(([192, 0, 2, 1], 0)));
    assert!(matches!(foreign, Err(NetError::BadAddress)), "{foreign:?}");
    let bad = |host: &str, port| {
        let config = ConnectConfig::to(host, port);
        LinkConnection::connect(&config, client(), &key(1, 9), |local| local)
            .err()
            .map(|error| error.to_string())
    };
    assert!(bad("", 5).is_some_and(|error| error.contains("host")));
    assert!(bad(&"x".repeat(254), 5).is_some_and(|error| error.contains("host")));
    assert!(bad("127.0.0.1", 0).is_some_and(|error| error.contains("port")));
}

#[test]
fn the_cause_of_a_blocked_path_is_reported() {
    let was_there = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = was_there.local_addr().expect("it is bound").port();
    drop(was_there);
    let client = client();
    let link = connect(&ConnectConfig::to("127.0.0.1", port), &client, &key(1, 9));
    wait(|| link.status().trouble == Trouble::NobodyListens);
    assert_ne!(link.status().state, LinkState::Linked);
    let client = self::client();
    let link = connect(&ConnectConfig::to("no.such.host.invalid", 9), &client, &key(1, 9));
    wait(|| link.status().trouble == Trouble::UnknownHost);
    wait(|| next_event(&client) == Some(Event::LinkNotPossible));
    assert_eq!(link.status().state, LinkState::NotPossible);
    assert_eq!(Trouble::UnknownHost.words(), "the host's name is unknown");
}

#[test]
fn other_keys_and_datagrams_of_any_length_change_nothing() {
    let server = serve("127.0.0.1:0", true);
    let (client, other) = (client(), client());
    let to = ConnectConfig::to("127.0.0.1", server.address().port());
    let wrong = connect(&to, &other, &key(1, 8));
    let attacker = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    for length in 0..=1_500 {
        attacker.send_to(&vec![0x4E; length], server.address()).expect("the loopback interface");
    }
    let link = connect(&to, &client, &key(1, 9));
    wait(|| link.status().counts.replies > 5 && server.status().counts.forged > 1);
    wait(|| server.status().counts.unsealed >= 1_000);
    assert!(error_of(&client) < Span::from_millis(100));
    attacker.set_nonblocking(true).expect("a socket");
    assert!(attacker.recv(&mut [0; DATAGRAM]).is_err(), "strangers are not answered");
    wait(|| wrong.status().state == LinkState::Blocked);
    wait(|| next_event(&other) == Some(Event::LinkBlocked));
    assert_eq!(wrong.status().counts.replies, 0);
    assert!(!other.lock().expect("no panic").is_time_synced());
    assert_eq!(wrong.status().trouble, Trouble::None, "the system reports no trouble");
    server.revoke(1).expect("it was admitted");
    assert_eq!(server.revoke(1), Err(KeyError::UnknownKey(1)));
}

#[test]
fn unresolved_names_do_not_block_the_caller() {
    let client = client();
    let config = ConnectConfig::to("no.answer.invalid", 9);
    for waits in [true, false].into_iter().cycle().take(20) {
        let stop = runner::Stop::new().expect("a pipe");
        let unanswered = Some(Arc::default());
        let link = LinkConnection::by(&config, client.clone(), &key(1, 9), |local| local, stop, unanswered)
            .expect("a thread");
        wait(|| !waits || link.status().trouble == Trouble::Resolving);
        assert_eq!(link.status().state, LinkState::Checking);
        link.stop();
        assert_eq!(Arc::strong_count(&client), 1, "the thread has not ended");
        assert_eq!(next_event(&client), None);
    }
}

#[test]
fn a_dead_address_is_abandoned_after_half_a_second() {
    let server = serve("127.0.0.1:0", true);
    let port = server.address().port();
    // Datagrams to this address are lost. Only Linux treats all of 127.0.0.0/8 as local.
    let dead = if cfg!(target_os = "linux") { "127.0.0.9" } else { "127.0.0.1" };
    let Ok(silent) = UdpSocket::bind((dead, port)) else {
        return tools::skip("127.0.0.9 is not an address of this machine");
    };
    let addresses =
        [(dead, port), ("127.0.0.1", port)].map(|it| SocketAddr::new(it.0.parse().expect("an IP"), it.1));
    let client = client();
    let stop = runner::Stop::new().expect("a pipe");
    let found = Some(Arc::new(parking_lot::Mutex::new(Some(addresses.to_vec()))));
    let config = ConnectConfig::to("a.name.invalid", port);
    let link = LinkConnection::by(&config, client.clone(), &key(1, 9), |local| local, stop, found)
        .expect("a thread");
    wait(|| link.status().state == LinkState::Linked);
    assert_eq!(link.status().peer, Some(addresses[1]));
    silent.set_nonblocking(true).expect("a socket");
    let asked = std::iter::from_fn(|| silent.recv(&mut [0; DATAGRAM]).ok()).count();
    assert!(
        (1..=4).contains(&asked),
        "{asked} requests to the dead address: 0, 100 and 200 ms after the first"
    );
}

#[test]
fn a_newer_link_replaces_an_older_one() {
    let server = serve("127.0.0.1:0", true);
    let (client, to) = (client(), ConnectConfig::to("127.0.0.1", server.address().port()));
    let first = connect(&to, &client, &key(1, 9));
    wait(|| first.status().state == LinkState::Linked);
    let second = connect(&to, &client, &key(1, 9).after_restarts(1));
    wait(|| second.status().state == LinkState::Linked);
    wait(|| first.status().trouble == Trouble::Replaced);
    assert_eq!(first.status().state, LinkState::NotPossible);
    assert_eq!((second.status().state, second.status().trouble), (LinkState::Linked, Trouble::None));
    assert!(error_of(&client) < Span::from_millis(100));
}

#[test]
fn socket_errors_are_reported() {
    let of = |error: io::Error| Trouble::of_opening(&NetError::from(error));
    assert_eq!(of(io::ErrorKind::NetworkUnreachable.into()), Trouble::NoRoute);
    assert_eq!(of(io::ErrorKind::HostUnreachable.into()), Trouble::HostUnreachable);
    assert_eq!(of(io::ErrorKind::PermissionDenied.into()), Trouble::Prohibited);
    let forbidden = NetError::from(io::Error::from(io::ErrorKind::PermissionDenied));
    assert!(matches!(forbidden, NetError::NoPermission), "{forbidden:?}");
    #[cfg(unix)]
    assert_eq!(of(io::Error::from_raw_os_error(libc::EMFILE)), Trouble::NoSocket);
}

const OWN_NETWORK: &str = "NETCLOCK_TEST_OWN_NETWORK";

/// Returns true in a process with its own network namespace. Otherwise, runs the test `name` in such a
/// process with `unshare`.
fn has_own_network(name: &str) -> bool {
    if std::env::var_os(OWN_NETWORK).is_some() {
        return true;
    }
    if !tools::present(&["unshare", "ip"]) {
        return false;
    }
    let enter = || {
        let mut command = std::process::Command::new("unshare");
        command.arg("-rn");
        command
    };
    if !enter().arg("true").output().is_ok_and(|output| output.status.success()) {
        tools::skip("this user may not run `unshare -rn`");
        return false;
    }
    let program = std::env::current_exe().expect("this program");
    let mut inner = enter();
    inner.arg(program).args(["--exact", &format!("link::sockets::tests::{name}")]).env(OWN_NETWORK, "1");
    let output = inner.output().expect("it was just started");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    false
}

#[test]
fn replies_leave_from_the_requested_address() {
    if !has_own_network("replies_leave_from_the_requested_address") {
        return;
    }
    assert!(ip("link set lo up"));
    if !ip("addr add fd00::2/128 dev lo") {
        return tools::skip("no IPv6 on this machine");
    }
    for (any, asks, asked) in [("[::]:0", "[::1]:0", "fd00::2"), ("0.0.0.0:0", "127.0.0.1:0", "127.0.0.2")] {
        let mut server = StampedSocket::bind(any.parse().expect("an address"), true).expect("a free port");
        let to = (asked, server.local_address().expect("it is bound").port());
        let client = UdpSocket::bind(asks).expect("a free port");
        let arrival = loop {
            client.send_to(&[1], to).expect("the loopback interface");
            if let Received::Datagram(arrival) = server.receive_within(&mut [0; 8], Span::from_secs(1)) {
                break arrival;
            }
        };
        assert_eq!(arrival.from.local, asked.parse().ok());
        server.send_to(&[2], arrival.from).expect("the loopback interface");
        let (_, from) = client.recv_from(&mut [0; 8]).expect("the reply");
        assert_eq!(from.ip(), arrival.from.local.expect("it was just compared"));
    }
}

fn ip(command: &str) -> bool {
    let told = std::process::Command::new("ip").args(command.split(' ')).status();
    told.is_ok_and(|status| status.success())
}

#[test]
fn later_send_failures_are_reported() {
    if !has_own_network("later_send_failures_are_reported") {
        return;
    }
    assert!(ip("link set lo up") && ip("route add 192.0.2.0/24 dev lo"));
    let client = client();
    let link = connect(&ConnectConfig::to("192.0.2.1", 9), &client, &key(1, 9));
    wait(|| link.status().counts.requests > 0);
    assert_eq!((link.status().state, link.status().unsent), (LinkState::Checking, 0));
    // Reject these datagrams as a firewall would.
    assert!(ip("route replace prohibit 192.0.2.0/24"));
    wait(|| link.status().unsent > 0);
    wait(|| next_event(&client) == Some(Event::LinkNotPossible));
    assert_eq!((link.status().state, link.status().trouble), (LinkState::NotPossible, Trouble::Prohibited));
    assert!(ip("route replace 192.0.2.0/24 dev lo"));
    wait(|| link.status().state == LinkState::Checking);
}

#[test]
fn network_outages_are_detected() {
    // This test's own namespace keeps the network up for other tests.
    if !has_own_network("network_outages_are_detected") {
        return;
    }
    assert!(ip("link set lo up"));
    let server = serve("127.0.0.1:0", true);
    let client = client();
    let link = connect(&ConnectConfig::to("127.0.0.1", server.address().port()), &client, &key(1, 9));
    wait(|| link.status().state == LinkState::Linked);
    wait(|| next_event(&client) == Some(Event::Linked));
    assert!(ip("link set lo down"));
    wait(|| next_event(&client) == Some(Event::LinkBlocked));
    wait(|| link.status().state != LinkState::Linked);
    // A link that worked before is checked again immediately.
    assert!(ip("link set lo up"));
    wait(|| next_event(&client) == Some(Event::Linked));
    wait(|| (link.status().state, link.status().trouble) == (LinkState::Linked, Trouble::None));
}
