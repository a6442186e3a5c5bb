//! Reads `lab/scenarios.toml`, where each scenario overrides a few values of an undisturbed 25 ms path.

use anyhow::{Context, Result};
use toml::{Table, Value};

use crate::recorded::{self, HALVES};
use crate::report::program;
use netclock_sim::Case;

const SCENARIOS: &str = include_str!("../scenarios.toml");

/// Groups of cases. "all" contains the scenarios in the tables, but not the other groups or the scenario of
/// the README's picture.
pub const GROUPS: &str =
    "all loops joins hints intervals losses crystals_drawn slewed crystals real held_out";

pub fn group(name: &str) -> Result<Vec<Case>> {
    match name {
        "all" => {
            let others = ["loops", "joins", "hints", "intervals", "losses", "slewed", "crystal", "picture"];
            read(|name| !others.iter().any(|other| name.starts_with(other)))
        }
        "loops" | "joins" | "hints" | "intervals" | "losses" | "crystals_drawn" => {
            read(|other| other.starts_with(name))
        }
        "slewed" => read(|name| name.starts_with("slewed")),
        "crystals" => read(|name| name.starts_with("crystal_")),
        half => recorded::half(half),
    }
}

pub fn find(name: &str) -> Result<Case> {
    let mut found = read(|other| other == name)?;
    for half in HALVES {
        found.extend(recorded::half(half)?.into_iter().filter(|case| case.name == name));
    }
    found
        .pop()
        .with_context(|| format!("there is no scenario {name}; {} study bench --list shows all", program()))
}

fn read(wanted: impl Fn(&str) -> bool) -> Result<Vec<Case>> {
    Ok(parse(SCENARIOS)?.into_iter().filter(|case| wanted(&case.name)).collect())
}

fn parse(text: &str) -> Result<Vec<Case>> {
    let mut scenarios: Table = toml::from_str(text)?;
    let defaults = scenarios.remove("defaults").unwrap_or(Value::Table(Table::new()));
    let one = |(name, overrides): (String, Value)| {
        let case = scenario(&name, defaults.clone(), overrides);
        case.with_context(|| format!("scenario {name}"))
    };
    scenarios.into_iter().map(one).collect()
}

fn scenario(name: &str, mut network: Value, mut overrides: Value) -> Result<Case> {
    let table = overrides.as_table_mut().context("it is not a table")?;
    let about = table.remove("about").and_then(|about| about.as_str().map(str::to_owned));
    let seconds = table.remove("seconds").map(Value::try_into).transpose()?;
    if let Some(both) = table.remove("both") {
        overlay(&mut network, Table::from_iter(["forward", "reverse"].map(|leg| (leg.into(), both.clone()))));
    }
    overlay(&mut network, std::mem::take(table));
    Ok(Case::simulated(name.into(), about.context("it has no description")?, seconds, network.try_into()?))
}

fn overlay(below: &mut Value, above: Table) {
    let Some(below) = below.as_table_mut() else { return };
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(table @ Value::Table(_)), Value::Table(above)) => overlay(table, above),
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_scenarios_have_a_description() {
        for case in parse(SCENARIOS).unwrap() {
            assert!(!case.about.is_empty());
        }
    }

    #[test]
    fn a_direction_overrides_both() {
        let text = "[x]\nabout = \"x\"\nboth = { base_ms = 7, loss = 0.5 }\nreverse = { base_ms = 9 }";
        let network = parse(text).unwrap().pop().unwrap().network;
        assert_eq!((network.forward.base_ms, network.reverse.base_ms), (7.0, 9.0));
        assert_eq!((network.forward.loss, network.reverse.loss), (0.5, 0.5));
    }

    #[test]
    fn misspelt_settings_are_rejected() {
        assert!(parse("[x]\nabout = \"x\"\nboth = { base = 7 }").is_err());
    }
}
