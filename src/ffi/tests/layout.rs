//! The numbers that compiled programs rely on, in `tests/c_abi/pins.c`: what each status and constant is, and
//! how the structures are laid out. This test writes that file from what the library has and compares it with
//! the committed one; a C compiler then checks it against the header.

use core::fmt::Write;
use core::mem::offset_of;
use std::path::Path;

use super::{HEADERS, headers, written};
use crate::ffi::base::status::{NetclockStatus, netclock_status_text};

const FILE: &str = "tests/c_abi/pins.c";

/// Every status by name.
const STATUSES: &[&str] = include!(concat!(env!("OUT_DIR"), "/status_names.rs"));

/// A structure, its size and alignment, and of each field the offset and the size.
struct Layout {
    name: &'static str,
    size: usize,
    alignment: usize,
    fields: Vec<(&'static str, usize, usize)>,
}

macro_rules! layout {
    ($name:literal, $type:path { $($field:ident),* $(,)? }) => {{
        use $type as Type;
        // Does not compile if a field is missing.
        let _all = |it: Type| { let Type { $($field: _),* } = it; };
        Layout {
            name: $name,
            size: size_of::<Type>(),
            alignment: align_of::<Type>(),
            fields: vec![$((stringify!($field), offset_of!(Type, $field), size_of_field(|it: &Type| &it.$field))),*],
        }
    }};
}

/// What a field may be: a number, or bytes, of which any bytes are valid.
trait Plain {}
impl Plain for u32 {}
impl Plain for i32 {}
impl Plain for u64 {}
impl Plain for i64 {}
impl Plain for f64 {}
impl Plain for NetclockStatus {}
impl<const LENGTH: usize> Plain for [u8; LENGTH] {}

fn size_of_field<T, F: Plain>(_: fn(&T) -> &F) -> usize {
    size_of::<F>()
}

/// Every structure that C sees into, as `build.rs` found them.
fn layouts() -> Vec<Layout> {
    include!(concat!(env!("OUT_DIR"), "/layouts.rs")).into()
}

/// The constants of the headers, in their order, with their values in C.
fn constants() -> impl Iterator<Item = (&'static str, &'static str)> {
    headers::constants(&HEADERS)
}

/// What `FILE` has to be.
fn pins() -> String {
    let folder = Path::new(env!("NETCLOCK_GENERATED_HEADERS"));
    let includes = headers::names(folder, "h").into_iter();
    let includes: String = includes.map(|name| format!("#include \"netclock/{name}\"\n")).collect();
    let mut text = BEGIN.replace("@INCLUDES@\n", &(includes + "\n"));
    for (name, value) in constants() {
        let kind = if STATUSES.contains(&name) { "STATUS" } else { "CONSTANT" };
        let bare = value.trim_start_matches('(').trim_end_matches(')');
        let value = if value.starts_with('(') { bare } else { value };
        let _ = writeln!(text, "{kind}({name}, {value});");
    }
    for Layout { name, size, alignment, fields } in layouts() {
        let _ = writeln!(text, "\nSTRUCT({name}, {size}, {alignment});");
        for (field, offset, size) in fields {
            let _ = writeln!(text, "FIELD({name}, {field}, {offset}, {size});");
        }
    }
    let cases = STATUSES.iter().map(|name| format!("        case {name}:\n"));
    text + MAIN + &cases.collect::<String>() + END
}

const BEGIN: &str = r#"/*
 * The numbers that compiled programs rely on, each written down once more. A change of any of them is another ABI.
 *
 * A test (src/ffi/tests/layout.rs) compares this file with the library, and `cargo xtask tables` writes it. Lines may be
 * added, none may change. The compiler checks the numbers against the headers, and tests/c/abi.rs checks that nothing of
 * the headers is missing here.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

@INCLUDES@
/* An array of negative length is refused by every C compiler. */
#define PIN(name, condition) typedef char name[(condition) ? 1 : -1]

#define STATUS(name, value) PIN(pinned_##name, name == (value))
#define CONSTANT(name, value) PIN(pinned_##name, name == (value))

#define STRUCT(type, size, alignment)                                  \
    struct alignment_of_##type {                                       \
        char before;                                                   \
        type value;                                                    \
    };                                                                 \
    PIN(pinned_size_of_##type, sizeof(type) == (size));                \
    PIN(pinned_alignment_of_##type, offsetof(struct alignment_of_##type, value) == (alignment))

#define FIELD(type, field, offset, size)                                             \
    PIN(pinned_offset_of_##type##_##field, offsetof(type, field) == (offset));       \
    PIN(pinned_size_of_##type##_##field, sizeof(((type *)0)->field) == (size))

"#;

const MAIN: &str = r#"
int main(void)
{
    int32_t status;

    if (sizeof(netclock_status) != 4 || sizeof(netclock_log_callback) != sizeof(void *) ||
        sizeof(netclock_tap_callback) != sizeof(void *)) {
        return 1;
    }
    /* The library has a text for each of the statuses, and for no other. */
    for (status = -1000; status < 1000; status++) {
        int known = strcmp(netclock_status_text(status), "unknown status") != 0;
        switch (status) {
"#;

const END: &str = r#"            if (!known) {
                return 2;
            }
            break;
        default:
            if (known) {
                return 3;
            }
        }
    }
    return 0;
}
"#;

/// Every status by name, and its value.
pub(super) fn statuses() -> impl Iterator<Item = (&'static str, i32)> {
    let statuses = constants().filter(|(name, _)| STATUSES.contains(name));
    statuses.map(|(name, value)| {
        let digits = value.trim_start_matches('(').trim_end_matches(')');
        (name, digits.parse().unwrap_or_else(|error| panic!("{name} is {value}: {error}")))
    })
}

#[test]
fn the_pins_are_what_the_library_has() {
    written::compare(FILE, &pins());
}

#[test]
fn no_structure_has_padding() {
    assert!(layouts().len() >= 36, "build.rs found too few structures");
    for layout in layouts() {
        let mut end = 0;
        for (field, offset, size) in layout.fields {
            assert_eq!(offset, end, "padding before {}.{field}", layout.name);
            end = offset + size;
        }
        assert_eq!(layout.size, end, "padding at the end of {}", layout.name);
    }
}

#[test]
fn every_status_has_a_text_of_its_own() {
    let text = |status| {
        // SAFETY: the texts are static.
        unsafe { super::text(netclock_status_text(NetclockStatus(status))) }
    };
    let mut texts: Vec<String> = statuses().map(|(_, value)| text(value)).collect();
    assert!(texts.iter().all(|text| !text.is_empty() && *text != "unknown status"), "{texts:?}");
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), STATUSES.len());
    assert_eq!(text(12345), "unknown status");
}
