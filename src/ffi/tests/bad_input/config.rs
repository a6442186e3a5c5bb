//! Settings: sizes, and every knob beyond both ends of its range.

use core::ptr;

use super::bench::Bench;
use super::table::Table;
use crate::ffi::base::growable::Growable;
use crate::ffi::clock::client::config::{NetclockConfig, netclock_config_default};
use crate::ffi::clock::client::handle::{NetclockClient, netclock_client_create};
use crate::ffi::tests::statuses::*;

const MS: i64 = 10_000;
const S: i64 = 1000 * MS;
const DAY: i64 = 86_400 * S;

/// Sizes of no structure.
const SIZES: [(&str, u32); 5] = [("0", 0), ("3", 3), ("255", 255), ("5000", 5000), ("UINT32_MAX", u32::MAX)];

fn create(bench: &mut Bench, config: &NetclockConfig) -> NetclockStatus {
    // SAFETY: a structure of the size it states or with a size that is refused, and room for a pointer.
    unsafe { netclock_client_create(config, 1, 2, bench.out()) }
}

pub(super) fn rows(table: &mut Table) {
    // SAFETY: the texts are static.
    let text = unsafe { super::super::text(netclock_status_text(NetclockStatus(12345))) };
    table.returns(["netclock_status_text", "status", "12345"], "unknown status", &text);
    const DEFAULT: &str = "netclock_config_default";
    const CREATE: &str = "netclock_client_create";
    // SAFETY: null, or room for more than any structure; sizes that are not true are refused.
    unsafe {
        table.refuses([DEFAULT, "config", "null"], NETCLOCK_NULL_ARGUMENT, |_| {
            netclock_config_default(ptr::null_mut())
        });
        for (text, size) in SIZES {
            let row = [DEFAULT, "config->struct_size", text];
            table.refuses(row, NETCLOCK_UNKNOWN_STRUCT, |b| netclock_config_default(b.sized(size)));
        }
    }
    for (text, size) in SIZES {
        let config = NetclockConfig { struct_size: size, ..NetclockConfig::zero() };
        let row = [CREATE, "config->struct_size", text];
        table.refuses(row, NETCLOCK_UNKNOWN_STRUCT, |b| create(b, &config));
    }
    let row = [CREATE, "config", "a byte set beyond the known fields"];
    table.refuses(row, NETCLOCK_UNKNOWN_STRUCT, |b| {
        const WORDS: usize = size_of::<NetclockConfig>() / 8;
        let mut bytes = [0_u64; WORDS + 1];
        let config = bytes.as_mut_ptr().cast::<NetclockConfig>();
        // SAFETY: room for a configuration and more, aligned as one.
        unsafe {
            config.write(NetclockConfig { struct_size: 8 * (WORDS as u32 + 1), ..NetclockConfig::zero() });
            bytes[WORDS] = 1;
            netclock_client_create(bytes.as_ptr().cast(), 1, 2, b.out())
        }
    });
    knobs(table);
    // SAFETY: room for a pointer.
    table.refuses([CREATE, "seed_high, seed_low", "0, 0"], NETCLOCK_BAD_CONFIG, |b| unsafe {
        netclock_client_create(ptr::null(), 0, 0, b.out())
    });
    // SAFETY: null is what is tested.
    table.refuses([CREATE, "client", "null"], NETCLOCK_NULL_ARGUMENT, |_| unsafe {
        netclock_client_create(ptr::null(), 1, 2, ptr::null_mut::<*mut NetclockClient>())
    });
}

fn knobs(table: &mut Table) {
    const CREATE: &str = "netclock_client_create";
    let mut refuses = |argument, value, set: &dyn Fn(&mut NetclockConfig)| {
        let mut config = NetclockConfig::zero();
        set(&mut config);
        table.refuses([CREATE, argument, value], NETCLOCK_BAD_CONFIG, |b| create(b, &config));
    };
    for (text, count) in [("1", 1), ("65", 65), ("UINT32_MAX", u32::MAX)] {
        refuses("config->burst_count", text, &|config| config.burst_count = count);
    }
    let strange = [("NaN", f64::NAN), ("INFINITY", f64::INFINITY), ("-INFINITY", f64::NEG_INFINITY)];
    for (text, value) in strange.into_iter().chain([("-1", -1.0), ("0.4", 0.4), ("100001", 100_001.0)]) {
        refuses("config->client_drift_ppm", text, &|config| config.client_drift_ppm = value);
        refuses("config->server_drift_ppm", text, &|config| config.server_drift_ppm = value);
    }
    for (text, value) in strange.into_iter().chain([("-1", -1.0), ("0.0001", 1e-4), ("0.51", 0.51)]) {
        refuses("config->max_slew", text, &|config| config.max_slew = value);
    }
    for (text, value) in strange.into_iter().chain([("-100001", -100_001.0), ("100001", 100_001.0)]) {
        refuses("config->client_rate_ppm", text, &|config| config.client_rate_ppm = value);
        refuses("config->server_rate_ppm", text, &|config| config.server_rate_ppm = value);
    }
    for (text, value) in strange.into_iter().chain([("-1", -1.0), ("1001", 1_001.0)]) {
        refuses("config->client_rate_doubt_ppm", text, &|config| config.client_rate_doubt_ppm = value);
        refuses("config->server_rate_doubt_ppm", text, &|config| config.server_rate_doubt_ppm = value);
    }
    type Knob = (&'static str, fn(&mut NetclockConfig) -> &mut i64, i64, i64);
    let spans: [Knob; 12] = [
        ("config->step_threshold", |c| &mut c.step_threshold, MS, 3600 * S),
        ("config->max_round_trip", |c| &mut c.max_round_trip, 10 * MS, 60 * S),
        ("config->burst_interval", |c| &mut c.burst_interval, MS, S),
        ("config->steady_interval", |c| &mut c.steady_interval, 50 * MS, 600 * S),
        ("config->local_gap", |c| &mut c.local_gap, 100 * MS, DAY),
        ("config->holdover_after", |c| &mut c.holdover_after, S, DAY),
        ("config->target_bound", |c| &mut c.target_bound, MS, 3600 * S),
        ("config->target_error", |c| &mut c.target_error, 100, S),
        ("config->client_resolution", |c| &mut c.client_resolution, 1, 100 * MS),
        ("config->server_resolution", |c| &mut c.server_resolution, 1, 100 * MS),
        ("config->client_frame", |c| &mut c.client_frame, 0, S),
        ("config->server_frame", |c| &mut c.server_frame, 0, S),
    ];
    for (name, field, least, most) in spans {
        // Zero is no value but means the default.
        let below = if least <= 1 { -1 } else { least - 1 };
        let bad = [("INT64_MIN", i64::MIN), ("a tick too small", below), ("a tick too large", most + 1)];
        for (text, value) in bad.into_iter().chain([("INT64_MAX", i64::MAX)]) {
            refuses(name, text, &|config| *field(config) = value);
        }
    }
}
