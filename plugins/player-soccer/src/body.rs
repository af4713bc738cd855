//! What the player reads of its own body: the sensor `sense-body`.

use touchline_kit::reader::FieldReader;
use touchline_plugin_api::container::{FeatureHandle, Query, SensorCatalogue};
use touchline_plugin_api::player::Readings;
use touchline_plugin_api::plugin::SetupError;
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::player_type::PlayerType;

/// Fields of a type, in the order of [`BodyReader::kind`].
const OF_TYPE: [&str; 12] = [
    "player_speed_max",
    "stamina_inc_max",
    "player_decay",
    "inertia_moment",
    "dash_power_rate",
    "player_size",
    "kickable_margin",
    "kick_rand",
    "extra_stamina",
    "effort_max",
    "kick_power_rate",
    "catchable_area_l_stretch",
];

/// Fields, looked up once.
pub struct BodyReader {
    stamina: FieldReader,
    head_angle: FieldReader,
    tackle_cycles: FieldReader,
    foul_cycles: FieldReader,
    is_goalie: FieldReader,
    kind: Vec<FieldReader>,
    handles: Vec<FeatureHandle>,
}

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    pub stamina: f64,
    pub neck_rad: f64,
    pub obeys: bool,
    pub is_goalie: bool,
    pub kind: PlayerType,
}

impl BodyReader {
    /// # Errors
    /// When the robot lacks the sensor.
    pub fn new(catalogue: &SensorCatalogue) -> Result<Self, SetupError> {
        let find = |name: &str| {
            catalogue.find(&Query::feature(name)).map_err(|error| SetupError::new(error.to_string()))
        };
        let (body, kind) = (find("sense_body")?, find("player_type")?);
        let field = |name: &str| FieldReader::new(catalogue, body, name);
        Ok(Self {
            stamina: field("stamina")?,
            head_angle: field("head_angle")?,
            tackle_cycles: field("tackle_cycles")?,
            foul_cycles: field("foul_cycles")?,
            is_goalie: field("is_goalie")?,
            kind: OF_TYPE
                .iter()
                .map(|name| FieldReader::new(catalogue, kind, name))
                .collect::<Result<_, _>>()?,
            handles: vec![body, kind],
        })
    }

    pub fn handles(&self) -> Vec<FeatureHandle> {
        self.handles.clone()
    }

    /// `None` if nothing was read, or a body that cannot be.
    pub fn read(&self, readings: &Readings<'_>, server: &ServerParams) -> Option<Body> {
        let get = |field: &FieldReader| field.get(readings, 0);
        let cycles = get(&self.tackle_cycles)? + get(&self.foul_cycles)?;
        Some(Body {
            stamina: get(&self.stamina)?,
            neck_rad: get(&self.head_angle)?,
            obeys: cycles == 0.0,
            is_goalie: get(&self.is_goalie)? > 0.0,
            kind: self.kind(readings, server)?,
        })
    }

    fn kind(&self, readings: &Readings<'_>, server: &ServerParams) -> Option<PlayerType> {
        let mut numbers = [0.0; OF_TYPE.len()];
        for (number, field) in numbers.iter_mut().zip(&self.kind) {
            *number = field.get(readings, 0)?;
        }
        let [
            player_speed_max,
            stamina_inc_max,
            player_decay,
            inertia_moment,
            dash_power_rate,
            player_size,
            kickable_margin,
            kick_rand,
            extra_stamina,
            effort_max,
            kick_power_rate,
            catchable_area_l_stretch,
        ] = numbers;
        let is_sound = kickable_margin > 0.0
            && player_size > 0.0
            && dash_power_rate > 0.0
            && (0.0..1.0).contains(&player_decay);
        is_sound.then(|| PlayerType {
            player_speed_max,
            stamina_inc_max,
            player_decay,
            inertia_moment,
            dash_power_rate,
            player_size,
            kickable_margin,
            kick_rand,
            extra_stamina,
            effort_max,
            kick_power_rate,
            catchable_area_l_stretch,
            ..PlayerType::default_of(server)
        })
    }
}
