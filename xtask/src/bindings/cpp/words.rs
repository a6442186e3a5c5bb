//! Rewords the C comments of functions and handles for C++.

use super::class::Functions;
use super::table::{SILENT, SPOKEN};

pub(super) fn about_a_class(functions: &Functions<'_>, about: &str, class: &str) -> String {
    let about = about_a_function(functions, &about.replace(" Opaque.", ""), None, false, &[]);
    format!("{about} Owns a netclock_{class}.")
}

pub(super) fn about_a_function(
    functions: &Functions<'_>,
    about: &str,
    output: Option<&str>,
    is_create: bool,
    renamed: &[(String, String)],
) -> String {
    let mut text = about.to_owned();
    for status in SILENT {
        text = text.replace(&format!("{status}, "), "").replace(&format!(", {status}"), "");
        text = text.replace(&format!(" Errors: {status}."), "").replace(&format!(" Also {status}."), "");
    }
    // In C++, the object's destructor destroys the handle.
    if let Some((before, rest)) = text.split_once(" Give it back to `") {
        text = before.to_owned() + rest.split_once('.').map_or("", |(_, rest)| rest);
    }
    for (from, to) in SPOKEN {
        text = text.replace(&from.replace('$', output.unwrap_or("$")), to);
    }
    if is_create {
        text = match text.split_once("Errors: ") {
            Some((before, errors)) => format!("{before}Errors: abi_mismatch, {errors}"),
            None => text + " Errors: abi_mismatch.",
        };
    }
    // Pieces with odd indices were between backquotes.
    let pieces = text.split('`').enumerate().map(|(at, piece)| {
        if at % 2 == 0 { piece.to_owned() } else { word(functions, piece, output, renamed) }
    });
    pieces.collect::<String>().trim().to_owned()
}

fn word(functions: &Functions<'_>, name: &str, output: Option<&str>, renamed: &[(String, String)]) -> String {
    if name.starts_with("netclock_") {
        return functions.cpp(name).unwrap_or_else(|| name.trim_start_matches("netclock_").to_owned());
    }
    if let Some(constant) = name.strip_prefix("NETCLOCK_") {
        return functions.constant(constant).unwrap_or_else(|| name.to_owned());
    }
    let name = name.trim_start_matches('*');
    if output == Some(name) {
        return "the result".to_owned();
    }
    let renamed = renamed.iter().find(|(from, _)| from == name).map(|(_, to)| to.as_str());
    format!("`{}`", renamed.unwrap_or(if name == "server_time" { "time" } else { name }))
}
