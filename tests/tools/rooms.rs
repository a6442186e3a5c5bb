//! Tests the dependencies between the modules of each part. `cargo xtask lint` checks the dependencies
//! between parts by building the clock alone and with each other part.

use crate::{files_below, read, root};

/// A module of the clock may use only the modules that precede it in this list.
const CLOCK: [&str; 8] =
    ["ground", "exchange", "keys", "authority", "estimate", "discipline", "client", "responder"];

#[test]
fn a_module_of_the_clock_uses_only_those_before_it() {
    let level = |room: &str| CLOCK.iter().position(|name| *name == room);
    let wrong = forbidden_uses("clock", |from, to| level(from) >= level(to) && level(to).is_some());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn game_features_do_not_use_each_other() {
    let wrong = forbidden_uses("game", |from, to| from == to || to == "serial");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn forbidden_uses(part: &str, may: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let folder = root().join("src").join(part);
    let below = if part == "clock" { vec![part] } else { vec![part, "clock", "os"] };
    let mut wrong = Vec::new();
    for path in files_below(&folder) {
        let text = read(&path);
        let inside = path.strip_prefix(&folder).expect("it is below the root").with_extension("");
        let room = inside.iter().next().expect("it has a name").to_string_lossy().into_owned();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            for named in line.split("crate::").skip(1) {
                let mut words = named.split(|c: char| !c.is_alphanumeric() && c != '_');
                let (first, second) = (words.next().unwrap_or(""), named.split("::").nth(1).unwrap_or(""));
                let to = second.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
                // The crate's root also exports types, whose names start with capital letters.
                let fits = if first == part {
                    may(&room, to)
                } else {
                    below.contains(&first) || first.starts_with(char::is_uppercase)
                };
                if !fits && room != "mod" {
                    wrong.push(format!("{}:{}: {room} -> {}", path.display(), at + 1, line.trim()));
                }
            }
        }
    }
    wrong
}
