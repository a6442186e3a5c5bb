use anyhow::Result;
use netclock::timeline::{Publisher, PublisherConfig, Rate};
use netclock::{RequestId, Span, WorldTime};

use super::*;

fn parse(bytes: &[u8]) -> Result<(Recording, Option<usize>)> {
    Recording::parse(bytes, "file", Stretch::default(), 100)
}

fn fault(lines: &str) -> String {
    format!("{:#}", parse(lines.as_bytes()).expect_err("must be refused"))
}

fn with_older_header(lines: &str) -> String {
    let columns: Vec<&str> = COLUMNS.split(',').collect();
    format!("{}\n{}\n{lines}", OLDER.0, columns[..columns.len() - OLDER.1].join(","))
}

#[track_caller]
fn faults_contain(cases: &[(&str, &str)]) {
    for (lines, expected) in cases {
        let fault = fault(&with_older_header(lines));
        assert!(fault.contains(expected), "{expected} in {fault}");
    }
}

#[test]
fn statuses_match_the_c_header() {
    let header = include_str!("../../../include/netclock/netclock.h");
    for (number, name, _) in STATUSES {
        let value = if number < 0 { format!("({number})") } else { number.to_string() };
        assert!(header.contains(&format!("#define {name} {value}\n")), "{name}");
    }
}

#[test]
fn errors_contain_the_line_and_the_cause() {
    assert!(fault("").contains("file:1: the line with the format version is \"\""));
    assert!(fault("# netclock recording 5\n").contains("expected \"# netclock recording 4\""));
    assert!(fault(&format!("{}\n{COLUMNS}\n", OLDER.0)).contains("file:2: the line with the column names"));
    let newest = |line: &str| fault(&format!("{VERSION}\n{COLUMNS}\n{line}\n"));
    assert!(newest("0,1,7,0,1,1,2,0").contains("file:3: 8 values instead of 10"));
    assert!(newest("0,1,7,0,1,1,2,0,0,-1").contains("file:3: client_wait is \"-1\""));
    assert!(fault(VERSION).contains("file:2: the line with the column names is \"\""));
    assert!(fault(&"x".repeat(5_000)).contains("file:1: the line with the format version is \"xxx"));
    assert!(fault(&with_older_header(&"9".repeat(5_000))).contains("file:3: 1 values instead of 8"));
    assert!(fault(&format!("{VERSION}\nstatus,id\n")).contains("file:2: the line with the column names"));
    assert!(fault(&with_older_header("")).contains("no exchanges"));
    faults_contain(&[
        ("0,1,7,0,1,1,2,0\n0,1,7,0,1,1,2\n", "file:4: 7 values instead of 8"),
        ("0,1,7,0,1,1,2,1,3\n", "file:3: 9 values instead of 8"),
        ("0,1,7,0,x,1,2,0\n", "file:3: server_received is \"x\""),
        ("0,-1,7,0,1,1,2,0\n", "file:3: id is \"-1\""),
        ("0,1,7,0,1,1,99999999999999999999,0\n", "file:3: client_received is \"99999999999999999999\""),
        ("0,1,7,0,1,1,2,2\n", "file:3: path is \"2\""),
        ("-1,1,7,0,1,1,2,0\n", "file:3: status -1 is not a result"),
        ("-101,1,7,0,1,1,2,0\n", "file:3: status is -101 and client_sent 0"),
        ("0,1,7,-9223372036854775808,1,1,2,0\n", "file:3: status is 0 and client_sent -9223372036854775808"),
        ("0,1,7,0,1,1,2,0\n\n0,1,7,0,1,1,2,0\n", "file:4: 1 values instead of 8"),
    ]);
}

#[test]
fn only_a_truncated_last_line_is_lost() {
    let whole = with_older_header("0,1,7,0,1,1,2,0\n0,2,7,10,11,11,12,1\n");
    let (all, cut) = parse(whole.as_bytes()).expect("it is complete");
    assert_eq!((all.exchanges.len(), cut), (2, None));
    let first = with_older_header("0,1,7,0,1,1,2,0\n").len();
    for end in first + 1..whole.len() {
        let (kept, cut) = parse(&whole.as_bytes()[..end]).expect("the other lines are complete");
        assert_eq!((kept.exchanges, cut), (all.exchanges[..1].to_vec(), Some(4)), "cut to {end} bytes");
    }
    let strange = [whole.as_bytes(), &[0xff, 0xfe]].concat();
    assert_eq!(parse(&strange[..]).expect("the other lines are complete").1, Some(5));
}

#[test]
fn imported_files_can_be_read() {
    let lines = "round_trips_only\nunknown,1,7,0,1,1,2,0\ntruth,30,-5,2\ntruth,20,4,1\n";
    let (recording, _) = parse(with_older_header(lines).as_bytes()).expect("an importer wrote it");
    assert!(recording.round_trips_only);
    let [exchange] = &recording.exchanges[..] else { panic!("{:?}", recording.exchanges) };
    assert!(!exchange.has_status && exchange.sample.outcome.is_ok());
    let truth = recording.truth.iter().map(|it| [it.at.ticks(), it.offset.ticks(), it.uncertainty.ticks()]);
    assert_eq!(truth.collect::<Vec<_>>(), [[20, 4, 1], [30, -5, 2]], "in order of time");
    assert!(fault(&with_older_header("truth,20,4\n")).contains("file:3"));
    assert!(fault(&with_older_header("truth,20,4,x\n")).contains("file:3"));
}

#[test]
fn a_written_recording_can_be_read() {
    let path = std::env::temp_dir().join(format!("netclock-recording-{}.csv", std::process::id()));
    let known = Sample {
        id: Some(RequestId(u64::MAX)),
        server_epoch: None,
        client_sent: Some(LocalTime::from_ticks(-5)),
        server_received: ServerTime::from_ticks(i64::MAX),
        server_sent: ServerTime::from_ticks(6),
        client_received: LocalTime::from_ticks(7),
        server_wait: Some(Span::ZERO),
        client_wait: Some(Span::from_ticks(170_000)),
        by_link: true,
        outcome: Err(Refusal::StampOutOfRange),
    };
    let unknown = Sample {
        by_link: false,
        client_sent: None,
        server_wait: None,
        outcome: Err(Refusal::UnknownRequest),
        ..known
    };
    let mut recorder = Recorder::create(&path).expect("the temporary directory is writable");
    recorder.add(&known).and_then(|()| recorder.add(&unknown)).expect("the file is writable");
    let announced = announcements();
    for (seconds, what) in (0..).zip(&announced) {
        let at = LocalTime::from_ticks(known.client_received.ticks() + seconds);
        recorder.announce(at, what).expect("the file is writable");
    }
    recorder.finish().expect("the file is writable");
    let read = Recording::read(&path, Stretch::default()).expect("it was just written");
    let _ = std::fs::remove_file(&path);
    assert_eq!(
        read.exchanges,
        [(3, known), (4, unknown)].map(|(line, sample)| Recorded { line, sample, has_status: true })
    );
    assert_eq!(read.announced.iter().map(|it| it.what).collect::<Vec<_>>(), announced);
    assert!(read.announced.iter().all(|it| it.after == 2));
    let words: Vec<String> = announced.iter().map(Announcement::words).collect();
    assert!(words[0].contains("0x55"), "{words:?}");
    assert!(words[1].contains("runs at 0.50"), "{words:?}");
    assert!(words[2].contains("2.000 s"), "{words:?}");
    assert!(words[3].contains("cancelled"), "{words:?}");
}

fn announcements() -> Vec<Announcement> {
    let mut publisher = Publisher::new(PublisherConfig::default(), 5, 1).expect("valid settings");
    let half = Rate::new(0.5).expect("in range");
    let first = publisher.observe(ServerTime::from_ticks(0), WorldTime::from_ticks(0), half);
    let segment = first.expect("valid").expect("the first is published");
    let authority = Authority { epoch: u64::MAX, timescale: 0x55, dispersion: Span::from_millis(2) };
    let start = |version, at| Announcement::Start { version, server_epoch: 7, at };
    vec![
        Announcement::Authority(authority),
        Announcement::Segment(segment),
        start(1, Some(ServerTime::from_ticks(20_000_000))),
        start(2, None),
    ]
}

#[test]
fn announcements_keep_their_position() {
    let lines = "authority,5,7,9,10\n0,1,7,0,1,1,2,0\nstart,6,1,7,99\n";
    let (read, _) = parse(with_older_header(lines).as_bytes()).expect("a recording");
    assert_eq!(
        read.announced.iter().map(|it| (it.what.name(), it.after)).collect::<Vec<_>>(),
        [("authority", 0), ("start", 1)]
    );
    faults_contain(&[
        ("authority,5,7,9\n", "file:3: \"authority,5,7,9\", with 4 values"),
        ("authority,x,7,9,10\n", "arrived is \"x\""),
        ("segment,5,00\n", "not a segment"),
        ("segment,5,0g\n", "hexadecimal digits"),
        ("segment,5,é\n", "hexadecimal digits"),
        ("start,5,-1,7,9\n", "version is \"-1\""),
        ("handover,5\n", "2 values instead of 8"),
    ]);
}

#[test]
fn a_stretch_is_relative_to_the_first_exchange() {
    let line = |second: i64| {
        let at = (100 + second) * 10_000_000;
        format!("0,{second},7,{},1,1,{at},0\n", at - 1)
    };
    let whole = with_older_header(&(0..60).map(line).collect::<String>());
    let read = |from, length| {
        Recording::parse(whole.as_bytes(), "file", Stretch { from, length }, 30).map(|it| it.0)
    };
    let ids = |read: Result<Recording>| -> Vec<u64> {
        let exchanges = read.expect("a stretch").exchanges;
        exchanges.iter().filter_map(|it| it.sample.id).map(|id| id.0).collect()
    };
    assert_eq!(ids(read(Some(10.0), Some(3.0))), [10, 11, 12, 13]);
    assert_eq!(ids(read(Some(57.0), None)), [57, 58, 59]);
    // The exchange at second 0 has no id, because an id of 0 means unknown.
    assert_eq!(ids(read(None, Some(1.0))), [1]);
    for (from, length, complaint) in
        [(None, None, "more than 30 exchanges"), (Some(60.0), None, "no exchanges between")]
    {
        let error = format!("{:#}", read(from, length).expect_err("must be refused"));
        assert!(error.contains(complaint), "{error}");
    }
}
