//! Writes the files that the library and its tests include from `OUT_DIR`.

use std::path::Path;

use crate::abi::{Abi, Item, Kind, Room, Type, Variable};

pub(crate) fn status_texts(abi: &Abi) -> String {
    let pairs = abi.statuses().map(|(item, value)| format!("({value}, c{:?}),\n", status_text(item)));
    format!("&[\n{}]\n", pairs.collect::<String>())
}

/// Returns the first sentence of the comment, which error messages append to the name of the function.
fn status_text(item: &Item) -> String {
    let text = item.text().replace('`', "");
    let mut letters = text.split(". ").next().unwrap_or_default().trim_end_matches('.').chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

pub(crate) fn model(abi: &Abi) -> String {
    let item = |room: &Room, item: &Item| {
        let kind = match &item.kind {
            Kind::Constant { number, is_status, .. } => {
                format!("Constant {{ number: {number}, is_status: {is_status} }}")
            }
            Kind::Alias(_) => "Alias".to_owned(),
            Kind::Callback(_) => "Callback".to_owned(),
            Kind::Structure(_) => "Structure".to_owned(),
            Kind::Handle { .. } => "Handle".to_owned(),
            Kind::Function(signature) => {
                let pairs =
                    signature.parameters.iter().map(|it| format!("({:?}, {:?})", it.name, it.spelled));
                let (result, pairs) = (&signature.result.spelled, pairs.collect::<Vec<_>>().join(", "));
                format!("Function {{ result: {result:?}, parameters: &[{pairs}] }}")
            }
        };
        let declaration = item.declaration().split_whitespace().collect::<Vec<_>>().join(" ");
        format!(
            "Item {{ header: {:?}, name: {:?}, declaration: {declaration:?}, kind: Kind::{kind} }},\n",
            room.header, item.name
        )
    };
    let items = abi.rooms.iter().flat_map(|room| room.items.iter().map(move |it| item(room, it)));
    format!("&[\n{}]\n", items.collect::<String>())
}

/// Generates a call of the macro `layout` for every structure with public fields.
pub(crate) fn layouts(abi: &Abi) -> String {
    let calls = abi.structures().map(|(item, fields)| {
        let fields: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        format!("layout!({:?}, {} {{ {} }}),\n", item.name, item.path, fields.join(", "))
    });
    format!("[\n{}]\n", calls.collect::<String>())
}

pub(crate) fn functions(abi: &Abi) -> String {
    let pairs = abi.functions().map(|(item, signature)| {
        let blanks = "_, ".repeat(signature.parameters.len());
        format!("({:?}, &({} as unsafe extern \"C\" fn({blanks}) -> _)),\n", item.name, item.path)
    });
    format!("&[\n{}]\n", pairs.collect::<String>())
}

/// Lists the handles that contain a value behind a lock. Tests compare the states of these handles, except
/// for links, because a link contains a socket.
pub(crate) fn handles(abi: &Abi) -> String {
    let owned = abi.items().filter(|item| matches!(item.kind, Kind::Handle { owned: true }));
    let kinds = owned.map(|Item { path, .. }| {
        let look = if path.contains("::link::") { "plain" } else { "seen" };
        format!("{look}::<{path}>(), ")
    });
    format!("&[{}]\n", kinds.collect::<String>())
}

/// Declares the C API for Rust code that calls its symbols and passes structures as plain memory. Some
/// compilers ignore uses of constants in assertions, so re-exports mark them as used.
pub(crate) fn entries(abi: &Abi) -> String {
    let mut declared = String::new();
    for Item { path, kind, .. } in abi.items() {
        if matches!(kind, Kind::Constant { .. } | Kind::Structure(_)) {
            let feature = ["link", "game", "session"].iter().find(|it| path.contains(&format!("::{it}::")));
            if let Some(feature) = feature {
                declared += &format!("#[cfg(feature = {feature:?})]\n");
            }
            declared += &format!("pub use {path};\n");
        }
    }
    declared += "unsafe extern \"C\" {\n";
    for (item, signature) in abi.functions() {
        let parameters = signature.parameters.iter().map(|it| format!("{}: {}", it.name, rust(it)));
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        let result = match signature.result.kind {
            Type::Void => String::new(),
            _ => format!(" -> {}", rust(&signature.result)),
        };
        declared += &format!("pub fn {}({parameters}){result};\n", item.name);
    }
    declared + "}\n"
}

fn rust(variable: &Variable) -> String {
    fn of(kind: &Type, is_const: bool) -> String {
        let pointer = if is_const { "*const" } else { "*mut" };
        match kind {
            Type::Number(name) => match name.as_str() {
                "double" => "f64".to_owned(),
                "size_t" => "usize".to_owned(),
                "netclock_status" => "i32".to_owned(),
                _ => name.replace("uint", "u").replace("int", "i").trim_end_matches("_t").to_owned(),
            },
            Type::Bytes(_, length) => format!("[u8; {length}]"),
            Type::Text => "*const c_char".to_owned(),
            Type::Callback(_) => "*const c_void".to_owned(),
            Type::Void | Type::Structure(_) | Type::Opaque(_) => "c_void".to_owned(),
            // A `const` pointer to a pointer in C makes the inner pointer's target constant.
            Type::Pointer(to) if matches!(**to, Type::Pointer(_)) => format!("*mut {}", of(to, is_const)),
            Type::Pointer(to) => format!("{pointer} {}", of(to, is_const)),
        }
    }
    of(&variable.kind, variable.is_const())
}

pub(crate) fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
