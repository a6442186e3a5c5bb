//! Rejects the mistakes in a plugin like this that Unreal Header Tool would reject.

use std::collections::{BTreeMap, BTreeSet};

use super::parse::{Function, Header, Kind, Parameter, Type, has, value};

/// Types that Blueprints can use, although no header here declares them.
const IN_BLUEPRINT: &str = "bool uint8 int32 int64 float double FString FName FText FVector FRotator FGuid \
                            FDateTime FTimespan FGameplayTagContainer FActiveGameplayEffectHandle";

/// Types that only C++ can use.
const BESIDES: &str = "int8 int16 uint16 uint32 uint64";

const CONTAINERS: &[&str] = &["TArray", "TSet", "TMap", "TOptional"];
const REFERENCES: &[&str] =
    &["TSubclassOf", "TSoftObjectPtr", "TSoftClassPtr", "TWeakObjectPtr", "TScriptInterface"];

struct Known<'a> {
    types: BTreeMap<&'a str, &'a Type>,
    delegates: BTreeSet<&'a str>,
}

/// Formats each mistake as `Name.h:12: error`.
pub(crate) fn all(headers: &[Header]) -> Vec<String> {
    let types = headers.iter().flat_map(|it| &it.types).map(|it| (it.name.as_str(), it)).collect();
    let delegates = headers.iter().flat_map(|it| &it.delegates).map(|it| it.name.as_str()).collect();
    let known = Known { types, delegates };
    let mut errors = Vec::new();
    let mut stripped: BTreeMap<Option<&str>, &str> = BTreeMap::new();
    for header in headers.iter().filter(|it| it.is_reflected()) {
        let mut say = |line: usize, what: String| errors.push(format!("{}.h:{line}: {what}", header.name));
        includes(header, &mut say);
        for delegate in &header.delegates {
            if !delegate.name.starts_with('F') {
                say(delegate.line, format!("the name of delegate {} must begin with F", delegate.name));
            }
            for parameter in &delegate.parameters {
                known.supported(&parameter.written, true, &mut |what| say(delegate.line, what));
            }
        }
        for declared in &header.types {
            known.declared(declared, &mut say);
            known.names(declared, &mut say);
            if declared.kind != Kind::Enum {
                if let Some(other) = stripped.insert(declared.name.get(1..), &declared.name) {
                    let name = &declared.name;
                    say(declared.line, format!("{name} and {other} differ only in their prefix"));
                }
            }
        }
    }
    errors
}

fn includes(header: &Header, say: &mut dyn FnMut(usize, String)) {
    let wanted = format!("{}.generated.h", header.name);
    match header.includes.iter().position(|(it, _)| *it == wanted) {
        None => say(1, format!("{wanted} is not included")),
        Some(at) if at + 1 < header.includes.len() => {
            say(header.includes[at + 1].1, format!("an include after {wanted}, which must be the last"));
        }
        Some(_) => {}
    }
}

impl Known<'_> {
    fn declared(&self, declared: &Type, say: &mut dyn FnMut(usize, String)) {
        let base = declared.base.as_deref();
        let prefix = match declared.kind {
            Kind::Struct => 'F',
            Kind::Class if base.is_some_and(|it| it.starts_with('A')) => 'A',
            Kind::Class => 'U',
            Kind::Enum => {
                if has(&declared.specifiers, "BlueprintType") && base != Some("uint8") {
                    say(declared.line, format!("{}: a Blueprint enumeration must be a uint8", declared.name));
                }
                return;
            }
        };
        let second = declared.name.chars().nth(1);
        if !declared.name.starts_with(prefix) || !second.is_some_and(char::is_uppercase) {
            say(declared.line, format!("the name of {} must begin with {prefix}", declared.name));
        }
        if declared.kind == Kind::Class && base.is_none() {
            say(declared.line, format!("{} has no base class", declared.name));
        }
        if declared.body.is_none() {
            say(declared.line, format!("{} has no GENERATED_BODY()", declared.name));
        }
        for function in &declared.functions {
            if declared.kind == Kind::Struct {
                say(function.line, format!("{}: a USTRUCT cannot have a UFUNCTION", function.name));
            }
            self.function(function, &mut |what| say(function.line, format!("{}: {what}", function.name)));
        }
        for property in &declared.properties {
            let mut wrong = |what: String| say(property.line, format!("{}: {what}", property.name));
            let specified = |name: &str| has(&property.specifiers, name);
            let in_blueprint = specified("BlueprintReadOnly") || specified("BlueprintReadWrite");
            let is_replicated = specified("Replicated") || specified("ReplicatedUsing");
            let is_delegate = self.delegates.contains(property.written.as_str());
            let notify = value(&property.specifiers, "ReplicatedUsing");
            let is_function = |name| declared.functions.iter().any(|it| it.name == name);
            let mistakes = [
                (in_blueprint && property.is_private, "a Blueprint property must not be private"),
                (specified("BlueprintAssignable") && !is_delegate, "its type is not a dynamic delegate"),
                (notify.is_some_and(|it| !is_function(it)), "ReplicatedUsing does not name a UFUNCTION"),
                (declared.kind == Kind::Struct && is_replicated, "a USTRUCT's member cannot be replicated"),
            ];
            mistakes.iter().filter(|it| it.0).for_each(|it| wrong(it.1.to_owned()));
            self.supported(&property.written, in_blueprint, &mut wrong);
        }
    }

    fn function(&self, function: &Function, wrong: &mut dyn FnMut(String)) {
        let specified = |name: &str| has(&function.specifiers, name);
        let (is_remote, is_pure) = (function.remote().is_some(), specified("BlueprintPure"));
        let (reliable, unreliable) = (specified("Reliable"), specified("Unreliable"));
        let in_blueprint = is_pure || specified("BlueprintCallable");
        let (returns, gives) = (function.result != "void", function.parameters.iter().any(is_output));
        let mistakes = [
            (is_remote && reliable == unreliable, "a remote call is either Reliable or Unreliable"),
            (is_remote && returns, "a remote call cannot return a value"),
            (is_remote && function.is_static, "a remote call cannot be static"),
            (is_remote && is_pure, "a remote call cannot be pure"),
            (is_remote && gives, "a remote call cannot have an output"),
            (!is_remote && (reliable || unreliable), "Reliable and Unreliable are for remote calls"),
            (is_pure && !returns && !gives, "a pure function needs an output"),
        ];
        mistakes.iter().filter(|it| it.0).for_each(|it| wrong(it.1.to_owned()));
        for parameter in &function.parameters {
            if parameter.written.contains("TObjectPtr") {
                wrong(format!("{}: a TObjectPtr cannot be a parameter", parameter.name));
            }
            self.supported(&parameter.written, in_blueprint, wrong);
        }
        if returns {
            self.supported(&function.result, in_blueprint, wrong);
        }
    }

    fn names(&self, declared: &Type, say: &mut dyn FnMut(usize, String)) {
        let bases = |it: &&Type| it.base.as_deref().and_then(|base| self.types.get(base).copied());
        let classes = std::iter::successors(Some(declared), bases);
        let properties: BTreeSet<&str> = classes.flat_map(|it| &it.properties).map(|it| &*it.name).collect();
        let mut functions: BTreeSet<&str> = BTreeSet::new();
        for function in &declared.functions {
            let name = &function.name;
            if !functions.insert(name) {
                say(function.line, format!("{name}: a UFUNCTION cannot be overloaded"));
            }
            for it in function.parameters.iter().filter(|it| properties.contains(it.name.as_str())) {
                say(function.line, format!("{name}: parameter {} hides a UPROPERTY", it.name));
            }
        }
    }

    /// Checks that reflection supports the type, and also Blueprints if `in_blueprint` is true.
    fn supported(&self, written: &str, in_blueprint: bool, wrong: &mut dyn FnMut(String)) {
        let bare = written.trim().trim_start_matches("const ").trim_end_matches('&').trim();
        if let Some((outer, inner)) = bare.split_once('<') {
            let inner = inner.trim_end_matches('>').trim();
            if CONTAINERS.contains(&outer) && CONTAINERS.iter().any(|it| inner.contains(&format!("{it}<"))) {
                wrong(format!("{bare}: a container cannot hold another"));
            } else if CONTAINERS.contains(&outer) {
                inner.split(',').for_each(|it| self.supported(it, in_blueprint, wrong));
            } else if outer != "TObjectPtr" && outer != "TEnumAsByte" && !REFERENCES.contains(&outer) {
                wrong(format!("type {bare} is not supported"));
            }
            return;
        }
        if let Some(target) = bare.strip_suffix('*') {
            let target = target.trim();
            if !target.starts_with(['U', 'A']) || !target.chars().nth(1).is_some_and(char::is_uppercase) {
                wrong(format!("a pointer to {target} is not supported"));
            }
            return;
        }
        if self.delegates.contains(bare) {
            return;
        }
        if let Some(declared) = self.types.get(bare) {
            if declared.kind == Kind::Class {
                wrong(format!("{bare} is an object, which needs a pointer"));
            } else if in_blueprint && !has(&declared.specifiers, "BlueprintType") {
                wrong(format!("{bare} is not a BlueprintType"));
            }
            return;
        }
        let is_in = |types: &str| types.split_whitespace().any(|it| it == bare);
        if is_in(BESIDES) {
            if in_blueprint {
                wrong(format!("Blueprints do not support {bare}"));
            }
        } else if !is_in(IN_BLUEPRINT) {
            wrong(format!("type {bare} is not supported"));
        }
    }
}

fn is_output(parameter: &Parameter) -> bool {
    parameter.written.ends_with('&') && !parameter.written.starts_with("const ")
}
