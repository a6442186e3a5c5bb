use super::kind::{Kind, Verdict};
use crate::report::clock;

/// If there are more verdicts of one kind than this, they are merged.
const MOST: usize = 3;

pub(super) fn merged(mut all: Vec<Verdict>) -> Vec<Verdict> {
    all.dedup();
    let mut kinds: Vec<Kind> = Vec::new();
    for it in &all {
        if it.stretch.is_some() && !kinds.contains(&it.kind) {
            kinds.push(it.kind);
        }
    }
    let (mut rest, mut single): (Vec<Verdict>, Vec<Verdict>) =
        all.into_iter().partition(|it| it.stretch.is_some());
    for kind in kinds {
        let (same, others): (Vec<Verdict>, Vec<Verdict>) = rest.into_iter().partition(|it| it.kind == kind);
        rest = others;
        match one(&same) {
            Some(one) if same.len() > MOST => single.push(one),
            _ => single.extend(same),
        }
    }
    single
}

fn one(same: &[Verdict]) -> Option<Verdict> {
    let stretches = same.iter().filter_map(|it| it.stretch);
    let from = stretches.clone().map(|it| it.0).reduce(f64::min)?;
    let to = stretches.map(|it| it.1).reduce(f64::max)?;
    let length = |it: &Verdict| it.stretch.map_or(0.0, |(from, to)| to - from);
    let longest = same.iter().max_by(|a, b| length(a).total_cmp(&length(b)))?;
    let words = format!(
        "{} times between {} and {}. The longest: {}",
        same.len(),
        clock(from),
        clock(to),
        longest.words
    );
    Some(Verdict { kind: longest.kind, stretch: Some((from, to)), words })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_verdicts_are_merged_and_counted() {
        let verdict = |kind, from: u32, length: f64| {
            let from = f64::from(from);
            Verdict { kind, stretch: Some((from, from + length)), words: format!("at {from}") }
        };
        let outages = |count| (0..count).map(|it| verdict(Kind::Outage, 100 * it, f64::from(it)));
        let step = verdict(Kind::Step, 7, 0.0);
        assert_eq!(merged(outages(3).chain([step.clone()]).collect()).len(), 4);
        let all = merged(outages(4).chain([step.clone()]).collect());
        assert_eq!(all.len(), 2);
        assert!(all.contains(&step));
        let one = all.iter().find(|it| it.kind == Kind::Outage).unwrap();
        assert_eq!(one.words, "4 times between 0:00.0 and 5:03. The longest: at 300");
        assert_eq!(one.stretch, Some((0.0, 303.0)));
    }
}
