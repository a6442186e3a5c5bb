//! The ABI as data: what `build.rs` read from `src/ffi`.

/// A declaration of the C headers.
pub(crate) struct Item {
    pub(crate) header: &'static str,
    pub(crate) name: &'static str,
    /// The declaration as C writes it, in one line.
    pub(crate) declaration: &'static str,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    Constant {
        number: i128,
        is_status: bool,
    },
    Alias,
    Callback,
    Structure,
    Handle,
    /// The types are spelled as in C.
    Function {
        result: &'static str,
        parameters: &'static [(&'static str, &'static str)],
    },
}

/// All declarations, in the order of the headers.
pub(crate) const ABI: &[Item] = include!(concat!(env!("OUT_DIR"), "/abi.rs"));

/// The names of the C headers, `netclock.h` first.
pub(crate) fn headers() -> Vec<&'static str> {
    let mut names = Vec::new();
    for item in ABI {
        if !names.contains(&item.header) {
            names.push(item.header);
        }
    }
    names
}
