//! Proves the lemmas behind both guarantees with PyPI's `z3-solver`, and pins the code that they describe. If
//! you change that code, check its lemma in `lemmas.py` before you update the pin.

use std::env;
use std::process::Command;

use crate::{read, root};

/// The path of a Python with z3-solver, if the default Python does not have it.
const PYTHON: &str = "NETCLOCK_Z3_PYTHON";
const LEMMAS: &str = "tests/tools/lemmas/lemmas.py";

/// Each row contains a file, the name of an item in it, and a hash of the item's text without comments.
const CODE: &[(&str, &str, u64)] = &[
    ("src/clock/discipline/pace.rs", "const ONE", 0x7cb3_c4c5_9d7f_ae93),
    ("src/clock/discipline/pace.rs", "fn passed", 0x9dcc_2308_d2d4_24b5),
    ("src/clock/discipline/pace.rs", "fn passed_soon", 0x40ba_6731_a9b0_fe10),
    ("src/clock/discipline/pace.rs", "fn rounded_in", 0x6f94_7607_dea1_36bb),
    ("src/clock/discipline/mapping.rs", "const CLEARLY", 0xd536_3a06_7d6a_672e),
    ("src/clock/discipline/mapping.rs", "fn bent", 0xf130_3837_8fd7_7f3e),
    ("src/clock/discipline/mapping.rs", "fn jumped", 0x4485_071a_fc68_7d0a),
    ("src/clock/discipline/mapping.rs", "fn server_at", 0x48db_4e04_f4c5_9ffd),
    ("src/clock/estimate/interval.rs", "fn slack", 0x1a58_2473_cf16_5186),
    ("src/clock/estimate/interval.rs", "fn of", 0x4caf_2203_5384_a925),
    ("src/clock/estimate/interval.rs", "fn at", 0xcff1_aca4_8c52_7623),
    ("src/clock/estimate/interval.rs", "fn meets", 0xe447_db91_bb8e_8a27),
    ("src/clock/estimate/interval.rs", "fn tighten", 0x8026_d0b9_e7d3_fff2),
    ("src/clock/ground/time.rs", "const OUTWARDS", 0x99ca_1d43_f5cd_d4d1),
    ("src/clock/ground/time.rs", "fn most_apart", 0x3295_4a1f_a2d4_bf03),
    ("src/clock/ground/time.rs", "fn whole_above", 0x9af8_3901_cc42_438b),
    ("src/clock/exchange/stamps.rs", "fn upper", 0x54cc_4edc_4334_e346),
    ("src/clock/exchange/stamps.rs", "fn lower", 0x2099_2a42_aaeb_759b),
];

#[test]
fn the_code_that_the_lemmas_describe_is_unchanged() {
    let mut wrong = Vec::new();
    for &(file, item, pinned) in CODE {
        let found = items(&read(file), item);
        assert!(!found.is_empty(), "{file} has no {item}, which {LEMMAS} describes");
        let hash = hash(&found);
        if hash != pinned {
            wrong.push(format!("    (\"{file}\", \"{item}\", {hash:#018x}),"));
        }
    }
    assert!(wrong.is_empty(), "check the lemmas in {LEMMAS}, then update the pins:\n{}", wrong.join("\n"));
}

#[test]
fn the_lemmas_are_proved() {
    let python = env::var(PYTHON).unwrap_or_else(|_| "python3".to_owned());
    let has_solver = Command::new(&python).args(["-c", "import z3"]).output();
    if !has_solver.is_ok_and(|it| it.status.success()) {
        crate::tools::missing("no z3: install PyPI's z3-solver");
        return;
    }
    let told = crate::ok(Command::new(python).current_dir(root()).arg(LEMMAS));
    let proofs = read(LEMMAS).matches("@lemma\n").count();
    assert!(proofs >= 14 && told.lines().filter(|it| it.contains(": proved, ")).count() == proofs, "{told}");
}

#[test]
fn the_hash_ignores_comments_but_not_code() {
    let [one, two, three] =
        ["fn a() -> u8 { 1 } // b", "/// c\nfn a() -> u8 {\n    1 // d\n}", "fn a() -> u8 { 2 }"];
    let of = |text| hash(&items(text, "fn a"));
    assert_eq!(of(one), of(two));
    assert_ne!(of(one), of(three));
    assert_eq!(items("const A: u8 = 1; fn b() {}", "const A"), "constA:u8=1;");
}

/// Returns all non-test items with this name, without comments and spaces.
fn items(text: &str, item: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut found = String::new();
    for (at, _) in code.match_indices(item) {
        let rest = &code[at..];
        let is_whole = rest[item.len()..].starts_with([':', '(', '<']);
        if is_whole {
            found.extend(rest[..length(rest)].chars().filter(|it| !it.is_whitespace()));
        }
    }
    found
}

fn length(code: &str) -> usize {
    let mut depth = 0;
    for (at, letter) in code.char_indices() {
        match letter {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(letter, '}' | ';') {
            return at + 1;
        }
    }
    code.len()
}

/// Computes FNV-1a, because std's hashes may change with the Rust version.
fn hash(text: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    text.bytes().fold(0xCBF2_9CE4_8422_2325, mix)
}
