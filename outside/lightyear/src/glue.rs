//! Contains all the code that a game needs to use NetClock in lightyear. The server publishes its ticks as
//! world time, and the client follows them with a lead that covers the delays of its inputs.

use std::time::Duration;

use bevy_app::{App, Plugin, PostUpdate, PreUpdate};
use bevy_derive::{Deref, DerefMut};
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Real, Time};
use lightyear::core::time::{Overstep, TickInstant};
use lightyear::core::timeline::{Timeline as LightyearTimeline, TimelineConfig};
use lightyear::prelude::input::InputBuffer;
use lightyear::prelude::input::native::ActionState;
use lightyear::prelude::server::ClientOf;
use lightyear::prelude::server::input::InputSystems;
use lightyear::prelude::*;
use lightyear_sync::ping::manager::PingManager;
use lightyear_sync::timeline::sync::{LocalTimelineSyncPlugin, SyncTargetTimeline};
use netclock::order::{Lead, LeadConfig};
use netclock::session::{Guest, GuestConfig, Host, HostConfig};
use netclock::timeline::Rate;
use netclock::{LocalTime, ServerTime, Span, State, TICKS_PER_SECOND, WorldTime, monotonic_now};
use serde::{Deserialize, Serialize};

use crate::game::Step;

/// This share of the inputs should arrive in time.
const QUANTILE: f64 = 0.99;
/// Ticks that the server's pipeline takes. lightyear adds them and half the round trip to its estimate.
const PIPELINE: f64 = 1.0;
/// The controller ignores errors up to this one (ticks). It also adds this to the objective, and never
/// corrects by more.
const REST: f32 = 0.05;
/// The controller jumps if the error is larger than this (ticks, lightyear's default). Otherwise, it changes
/// the speed in proportion to the error, by up to twice `speedup_factor`.
const JUMP: f32 = 10.0;
/// An error is corrected in this time (s), with this largest change of speed. Both are lightyear's defaults.
const CORRECTION_S: f64 = 1.0;
const FASTEST: f64 = 0.1;

#[derive(Serialize, Deserialize)]
struct Carried(Vec<u8>);

/// The latest tick whose input has arrived, and when it arrived.
#[derive(Serialize, Deserialize)]
struct Heard(u32, i64);

struct ClockChannel;

pub fn protocol(app: &mut App) {
    let settings = ChannelSettings { mode: ChannelMode::UnorderedUnreliable, ..Default::default() };
    app.add_channel::<ClockChannel>(settings).add_direction(NetworkDirection::Bidirectional);
    app.register_message::<Carried>().add_direction(NetworkDirection::Bidirectional);
    app.register_message::<Heard>().add_direction(NetworkDirection::ServerToClient);
}

fn span(of: Duration) -> Span {
    Span::from_ticks((of.as_nanos() / 100) as i64)
}

/// Returns when the frame started according to Bevy's frame time. Bevy's real time may be slewed.
fn frame(real: &Time<Real>) -> LocalTime {
    monotonic_now() - span(real.startup().elapsed() - real.elapsed())
}

fn server_time(local: LocalTime) -> ServerTime {
    ServerTime::from_ticks(local.ticks())
}

/// Publishes the server's ticks as the time of a host's first world.
pub struct ServerClock;

#[derive(Resource)]
struct Serving(Host);

/// The latest tick whose input has arrived from this client, and when it arrived.
#[derive(Component, Default)]
pub struct Player {
    pub heard: Option<(u32, i64)>,
}

impl Plugin for ServerClock {
    fn build(&self, app: &mut App) {
        let epoch = getrandom::u64().expect("the operating system has random numbers");
        let seed = getrandom::u64().expect("the operating system has random numbers");
        let host = Host::new(HostConfig::default(), epoch, u128::from(seed) + 1);
        app.insert_resource(Serving(host.expect("the defaults are valid")));
        app.register_required_components::<ClientOf, Player>();
        app.add_observer(|added: On<Add, Player>, mut serving: ResMut<Serving>| {
            let _full = serving.0.admit(added.entity.to_bits(), None);
        });
        app.add_observer(|removed: On<Remove, Player>, mut serving: ResMut<Serving>| {
            let _unknown = serving.0.dismiss(removed.entity.to_bits());
        });
        app.add_systems(PreUpdate, (receive, hear_inputs).after(InputSystems::ReceiveInputs));
        app.add_systems(PostUpdate, send.before(MessageSystems::Send));
    }
}

fn receive(mut serving: ResMut<Serving>, mut clients: Query<(Entity, &mut MessageReceiver<Carried>)>) {
    let now = server_time(monotonic_now());
    for (client, mut receiver) in &mut clients {
        for Carried(bytes) in receiver.receive() {
            let _refused = serving.0.receive(client.to_bits(), &bytes, now);
        }
    }
    let _valid = serving.0.polled(now);
}

pub fn hear_inputs(
    inputs: Query<(&InputBuffer<ActionState<Step>, Step>, &ControlledBy)>,
    mut clients: Query<&mut Player>,
) {
    for (inputs, controlled) in &inputs {
        let (Some(tick), Ok(mut player)) = (inputs.last_remote_tick, clients.get_mut(controlled.owner))
        else {
            continue;
        };
        if player.heard.is_none_or(|(newest, _)| tick.0 > newest) {
            player.heard = Some((tick.0, monotonic_now().ticks()));
        }
    }
}

fn send(
    mut serving: ResMut<Serving>,
    (timeline, real, fixed): (Res<LocalTimeline>, Res<Time<Real>>, Res<Time<Fixed>>),
    mut clients: Query<&mut MessageSender<Carried>>,
    mut heard: Query<(&Player, &mut MessageSender<Heard>), Changed<Player>>,
) {
    let Serving(host) = &mut *serving;
    // A tick of the game is a step of the fixed loop. The overstep belongs to the next tick.
    let world = WorldTime::from_ticks(span(fixed.timestep() * timeline.tick().0 + fixed.overstep()).ticks());
    let _late = host.observe(0, server_time(frame(&real)), world, Rate::ONE);
    while let Some((player, bytes, _)) = host.next(server_time(monotonic_now())) {
        if let Ok(mut sender) = clients.get_mut(Entity::from_bits(player)) {
            sender.send::<ClockChannel>(Carried(bytes.to_vec()));
        }
    }
    for (player, mut sender) in &mut heard {
        if let Some((tick, at)) = player.heard {
            sender.send::<ClockChannel>(Heard(tick, at));
        }
    }
}

/// Replaces lightyear's `ClientPlugin`.
pub struct ClientClock {
    pub tick_s: f64,
}

/// lightyear reads this as the server's timeline. We set `now` so that lightyear's objective equals ours.
#[derive(Component, Default, Deref, DerefMut)]
pub struct Followed(LightyearTimeline<FollowedConfig>);

#[derive(Component, Default)]
pub struct FollowedConfig;

impl TimelineConfig for FollowedConfig {
    type Context = bool;
    type Timeline = Followed;
}

impl SyncTargetTimeline for Followed {
    fn current_estimate(&self) -> TickInstant {
        self.now
    }

    fn received_packet(&self) -> bool {
        self.context
    }
}

#[derive(Resource)]
pub struct Following {
    guest: Guest,
    /// We let the lead learn from inputs instead of requests.
    lead: Lead,
    /// The server's tick at the start of this frame.
    pub server: f64,
}

impl Plugin for ClientClock {
    fn build(&self, app: &mut App) {
        let seed = getrandom::u64().expect("the operating system has random numbers");
        let lead = Lead::new(LeadConfig { quantile: QUANTILE, ..LeadConfig::default() });
        app.insert_resource(Following {
            guest: Guest::new(GuestConfig::default(), u128::from(seed) + 1).expect("the defaults are valid"),
            lead: lead.expect("both settings are in range"),
            server: 0.0,
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
        app.add_systems(PreUpdate, take_datagrams.after(MessageSystems::Receive));
        app.add_systems(PostUpdate, follow.before(SyncSystems::Sync).before(MessageSystems::Send));
    }
}

fn take_datagrams(
    mut following: ResMut<Following>,
    // We need two queries, because a receiver is added when its first message arrives.
    mut datagrams: Query<&mut MessageReceiver<Carried>>,
    mut heard: Query<&mut MessageReceiver<Heard>>,
) {
    let now = monotonic_now();
    let Following { guest, lead, .. } = &mut *following;
    for Carried(bytes) in datagrams.iter_mut().flat_map(|it| it.into_inner().receive()) {
        let _refused = guest.receive(&bytes, now);
    }
    let _valid = guest.polled(now);
    for Heard(tick, at) in heard.iter_mut().flat_map(|it| it.into_inner().receive()) {
        let _known = lead.note_arrived(tick.into(), ServerTime::from_ticks(at));
    }
}

/// Sends the session's datagrams, notes that an input is sent, and estimates the server's tick.
fn follow(
    mut following: ResMut<Following>,
    (real, fixed): (Res<Time<Real>>, Res<Time<Fixed>>),
    (local, sync): (Res<LocalTimeline>, Res<LocalTimelineSync>),
    mut servers: Query<(&mut Followed, &PingManager, &mut MessageSender<Carried>), With<Connected>>,
) {
    let Following { guest, lead, server } = &mut *following;
    let Ok((mut followed, ping, mut sender)) = servers.single_mut() else { return };
    while let Ok(Some((bytes, _))) = guest.next(monotonic_now()) {
        sender.send::<ClockChannel>(Carried(bytes.to_vec()));
    }
    let now = frame(&real);
    let Ok(view) = guest.view(now) else { return };
    let (reading, Some(shown)) = (view.reading, view.worlds[0]) else { return };
    if sync.is_synced() {
        // Counted from the start of its tick, so that the lead also covers the wait for a frame.
        let begin = now - span(fixed.overstep());
        let _refused = lead.note_sent(local.tick().0.into(), begin, &guest.clock().read(begin));
    }
    let in_ticks = |seconds: f64| seconds / fixed.timestep().as_secs_f64();
    *server = in_ticks(shown.world.ticks() as f64 / TICKS_PER_SECOND as f64);
    // Before the first report of an input, the lead is half of the round trip.
    let half = ping.rtt().as_secs_f64() / 2.0;
    let ahead = lead.handled_by(now).map(|handled| (handled - reading.server_time).as_secs_f64());
    let mut aim = *server + in_ticks(ahead.unwrap_or(half));
    if sync.is_synced() {
        let now = f64::from(local.tick().0) + fixed.overstep_fraction_f64();
        let most = in_ticks(FASTEST * CORRECTION_S);
        aim = aim.clamp(now - most, now + most);
    }
    // lightyear adds these terms again to get its objective.
    aim = (aim - in_ticks(half) - PIPELINE - f64::from(REST)).max(0.0);
    let overstep = Overstep::from_f32(aim.fract() as f32);
    followed.now = TickInstant::from_tick_and_overstep(Tick(aim as u32), overstep);
    followed.context = reading.state != State::Unsynced;
}
