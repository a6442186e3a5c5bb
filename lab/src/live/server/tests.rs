use std::io::{Read, Write};
use std::net::TcpStream;

use super::*;
use crate::report::{Finding, Weight};

fn live() -> Live {
    let controls = vec![Act { act: "stall".to_owned(), row: Some(0) }];
    let hub = Arc::new(Hub::new(1, 1));
    let (address, page) = (SocketAddr::from(([127, 0, 0, 1], 0)), "<p>page".to_owned());
    Live::start(address, page, hub, controls).expect("a free port")
}

fn connect(live: &Live) -> TcpStream {
    let stream = TcpStream::connect(live.address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a limit");
    stream
}

fn ask(live: &Live, head: &str, body: &str) -> String {
    let mut stream = connect(live);
    let request = format!("{head}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("it answers");
    text
}

fn act(live: &Live, origin: &str, body: &str) -> String {
    let host = live.address;
    let text = ask(live, &format!("POST /act HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}"), body);
    text.lines().next().unwrap_or_default().to_owned()
}

fn until(stream: &mut impl Read, end: &str) -> String {
    let mut text = Vec::new();
    let mut byte = [0];
    while !text.ends_with(end.as_bytes()) {
        stream.read_exact(&mut byte).expect("it goes on");
        text.push(byte[0]);
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn only_browsers_on_this_machine_are_served() {
    let live = live();
    let get = |host: &str, path: &str| ask(&live, &format!("GET {path} HTTP/1.1\r\nHost: {host}"), "");
    for host in ["localhost", "localhost:7118", "127.0.0.1:7118", "[::1]:7118"] {
        let text = get(host, "/");
        assert!(text.starts_with("HTTP/1.1 200"), "{host}: {text}");
        assert!(text.ends_with("<p>page"), "{host}: {text}");
    }
    for host in ["evil.example", "evil.example:7118", "localhost.evil.example", ""] {
        assert!(get(host, "/").starts_with("HTTP/1.1 403"), "{host}");
        assert!(get(host, "/state").starts_with("HTTP/1.1 403"), "{host}");
    }
    assert!(get("localhost", "/state").contains("\"rows\":[[]]"));
    assert!(get("localhost", "/nothing").starts_with("HTTP/1.1 404"));
    assert!(ask(&live, "DELETE / HTTP/1.1\r\nHost: localhost", "").starts_with("HTTP/1.1 405"));
}

#[test]
fn only_the_page_can_press_its_buttons() {
    let live = live();
    let (own, press) = (format!("http://{}", live.address), r#"{"act":"stall","row":0}"#);
    assert!(act(&live, "http://evil.example", press).contains("403"));
    assert!(act(&live, "null", press).contains("403"));
    for wrong in ["", "{", "[]", r#"{"act":"stall","row":1}"#, r#"{"act":"rm","row":0}"#, &"x".repeat(5_000)]
    {
        assert!(act(&live, &own, wrong).contains("400"), "{wrong}");
    }
    assert_eq!(live.pressed(), None);
    assert!(act(&live, &own, press).contains("202"));
    assert_eq!(live.pressed(), Some(Act { act: "stall".to_owned(), row: Some(0) }));
    (0..MOST_ACTS).for_each(|_| assert!(act(&live, &own, press).contains("202")));
    assert!(act(&live, &own, press).contains("429"));
}

#[test]
fn excess_connections_wait() {
    let live = live();
    // Each silent connection occupies a slot.
    let silent: Vec<TcpStream> = (0..MOST_SERVED).map(|_| connect(&live)).collect();
    let head = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let mut waiting: Vec<TcpStream> = (0..100).map(|_| connect(&live)).collect();
    for stream in &mut waiting {
        stream.write_all(head.as_bytes()).expect("the system keeps it");
    }
    waiting[0].set_read_timeout(Some(Duration::from_millis(100))).expect("a limit");
    assert!(waiting[0].read(&mut [0]).is_err(), "no slot should be free");
    drop(silent);
    for stream in &mut waiting[1..] {
        assert!(until(stream, "<p>page").starts_with("HTTP/1.1 200"));
    }
}

#[test]
fn browsers_get_the_end_before_the_server_stops() {
    let live = live();
    let get = "GET /state?since=0 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut stream = connect(&live);
    let mut state = || {
        stream.write_all(get.as_bytes()).expect("it reads");
        until(&mut stream, "}")
    };
    assert!(state().contains("\"end\":null"));
    live.hub.end(Finding::new(Weight::Fine, "over".to_owned(), None));
    let ending = std::thread::spawn(move || drop(live));
    assert!(state().contains("over"));
    ending.join().expect("it ends");
}
