use crate::abi::{Item, Kind, Signature, Type, Variable};

/// Maximum width of the headers, as in the Rust sources.
const WIDTH: usize = 110;

impl Item {
    /// Returns the C declaration without comments, with one line per structure field.
    pub(crate) fn declaration(&self) -> String {
        self.written(|_| String::new())
    }

    pub(crate) fn commented(&self) -> String {
        comment("", &self.comment) + &self.written(|field| comment("    ", &field.comment))
    }

    fn written(&self, before: impl Fn(&Variable) -> String) -> String {
        let name = &self.name;
        match &self.kind {
            Kind::Constant { spelled, .. } => format!("#define {name} {spelled}"),
            Kind::Alias(of) => format!("typedef {of} {name};"),
            Kind::Callback(signature) => signature.written("typedef ", &format!("(*{name})")),
            Kind::Handle { .. } => format!("typedef struct {name} {name};"),
            Kind::Structure(fields) => {
                let line = |field: &Variable| format!("{}    {};\n", before(field), field.declared());
                let lines: String = fields.iter().map(line).collect();
                format!("typedef struct {name} {{\n{lines}}} {name};")
            }
            Kind::Function(signature) => signature.written("", name),
        }
    }
}

impl Signature {
    fn written(&self, before: &str, name: &str) -> String {
        let head = format!("{before}{}(", self.result.before(name));
        let parameters: Vec<String> = self.parameters.iter().map(Variable::declared).collect();
        let line = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        if head.len() + line.len() + 2 <= WIDTH {
            return format!("{head}{line});");
        }
        format!("{head}{});", parameters.join(&format!(",\n{}", " ".repeat(head.len()))))
    }
}

impl Variable {
    pub(crate) fn declared(&self) -> String {
        match &self.kind {
            Type::Bytes(length, _) => format!("{} {}[{length}]", self.spelled, self.name),
            _ => self.before(&self.name),
        }
    }

    fn before(&self, name: &str) -> String {
        let blank = if self.spelled.ends_with('*') { "" } else { " " };
        format!("{}{blank}{name}", self.spelled)
    }
}

/// Formats a comment, on a single line if it fits. The result includes the final line break.
fn comment(indent: &str, lines: &[String]) -> String {
    if let [line] = lines {
        let short = format!("{indent}/** {line} */");
        if short.len() <= WIDTH {
            return short + "\n";
        }
    }
    let lines = lines.iter().map(|line| format!("{indent} * {line}").trim_end().to_owned() + "\n");
    format!("{indent}/**\n{}{indent} */\n", lines.collect::<String>())
}
