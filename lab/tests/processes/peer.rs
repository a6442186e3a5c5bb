//! Peers and their relay as real processes. They all have one clock, however long the relay holds messages
//! and whichever peer is lost.

use std::net::UdpSocket;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::support::{KEY, OTHER_KEY, Outcome, Running, ended_with, file};

fn relay(arguments: &[&str]) -> Outcome<(Running, String)> {
    let relay = Running::server(&[&["relay", "--listen", "127.0.0.1:0"], arguments].concat())?;
    let address = relay.address.clone();
    Ok((relay, address))
}

fn peer(address: &str, arguments: &[&str]) -> Outcome<Running> {
    let usual = ["peer", "--relay", address, "--game", "5", "--json", "--with-parent"];
    Running::start(&[&usual, arguments].concat())
}

/// A line printed by a peer: the machine's time and the peer's reading, in ticks.
struct Read {
    machine: i64,
    time: i64,
    bound: i64,
    authority: String,
    primary: bool,
    epoch: u64,
}

fn reads(lines: &[Value]) -> Vec<Read> {
    let playing = lines.iter().filter(|line| line["type"] == "read" && line["stage"] == "Playing");
    playing
        .filter_map(|line| {
            Some(Read {
                machine: line["machine"].as_i64()?,
                time: line["time"].as_i64()?,
                bound: line["bound"].as_i64()?,
                authority: line["authority"].as_str()?.to_owned(),
                primary: line["role"] == "Primary",
                epoch: line["epoch"].as_u64()?,
            })
        })
        .collect()
}

/// Fails unless a secondary has at least `least` reads beside reads of the primary of the same authority, and
/// none of these differ by more than both bounds. Both peers read the machine's clock, which shows how far
/// apart two reads are.
#[track_caller]
fn agree(secondary: &[Read], primary: &[Read], least: usize) {
    let of = |read: &Read| {
        let same = primary.iter().filter(|other| other.primary && other.authority == read.authority);
        let nearest = same.min_by_key(|other| (other.machine - read.machine).abs())?;
        let elapsed = read.machine - nearest.machine;
        // The crystals may differ by 100 ppm of the time between the two reads.
        let error = read.time - nearest.time - elapsed;
        Some((error, read.bound + nearest.bound + elapsed.abs() / 10_000 + 1))
    };
    let errors: Vec<(i64, i64)> = secondary.iter().filter(|read| !read.primary).filter_map(of).collect();
    assert!(errors.len() > least, "{} reads beside the primary", errors.len());
    assert!(errors.iter().all(|(error, bound)| error.abs() <= *bound), "{errors:?}");
}

/// Fails unless two peers play and agree.
#[track_caller]
fn play_together(said: &[Vec<Value>; 2]) {
    let [one, other] = said.each_ref().map(|lines| reads(lines));
    assert!(one.len() > 10, "{} and {} reads", one.len(), other.len());
    assert!(other.len() > 10, "{} and {} reads", one.len(), other.len());
    let (leads, follows) = if one.iter().any(|read| read.primary) { (&one, &other) } else { (&other, &one) };
    agree(follows, leads, 10);
}

fn backwards(lines: &[Value]) -> u64 {
    lines.iter().filter_map(|line| line["backwards"].as_u64()).max().unwrap_or(0)
}

#[test]
fn three_peers_outlive_their_primary() -> Outcome {
    let (_relay, address) = relay(&["--hold", "20..80"])?;
    let first = peer(&address, &["--ppm", "30"])?;
    thread::sleep(Duration::from_millis(700));
    // Any two crystals differ by less than the 100 ppm for which the bounds allow.
    let others = [peer(&address, &["--ppm", "-40"])?, peer(&address, &["--ppm", "50"])?];
    thread::sleep(Duration::from_secs(6));
    let first = first.kill();
    thread::sleep(Duration::from_secs(8));
    let said: Vec<Vec<Value>> = others.into_iter().map(Running::kill).collect();
    let (first, rest) = (reads(&first), said.iter().map(|lines| reads(lines)).collect::<Vec<_>>());
    assert!(first.len() > 20, "the first peer reads: {}", first.len());
    assert!(first.iter().all(|read| read.primary), "the first peer leads");
    for (lines, reads) in said.iter().zip(&rest) {
        assert_eq!(backwards(lines), 0);
        assert!(reads.iter().all(|read| read.epoch == 1), "nobody stepped");
        // From start to end, the shared time follows the machine's clock within its promised bound.
        let (start, end) = (&reads[0], &reads[reads.len() - 1]);
        let off = (end.time - start.time) - (end.machine - start.machine);
        let drift = (end.machine - start.machine) / 5_000;
        assert!(off.abs() <= start.bound + end.bound + drift, "{off} of {} and {}", start.bound, end.bound);
        // The relay reports its holds. With round trips alone, no bound could be below 20 ms.
        let least = reads.iter().filter(|read| !read.primary).map(|read| read.bound).min();
        assert!(least < Some(100_000), "a secondary's smallest bound is {least:?} ticks");
        agree(reads, &first, 20);
    }
    let promoted = rest.iter().position(|reads| reads.last().is_some_and(|read| read.primary));
    let promoted = promoted.ok_or("nobody leads after the primary was killed")?;
    agree(&rest[1 - promoted], &rest[promoted], 20);
    Ok(())
}

/// A LOGIN message of 36 bytes that anybody could make up.
fn login(key: u64) -> [u8; 36] {
    let mut bytes = [0; 36];
    (bytes[1], bytes[3], bytes[5]) = (0x1, 36, 1);
    bytes[12..20].copy_from_slice(&key.to_be_bytes());
    bytes[20..28].copy_from_slice(&(key % 16).to_be_bytes());
    bytes
}

#[test]
fn forged_logins_keep_no_peer_out_of_a_real_relay() -> Outcome {
    let (relay, address) = relay(&[])?;
    // 36 kB/s from ever new addresses, which is more than what once kept a relay full. The flood begins
    // before the peers join.
    let until = std::time::Instant::now() + Duration::from_secs(6);
    let attacked = address.clone();
    let attack = thread::spawn(move || -> std::io::Result<(usize, usize)> {
        let (mut sent, mut answered, mut key) = (0, 0, 0_u64);
        while std::time::Instant::now() < until {
            let socket = UdpSocket::bind("127.0.0.1:0")?;
            socket.set_nonblocking(true)?;
            for _ in 0..10 {
                key += 1;
                sent += socket.send_to(&login(key), &attacked)?;
            }
            thread::sleep(Duration::from_millis(10));
            let mut answer = [0; 2048];
            while let Ok((size, _)) = socket.recv_from(&mut answer) {
                assert_eq!((size, answer[..4].to_vec()), (36, vec![0, 4, 0, 36]), "only ever a challenge");
                answered += size;
            }
        }
        Ok((sent, answered))
    });
    thread::sleep(Duration::from_millis(1_000));
    let peers = [peer(&address, &[])?, peer(&address, &["--ppm", "50"])?];
    let (sent, answered) = attack.join().map_err(|_| "the attack failed")??;
    let said = peers.map(Running::kill);
    assert!(sent > 50_000, "{sent} bytes");
    assert!(answered > 0 && answered <= sent, "{answered} bytes for {sent}");
    play_together(&said);
    drop(relay);
    Ok(())
}

#[test]
fn a_relay_with_keys_connects_those_who_have_one() -> Outcome {
    let second = "8 102132435465768798a9bacbdcedfe0f\n";
    let known = file("relay-keys", [KEY, second].concat());
    let (first, second) = (file("relay-first", KEY), file("relay-second", second));
    let other = file("relay-other", OTHER_KEY);
    let (relay, address) = relay(&["--key-file", &known])?;
    // The strangers come first, so that they would become the primary.
    let strangers = [peer(&address, &[])?, peer(&address, &["--key-file", &other])?];
    thread::sleep(Duration::from_millis(500));
    let peers =
        [peer(&address, &["--key-file", &first])?, peer(&address, &["--key-file", &second, "--ppm", "50"])?];
    thread::sleep(Duration::from_secs(4));
    let said = peers.map(Running::kill);
    play_together(&said);
    let players = said.iter().flatten().filter_map(|line| line["players"].as_u64()).max();
    assert_eq!(players, Some(2), "nobody else has a slot");
    for stranger in strangers {
        assert_eq!(reads(&stranger.kill()).len(), 0, "without a key nobody plays");
    }
    drop(relay);
    Ok(())
}

#[test]
fn the_simulated_peers_beat_the_published_clock() -> Outcome {
    let rows = ended_with(0, &["peer", "--simulate", "--seeds", "1", "--json"]).json()?;
    let rows = rows.as_array().ok_or("no rows")?;
    assert_eq!(rows.len(), 6);
    for row in rows {
        let number = |name: &str| row[name].as_f64().unwrap_or(f64::NAN);
        assert_eq!((number("backwards"), number("steps")), (0.0, 0.0), "{row}");
        if row["is_honest"] == true {
            assert_eq!(number("outside"), 0.0, "{row}");
            assert!(number("bias_ms").abs() < 1.5, "{row}");
            assert!(number("p99_ms") < 5.0, "{row}");
            assert!(number("p99_ms") < number("trimmed_mean_p99_ms") / 4.0, "{row}");
        } else {
            assert!(number("bias_ms").abs() > 8.0, "{row}");
        }
    }
    Ok(())
}
