//! Generates the double's code for a reflected header, including RPC thunks.

use super::parse::{Function, Header, Kind, Type, has, quoted, value};

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
        // `GENERATED_BODY()` in this line expands to this macro.
        let lines = body(declared).join(" \\\n\t");
        head.push_str(&format!("\n#define {id}{line}_GENERATED_BODY \\\n\t{lines}\n"));
        source.push_str(&match declared.kind {
            Kind::Struct => split(declared),
            Kind::Class => class(declared),
            Kind::Enum => String::new(),
        });
    }
    Generated { header: head, source }
}

fn body(declared: &Type) -> Vec<String> {
    let name = &declared.name;
    if declared.kind == Kind::Struct {
        return vec![format!(
            "static void DoubleSplitProperties({name}& Value, class FDoubleSplitter& Splitter);"
        )];
    }
    let base = declared.base.as_deref().unwrap_or("UObject");
    let calls = declared.functions.iter().filter(|it| it.remote().is_some());
    let calls = calls.map(|it| format!("virtual void {}_Implementation({});", it.name, parameters(it)));
    let common = format!("DOUBLE_CLASS_COMMON({name}, {base})");
    let properties = "static std::vector<FDoubleProperty> DoubleProperties();".to_owned();
    [common, properties].into_iter().chain(calls).chain(["private:".to_owned()]).collect()
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

fn class(declared: &Type) -> String {
    let name = &declared.name;
    // The engine never creates subsystems from abstract classes.
    let registered = format!(
        "\nstatic const bool bRegistered{name} = \
         (FDouble::Classes().push_back(&{name}::StaticClass), true);\n"
    );
    let registered = if has(&declared.specifiers, "Abstract") { String::new() } else { registered };
    let properties = declared.properties.iter().map(|it| {
        let has = |word| has(&it.specifiers, word);
        let is_replicated = has("Replicated") || has("ReplicatedUsing");
        let access = |is_wanted, part: &str| {
            if is_wanted { format!("&TDoubleAccess<&{name}::{}>::{part}", it.name) } else { "nullptr".into() }
        };
        let notify = value(&it.specifiers, "ReplicatedUsing").map_or("nullptr".into(), |function| {
            format!("[](UObject* Object) {{ static_cast<{name}*>(Object)->{function}(); }}")
        });
        let limit = |key| quoted(&it.specifiers, key).unwrap_or_default();
        format!(
            "\t\t{{\"{}\", {is_replicated}, {}, {}, {notify}, {}, {}, \"{}\", \"{}\"}},\n",
            it.name,
            access(is_replicated, "Take"),
            access(is_replicated, "Put"),
            access(has("Config"), "Parse"),
            access(has("Config"), "Equal"),
            limit("ClampMin"),
            limit("ClampMax")
        )
    });
    let properties: String = properties.collect();
    let calls = declared.functions.iter().filter(|it| it.remote().is_some()).map(|it| thunk(name, it));
    format!(
        "{registered}\nstd::vector<FDoubleProperty> {name}::DoubleProperties()\n{{\n\treturn {{\n{properties}\
         \t}};\n}}\n{}",
        calls.collect::<String>()
    )
}

fn thunk(class: &str, function: &Function) -> String {
    let name = &function.name;
    let names: String = function.parameters.iter().map(|it| format!(", {}", it.name)).collect();
    let direction = if function.remote() == Some("Server") { "Server" } else { "Client" };
    format!(
        "\nvoid {class}::{name}({})\n{{\n\tFDouble::CallRemotely(this, \"{class}::{name}\", \
         EDoubleRpc::{direction}, {}, &{class}::{name}_Implementation{names});\n}}\n",
        parameters(function),
        has(&function.specifiers, "Reliable")
    )
}
