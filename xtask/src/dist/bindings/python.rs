//! The headers as a Python module.

use super::camel;
use crate::abi::{Abi, Function, Type};
use crate::cargo::read;

/// The hand-written part, with a mark where the declarations go.
const TEMPLATE: &str = "packaging/python/netclock.py.in";
const MARK: &str = "@DECLARATIONS@\n";

/// `library` is the name of the shared library beside the module.
pub(crate) fn module(abi: &Abi, library: &str) -> anyhow::Result<String> {
    let template = read(TEMPLATE)?;
    anyhow::ensure!(template.contains(MARK), "{TEMPLATE} has no line {MARK}");
    Ok(template
        .replace("@LIBRARY@", library)
        .replace("@VERSION@", crate::library::VERSION)
        .replace(MARK, &declarations(abi)))
}

fn declarations(abi: &Abi) -> String {
    let mut text: String = abi.constants.iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
    for (name, _) in &abi.structures {
        text += &format!(
            "\n\nclass {}(_c.Structure):\n    \"\"\"`{name}` of the C headers.\"\"\"\n",
            camel(name)
        );
    }
    text += "\n\n";
    for callback in &abi.callbacks {
        let kinds: Vec<String> = std::iter::once(&callback.result)
            .chain(callback.parameters.iter().map(|it| &it.kind))
            .map(kind)
            .collect();
        text += &format!("{} = _c.CFUNCTYPE({})\n", camel(&callback.name), kinds.join(", "));
    }
    for (name, fields) in &abi.structures {
        let fields: String =
            fields.iter().map(|it| format!("    (\"{}\", {}),\n", it.name, kind(&it.kind))).collect();
        text += &format!("{}._fields_ = [\n{fields}]\n", camel(name));
    }
    let signatures: String = abi.functions.iter().map(signature).collect();
    text + &format!("_SIGNATURES = {{\n{signatures}}}\n")
}

fn signature(function: &Function) -> String {
    let kinds: Vec<String> = function.parameters.iter().map(|it| kind(&it.kind)).collect();
    format!("    \"{}\": ({}, [{}]),\n", function.name, kind(&function.result), kinds.join(", "))
}

fn kind(of: &Type) -> String {
    match of {
        Type::Void => "None".to_owned(),
        Type::Number(name) if name == "netclock_status" => "_c.c_int32".to_owned(),
        Type::Number(name) if name == "size_t" => "_c.c_size_t".to_owned(),
        Type::Number(name) => format!("_c.c_{}", name.trim_end_matches("_t")),
        Type::Bytes(length) => format!("_c.c_uint8 * {length}"),
        Type::Text => "_c.c_char_p".to_owned(),
        Type::Structure(name) | Type::Callback(name) => camel(name),
        Type::Opaque(_) => "_c.c_void_p".to_owned(),
        Type::Pointer(to) => match &**to {
            // A handle is passed on, never looked into.
            Type::Void | Type::Opaque(_) => "_c.c_void_p".to_owned(),
            Type::Number(name) if name == "uint8_t" => "_c.c_void_p".to_owned(),
            other => format!("_c.POINTER({})", kind(other)),
        },
    }
}
