//! A guest that records its exchanges and may share its clock with a link's thread.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use netclock::link::sockets::SharedClient;
use netclock::session::Guest;
use netclock::{Client, LocalTime, Sample};

use crate::recording::{Announcement, Recorder};

pub(super) enum Notes {
    Nowhere,
    File(Recorder),
    Kept(Vec<Sample>),
}

struct NotedState {
    guest: Guest,
    notes: Notes,
    failed: Option<anyhow::Error>,
}

#[derive(Clone)]
pub(super) struct NotedGuest(Arc<Mutex<NotedState>>);

impl NotedGuest {
    pub(super) fn new(guest: Guest) -> Self {
        NotedGuest(Arc::new(Mutex::new(NotedState { guest, notes: Notes::Nowhere, failed: None })))
    }

    fn lock(&self) -> MutexGuard<'_, NotedState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn run<T>(&self, work: impl FnOnce(&mut Guest) -> T) -> T {
        let mut state = self.lock();
        let before = state.guest.clock().last_sample().copied();
        let done = work(&mut state.guest);
        let NotedState { guest, notes, failed } = &mut *state;
        if let Some(sample) = guest.clock().last_sample().filter(|&sample| Some(*sample) != before) {
            let noted = match notes {
                Notes::Nowhere => Ok(()),
                Notes::File(recorder) => recorder.add(sample),
                Notes::Kept(samples) => {
                    samples.push(*sample);
                    Ok(())
                }
            };
            if let Err(error) = noted {
                (*notes, *failed) = (Notes::Nowhere, Some(error));
            }
        }
        done
    }

    pub(super) fn announce(&self, at: LocalTime, what: &Announcement) {
        let mut state = self.lock();
        let NotedState { notes, failed, .. } = &mut *state;
        let noted = if let Notes::File(recorder) = notes { recorder.announce(at, what) } else { Ok(()) };
        if let Err(error) = noted {
            (*notes, *failed) = (Notes::Nowhere, Some(error));
        }
    }

    pub(super) fn note(&self, notes: Notes) -> Result<Notes> {
        self.check()?;
        Ok(std::mem::replace(&mut self.lock().notes, notes))
    }

    pub(super) fn check(&self) -> Result<()> {
        self.lock().failed.take().map_or(Ok(()), Err)
    }
}

impl SharedClient for NotedGuest {
    fn with(&self, work: &mut dyn FnMut(&mut Client)) {
        self.run(|guest| work(guest.clock_mut()));
    }
}
