use super::call::Call;
use crate::ffi::tests::abi::{self, ABI};
use crate::ffi::tests::layout;

const FUNCTIONS: &[(&str, &dyn Call)] = include!(concat!(env!("OUT_DIR"), "/functions.rs"));

/// Structures and handles are named without the prefix `netclock_`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Number,
    Handle(&'static str),
    NewHandle(&'static str),
    Input(&'static str),
    Output(&'static str),
    InputBytes,
    OutputBytes,
    Cell,
    Text,
    Callback,
    UserData,
}

#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
}

pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) returns_status: bool,
    pub(super) parameters: Vec<Parameter>,
    pub(super) call: &'static dyn Call,
}

pub(super) fn functions() -> Vec<Function> {
    let described = ABI.iter().filter_map(|item| match item.kind {
        abi::Kind::Function { result, parameters } => Some((item.name, result, parameters)),
        _ => None,
    });
    described
        .map(|(name, result, parameters)| {
            let (_, call) = FUNCTIONS.iter().find(|(known, _)| *known == name).expect("build.rs found it");
            Function {
                name: &name["netclock_".len()..],
                returns_status: result == "netclock_status",
                parameters: parameters.iter().map(|&(name, spelled)| parameter(name, spelled)).collect(),
                call: *call,
            }
        })
        .collect()
}

fn parameter(name: &'static str, kind: &'static str) -> Parameter {
    let mut words = kind.split([' ', '*']).filter(|word| !["", "const", "struct"].contains(word));
    let (base, is_const) = (words.next_back().expect("a type"), kind.starts_with("const"));
    let own = base.strip_prefix("netclock_");
    let kind = match (kind.matches('*').count(), own) {
        (0, Some(own)) if own.ends_with("_callback") => Kind::Callback,
        (0, _) => Kind::Number,
        (1, Some(own)) if own.ends_with("_time") => Kind::Cell,
        (1, Some(own)) if layout::of(own).is_none() => Kind::Handle(own),
        (1, Some(own)) if is_const => Kind::Input(own),
        (1, Some(own)) => Kind::Output(own),
        (2, Some(own)) => Kind::NewHandle(own),
        (1, None) if base == "char" => Kind::Text,
        (1, None) if name == "user_data" => Kind::UserData,
        (1, None) if base == "void" && is_const => Kind::InputBytes,
        (1, None) if base == "void" => Kind::OutputBytes,
        _ => Kind::Cell,
    };
    Parameter { name, kind }
}
