use std::io::{Read, Write};
use std::net::TcpStream;

use super::*;
use crate::demo::plan::DemoPlan;
use crate::demo::record::What;
use crate::report::Weight;
use netclock::Span;

fn record() -> Arc<Mutex<Record>> {
    let plan = DemoPlan::new(6, 6, 1, 1).expect("a plan");
    Arc::new(Mutex::new(Record::new(plan, clock::now())))
}

fn live_with(record: &Arc<Mutex<Record>>) -> Live {
    Live::start(SocketAddr::from(([127, 0, 0, 1], 0)), record).expect("a free port")
}

fn live() -> Live {
    live_with(&record())
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
        assert!(text.ends_with("</html>"), "{host}: {text}");
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
    assert_eq!(live.pressed(), Some(Action::Stall(0)));
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
        assert!(until(stream, "\r\n\r\n").starts_with("HTTP/1.1 200"));
    }
}

#[test]
fn browsers_get_the_end_before_the_server_stops() {
    let record = record();
    let live = live_with(&record);
    let get = "GET /state?since=0 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut stream = connect(&live);
    let mut state = || {
        stream.write_all(get.as_bytes()).expect("it reads");
        until(&mut stream, "}")
    };
    assert!(state().contains("\"end\":null"));
    locked(&record).length = Span::from_secs(1);
    let ending = std::thread::spawn(move || drop(live));
    assert!(state().contains("A client never synchronised."));
    ending.join().expect("it ends");
}

#[test]
fn a_browser_gets_what_is_new() {
    let mut record = Record::new(DemoPlan::new(6, 6, 1, 1).expect("a plan"), clock::now());
    let read = |record: &Record, since| -> serde_json::Value {
        serde_json::from_str(&news(record, since)).expect("JSON")
    };
    record.clients[0].points = (0..10).map(|at| (f64::from(at), [Some(1.0); 5])).collect();
    let rows = |since| read(&record, since)["rows"][0].as_array().map(Vec::len);
    assert_eq!((rows(f64::NEG_INFINITY), rows(7.5), rows(9.0)), (Some(10), Some(2), Some(0)));
    record.start += Span::from_secs(-64);
    assert_eq!(read(&record, f64::NEG_INFINITY)["rows"][0][0][0], 5.0, "older than a minute");
    for number in 0..20_000 {
        record.note(Happening::new(What::Message, Weight::Note, "test", format!("number {number}")));
    }
    let state = read(&record, 0.0);
    let shown = state["happenings"].as_array().map_or(0, Vec::len);
    assert_eq!((shown, &state["earlier"]), (MOST_SHOWN, &(20_000 - MOST_SHOWN).into()));
    assert_eq!(state["happenings"][MOST_SHOWN - 1]["text"], "number 19999");
}
