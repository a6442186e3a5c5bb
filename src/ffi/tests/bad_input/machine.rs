//! Stores the handles, structures, buffers and numbers that a script has named.

use core::ffi::c_void;
use std::collections::BTreeMap;
use std::ffi::CString;

use super::handles;
use super::signature::{Function, Kind, Parameter};
use crate::ffi::clock::report::tap::{NetclockSample, NetclockTapCallback};
use crate::ffi::tests::layout;

/// Memory for any structure or buffer.
#[derive(Clone, PartialEq)]
#[repr(align(8))]
struct Bytes([u8; 4096]);

type Room = Box<Bytes>;

const PATTERN: u8 = 0xA5;

const READ_AND_WRITTEN: [&str; 1] = ["beat"];

/// Values for arguments or parts of arguments, such as `now` or `datagram[3]`.
pub(super) type Changes = Vec<(String, String)>;

pub(super) struct Machine {
    pub(super) handles: BTreeMap<String, (&'static str, u64)>,
    pub(super) twins: BTreeMap<&'static str, u64>,
    structures: BTreeMap<String, Room>,
    buffers: BTreeMap<String, Room>,
    numbers: BTreeMap<String, u64>,
    texts: BTreeMap<String, CString>,
}

struct Prepared {
    words: Vec<u64>,
    rooms: Vec<Option<(Room, Room)>>,
}

impl Machine {
    pub(super) fn new() -> Self {
        let text = |bytes: &[u8]| CString::new(bytes).expect("the text contains no zero");
        let texts = [("no_utf8", text(b"\xFF")), ("long", text(&[b'x'; 254]))];
        Machine {
            handles: BTreeMap::new(),
            twins: BTreeMap::new(),
            structures: BTreeMap::new(),
            buffers: [("zeros".to_owned(), room(0))].into(),
            numbers: BTreeMap::new(),
            texts: texts.map(|(name, text)| (name.to_owned(), text)).into(),
        }
    }

    /// Sets a value by its name, for example `now`, `reading.state`, `datagram[3]` or `address`.
    pub(super) fn assign(&mut self, name: &str, value: &str) {
        if let Some(text) = value.strip_prefix('"') {
            let text = CString::new(text.trim_end_matches('"')).expect("the text contains no zero");
            self.texts.insert(name.to_owned(), text);
        } else if let Some(at) = name.find(['.', '[']) {
            let (of, place) = name.split_at(at);
            let is_structure = place.starts_with('.');
            let mut room = if is_structure { self.structure(of) } else { self.buffer(of) };
            self.change(&mut room, of, place, value);
            let kept = if is_structure { &mut self.structures } else { &mut self.buffers };
            kept.insert(of.to_owned(), room);
        } else {
            self.numbers.insert(name.to_owned(), self.value(value));
        }
    }

    /// `place` is a field of a structure, such as `.state`, or a byte of a buffer, such as `[3]`.
    fn change(&self, room: &mut Room, structure: &str, place: &str, value: &str) {
        let word = self.value(value);
        match place.strip_prefix('.') {
            Some(field) => set_field(room, structure, field, word),
            None => set(room, place.trim_matches(['[', ']']).parse().expect("a place"), 1, word),
        }
    }

    /// Evaluates an expression such as `null`, `0.5`, `-2^62`, `now+12s` or `LINK_POLLED`.
    pub(super) fn value(&self, text: &str) -> u64 {
        match text.parse::<f64>() {
            Ok(float) if text.contains('.') || !float.is_finite() => return float.to_bits(),
            _ => {}
        }
        let (mut sum, mut rest) = (0_i128, text);
        while !rest.is_empty() {
            let sign = if rest.starts_with('-') { -1 } else { 1 };
            rest = rest.trim_start_matches(['+', '-']);
            let end = rest.find(['+', '-']).unwrap_or(rest.len());
            sum += sign * self.term(&rest[..end]);
            rest = &rest[end..];
        }
        sum as u64
    }

    fn term(&self, text: &str) -> i128 {
        if let Some(exponent) = text.strip_prefix("2^") {
            return 1 << exponent.parse::<u32>().expect("a power of two");
        }
        match text {
            "null" => return 0,
            "INT64_MIN" => return i64::MIN.into(),
            "INT64_MAX" => return i64::MAX.into(),
            "UINT32_MAX" => return u32::MAX.into(),
            "UINT64_MAX" | "SIZE_MAX" => return u64::MAX.into(),
            _ => {}
        }
        let units = [("us", 10), ("ms", 10_000), ("s", 10_000_000), ("", 1)];
        let number = units
            .iter()
            .find_map(|(unit, ticks)| Some(text.strip_suffix(unit)?.parse::<i128>().ok()? * ticks));
        let constant = || {
            layout::constants().find(|(name, _)| name.strip_prefix("NETCLOCK_") == Some(text)).map(|it| it.1)
        };
        let known = || self.numbers.get(text).map(|word| i128::from(*word as i64));
        number
            .or_else(known)
            .or_else(|| self.field(text))
            .or_else(constant)
            .unwrap_or_else(|| panic!("{text} has no value"))
    }

    fn field(&self, path: &str) -> Option<i128> {
        let (structure, field) = path.split_once('.')?;
        let layout = layout::of(structure)?;
        let (_, at, size) = layout.fields.iter().find(|(name, ..)| *name == field)?;
        let bytes = &self.structures.get(structure)?.0[*at..at + 8.min(*size)];
        Some(bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | i128::from(byte)))
    }

    fn structure(&self, name: &str) -> Room {
        self.structures.get(name).cloned().unwrap_or_else(|| sized(name, 0))
    }

    fn buffer(&self, name: &str) -> Room {
        self.buffers.get(name).cloned().unwrap_or_else(|| room(PATTERN))
    }

    /// Skips handles that another thread may modify at any time.
    fn state(&self) -> Vec<String> {
        let still = self.handles.iter().filter(|(name, _)| !name.starts_with("threaded"));
        still.map(|(_, (kind, address))| (handles::of(kind).state)(*address)).collect()
    }

    /// Stores the outputs if the call succeeds. Checks that the call writes neither to an input nor beyond
    /// the end of an output.
    pub(super) fn call(&mut self, function: &Function, changes: &Changes) -> i32 {
        let Prepared { words, rooms } = self.prepare(function, changes, false);
        // SAFETY: every pointer is null or points to memory or a handle of its type.
        let status = unsafe { function.call.call(&words) };
        let capacity = function.parameters.iter().position(|it| it.name == "capacity");
        for (Parameter { name, kind }, room) in function.parameters.iter().zip(rooms) {
            let Some((room, before)) = room else { continue };
            let size = match *kind {
                Kind::Output(of) => layout::of(of).map_or(0, |layout| layout.size),
                Kind::OutputBytes => capacity.map_or(0, |at| words[at] as usize),
                Kind::NewHandle(_) | Kind::Cell => size_of::<u64>(),
                _ => 0,
            };
            let call = function.name;
            assert!(room.0[size..] == before.0[size..], "{call} wrote beyond its {name}");
            if status != 0 {
                continue;
            }
            let named = find(changes, name).unwrap_or(name).to_owned();
            let word = u64::from_ne_bytes(*room.0.first_chunk().expect("a room has eight bytes"));
            match *kind {
                Kind::NewHandle(of) => {
                    let name = find(changes, name).unwrap_or(of).to_owned();
                    self.handles.insert(name, (of, word));
                }
                Kind::Output(of) => drop(self.structures.insert(of.to_owned(), room)),
                Kind::OutputBytes => drop(self.buffers.insert(named, room)),
                Kind::Cell => drop(self.numbers.insert(named, word)),
                _ => {}
            }
        }
        status
    }

    /// Makes a call that must not write any output. If `keeps` is set, the call must not modify any handle
    /// either.
    pub(super) fn refused(&mut self, function: &Function, changes: &Changes, keeps: bool) -> i32 {
        let before = if keeps { self.state() } else { Vec::new() };
        let Prepared { words, rooms } = self.prepare(function, changes, true);
        // SAFETY: as above, except that the call rejects a wrong size or length before it reads.
        let status = unsafe { function.call.call(&words) };
        let call = function.name;
        for (room, before) in rooms.into_iter().flatten() {
            assert!(room == before, "{call} with {changes:?} returned {status} and wrote an output");
        }
        for (before, after) in before.iter().zip(self.state()) {
            let common = before.bytes().zip(after.bytes()).take_while(|(old, new)| old == new).count();
            let excerpt =
                |state: &str| state[common.saturating_sub(100)..].chars().take(200).collect::<String>();
            assert!(
                *before == after,
                "{call} with {changes:?} returned {status} and changed a handle:\n{}\n{}",
                excerpt(before),
                excerpt(&after)
            );
        }
        status
    }

    fn prepare(&self, function: &Function, changes: &Changes, is_refused: bool) -> Prepared {
        let mut prepared = Prepared { words: Vec::new(), rooms: Vec::new() };
        for Parameter { name, kind } in &function.parameters {
            let given = find(changes, name);
            if given == Some("null") {
                prepared.words.push(0);
                prepared.rooms.push(None);
                continue;
            }
            let room = match *kind {
                Kind::Input(of) => Some(self.structure(of)),
                Kind::Output(of) if is_refused && !READ_AND_WRITTEN.contains(&of) => Some(sized(of, PATTERN)),
                Kind::Output(of) => Some(self.structure(of)),
                Kind::InputBytes => Some(self.buffer(given.unwrap_or(name))),
                Kind::OutputBytes | Kind::NewHandle(_) | Kind::Cell => {
                    Some(room(if is_refused { PATTERN } else { 0 }))
                }
                _ => None,
            };
            let room = room.map(|mut room| {
                let of = if let Kind::Input(of) | Kind::Output(of) = *kind { of } else { name };
                for (change, value) in changes {
                    let place = change.strip_prefix(name).filter(|rest| rest.starts_with(['.', '[']));
                    place.into_iter().for_each(|place| self.change(&mut room, of, place, value));
                }
                (room.clone(), room)
            });
            prepared.rooms.push(room);
            let room = prepared.rooms.last_mut().and_then(Option::as_mut);
            prepared.words.push(match room {
                Some((room, _)) => (&raw mut **room).expose_provenance() as u64,
                None => self.word(name, *kind, given),
            });
        }
        prepared
    }

    fn word(&self, name: &str, kind: Kind, given: Option<&str>) -> u64 {
        match kind {
            Kind::Number => self.value(given.unwrap_or(name)),
            Kind::Handle(of) => self.handle(given.unwrap_or(of), of),
            Kind::Text => {
                let text = self.texts.get(given.unwrap_or(name));
                text.unwrap_or_else(|| panic!("no text {name}")).as_ptr().expose_provenance() as u64
            }
            Kind::Callback => callback(),
            _ => 0,
        }
    }

    fn handle(&self, name: &str, kind: &str) -> u64 {
        let of_number = name.strip_prefix('@').map(|name| self.value(name).to_string());
        match of_number.as_deref().unwrap_or(name) {
            "poisoned" => self.twins[kind],
            name => self.handles.get(name).map_or_else(|| self.value(name), |(_, address)| *address),
        }
    }
}

pub(super) fn find<'a>(changes: &'a Changes, name: &str) -> Option<&'a str> {
    changes.iter().rfind(|(changed, _)| changed == name).map(|(_, value)| value.as_str())
}

fn room(fill: u8) -> Room {
    Box::new(Bytes([fill; 4096]))
}

fn sized(name: &str, fill: u8) -> Room {
    let mut room = room(fill);
    let layout = layout::of(name).unwrap_or_else(|| panic!("no structure {name}"));
    if layout.fields[0].0 == "struct_size" {
        set(&mut room, 0, 4, layout.size as u64);
    }
    room
}

/// The field name `beyond` stands for the byte after the last field.
fn set_field(room: &mut Room, structure: &str, field: &str, word: u64) {
    let layout = layout::of(structure).unwrap_or_else(|| panic!("no structure {structure}"));
    let (at, size) = match (field, layout.fields.iter().find(|(name, ..)| *name == field)) {
        ("beyond", _) => (layout.size, 1),
        (_, Some((_, at, size))) => (*at, *size),
        (_, None) => panic!("{structure} has no {field}"),
    };
    let step = if size > 8 { 1 } else { size };
    (at..at + size).step_by(step).for_each(|at| set(room, at, step, word));
}

fn set(room: &mut Room, at: usize, size: usize, word: u64) {
    room.0[at..at + size].copy_from_slice(&word.to_le_bytes()[..size]);
}

fn callback() -> u64 {
    unsafe extern "C-unwind" fn tap(_: *mut c_void, _: *const NetclockSample) {}
    let address = NetclockTapCallback::Some(tap).map(|it| it as *const ());
    address.map_or(0, |address| address.expose_provenance() as u64)
}
