//! NetClock in lightyear: everything that a game adds. The server publishes its ticks as world time; the
//! client follows them, and leads by what its inputs took.

use std::collections::VecDeque;

use bevy_app::{App, First, Plugin, PostUpdate, PreUpdate};
use bevy_derive::{Deref, DerefMut};
use bevy_ecs::prelude::*;
use bevy_reflect::prelude::GetPath;
use bevy_time::{Fixed, Time, TimeSystems};
use lightyear::core::time::{Overstep, TickInstant};
use lightyear::core::timeline::{Timeline as LightyearTimeline, TimelineConfig};
use lightyear::prelude::client::RemoteTimeline;
use lightyear::prelude::input::InputBuffer;
use lightyear::prelude::input::native::ActionState;
use lightyear::prelude::server::ClientOf;
use lightyear::prelude::server::input::InputSystems;
use lightyear::prelude::*;
use lightyear_sync::ping::manager::PingManager;
use lightyear_sync::timeline::sync::{LocalTimelineSyncPlugin, SyncTargetTimeline};
use netclock::order::{Lead, LeadConfig};
use netclock::timeline::{
    Publisher, PublisherConfig, Rate, Segment, Timeline, TimelineConfig as WorldConfig,
};
use netclock::{
    Client as Clock, Config, Direction, LocalTime, Reading, Request, Responder, ServerTime, State,
    TICKS_PER_SECOND, WorldTime, monotonic_now, wire,
};
use serde::{Deserialize, Serialize};

use crate::game::Step;

/// Share of inputs that should be in time.
const QUANTILE: f64 = 0.99;
/// What lightyear's objective adds to an estimate besides the round trip (ticks): for the server's pipeline.
const PIPELINE: f64 = 1.0;
/// Its controller rests within this error (ticks), adds it to the objective, and may correct at most this.
const REST: f32 = 0.05;
/// Beyond this error (ticks) its controller jumps, as by default. At smaller ones its speed differs by up to
/// twice `speedup_factor`, in proportion.
const JUMP: f32 = 10.0;
/// An error is corrected within this time (s), and at most by this share of the speed, as by default.
const CORRECTION_S: f64 = 1.0;
const FASTEST: f64 = 0.1;
/// The lead rises at once and falls by this much in a second (s): a queue that went may come back.
const FALL: f64 = 0.002;
/// Inputs whose departures are remembered.
const DEPARTURES: usize = 256;

/// A request of the clock.
#[derive(Serialize, Deserialize)]
struct Ask(Vec<u8>);

/// The reply.
#[derive(Serialize, Deserialize)]
struct Answer(Vec<u8>);

/// The line of the server's ticks, and when the newest input came.
#[derive(Serialize, Deserialize)]
struct News {
    segment: Vec<u8>,
    heard: Option<(u32, i64)>,
}

struct ClockChannel;

pub fn protocol(app: &mut App) {
    let settings = ChannelSettings { mode: ChannelMode::UnorderedUnreliable, ..Default::default() };
    app.add_channel::<ClockChannel>(settings).add_direction(NetworkDirection::Bidirectional);
    app.register_message::<Ask>().add_direction(NetworkDirection::ClientToServer);
    app.register_message::<Answer>().add_direction(NetworkDirection::ServerToClient);
    app.register_message::<News>().add_direction(NetworkDirection::ServerToClient);
    app.init_resource::<Frame>();
    app.add_systems(First, begin_frame.after(TimeSystems));
}

/// When the frame began: Bevy's time of the frame is of this instant.
#[derive(Resource)]
pub struct Frame(pub LocalTime);

impl Default for Frame {
    fn default() -> Self {
        Frame(monotonic_now())
    }
}

fn begin_frame(mut frame: ResMut<Frame>) {
    frame.0 = monotonic_now();
}

fn server_time(now: LocalTime) -> ServerTime {
    ServerTime::from_ticks(now.ticks())
}

/// The server's half: it answers requests, and publishes its ticks as the time of a world.
pub struct ServerClock;

#[derive(Resource)]
struct Serving {
    responder: Responder,
    publisher: Publisher,
    asked: Vec<(Entity, Request, LocalTime)>,
}

/// The newest tick of which a client's input came, and when (ticks of the server's clock).
#[derive(Component, Default)]
pub struct Heard(pub Option<(u32, i64)>);

impl Plugin for ServerClock {
    fn build(&self, app: &mut App) {
        let epoch = getrandom::u64().expect("the operating system has random numbers");
        let publisher = Publisher::new(PublisherConfig::default(), epoch, 1);
        app.insert_resource(Serving {
            responder: Responder::new(epoch),
            publisher: publisher.expect("the defaults are valid"),
            asked: Vec::new(),
        });
        app.register_required_components::<ClientOf, Heard>();
        app.add_systems(PreUpdate, (take_requests, hear_inputs).after(InputSystems::ReceiveInputs));
        app.add_systems(PostUpdate, answer.before(MessageSystems::Send));
    }
}

fn take_requests(
    mut serving: ResMut<Serving>,
    mut clients: Query<(Entity, &mut MessageReceiver<Ask>), With<ClientOf>>,
) {
    let now = monotonic_now();
    for (client, mut receiver) in &mut clients {
        let requests = receiver.receive().filter_map(|ask| wire::decode_request(&ask.0).ok());
        serving.asked.extend(requests.map(|request| (client, request, now)));
    }
}

pub fn hear_inputs(
    players: Query<(&InputBuffer<ActionState<Step>, Step>, &ControlledBy)>,
    mut clients: Query<&mut Heard>,
) {
    for (inputs, controlled) in &players {
        let (Some(tick), Ok(mut heard)) = (inputs.last_remote_tick, clients.get_mut(controlled.owner)) else {
            continue;
        };
        if heard.0.is_none_or(|(newest, _)| tick.0 > newest) {
            heard.0 = Some((tick.0, monotonic_now().ticks()));
        }
    }
}

fn answer(
    mut serving: ResMut<Serving>,
    frame: Res<Frame>,
    (timeline, fixed): (Res<LocalTimeline>, Res<Time<Fixed>>),
    mut clients: Query<(&mut MessageSender<Answer>, &mut MessageSender<News>, &Heard)>,
) {
    let Serving { responder, publisher, asked } = &mut *serving;
    for (client, request, received) in asked.drain(..) {
        let reply = responder.respond(&request, server_time(received), server_time(monotonic_now()));
        let datagram = reply.ok().and_then(|reply| wire::encode_reply(&reply).ok());
        if let (Some(datagram), Ok((mut sender, ..))) = (datagram, clients.get_mut(client)) {
            sender.send::<ClockChannel>(Answer(datagram.to_vec()));
        }
    }
    // A tick of the game is a step of the fixed loop, and what is over belongs to the next one.
    let world = fixed.timestep() * timeline.tick().0 + fixed.overstep();
    let world = WorldTime::from_ticks((world.as_nanos() / 100) as i64);
    let rate = Rate::new(1.0).unwrap_or(Rate::PAUSED);
    let _late = publisher.observe(server_time(frame.0), world, rate);
    let Some(segment) = publisher.newest().and_then(|newest| newest.encode().ok()) else { return };
    for (_, mut sender, heard) in &mut clients {
        sender.send::<ClockChannel>(News { segment: segment.to_vec(), heard: heard.0 });
    }
}

/// The client's half, in the place of lightyear's own `ClientPlugin`.
pub struct ClientClock {
    /// Ticks by which inputs are applied later than made.
    pub input_delay: u16,
    /// Length of a frame, and of a tick (s).
    pub frame_s: f64,
    pub tick_s: f64,
}

/// The server's timeline as lightyear wants it: its `now` is the estimate, such that the objective which
/// lightyear makes of it is ours.
#[derive(Component, Default, Deref, DerefMut)]
pub struct Followed(LightyearTimeline<FollowedConfig>);

#[derive(Component, Default)]
pub struct FollowedConfig;

/// What is known of the server in this frame.
#[derive(Default)]
pub struct Known {
    is_synced: bool,
    /// The server's tick.
    server: f64,
}

impl TimelineConfig for FollowedConfig {
    type Context = Known;
    type Timeline = Followed;
}

impl SyncTargetTimeline for Followed {
    fn current_estimate(&self) -> TickInstant {
        self.now
    }

    fn received_packet(&self) -> bool {
        self.is_synced
    }
}

#[derive(Resource)]
struct Following {
    clock: Clock,
    world: Timeline,
    lead: Lead,
    /// Each input's tick, and the server's time and the epoch when it left.
    departures: VecDeque<(u32, Reading)>,
    noted: u32,
    /// The lead in use (s).
    held: f64,
    frame_s: f64,
}

impl Plugin for ClientClock {
    fn build(&self, app: &mut App) {
        let seed = getrandom::u64().expect("the operating system has random numbers");
        let lead = Lead::new(LeadConfig { quantile: QUANTILE, ..LeadConfig::default() });
        app.insert_resource(Following {
            clock: Clock::new(Config::default(), u128::from(seed) + 1).expect("the defaults are valid"),
            world: Timeline::new(WorldConfig::default()).expect("the defaults are valid"),
            lead: lead.expect("the quantile is in its range"),
            departures: VecDeque::new(),
            noted: 0,
            held: 0.0,
            frame_s: self.frame_s,
        });
        app.register_required_components::<Client, Followed>();
        app.add_plugins(LocalTimelineSyncPlugin::<Followed>::default());
        let sync = SyncConfig {
            jitter_multiple: 0,
            jitter_margin: 0.0,
            error_margin: REST,
            max_error_margin: JUMP,
            consecutive_errors_threshold: 1,
            speedup_factor: 1.0 + JUMP / 2.0 * (self.tick_s / CORRECTION_S) as f32,
            ..SyncConfig::default()
        };
        app.insert_resource(InputTimelineConfig::default().with_sync_config(sync));
        // The observers that set the delay of inputs are private to lightyear, and so is the field.
        let mut timeline = app.world_mut().resource_mut::<LocalTimelineSync>();
        let field = timeline.path_mut::<u16>("input_delay_ticks");
        *field.expect("lightyear has this field in 0.30.1") = self.input_delay;
        app.add_systems(PreUpdate, take_answers.after(MessageSystems::Receive));
        let send = ask.after(SyncSystems::Sync).before(MessageSystems::Send);
        app.add_systems(PostUpdate, (follow.before(SyncSystems::Sync), send));
    }
}

fn take_answers(
    mut following: ResMut<Following>,
    mut servers: Query<(&mut MessageReceiver<Answer>, &mut MessageReceiver<News>)>,
) {
    let now = monotonic_now();
    let Following { clock, world, lead, departures, noted, .. } = &mut *following;
    for (mut answers, mut news) in &mut servers {
        for reply in answers.receive().filter_map(|answer| wire::decode_reply(&answer.0).ok()) {
            let _refused = clock.handle_reply(&reply, now);
        }
        for News { segment, heard } in news.receive() {
            if let Ok(segment) = Segment::decode(&segment) {
                let _refused = world.insert(&segment);
            }
            let Some((tick, arrived)) = heard.filter(|(tick, _)| tick > noted) else { continue };
            *noted = tick;
            if let Some((_, left)) = departures.iter().find(|(of, _)| *of == tick) {
                let arrived = ServerTime::from_ticks(arrived);
                let _refused = lead.note(Direction::ToServer, left.epoch, left.server_time, arrived);
            }
        }
    }
}

/// Sets the estimate, as late in the frame as lightyear looks at it.
fn follow(
    mut following: ResMut<Following>,
    (frame, fixed): (Res<Frame>, Res<Time<Fixed>>),
    (local, sync): (Res<LocalTimeline>, Res<LocalTimelineSync>),
    mut servers: Query<(&mut Followed, &PingManager)>,
) {
    let Following { clock, world, lead, held, frame_s, .. } = &mut *following;
    let reading = clock.read(frame.0);
    let Ok(shown) = world.show(&reading) else { return };
    let ticks = |seconds: f64| seconds / fixed.timestep().as_secs_f64();
    let server = ticks(shown.world.ticks() as f64 / TICKS_PER_SECOND as f64);
    for (mut followed, ping) in &mut servers {
        // Until an input has been heard, half of the round trip.
        let half = ping.rtt().as_secs_f64() / 2.0;
        let lead = lead.lead().map_or(half, |lead| lead.as_secs_f64());
        *held = lead.max(*held - FALL * *frame_s);
        // An input leaves up to a frame after its tick began.
        let mut aim = server + ticks(*held + *frame_s) - f64::from(sync.input_delay());
        if sync.is_synced() {
            let now = f64::from(local.tick().0) + fixed.overstep_fraction_f64();
            let most = ticks(FASTEST * CORRECTION_S);
            aim = aim.clamp(now - most, now + most);
        }
        // Without what lightyear adds to make its objective of it.
        aim += f64::from(sync.input_delay()) - ticks(half) - PIPELINE - f64::from(REST);
        let whole = aim.max(0.0).floor();
        followed.now = TickInstant::from_tick_and_overstep(
            Tick(whole as u32),
            Overstep::from_f32((aim.max(0.0) - whole) as f32),
        );
        followed.server = server;
        followed.is_synced = reading.state != State::Unsynced;
    }
}

/// Sends what the clock asks, and remembers when each input left.
fn ask(
    mut following: ResMut<Following>,
    timeline: Res<LocalTimeline>,
    sync: Res<LocalTimelineSync>,
    mut servers: Query<&mut MessageSender<Ask>, With<Connected>>,
) {
    let now = monotonic_now();
    let Ok(mut sender) = servers.single_mut() else { return };
    if let Ok(Some(request)) = following.clock.tick(now)
        && let Ok(datagram) = wire::encode_request(&request)
    {
        sender.send::<ClockChannel>(Ask(datagram.to_vec()));
    }
    if !sync.is_synced() {
        return;
    }
    let tick = timeline.tick().0 + u32::from(sync.input_delay());
    if following.departures.back().is_none_or(|(newest, _)| *newest < tick) {
        let reading = following.clock.read(now);
        following.departures.push_back((tick, reading));
        if following.departures.len() > DEPARTURES {
            following.departures.pop_front();
        }
    }
}

/// The server's tick as a client knows it, for the comparison.
pub trait Estimate {
    fn estimate(&self) -> f64;
}

impl Estimate for Followed {
    fn estimate(&self) -> f64 {
        self.server
    }
}

impl Estimate for RemoteTimeline {
    fn estimate(&self) -> f64 {
        let estimate = self.current_estimate();
        f64::from(estimate.tick().0) + f64::from(estimate.overstep().to_f32())
    }
}
