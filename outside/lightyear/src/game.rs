//! A game with a single player, whose moves depend on its inputs and are predicted by the client. It records
//! which inputs arrived in time.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use bevy_app::{
    App, AppExit, FixedPreUpdate, FixedUpdate, Last, PluginGroup, PreUpdate, ScheduleRunnerPlugin, Startup,
    TaskPoolPlugin,
};
use bevy_ecs::entity::MapEntities;
use bevy_ecs::prelude::*;
use bevy_reflect::Reflect;
use bevy_state::app::StatesPlugin;
use bevy_time::{Fixed, Real, Time, TimePlugin};
use lightyear::prelude::client::input::InputSystems;
use lightyear::prelude::client::{ClientPlugins, NetcodeClient, RemoteTimeline};
use lightyear::prelude::input::native::{ActionState, InputMarker, InputPlugin};
use lightyear::prelude::server::{ClientOf, NetcodeServer, ServerPlugins, ServerUdpIo, Start};
use lightyear::prelude::*;
use lightyear_sync::client::ClientPlugin as LightyearSync;
use lightyear_sync::timeline::sync::SyncTargetTimeline;
use serde::{Deserialize, Serialize};

use crate::glue;

/// Frames per second. The server reads its socket more often than it ticks, to time inputs to within 4 ms.
const CLIENT_FRAMES: f64 = 60.0;
const SERVER_FRAMES: f64 = 240.0;
const CLIENT: u64 = 7;

/// An input states its tick, so that the server knows which input it applies.
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
    /// Moves back and forth depending on the input, so that late inputs can be seen.
    fn walk(&mut self, step: Step) {
        self.0 += if step.tick % 5 < 2 { 3 } else { -2 };
    }
}

#[derive(Default)]
pub struct Record {
    /// For each tick, when the client made its input.
    pub made: Vec<(u32, f64)>,
    /// For each tick, when its input or a later one first arrived at the server.
    pub heard: BTreeMap<u32, f64>,
    pub applied: BTreeMap<u32, (u32, f64)>,
    /// When each server frame started, and the server's time then in ticks.
    pub truth: Vec<(f64, f64)>,
    /// When each client frame started, the client's estimate of the server's time, and how many rollbacks
    /// there have been.
    pub frames: Vec<(f64, f64, u32)>,
    /// How often the client's tick has jumped.
    pub jumps: usize,
}

#[derive(Resource, Clone, Default)]
pub struct Shared(Arc<Mutex<Record>>);

impl Shared {
    pub fn with<T>(&self, use_it: impl FnOnce(&mut Record) -> T) -> T {
        use_it(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn seconds(at: Instant) -> f64 {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    (at - *BEGUN).as_secs_f64()
}

fn now() -> f64 {
    seconds(Instant::now())
}

fn frame(real: &Time<Real>) -> f64 {
    seconds(real.startup() + real.elapsed())
}

#[derive(Clone, Copy)]
pub struct Options {
    pub address: SocketAddr,
    pub hertz: f64,
    pub seconds: f64,
}

fn app(frames: f64, options: Options, record: &Shared) -> App {
    let mut app = App::new();
    let run = ScheduleRunnerPlugin::run_loop(Duration::from_secs_f64(1.0 / frames));
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, run, StatesPlugin));
    app.insert_resource(record.clone());
    let end = Instant::now() + Duration::from_secs_f64(options.seconds);
    app.add_systems(Last, move |mut exit: MessageWriter<AppExit>| {
        if Instant::now() >= end {
            exit.write(AppExit::Success);
        }
    });
    app
}

fn run(mut app: App) -> Result<()> {
    let ended = app.run();
    ensure!(ended.is_success(), "the game ended with {ended:?}");
    Ok(())
}

fn protocol(app: &mut App) {
    app.add_plugins(InputPlugin::<Step>::default());
    app.component::<Position>().replicate().predict();
    glue::protocol(app);
}

pub fn server(options: Options, record: &Shared) -> Result<()> {
    let mut app = app(SERVER_FRAMES, options, record);
    app.add_plugins(ServerPlugins { tick_duration: Duration::from_secs_f64(1.0 / options.hertz) });
    protocol(&mut app);
    app.add_plugins(glue::ServerClock);
    let config = lightyear::prelude::server::NetcodeConfig {
        // The client connects to the address of the bad network instead.
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
    run(app)
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

fn hear(players: Query<&glue::Player, Changed<glue::Player>>, record: Res<Shared>) {
    for (tick, _) in players.iter().filter_map(|player| player.heard) {
        record.with(|record| {
            record.heard.entry(tick).or_insert_with(now);
        });
    }
}

fn apply(
    timeline: Res<LocalTimeline>,
    mut players: Query<(&mut Position, &ActionState<Step>)>,
    record: Res<Shared>,
) {
    for (mut position, action) in &mut players {
        position.walk(action.0);
        record.with(|record| record.applied.insert(timeline.tick().0, (action.0.tick, now())));
    }
}

fn write_tick(
    timeline: Res<LocalTimeline>,
    (real, fixed): (Res<Time<Real>>, Res<Time<Fixed>>),
    record: Res<Shared>,
) {
    let ticks = f64::from(timeline.tick().0) + fixed.overstep_fraction_f64();
    record.with(|record| record.truth.push((frame(&real), ticks)));
}

/// Runs the client until it ends, with either lightyear's own timeline or ours.
pub fn client(options: Options, is_ours: bool, record: &Shared) -> Result<()> {
    let mut app = app(CLIENT_FRAMES, options, record);
    let tick_s = 1.0 / options.hertz;
    let plugins = ClientPlugins { tick_duration: Duration::from_secs_f64(tick_s) };
    if is_ours {
        // Channels and messages are numbered in the order of the plugins. As on the server, pings are first.
        app.add_plugins((TimelineSyncPlugin, plugins.build().disable::<LightyearSync>()));
        protocol(&mut app);
        app.add_plugins(glue::ClientClock { tick_s });
        app.add_systems(Last, (|ours: Res<glue::Following>| Some(ours.server)).pipe(write_frame));
    } else {
        app.add_plugins(plugins);
        protocol(&mut app);
        app.add_systems(Last, theirs.pipe(write_frame));
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
    app.add_observer(|_: On<LocalTimelineShift>, record: Res<Shared>| {
        record.with(|record| record.jumps += 1);
    });
    run(app)
}

fn decide(
    timeline: SyncedLocalTimeline,
    mut players: Query<&mut ActionState<Step>, With<InputMarker<Step>>>,
    record: Res<Shared>,
) {
    for mut action in &mut players {
        let tick = timeline.current_tick().0;
        action.0.tick = tick;
        record.with(|record| record.made.push((tick, now())));
    }
}

fn predict(mut players: Query<(&mut Position, &ActionState<Step>), With<Predicted>>) {
    for (mut position, action) in &mut players {
        position.walk(action.0);
    }
}

/// Returns lightyear's estimate of the server's tick.
fn theirs(remotes: Query<&RemoteTimeline>) -> Option<f64> {
    let estimate = remotes.single().ok()?.current_estimate();
    Some(f64::from(estimate.tick().0) + f64::from(estimate.overstep().to_f32()))
}

fn write_frame(
    In(server): In<Option<f64>>,
    _synced: SyncedLocalTimeline,
    real: Res<Time<Real>>,
    metrics: Res<PredictionMetrics>,
    record: Res<Shared>,
) {
    if let Some(server) = server {
        record.with(|record| record.frames.push((frame(&real), server, metrics.rollbacks)));
    }
}
