use serde_json::Value;

use crate::support::{OF_C, Outcome, ended_with, file, temporary};

fn data(html: &str) -> Option<Value> {
    let (_, data) = html.split_once("id=\"data\">")?;
    serde_json::from_str(data.split_once("</script>")?.0).ok()
}

#[test]
fn the_page_of_a_recording_has_the_values_of_the_json() -> Outcome {
    let (recording, page) = (file("c.csv", OF_C), temporary("c.html"));
    let report = ended_with(0, &["report", &recording, "-o", &page, "--json"]).json()?;
    let html = std::fs::read_to_string(&page)?;
    assert_eq!(data(&html).ok_or("the page has data")?, report["page"]);
    // In this recording, the server restarts, one reply is slow, and one reply contradicts the others.
    let kinds: Vec<&Value> = report["sessions"][0]["verdicts"]
        .as_array()
        .ok_or("verdicts")?
        .iter()
        .map(|it| &it["kind"])
        .collect();
    assert_eq!(kinds, ["server_restart", "refused", "refused"], "{report:#}");
    assert!(html.contains("<title>Session report: "), "the page should have a title");
    assert_eq!(report["page"]["parts"][0]["title"], "", "the title should not be repeated");
    assert!(html.contains("The server&#x27;s clock restarted"), "the verdict is text");
    assert!(html.contains("belong to 1 verdict above"), "one verdict should be singular");
    // The reference covers both server epochs, so no error may be as large as the gap between the epochs.
    let charts = report["page"]["parts"][0]["blocks"].as_array().ok_or("blocks")?;
    let error = charts.iter().find(|it| it["content"]["id"] == "error").ok_or("a chart of errors")?;
    let curve =
        error["content"]["curves"].as_array().ok_or("curves")?.iter().find(|it| it["label"] == "error");
    let values = curve.ok_or("a curve of errors")?["y"].as_array().ok_or("values")?;
    let errors: Vec<f64> = values.iter().filter_map(Value::as_f64).collect();
    assert!(errors.len() > 50, "{errors:?}");
    assert!(errors.iter().all(|error| error.abs() < 10.0), "{errors:?}");
    Ok(())
}

#[test]
fn an_authority_is_an_event_only_if_it_adds_to_the_epoch() -> Outcome {
    let alone = OF_C.replace(",8,8,10000", ",8,8,0").replace(",9,8,10000", ",9,9,0");
    for (name, recording, count) in [("fleet.csv", OF_C, 2), ("alone.csv", &alone, 0)] {
        let report = ended_with(0, &["report", &file(name, recording), "--json"]).json()?;
        let blocks = report["page"]["parts"][0]["blocks"].as_array().ok_or("blocks")?;
        let rows = blocks.last().ok_or("events")?["content"]["rows"].as_array().ok_or("rows")?;
        assert_eq!(rows.iter().filter(|row| row[1] == "authority").count(), count, "{name}: {rows:?}");
    }
    Ok(())
}

#[test]
fn without_a_page_the_verdicts_are_printed() {
    let said = ended_with(0, &["report", &file("words.csv", OF_C)]).out;
    assert!(said.contains("\n  The server's clock restarted"), "{said}");
    assert!(said.contains("-o OUT.html"), "{said}");
}

#[test]
fn a_comparison_lists_the_better_clock_first() -> Outcome {
    let page = temporary("what-if.html");
    let said =
        ended_with(0, &["report", "--scenario", "route_forward", "--against", "ntp_min8", "-o", &page]);
    let (_, sentence) = said.out.split_once("\n  What if: ").ok_or("a sentence")?;
    let sentence = sentence.lines().next().unwrap_or_default();
    assert!(sentence.starts_with("99 % of the errors are within "), "{sentence}");
    let place = |clock: &str| sentence.find(&format!(" ms for {clock}"));
    assert!(place("netclock").is_some() && place("netclock") < place("ntp_min8"), "{sentence}");
    assert!(std::fs::read_to_string(&page)?.contains(&format!("<p>{sentence}")), "the page should say so");
    Ok(())
}

#[test]
fn several_sessions_become_one_page() -> Outcome {
    let (recording, page) = (file("twice.csv", OF_C), temporary("twice.html"));
    ended_with(0, &["report", &recording, "--scenario", "lan", "--seconds", "20", "-o", &page]);
    let html = std::fs::read_to_string(&page)?;
    assert_eq!(html.matches("<section ").count(), 2);
    assert!(html.contains("Session report: 2 sessions"));
    let overview = &data(&html).ok_or("the page has data")?["overview"]["rows"];
    let row =
        |at: usize| overview[at].as_array().ok_or("a row").map(|row| row.iter().filter_map(Value::as_str));
    let [one, other] = [row(0)?.collect::<Vec<_>>(), row(1)?.collect()];
    assert_eq!((one[0], one[1], other[1]), (&*recording, "3", "0"), "{overview}");
    assert!(one[4].starts_with("note: The server's clock restarted"), "{overview}");
    assert!(other[4].starts_with("fine: Nothing unusual"), "{overview}");
    let figures = [&one[2..4], &other[2..4]].concat();
    assert!(figures.iter().all(|it| it.parse::<f64>().is_ok()), "{overview}");
    assert!(html.contains("<a href=\"#part-1\">lan: "), "the session's name should link to its part");
    Ok(())
}

#[test]
fn invalid_recordings_are_rejected_with_reason_and_line() {
    let cases: [(&str, &[u8], &str); 3] = [
        ("empty", b"", ":1: the line with the format version is \"\""),
        ("foreign", b"\x89PNG\r\n\x1a\n\0\xff", "is not text"),
        ("late", &OF_C.replace("authority,5", "authority,x").into_bytes(), "arrived is \"x00000000\""),
    ];
    for (name, content, complaint) in cases {
        let (recording, page) = (file(name, content), temporary("refused"));
        for command in
            [&["report", &recording, "-o", &page][..], &["export", &recording, "--perfetto", &page]]
        {
            let said = ended_with(2, command).err;
            assert!(said.contains(complaint), "{command:?}: {said}");
            assert!(said.contains(name), "{command:?}: {said}");
            let is_left = |path: &str| std::path::Path::new(path).exists();
            assert!(!is_left(&page), "{command:?}: a file was left behind");
            assert!(!is_left(&format!("{page}.part")), "{command:?}: a file was left behind");
        }
    }
}
