//! Generates the C# structures, constants and function imports.

use super::{bare, camel};
use crate::{Abi, Item, Signature, Type, Variable};

const HEAD: &str = "// NetClock for C#: the declarations of its C headers. MIT OR Apache-2.0.
// Generated from src/ffi. Do not edit: run `cargo xtask header`.
//
// A handle is an IntPtr. Set StructSize to Marshal.SizeOf. Strings are returned as IntPtr for
// Marshal.PtrToStringAnsi, because the runtime would free a marshalled string. Keep a reference to each
// callback delegate. The library does not use UserData.
using System;
using System.Runtime.InteropServices;

namespace NetClock
{
";

pub(super) fn source(abi: &Abi) -> String {
    let mut text = HEAD.to_owned();
    for (Item { name, .. }, fields) in abi.structures() {
        text += &format!(
            "    [StructLayout(LayoutKind.Sequential)]\n    public struct {}\n    {{\n",
            camel(name)
        );
        for field in fields {
            if let Type::Bytes(_, length) = field.kind {
                text += &format!("        [MarshalAs(UnmanagedType.ByValArray, SizeConst = {length})]\n");
            }
            text += &format!("        public {} {};\n", kind(&field.kind), camel(&field.name));
        }
        text += "    }\n\n";
    }
    for (item, callback) in abi.callbacks() {
        text += &format!(
            "    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]\n    public delegate {} {}({});\n\n",
            kind(&callback.result.kind),
            camel(&item.name),
            parameters(callback)
        );
    }
    text += "    public static class Native\n    {\n        public const string Library = \"netclock\";\n\n";
    for (item, value) in abi.constants() {
        let size = if i32::try_from(value).is_ok() { "int" } else { "long" };
        text += &format!("        public const {size} {} = {};\n", bare(&item.name), literal(value));
    }
    for (item, function) in abi.functions() {
        text += &format!(
            "\n        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]\n        \
             public static extern {} {}({});\n",
            kind(&function.result.kind),
            item.name,
            parameters(function)
        );
    }
    text + "    }\n}\n"
}

fn literal(value: i128) -> String {
    if value == i64::MIN.into() { "long.MinValue".to_owned() } else { value.to_string() }
}

fn parameters(function: &Signature) -> String {
    let each = function.parameters.iter().map(|it| format!("{} @{}", passed(it), it.name));
    each.collect::<Vec<_>>().join(", ")
}

/// Only a configuration may be null, so all other pointers to C# types are passed by reference.
fn passed(parameter: &Variable) -> String {
    match &parameter.kind {
        Type::Pointer(_) if parameter.name == "config" => "IntPtr".to_owned(),
        Type::Pointer(to) => match &**to {
            Type::Void if parameter.name != "user_data" => "byte[]".to_owned(),
            Type::Structure(name) => format!("ref {}", camel(name)),
            Type::Pointer(_) => "out IntPtr".to_owned(),
            Type::Number(_) => format!("ref {}", kind(to)),
            _ => "IntPtr".to_owned(),
        },
        other => kind(other),
    }
}

fn kind(of: &Type) -> String {
    match of {
        Type::Void => "void".to_owned(),
        Type::Number(name) => match name.as_str() {
            "uint16_t" => "ushort",
            "int32_t" | "netclock_status" => "int",
            "uint32_t" => "uint",
            "int64_t" => "long",
            "uint64_t" => "ulong",
            "size_t" => "UIntPtr",
            other => other,
        }
        .to_owned(),
        Type::Bytes(..) => "byte[]".to_owned(),
        Type::Structure(name) | Type::Callback(name) => camel(name),
        Type::Text | Type::Opaque(_) | Type::Pointer(_) => "IntPtr".to_owned(),
    }
}
