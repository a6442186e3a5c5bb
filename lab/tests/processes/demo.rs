//! Checks the demo's guarantees, which must hold on any machine.

use serde_json::Value;

use crate::support::{Outcome, ended_with, temporary};

#[test]
fn every_read_of_a_short_demo_is_within_its_bound() -> Outcome {
    let report = temporary("demo.html");
    let seed = std::env::var("NETCLOCK_SEED").unwrap_or_else(|_| "1".to_owned());
    let usual = ["demo", "--seconds", "6", "--clients", "2", "--json", "--seed", &seed, "--report", &report];
    let ended = ended_with(0, &usual);
    let (result, complaint) = (ended.json()?, &ended.err);
    assert_eq!(result["verdict"], "kept", "seed {seed}");
    let clients = result["clients"].as_array().ok_or("no clients")?;
    assert_eq!(clients.len(), 2);
    for account in clients.iter().flat_map(|it| [&it["accounts"]["time"], &it["accounts"]["world"]]) {
        assert!(account["reads"].as_u64() > Some(100), "{account}");
        assert_eq!((&account["outside"], &account["backwards"]), (&Value::from(0), &Value::from(0)));
    }
    let happened = |name: &str| {
        result["happenings"].as_array().is_some_and(|all| all.iter().any(|one| one["label"] == name))
    };
    for name in [
        "stall",
        "route shift",
        "server killed",
        "restart",
        "local gap",
        "server restart",
        "pause",
        "slow motion",
    ] {
        assert!(happened(name), "seed {seed}: no {name}: {complaint}");
    }
    let html = std::fs::read_to_string(&report)?;
    std::fs::remove_file(&report)?;
    for curve in ["NetClock's bound", "Engine's clock", "Best rival", "NetClock"] {
        assert_eq!(html.matches(&format!("\"label\":\"{curve}\"")).count(), 2, "{curve}");
    }
    // An engine's clock always lags by the one-way delay, which is 25 ms here.
    let [engine, best, own] = [0, 1, 2].map(|clock| result["headline"]["p99_ms"][clock].as_f64());
    assert!(engine > Some(20.0), "{}", result["headline"]);
    assert!(best.is_some(), "{}", result["headline"]);
    assert!(own < engine, "{}", result["headline"]);
    assert!(html.contains("server restart"), "the report should contain the incidents");
    assert!(!html.contains("src="), "the report should be self-contained");
    Ok(())
}
