//! What the build script writes for the library and its tests, from the model.

use std::path::Path;

use crate::abi::{Abi, Item, Kind, Room, Type, Variable};

/// Every status with its text, as an array of pairs.
pub(crate) fn status_texts(abi: &Abi) -> String {
    let pairs = abi.statuses().map(|(item, value)| format!("({value}, c{:?}),\n", status_text(item)));
    format!("&[\n{}]\n", pairs.collect::<String>())
}

/// What a status means, as it follows `netclock_client_tick: `: its first sentence.
fn status_text(item: &Item) -> String {
    let text = item.text().replace('`', "");
    let mut letters = text.split(". ").next().unwrap_or_default().trim_end_matches('.').chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

/// The whole model for tests, as an array of `Item`: each declaration with its header, and what it is.
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

/// A call of the macro `layout` for every structure that C sees into, as an array.
pub(crate) fn layouts(abi: &Abi) -> String {
    let calls = abi.structures().map(|(item, fields)| {
        let fields: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        format!("layout!({:?}, {} {{ {} }}),\n", item.name, item.path, fields.join(", "))
    });
    format!("[\n{}]\n", calls.collect::<String>())
}

/// Every function that C can call: its name, and a pointer to it for tests that call them all alike.
pub(crate) fn functions(abi: &Abi) -> String {
    let pairs = abi.functions().map(|(item, signature)| {
        let blanks = "_, ".repeat(signature.parameters.len());
        format!("({:?}, &({} as unsafe extern \"C\" fn({blanks}) -> _)),\n", item.name, item.path)
    });
    format!("&[\n{}]\n", pairs.collect::<String>())
}

/// How tests look at each handle that is a value under a lock. A link holds a socket, and is not looked into.
pub(crate) fn handles(abi: &Abi) -> String {
    let owned = abi.items().filter(|item| matches!(item.kind, Kind::Handle { owned: true }));
    let kinds = owned.map(|Item { path, .. }| {
        let look = if path.contains("::link::") { "plain" } else { "seen" };
        format!("{look}::<{path}>(), ")
    });
    format!("&[{}]\n", kinds.collect::<String>())
}

/// Everything that C can use, for programs in Rust that call it as C does. Functions take structures as plain
/// memory. Constants count as used in this way, also by compilers that ignore what only an assertion uses.
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

/// The type of a variable in Rust.
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
            // Of two pointers, C's `const` is about what the second one leads to.
            Type::Pointer(to) if matches!(**to, Type::Pointer(_)) => format!("*mut {}", of(to, is_const)),
            Type::Pointer(to) => format!("{pointer} {}", of(to, is_const)),
        }
    }
    of(&variable.kind, variable.is_const())
}

/// Reads a source for the model.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
