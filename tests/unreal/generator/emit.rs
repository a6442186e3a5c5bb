//! Generates the code for a reflected header in the double, with the thunks of remote calls.

use std::fmt::Write as _;

use super::parse::{Function, Header, Kind, Property, Type, has, value};

pub(crate) struct Generated {
    pub(crate) header: String,
    pub(crate) source: String,
}

pub(crate) fn header(header: &Header) -> Generated {
    let id = format!("FID_{}_h_", header.name);
    let mut head = format!(
        "// Generated for the engine double from {}.h.\n#pragma once\n\n\
         #include \"UObject/ObjectMacros.h\"\n\n\
         #undef CURRENT_FILE_ID\n#define CURRENT_FILE_ID {id}\n",
        header.name
    );
    let mut source = format!(
        "// Generated for the engine double from {0}.h.\n#include \"{0}.h\"\n\n#include \"Double/Net.h\"\n",
        header.name
    );
    for declared in &header.types {
        let Some(line) = declared.body else { continue };
        head.push_str(&body_macro(&id, line, declared));
        match declared.kind {
            Kind::Struct => source.push_str(&split(declared)),
            Kind::Class => {
                if !has(&declared.specifiers, "Abstract") {
                    // The engine never creates subsystems from abstract classes.
                    let _ = writeln!(
                        source,
                        "\nstatic const bool bRegistered{0} = \
                         (FDouble::Classes().push_back(&{0}::StaticClass), true);",
                        declared.name
                    );
                }
                source.push_str(&properties(declared));
                for function in declared.functions.iter().filter(|it| it.remote().is_some()) {
                    source.push_str(&thunk(declared, function));
                }
            }
            Kind::Enum => {}
        }
    }
    Generated { header: head, source }
}

/// `GENERATED_BODY()` in this line expands to the returned macro.
fn body_macro(id: &str, line: usize, declared: &Type) -> String {
    let mut lines = Vec::new();
    if declared.kind == Kind::Struct {
        let name = &declared.name;
        lines.push(format!(
            "static void DoubleSplitProperties({name}& Value, class FDoubleSplitter& Splitter);"
        ));
    } else {
        let base = declared.base.as_deref().unwrap_or("UObject");
        lines.push(format!("DOUBLE_CLASS_COMMON({}, {base})", declared.name));
        lines.push("static std::vector<FDoubleProperty> DoubleProperties();".to_owned());
        for function in declared.functions.iter().filter(|it| it.remote().is_some()) {
            let parameters = parameters(function);
            lines.push(format!("virtual void {}_Implementation({parameters});", function.name));
        }
        lines.push("private:".to_owned());
    }
    format!("\n#define {id}{line}_GENERATED_BODY \\\n\t{}\n", lines.join(" \\\n\t"))
}

fn parameters(function: &Function) -> String {
    let each = function.parameters.iter().map(|it| format!("{} {}", it.written, it.name));
    each.collect::<Vec<_>>().join(", ")
}

fn split(declared: &Type) -> String {
    let name = &declared.name;
    let each = declared.properties.iter().map(|it| format!("\tDoubleSplit(Value.{}, Splitter);\n", it.name));
    format!(
        "\nvoid {name}::DoubleSplitProperties([[maybe_unused]] {name}& Value, \
         [[maybe_unused]] FDoubleSplitter& Splitter)\n{{\n{}}}\n",
        each.collect::<String>()
    )
}

fn properties(declared: &Type) -> String {
    let name = &declared.name;
    let mut text = format!("\nstd::vector<FDoubleProperty> {name}::DoubleProperties()\n{{\n\treturn {{\n");
    for property in &declared.properties {
        let replicates = |word| has(&property.specifiers, word);
        let line = if replicates("Replicated") || replicates("ReplicatedUsing") {
            replicated(name, property)
        } else {
            let (name, config) = (&property.name, config(name, property));
            format!("\t\t{{\"{name}\", false, nullptr, nullptr, nullptr, {config}}},\n")
        };
        text.push_str(&line);
    }
    text.push_str("\t};\n}\n");
    text
}

fn replicated(class: &str, property: &Property) -> String {
    let name = &property.name;
    let notify = match value(&property.specifiers, "ReplicatedUsing") {
        Some(function) => format!("[](UObject* Object) {{ static_cast<{class}*>(Object)->{function}(); }}"),
        None => "nullptr".to_owned(),
    };
    format!(
        "\t\t{{\"{name}\", true,\n\
         \t\t\t[](UObject* Object) {{ FDoubleSplitter Splitter; \
         DoubleSplit(static_cast<{class}*>(Object)->{name}, Splitter); return Splitter.Values; }},\n\
         \t\t\t[](UObject* Object, const FDoubleMembers& Values) {{ FDoubleSplitter Splitter(Values); \
         DoubleSplit(static_cast<{class}*>(Object)->{name}, Splitter); }},\n\
         \t\t\t{notify},\n\t\t\t{config}}},\n",
        config = config(class, property)
    )
}

/// The function parses the value in the ini file, and applies the limits that the editor has.
fn config(class: &str, property: &Property) -> String {
    let name = &property.name;
    if !has(&property.specifiers, "Config") {
        return "nullptr, nullptr, \"\", \"\"".to_owned();
    }
    let meta = value(&property.specifiers, "meta").unwrap_or_default();
    let limit = |wanted: &str| {
        let parts = meta.trim_matches(['(', ')']).split(',').map(str::trim);
        let found = parts.filter_map(|it| it.split_once('=')).find(|(key, _)| key.trim() == wanted);
        found.map_or("\"\"", |(_, limit)| limit.trim()).to_owned()
    };
    format!(
        "[](UObject* Object, const std::string& Text) {{ \
         DoubleParse(Text, static_cast<{class}*>(Object)->{name}); }},\n\
         \t\t\t[](const UObject* A, const UObject* B) {{ \
         return static_cast<const {class}*>(A)->{name} == static_cast<const {class}*>(B)->{name}; }}, {}, {}",
        limit("ClampMin"),
        limit("ClampMax")
    )
}

fn thunk(class: &Type, function: &Function) -> String {
    let class = &class.name;
    let name = &function.name;
    let names: Vec<_> = function.parameters.iter().map(|it| it.name.as_str()).collect();
    let names = names.join(", ");
    let direction = if function.remote() == Some("Server") { "Server" } else { "Client" };
    let reliable = has(&function.specifiers, "Reliable");
    let mut text = format!("\nvoid {class}::{name}({})\n{{\n\tFDoubleRpc Rpc;\n", parameters(function));
    let _ = writeln!(text, "\tRpc.Name = \"{class}::{name}\";");
    let _ = writeln!(text, "\tRpc.Direction = EDoubleRpc::{direction};");
    let _ = writeln!(text, "\tRpc.bReliable = {reliable};");
    for parameter in &function.parameters {
        let _ = writeln!(text, "\tRpc.Bytes += DoubleSizeOf({});", parameter.name);
    }
    let _ = writeln!(text, "\tRpc.Run = [{names}](UObject* Target)\n\t{{");
    let _ = writeln!(text, "\t\t{class}* Self = static_cast<{class}*>(Target);");
    let _ = writeln!(text, "\t\tSelf->{name}_Implementation({names});\n\t}};");
    text.push_str("\tFDouble::Call(this, MoveTemp(Rpc));\n}\n");
    text
}
