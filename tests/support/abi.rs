//! Declares the C ABI, which `build.rs` extracts from `src/ffi`.

pub(crate) struct Item {
    pub(crate) header: &'static str,
    pub(crate) name: &'static str,
    pub(crate) declaration: &'static str,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    Constant { number: i128, is_status: bool },
    Alias,
    Callback,
    Structure,
    Handle,
    Function { result: &'static str, parameters: &'static [(&'static str, &'static str)] },
}

pub(crate) const ABI: &[Item] = include!(concat!(env!("OUT_DIR"), "/abi.rs"));

/// Returns the names of the C headers, starting with `netclock.h`.
pub(crate) fn headers() -> Vec<&'static str> {
    let mut names = Vec::new();
    for item in ABI {
        if !names.contains(&item.header) {
            names.push(item.header);
        }
    }
    names
}
