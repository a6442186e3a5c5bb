//! Unreal Header Tool does not evaluate the compiler's definitions, so it rejects reflection macros in `#if`.

const WORDS: [&str; 5] = ["UCLASS", "USTRUCT", "UENUM", "UFUNCTION", "UPROPERTY"];

const KNOWN: [&str; 2] = ["WITH_EDITOR", "WITH_EDITORONLY_DATA"];

pub(super) fn check(name: &str, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut open: Vec<bool> = Vec::new();
    for (index, line) in text.lines().map(str::trim).enumerate() {
        if let Some(directive) = line.strip_prefix('#').map(str::trim_start) {
            if directive.starts_with("if") {
                let condition = directive.split_once(' ').map_or("", |(_, it)| it.trim());
                open.push(KNOWN.contains(&condition));
            } else if directive.starts_with("endif") {
                open.pop();
            }
        } else if open.contains(&false) {
            let word =
                WORDS.iter().find(|it| line.strip_prefix(*it).is_some_and(|rest| rest.starts_with('(')));
            wrong.extend(word.map(|it| format!("{name}.h:{}: {it} inside #if", index + 1)));
        }
    }
    wrong
}
