//! Runs a demo: follows the plan and the viewers' buttons, and records the processes' reports.

use anyhow::Result;
use netclock::Span;

use super::audience::Audience;
use super::broadcast::Broadcast;
use super::plan::Plan;
use super::record::Record;
use super::screen::Screen;
use super::stage::Stage;
use crate::net::clock;
use crate::net::lifetime::Stop;

/// Runs the demo to its end, or until `stop`.
pub(crate) fn run(plan: Plan, screen: Screen, live: Option<Broadcast>, stop: &Stop) -> Result<Audience> {
    screen.start(&plan);
    if let Some(live) = &live {
        screen.line(&live.words());
    }
    let mut stage = Stage::set(&plan, stop)?;
    let mut audience = Audience { screen, live, record: Record::new(plan, clock::now()) };
    stage.begin_world(&audience.record);
    let Record { start, plan: Plan { seconds, actions, .. }, .. } = &audience.record;
    let (start, end, mut agenda) = (*start, Span::from_secs((*seconds).into()), actions.clone());
    loop {
        let age = clock::now() - start;
        if age >= end || stop.is_set() {
            break;
        }
        while let Some(action) = audience.live.as_ref().and_then(Broadcast::wish) {
            let place = agenda.partition_point(|(at, _)| *at <= age);
            agenda.insert(place, (age, action));
        }
        while agenda.first().is_some_and(|(at, _)| *at <= age) {
            let (_, action) = agenda.remove(0);
            if let Some((after, next)) = stage.act(action, &mut audience)? {
                let at = age + after;
                agenda.insert(agenda.partition_point(|(other, _)| *other <= at), (at, next));
            }
        }
        stage.follow_world(&mut audience);
        stage.listen(&mut audience)?;
        audience.screen.refresh(&audience.record);
    }
    let length = clock::now() - start;
    stage.end(&mut audience)?;
    audience.record.length = length;
    audience.screen.end(&audience.record);
    Ok(audience)
}
