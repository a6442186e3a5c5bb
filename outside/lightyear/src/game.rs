//! The game: one player that moves by its inputs, predicted on its client. It writes down what was in time.

use std::fmt::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::Result;
use bevy_app::{
    App, AppExit, FixedPreUpdate, FixedUpdate, Last, PluginGroup, PreUpdate, ScheduleRunnerPlugin, Startup,
    TaskPoolPlugin,
};
use bevy_ecs::entity::MapEntities;
use bevy_ecs::prelude::*;
use bevy_reflect::Reflect;
use bevy_state::app::StatesPlugin;
use bevy_time::{Fixed, Time, TimePlugin};
use lightyear::prelude::client::input::InputSystems;
use lightyear::prelude::client::{
    ClientPlugins, InputDelayConfig, InputTimelineConfig, NetcodeClient, RemoteTimeline,
};
use lightyear::prelude::input::native::{ActionState, InputMarker, InputPlugin};
use lightyear::prelude::server::{ClientOf, NetcodeServer, ServerPlugins, ServerUdpIo, Start};
use lightyear::prelude::*;
use lightyear_sync::client::ClientPlugin as LightyearSync;
use lightyear_sync::timeline::sync::SyncTargetTimeline;
use netclock::monotonic_now;
use serde::{Deserialize, Serialize};

use crate::glue;

/// Frames a second of the client. The server has as many as ticks.
const FRAMES: f64 = 60.0;
const CLIENT: u64 = 7;

/// What a player does in a tick. The tick is in it, so that the server sees which one it applies.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq, Reflect)]
pub struct Step {
    pub tick: u32,
}

impl MapEntities for Step {
    fn map_entities<M: EntityMapper>(&mut self, _: &mut M) {}
}

#[derive(Component, Serialize, Deserialize, Clone, Debug, PartialEq, Reflect)]
pub struct Position(i64);

impl Position {
    /// To and fro by the input, so that a late one shows.
    fn walk(&mut self, step: Step) {
        self.0 += if step.tick % 5 < 2 { 3 } else { -2 };
    }
}

/// What happened, a line each; times are ticks of the kernel's clock.
#[derive(Resource, Default)]
pub struct Log(String);

impl Log {
    pub fn add(&mut self, line: std::fmt::Arguments) {
        let _ = writeln!(self.0, "{line}");
    }
}

#[derive(Resource)]
struct End {
    at: i64,
    log: String,
}

#[derive(Clone)]
pub struct Options {
    pub address: SocketAddr,
    pub hertz: f64,
    pub seconds: f64,
    /// Ticks by which inputs are applied later than made.
    pub input_delay: u16,
    /// The log's file.
    pub log: String,
}

fn app(frames: f64, options: &Options) -> App {
    let mut app = App::new();
    let frame = Duration::from_secs_f64(1.0 / frames);
    let run = ScheduleRunnerPlugin::run_loop(frame);
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, run, StatesPlugin));
    let at = monotonic_now().ticks() + (options.seconds * 1e7) as i64;
    app.insert_resource(End { at, log: options.log.clone() }).init_resource::<Log>();
    app.add_systems(Last, end);
    app
}

fn protocol(app: &mut App) {
    app.add_plugins(InputPlugin::<Step>::default());
    app.component::<Position>().replicate().predict();
    glue::protocol(app);
}

fn end(end: Res<End>, log: Res<Log>, mut exit: MessageWriter<AppExit>) -> bevy_ecs::error::Result {
    if monotonic_now().ticks() >= end.at {
        std::fs::write(&end.log, &log.0)?;
        exit.write(AppExit::Success);
    }
    Ok(())
}

/// Runs the server until its end.
pub fn server(options: &Options) -> Result<AppExit> {
    let mut app = app(options.hertz, options);
    app.add_plugins(ServerPlugins { tick_duration: Duration::from_secs_f64(1.0 / options.hertz) });
    protocol(&mut app);
    app.add_plugins(glue::ServerClock);
    let config = lightyear::prelude::server::NetcodeConfig {
        // The client knows the address of the bad network before it.
        server_addr_check: false,
        ..Default::default()
    };
    let parts = (NetcodeServer::new(config), LocalAddr(options.address), ServerUdpIo::default());
    let server = app.world_mut().spawn(parts).id();
    app.add_systems(Startup, move |mut commands: Commands| commands.trigger(Start { entity: server }));
    app.add_observer(|linked: On<Add, LinkOf>, mut commands: Commands| {
        commands.entity(linked.entity).insert(ReplicationSender);
    });
    app.add_observer(join);
    app.add_systems(PreUpdate, hear.after(glue::hear_inputs));
    app.add_systems(FixedUpdate, apply);
    app.add_systems(Last, write_tick);
    Ok(app.run())
}

fn join(joined: On<Add, Connected>, clients: Query<&RemoteId, With<ClientOf>>, mut commands: Commands) {
    let Ok(id) = clients.get(joined.entity) else { return };
    commands.spawn((
        Position(0),
        Replicate::to_clients(NetworkTarget::All),
        PredictionTarget::to_clients(NetworkTarget::Single(id.0)),
        ControlledBy { owner: joined.entity, lifetime: Default::default() },
    ));
}

/// `h TICK SERVER`: inputs up to a tick have come while the server has simulated up to its own.
fn hear(
    timeline: Res<LocalTimeline>,
    clients: Query<&glue::Heard, Changed<glue::Heard>>,
    mut log: ResMut<Log>,
) {
    for (tick, _) in clients.iter().filter_map(|heard| heard.0) {
        log.add(format_args!("h {tick} {}", timeline.tick().0));
    }
}

/// `a TICK APPLIED TIME`: the server applies the input of the tick APPLIED.
fn apply(
    timeline: Res<LocalTimeline>,
    mut players: Query<(&mut Position, &ActionState<Step>)>,
    mut log: ResMut<Log>,
) {
    for (mut position, action) in &mut players {
        position.walk(action.0);
        log.add(format_args!("a {} {} {}", timeline.tick().0, action.0.tick, monotonic_now().ticks()));
    }
}

/// `t TIME TICKS`: the server's time at the begin of a frame, in ticks of the game.
fn write_tick(
    timeline: Res<LocalTimeline>,
    fixed: Res<Time<Fixed>>,
    frame: Res<glue::Frame>,
    mut log: ResMut<Log>,
) {
    let ticks = f64::from(timeline.tick().0) + fixed.overstep_fraction_f64();
    log.add(format_args!("t {} {ticks}", frame.0.ticks()));
}

/// Runs the client until its end: with lightyear's own timeline, or with ours.
pub fn client(options: &Options, is_ours: bool) -> Result<AppExit> {
    let mut app = app(FRAMES, options);
    let plugins = ClientPlugins { tick_duration: Duration::from_secs_f64(1.0 / options.hertz) };
    if is_ours {
        // Channels and messages are numbered in the order of the plugins: pings first, as on the server.
        app.add_plugins((TimelineSyncPlugin, plugins.build().disable::<LightyearSync>()));
        protocol(&mut app);
        let (input_delay, tick_s) = (options.input_delay, 1.0 / options.hertz);
        app.add_plugins(glue::ClientClock { input_delay, frame_s: 1.0 / FRAMES, tick_s });
        app.add_systems(Last, write_frame::<glue::Followed>);
    } else {
        app.add_plugins(plugins);
        protocol(&mut app);
        let delay = InputDelayConfig::fixed_input_delay(options.input_delay);
        app.insert_resource(InputTimelineConfig::default().with_input_delay(delay));
        app.add_systems(Last, write_frame::<RemoteTimeline>);
    }
    let auth = Authentication::Manual {
        server_addr: options.address,
        client_id: CLIENT,
        private_key: Default::default(),
        protocol_id: 0,
    };
    app.insert_resource(PredictionManager::default());
    let client = app.world_mut().spawn((
        Client,
        ReplicationReceiver,
        LocalAddr((Ipv4Addr::LOCALHOST, 0).into()),
        NetcodeClient::new(auth, Default::default())?,
        UdpIo::default(),
    ));
    let client = client.id();
    app.add_systems(Startup, move |mut commands: Commands| commands.trigger(Connect { entity: client }));
    app.add_observer(|controlled: On<Add, Controlled>, mut commands: Commands| {
        commands.entity(controlled.entity).insert(InputMarker::<Step>::default());
    });
    app.add_systems(FixedPreUpdate, decide.in_set(InputSystems::WriteClientInputs));
    app.add_systems(FixedUpdate, predict);
    // `r DELTA`: the client's tick jumps.
    app.add_observer(|shift: On<LocalTimelineShift>, mut log: ResMut<Log>| {
        log.add(format_args!("r {} {}", monotonic_now().ticks(), shift.delta));
    });
    Ok(app.run())
}

/// `i TICK TIME`: the client makes the input of a tick.
fn decide(
    timeline: SyncedLocalTimeline,
    mut players: Query<&mut ActionState<Step>, With<InputMarker<Step>>>,
    mut log: ResMut<Log>,
) {
    for mut action in &mut players {
        action.0.tick = timeline.current_tick().0 + u32::from(timeline.input_delay());
        log.add(format_args!("i {} {}", action.0.tick, monotonic_now().ticks()));
    }
}

fn predict(mut players: Query<(&mut Position, &ActionState<Step>), With<Predicted>>) {
    for (mut position, action) in &mut players {
        position.walk(action.0);
    }
}

/// `f TIME LOCAL SERVER`: the client's tick and the estimate of the server's, at the begin of a frame.
fn write_frame<T: SyncTargetTimeline + glue::Estimate>(
    timeline: SyncedLocalTimeline,
    fixed: Res<Time<Fixed>>,
    remotes: Query<&T>,
    frame: Res<glue::Frame>,
    metrics: Res<PredictionMetrics>,
    mut log: ResMut<Log>,
) {
    let local = f64::from(timeline.tick().0) + fixed.overstep_fraction_f64();
    for remote in &remotes {
        let server = remote.estimate();
        log.add(format_args!("f {} {local} {server} {}", frame.0.ticks(), metrics.rollbacks));
    }
}
