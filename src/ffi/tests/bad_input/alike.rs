use super::machine::{Changes, Machine, find};
use super::signature::{Function, Kind, Parameter};
use crate::ffi::base::status::*;
use crate::ffi::clock::exchange::status::NETCLOCK_WIRE_LENGTH;
use crate::ffi::tests::{last_error, layout};

const MAY_BE_NULL: [&str; 4] = ["address", "callback", "next", "user_data"];

struct Bad {
    changes: Changes,
    status: i32,
    says: String,
}

pub(super) fn refuse_all(machine: &mut Machine, function: &Function, good: &Changes) {
    let bad: Vec<Bad> = function.parameters.iter().flat_map(|it| of(machine, function, it, good)).collect();
    for Bad { mut changes, status, says } in bad {
        changes = good.iter().cloned().chain(changes).collect();
        let (call, returned) = (function.name, machine.refused(function, &changes, true));
        let told = last_error();
        assert_eq!(returned, status, "{call} with {changes:?}: {told}");
        assert!(told.starts_with(&format!("netclock_{call}: ")), "{call} with {changes:?} says {told}");
        assert!(told.contains(&says), "{call} with {changes:?} says {told}, without {says}");
    }
}

fn of(machine: &Machine, function: &Function, parameter: &Parameter, good: &Changes) -> Vec<Bad> {
    let Parameter { name, kind } = parameter;
    let given = find(good, name);
    let change = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let bad = |value: &str, status, says: &str| Bad {
        changes: vec![change(name, value)],
        status,
        says: says.to_owned(),
    };
    let null = || bad("null", NETCLOCK_NULL_ARGUMENT, &format!("{name} is null"));
    if given == Some("null") {
        return Vec::new();
    }
    let means_default = *name == "config" && function.name.ends_with("_create");
    let means_none = *name == "clock"
        || *name == "report" && function.name.ends_with("_poll")
        || *name == "key" && ["host_admit", "guest_connect"].contains(&function.name);
    match *kind {
        Kind::Handle(_) if function.name.ends_with("_destroy") => {
            let unlike = machine.handles.iter().filter(|(_, (other, _))| Kind::Handle(other) != *kind);
            let others = unlike.map(|(other, _)| other.as_str()).chain(["3", "8"]);
            others.map(|it| bad(it, NETCLOCK_UNKNOWN_HANDLE, "is not a live netclock_")).collect()
        }
        Kind::Handle(_) => {
            vec![null(), bad("poisoned", NETCLOCK_POISONED, "an earlier call on this handle panicked")]
        }
        Kind::Input(of) | Kind::Output(of) => {
            let layout = layout::of(of).expect("the signature knew it");
            let has = |field| layout.fields.iter().any(|(name, ..)| *name == field);
            let mut all = Vec::new();
            if !means_default && !means_none {
                all.push(null());
            }
            if has("struct_size") {
                let (field, short) = (format!("{name}.struct_size"), (layout.size - 1).to_string());
                all.extend(["0", "3", &short, "4097", "UINT32_MAX"].map(|size| Bad {
                    changes: vec![change(&field, size)],
                    status: NETCLOCK_UNKNOWN_STRUCT,
                    says: format!("{name}->struct_size is "),
                }));
            }
            if matches!(kind, Kind::Input(_)) && has("struct_size") {
                let size = (layout.size + 8).to_string();
                let changes = vec![
                    change(&format!("{name}.struct_size"), &size),
                    change(&format!("{name}.beyond"), "1"),
                ];
                let says = format!("byte {} of *{name} is set", layout.size);
                all.push(Bad { changes, status: NETCLOCK_UNKNOWN_STRUCT, says });
            }
            // Readings are outputs of other calls, and a later version of the library may set their reserved
            // fields.
            if matches!(kind, Kind::Input(_)) && has("reserved") && of != "reading" {
                let changes = vec![change(&format!("{name}.reserved"), "1")];
                all.push(Bad {
                    changes,
                    status: NETCLOCK_UNKNOWN_STRUCT,
                    says: format!("of *{name} is set"),
                });
            }
            if of == "session_key" && matches!(kind, Kind::Input(_)) {
                let fields =
                    ["secret_high", "secret_low"].map(|field| change(&format!("{name}.{field}"), "0"));
                all.push(Bad { changes: fields.into(), status: NETCLOCK_BAD_CONFIG, says: String::new() });
            }
            all
        }
        Kind::NewHandle(_)
        | Kind::InputBytes
        | Kind::OutputBytes
        | Kind::Cell
        | Kind::Text
        | Kind::Callback
            if !MAY_BE_NULL.contains(name) =>
        {
            vec![null()]
        }
        Kind::Number if *name == "capacity" => {
            let short = format!("{}-1", given.unwrap_or(name));
            ["0", &short].map(|capacity| bad(capacity, NETCLOCK_WIRE_LENGTH, "")).into()
        }
        Kind::Number if *name == "seed_low" => {
            let changes = ["seed_high", "seed_low"].map(|seed| change(seed, "0")).into();
            vec![Bad { changes, status: NETCLOCK_BAD_CONFIG, says: "are both 0".to_owned() }]
        }
        _ => Vec::new(),
    }
}
