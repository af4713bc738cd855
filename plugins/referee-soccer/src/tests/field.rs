//! A field for the tests: bodies that go as the motion model and the discs without posts would carry them, with the referee before and after each step.

use crate::Soccer;
use touchline_plugin_api::game::GameState;
use touchline_plugin_api::geometry::{Pose2, Twist2, wrap_angle};
use touchline_plugin_api::motion::MAX_DIMENSIONS;
use touchline_plugin_api::noise::NoiseKey;
use touchline_plugin_api::orders::{Order, Orders};
use touchline_plugin_api::player::DataRecord;
use touchline_plugin_api::referee::{CommandRecord, PrepareInput, Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::state::{Encoded, State};
use touchline_plugin_api::view::{Object, WorldView};
use touchline_soccer_law::PlayMode;
use touchline_soccer_law::body::rotated;
use touchline_soccer_law::face::{self, AgentCommand, BodyCommand, Datum, Side};
use touchline_soccer_law::params::SoccerParams;

const DT_SECS: f64 = 0.1;

/// A field with its referee.
pub struct Field {
    referee: Soccer,
    state: Encoded<crate::Memory>,
    pub game: GameState,
    objects: Vec<Object>,
    data: Vec<DataRecord>,
    /// All that was said so far.
    pub said: Vec<String>,
    commands: Vec<CommandRecord>,
    lines: String,
    step: u64,
    seed: u64,
}

/// No noise: what is computed is the closed form.
pub fn exact() -> SoccerParams {
    let mut params = SoccerParams::today();
    (params.server.player_rand, params.server.ball_rand, params.server.kick_rand) = (0.0, 0.0, 0.0);
    params.player.allow_mult_default_type = true;
    params
}

impl Field {
    pub fn new(params: SoccerParams) -> Self {
        let mut setup = RefereeSetup {
            teams: vec!["left".into(), "right".into()],
            dt_secs: DT_SECS,
            ..RefereeSetup::default()
        };
        setup.world.balls = 1;
        let Ok(referee) = Soccer::new(params, &setup) else { panic!("the parameters are right") };
        let zero: Object = bytemuck::Zeroable::zeroed();
        Self {
            game: GameState::new(2, &referee.description()),
            state: referee.initial_state(),
            referee,
            objects: vec![Object { kind_code: 1, ..zero }],
            data: Vec::new(),
            said: Vec::new(),
            commands: Vec::new(),
            lines: String::new(),
            step: 0,
            seed: 1,
        }
    }

    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Adds a player where it stands and faces; its number is its robot's.
    pub fn add(&mut self, side: Side, unum: u32, place: [f64; 2], heading_rad: f64) -> u32 {
        let zero: Object = bytemuck::Zeroable::zeroed();
        let number = self.data.len() as u32;
        let pose = Pose2::new(place[0], place[1], heading_rad);
        self.objects.push(Object { kind_code: 2, number, team: side.team(), pose, ..zero });
        let mut data = DataRecord { robot: number, len: Datum::ALL.len() as u32, ..DataRecord::default() };
        data.values[Datum::Unum.index()] = f64::from(unum);
        self.data.push(data);
        number
    }

    /// What the world does when an episode's time is up: the bodies go to their starts, and the referee is not told.
    pub fn reset(&mut self, ball: [f64; 2], bodies: &[(u32, [f64; 2])]) -> &mut Self {
        self.game.episode += 1;
        self.objects[0].pose = Pose2::new(ball[0], ball[1], 0.0);
        for object in &mut self.objects {
            object.twist = Twist2::ZERO;
            let place = bodies.iter().find(|(robot, _)| object.kind_code == 2 && object.number == *robot);
            if let Some((_, [x_m, y_m])) = place {
                object.pose = Pose2::new(*x_m, *y_m, 0.0);
            }
        }
        self
    }

    /// Takes a player out of the world, as a client that leaves does.
    pub fn remove(&mut self, robot: u32) -> &mut Self {
        self.objects.retain(|object| object.kind_code != 2 || object.number != robot);
        self
    }

    pub fn tell(&mut self, line: &str) -> &mut Self {
        self.lines.push_str(line);
        self.lines.push('\n');
        self
    }

    /// What a player does in the next step.
    pub fn order(&mut self, robot: u32, command: BodyCommand) -> &mut Self {
        self.order_with_neck(robot, command, 0.0)
    }

    pub fn order_with_neck(&mut self, robot: u32, command: BodyCommand, neck_rad: f64) -> &mut Self {
        let values = command.to_numbers(neck_rad);
        self.commands.push(CommandRecord { robot, len: 8, values });
        self
    }

    /// What an agent decides for a body in the next step.
    pub fn decide(&mut self, robot: u32, numbers: [f64; AgentCommand::DIMENSIONS.len()]) -> &mut Self {
        let mut values = [0.0; MAX_DIMENSIONS];
        values[..numbers.len()].copy_from_slice(&numbers);
        self.commands.push(CommandRecord { robot, len: numbers.len() as u32, values });
        self
    }

    pub fn mode(&self) -> &'static str {
        face::mode_of_phase(self.game.phase).map_or("", PlayMode::word)
    }

    pub fn cycle(&self) -> u32 {
        face::cycle(&self.game.view())
    }

    pub fn stoppage(&self) -> f64 {
        self.game.values[face::Value::Stoppage.index()]
    }

    pub fn place(&self, robot: u32) -> [f64; 2] {
        let pose = self.object(robot).pose;
        [pose.x_m, pose.y_m]
    }

    pub fn heading(&self, robot: u32) -> f64 {
        self.object(robot).pose.theta_rad
    }

    /// Metres a cycle.
    pub fn velocity(&self, robot: u32) -> [f64; 2] {
        let twist = self.object(robot).twist;
        [twist.x_m_s * DT_SECS, twist.y_m_s * DT_SECS]
    }

    pub fn datum(&self, robot: u32, datum: Datum) -> f64 {
        self.data[robot as usize].values[datum.index()]
    }

    pub fn has_state(&self, robot: u32, bits: u32) -> bool {
        self.datum(robot, Datum::State) as u32 & bits == bits
    }

    fn object(&self, robot: u32) -> &Object {
        self.objects.iter().find(|object| object.kind_code == 2 && object.number == robot).unwrap()
    }

    pub fn is_there(&self, robot: u32) -> bool {
        self.objects.iter().any(|object| object.kind_code == 2 && object.number == robot)
    }

    pub fn ball(&self) -> [f64; 2] {
        [self.objects[0].pose.x_m, self.objects[0].pose.y_m]
    }

    /// Metres a cycle.
    pub fn ball_velocity(&self) -> [f64; 2] {
        [self.objects[0].twist.x_m_s * DT_SECS, self.objects[0].twist.y_m_s * DT_SECS]
    }

    pub fn has_said(&self, word: &str) -> bool {
        self.said.iter().any(|said| said == word)
    }

    pub fn steps(&mut self, steps: u32) -> &mut Self {
        for _ in 0..steps {
            self.step();
        }
        self
    }

    /// Steps until the mode of play is this one.
    pub fn until(&mut self, mode: &str, most: u32) -> &mut Self {
        for _ in 0..most {
            if self.mode() == mode {
                return self;
            }
            self.step();
        }
        panic!("{} after {most} steps, and not {mode}; said: {:?}", self.mode(), self.said);
    }

    /// Data of those who are there, in their order.
    fn data_there(&self) -> Vec<DataRecord> {
        self.data.iter().filter(|data| self.is_there(data.robot)).copied().collect()
    }

    pub fn step(&mut self) -> &mut Self {
        let mut orders = Orders::default();
        let (objects, data) = (self.objects.clone(), self.data_there());
        let view = |step| WorldView::new(step, DT_SECS, &objects, &[]);
        let commands = std::mem::take(&mut self.commands);
        let noise = NoiseKey::for_owner(self.seed, "prepare").at_step(self.step);
        let game = self.game.clone();
        let input = PrepareInput {
            dt_secs: DT_SECS,
            view: view(self.step),
            commands: &commands,
            kicks: &[],
            motion_data: &data,
            game: game.view(),
            noise,
        };
        self.referee.prepare(&mut self.state, &input, &mut orders).unwrap();
        self.carry_out(&orders);
        self.go();
        self.step += 1;

        orders.clear();
        let (objects, data) = (self.objects.clone(), self.data_there());
        let view = WorldView::new(self.step, DT_SECS, &objects, &[]);
        let lines = std::mem::take(&mut self.lines);
        let game = self.game.clone();
        let input = RefereeInput {
            dt_secs: DT_SECS,
            view,
            contacts: &[],
            waypoints: &[],
            motion_data: &data,
            game: game.view(),
            commands: &lines,
            noise: NoiseKey::for_owner(self.seed, "judge").at_step(self.step),
        };
        self.referee.judge(&mut self.state, &input, &mut orders).unwrap();
        self.carry_out(&orders);
        // What it remembers survives a snapshot.
        let mut bytes = Vec::new();
        self.state.save(&mut bytes).unwrap();
        self.state = Encoded::load(&bytes).unwrap();
        self
    }

    fn carry_out(&mut self, orders: &Orders) {
        orders.check().unwrap();
        for order in orders.iter() {
            match order.unwrap() {
                Order::PlaceRobot { robot, pose, twist } => {
                    let turned = turned(twist, pose.theta_rad);
                    let object = self.objects.iter_mut().find(|o| o.kind_code == 2 && o.number == robot);
                    let object = object.unwrap();
                    (object.pose, object.twist) = (pose, turned);
                }
                Order::PlaceBall { position: [x_m, y_m], velocity: [vx, vy], .. } => {
                    self.objects[0].pose = Pose2::new(x_m, y_m, 0.0);
                    self.objects[0].twist = Twist2::new(vx, vy, 0.0);
                }
                Order::SetDatum { robot, datum, value } => {
                    self.data[robot as usize].values[datum as usize] = value;
                }
                Order::RemoveRobot { robot } => {
                    self.objects.retain(|object| object.kind_code != 2 || object.number != robot);
                }
                Order::Game(said) => self.game = said.to_state(),
                Order::Announce(word) => self.said.push(word.into()),
                Order::Event { kind: face::event::SAID_AT, text, .. } => {
                    self.said.push(format!("said at {text}"))
                }
                Order::Event { kind, team, text } => self.said.push(format!("{kind} {team} {text}")),
                Order::Reward { robot, value } => self.said.push(format!("reward {robot} {value}")),
                Order::EndEpisode(outcome) => self.said.push(format!("end {outcome}")),
                other => panic!("{other:?}"),
            }
        }
    }

    /// A step of the motion model and of bodies that nothing hinders.
    fn go(&mut self) {
        for object in &mut self.objects {
            if object.kind_code == 1 {
                object.pose.x_m += object.twist.x_m_s * DT_SECS;
                object.pose.y_m += object.twist.y_m_s * DT_SECS;
                continue;
            }
            let values = &mut self.data[object.number as usize].values;
            let mut take = |datum: Datum| std::mem::take(&mut values[datum.index()]);
            let (x_m_s, y_m_s, turn) = (take(Datum::VelocityX), take(Datum::VelocityY), take(Datum::Turn));
            let velocity = turned(Twist2::new(x_m_s, y_m_s, 0.0), object.pose.theta_rad);
            object.pose.x_m += velocity.x_m_s * DT_SECS;
            object.pose.y_m += velocity.y_m_s * DT_SECS;
            object.pose.theta_rad = wrap_angle(object.pose.theta_rad + turn);
            let decay = values[Datum::Decay.index()];
            object.twist = Twist2::new(decay * velocity.x_m_s, decay * velocity.y_m_s, 0.0);
        }
    }
}

/// From the body's frame to the world's.
fn turned(twist: Twist2, by_rad: f64) -> Twist2 {
    let [x_m_s, y_m_s] = rotated([twist.x_m_s, twist.y_m_s], by_rad);
    Twist2::new(x_m_s, y_m_s, twist.turn_rad_s)
}
