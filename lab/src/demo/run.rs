//! Runs a demo: follows the plan and the wishes of those who watch, and records what the processes report.

use anyhow::Result;
use netclock::Span;

use super::audience::Audience;
use super::plan::Plan;
use super::record::Record;
use super::stage::Stage;
use crate::net::clock;
use crate::net::lifetime::Stop;

/// Runs the demo to its end, or until `stop`.
///
/// # Errors
/// A process does not start, ends too early, or says something unreadable.
pub(crate) fn run(plan: Plan, audience: &mut Audience, stop: &Stop) -> Result<Record> {
    let mut stage = Stage::set(&plan, stop)?;
    let mut record = Record::new(plan, clock::now());
    stage.begin_world(&record);
    let end = Span::from_secs(record.plan.seconds.into());
    let mut agenda = record.plan.actions.clone();
    loop {
        let age = clock::now() - record.start;
        if age >= end || stop.is_set() {
            break;
        }
        while let Some(action) = audience.wish() {
            let place = agenda.partition_point(|(at, _)| *at <= age);
            agenda.insert(place, (age, action));
        }
        while agenda.first().is_some_and(|(at, _)| *at <= age) {
            let (_, action) = agenda.remove(0);
            if let Some((after, next)) = stage.act(action, &mut record, audience)? {
                let at = age + after;
                agenda.insert(agenda.partition_point(|(other, _)| *other <= at), (at, next));
            }
        }
        stage.settle();
        stage.beat(&record, audience);
        stage.note_world_events(&mut record, audience);
        stage.listen(&mut record, audience)?;
        audience.refresh(&record);
    }
    let length = clock::now() - record.start;
    stage.end(&mut record, audience)?;
    record.length = length;
    Ok(record)
}
