//! Fills in the templates for CMake and pkg-config in `packaging/`.

use crate::{Platform, VERSION};

/// The only package file that does not describe the shared library.
const FOR_STATIC: &str = "lib/pkgconfig/netclock-static.pc";

const TEMPLATES: [(&str, &str); 4] = [
    ("lib/pkgconfig/netclock.pc", include_str!("../../../packaging/netclock.pc.in")),
    (FOR_STATIC, include_str!("../../../packaging/netclock-static.pc.in")),
    ("lib/cmake/netclock/netclock-config.cmake", include_str!("../../../packaging/netclock-config.cmake.in")),
    (
        "lib/cmake/netclock/netclock-config-version.cmake",
        include_str!("../../../packaging/netclock-config-version.cmake.in"),
    ),
];

/// `static_needs` lists the linker arguments for the static library. It is `None` if there is no such
/// library.
pub(crate) fn texts<'a>(
    platform: &'a Platform,
    static_needs: Option<&'a [String]>,
) -> impl Iterator<Item = (&'static str, String)> + 'a {
    let served = move |file: &str| static_needs.is_some() || file != FOR_STATIC;
    TEMPLATES.iter().filter(move |(file, _)| served(file)).map(move |&(file, template)| {
        let needs: Vec<String> =
            static_needs.unwrap_or_default().iter().filter(is_for_linkers).cloned().collect();
        let native = if file.ends_with(".cmake") { cmake_items(&needs).join(";") } else { needs.join(" ") };
        let archive = static_needs.map(|_| format!("lib/{}", platform.archive)).unwrap_or_default();
        (file, filled(template, platform, &archive, &native))
    })
}

/// With `-static`, the compiler links its own runtime statically. With `-lgcc_s`, the compiler would always
/// link the shared runtime.
fn is_for_linkers(needed: &&String) -> bool {
    needed.as_str() != "-lgcc_s"
}

fn filled(template: &str, platform: &Platform, archive: &str, native_libraries: &str) -> String {
    let import_library = platform.import_library.map(|name| format!("lib/{name}")).unwrap_or_default();
    let mut numbers = VERSION.split(['.', '-', '+']);
    let mut number = || numbers.next().unwrap_or("0");
    template
        .replace("@VERSION@", VERSION)
        .replace("@MAJOR@", number())
        .replace("@MINOR@", number())
        .replace("@POINTER_BYTES@", &size_of::<usize>().to_string())
        .replace("@SHARED@", &platform.shared)
        .replace("@SONAME@", platform.soname.as_deref().unwrap_or_default())
        .replace("@IMPORT_LIBRARY@", &import_library)
        .replace("@ARCHIVE@", archive)
        .replace("@NATIVE_LIBRARIES@", native_libraries)
}

/// In CMake, libraries are listed without `-l`, and a framework is a single item of two words.
fn cmake_items(words: &[String]) -> Vec<String> {
    let mut items = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        items.push(match (word.strip_prefix("-l"), word.as_str()) {
            (Some(name), _) => name.to_owned(),
            (None, "-framework") => format!("-framework {}", words.next().map_or("", String::as_str)),
            (None, other) => other.to_owned(),
        });
    }
    items
}
