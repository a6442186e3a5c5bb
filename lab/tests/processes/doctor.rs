//! Tests `lab doctor` on loopback with a healthy server, over a bad path, and without a server.

use std::net::{TcpListener, UdpSocket};

use serde_json::Value;

use crate::support::{Ended, KEY, OTHER_KEY, Outcome, Running, file, run};

fn doctor(arguments: &[&str]) -> Ended {
    run(&[&["doctor"], arguments].concat())
}

fn weight<'a>(report: &'a Value, id: &str) -> Option<&'a str> {
    let findings = report["findings"].as_array()?;
    findings.iter().find(|finding| finding["id"] == id)?["weight"].as_str()
}

#[test]
fn a_nearby_server_is_examined() -> Outcome {
    let server = Running::serve(&[])?;
    let ended = doctor(&[&server.address, "--seconds", "2", "--json"]);
    let report = ended.json()?;
    // On a busy machine, messages may be lost or late, but there must be no extra ones.
    assert!(matches!(ended.code, Some(0 | 1)), "{report:#}{}", ended.err);
    let (requests, answered) = (&report["path"]["requests"], &report["path"]["answered"]);
    assert!(answered.as_u64() > Some(0) && answered.as_u64() <= requests.as_u64(), "{report:#}");
    assert_eq!((&report["path"]["copies"], &report["path"]["strange"]), (&0.into(), &0.into()), "{report:#}");
    assert_eq!(weight(&report, "clock_back"), Some("fine"));
    let bound = report["accuracy"]["error_bound_ms"].as_f64().ok_or("a bound")?;
    assert!(bound > 0.0 && bound < 1_000.0, "{report:#}");
    Ok(())
}

#[test]
fn with_a_key_the_link_is_examined() -> Outcome {
    let (key, other) = (file("doctors-key", KEY), file("doctors-other-key", OTHER_KEY));
    let server = Running::serve(&["--key-file", &key])?;
    let ended = doctor(&[&server.address, "--seconds", "2", "--json", "--key-file", &key]);
    let report = ended.json()?;
    assert!(matches!(ended.code, Some(0 | 1)), "{report:#}{}", ended.err);
    let path = &report["path"];
    assert!(path["answered"].as_u64() > Some(5), "{report:#}");
    assert!(path["answered"].as_u64() <= path["requests"].as_u64(), "{report:#}");
    assert_eq!((&path["is_keyed"], &path["strange"], &path["copies"]), (&true.into(), &0.into(), &0.into()));
    if cfg!(target_os = "linux") {
        assert_eq!(weight(&report, "stamps"), Some("fine"), "{report:#}");
    }
    for refused in [&["--key-file", &other][..], &[]] {
        let ended = doctor(&[&[&server.address, "--seconds", "1"], refused].concat());
        assert_eq!(ended.code, Some(3), "{}", ended.out);
        assert!(ended.out.contains("key"), "{}", ended.out);
    }
    Ok(())
}

/// The server listens on all addresses, and the client contacts the second loopback address.
#[test]
#[cfg(target_os = "linux")]
fn a_server_replies_from_the_requested_address() -> Outcome {
    let (key, both) = (file("doctors-key-of-two", KEY), ["serve", "--bind", "0.0.0.0:0"]);
    let keyed = [&both[..], &["--key-file", &key]].concat();
    for (serves, asks) in [(&both[..], &[][..]), (&keyed[..], &["--key-file", &key])] {
        let server = Running::server(serves)?;
        let port = server.address.rsplit_once(':').ok_or("a port")?.1;
        let ended = doctor(&[&[&format!("127.0.0.2:{port}"), "--seconds", "1", "--json"], asks].concat());
        assert!(matches!(ended.code, Some(0 | 1)), "{}{}", ended.out, ended.err);
        assert!(ended.json()?["path"]["answered"].as_u64() > Some(5), "{}", ended.out);
    }
    Ok(())
}

#[test]
fn an_unknown_name_is_not_a_usage_error() -> Outcome {
    let ended = doctor(&["no.such.host.invalid:7117", "--json"]);
    assert_eq!(
        (ended.code, weight(&ended.json()?, "unknown_host")),
        (Some(3), Some("fault")),
        "{}",
        ended.err
    );
    let ended = doctor(&["no.such.host.invalid:7117"]);
    assert_eq!(ended.code, Some(3), "{}{}", ended.out, ended.err);
    assert!(ended.out.contains("name service"), "{}", ended.out);
    Ok(())
}

#[test]
fn loss_and_duplication_are_reported() -> Outcome {
    let server = Running::serve(&[])?;
    let impair = ["impair", "--listen", "127.0.0.1:0", "--both", "delay=10,loss=30,duplicate=30", "--to"];
    let bad = Running::server(&[&impair[..], &[&server.address]].concat())?;
    let ended = doctor(&[&bad.address, "--seconds", "4", "--json"]);
    let report = ended.json()?;
    assert_eq!(ended.code, Some(1), "{report:#}");
    assert_eq!(weight(&report, "loss"), Some("warning"), "{report:#}");
    assert_eq!(weight(&report, "copies"), Some("note"), "{report:#}");
    Ok(())
}

#[test]
fn missing_replies_have_a_reason_and_an_exit_code() -> Outcome {
    let silent = UdpSocket::bind("127.0.0.1:0")?;
    let address = silent.local_addr()?;
    // An open TCP port tells the doctor that the host is up.
    let door = TcpListener::bind(address);
    let ended = doctor(&[&address.to_string(), "--seconds", "1"]);
    let said = ended.out;
    assert_eq!(ended.code, Some(3), "{said}");
    assert!(said.contains("did not answer any"), "{said}");
    assert!(said.contains("Allow UDP"), "{said}");
    drop((silent, door));
    let ended = doctor(&[&address.to_string(), "--seconds", "1", "--json"]);
    let report = ended.json()?;
    assert_eq!(ended.code, Some(3));
    if cfg!(target_os = "linux") {
        assert_eq!(weight(&report, "not_listening"), Some("fault"), "{report:#}");
    }
    assert_eq!(report["accuracy"], Value::Null);
    Ok(())
}
