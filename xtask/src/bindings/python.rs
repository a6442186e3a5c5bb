//! Generates the declarations for Python's `ctypes`.

use super::{bare, camel};
use crate::{Abi, Item, Signature, Type, VERSION, Variable};

pub(super) fn source(abi: &Abi) -> String {
    let constants = abi.constants().map(|(item, value)| format!("{} = {value}\n", bare(&item.name)));
    let mut text = format!(
        "# Generated from src/ffi. Do not edit: run `cargo xtask header`.\n\nimport ctypes as _c\n\n\
         __version__ = \"{VERSION}\"\n\n# The constants without NETCLOCK_, and the structures.\n{}",
        constants.collect::<String>()
    );
    for (Item { name, .. }, _) in abi.structures() {
        text += &format!(
            "\n\nclass {}(_c.Structure):\n    \"\"\"`{name}` of the C headers.\"\"\"\n",
            camel(name)
        );
    }
    text += "\n\n";
    for (Item { name, .. }, Signature { result, parameters }) in abi.callbacks() {
        let kinds = [kind(&result.kind)].into_iter().chain(parameters.iter().map(|it| kind(&it.kind)));
        text += &format!("{} = _c.CFUNCTYPE({})\n", camel(name), kinds.collect::<Vec<_>>().join(", "));
    }
    for (Item { name, .. }, fields) in abi.structures() {
        let field = |it: &Variable| format!("    (\"{}\", {}),\n", it.name, kind(&it.kind));
        text += &format!("{}._fields_ = [\n{}]\n", camel(name), fields.iter().map(field).collect::<String>());
    }
    let signatures = abi.functions().map(|(Item { name, .. }, Signature { result, parameters })| {
        let kinds: Vec<String> = parameters.iter().map(|it| kind(&it.kind)).collect();
        format!("    \"{name}\": ({}, [{}]),\n", kind(&result.kind), kinds.join(", "))
    });
    text + &format!("_SIGNATURES = {{\n{}}}\n", signatures.collect::<String>())
}

fn kind(of: &Type) -> String {
    match of {
        Type::Void => "None".to_owned(),
        Type::Number(name) if name == "netclock_status" => "_c.c_int32".to_owned(),
        Type::Number(name) if name == "size_t" => "_c.c_size_t".to_owned(),
        Type::Number(name) => format!("_c.c_{}", name.trim_end_matches("_t")),
        Type::Bytes(_, length) => format!("_c.c_uint8 * {length}"),
        Type::Text => "_c.c_char_p".to_owned(),
        Type::Structure(name) | Type::Callback(name) => camel(name),
        Type::Opaque(_) => "_c.c_void_p".to_owned(),
        Type::Pointer(to) => match &**to {
            Type::Void | Type::Opaque(_) => "_c.c_void_p".to_owned(),
            other => format!("_c.POINTER({})", kind(other)),
        },
    }
}
