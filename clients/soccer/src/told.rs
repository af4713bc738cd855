//! What a server says, as far as a player or a coach has to know it.

use crate::sexpr::Node;
use touchline_soccer_law::face::Side;
use touchline_soccer_law::params::ServerParams;
use touchline_soccer_law::player_type::PlayerType;

/// A server's word that it will not have us.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the server says: {0}")]
pub struct Refused(pub String);

/// A message.
#[derive(Clone, Debug, PartialEq)]
pub enum Told<'a> {
    /// A player is taken.
    Player { side: Side, unum: u32, mode: &'a str },
    /// A coach is taken.
    Coach,
    /// The game's parameters.
    Server(Box<ServerParams>),
    /// How many types of players there are.
    Types(usize),
    /// A type, by its number: names and values.
    Type(u32, Vec<(&'a str, f64)>),
    /// A mate is of this type from now on.
    Changed { unum: u32, kind: u32 },
    /// The own body.
    Body(Body),
    /// What is seen.
    See { seen: Vec<Seen<'a>> },
    /// A word of the referee.
    Referee { word: &'a str },
    /// Steps wait for an answer.
    Think,
    /// The hello is refused.
    Refused(Refused),
    /// Anything else.
    Other,
}

/// What `sense_body` tells; angles counter-clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Body {
    pub stamina: f64,
    /// Metres a cycle, and where to from the face.
    pub speed: f64,
    pub speed_direction_rad: f64,
    /// Where the face looks to from the body.
    pub neck_rad: f64,
    /// Whether it obeys: not after a tackle or a foul.
    pub obeys: bool,
}

/// One thing that is seen; angles from the face, counter-clockwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen<'a> {
    pub what: What<'a>,
    pub distance_m: f64,
    pub direction_rad: f64,
    /// Changes in a cycle: metres, radians.
    pub change: Option<[f64; 2]>,
    /// Where the body of a player heads.
    pub body_rad: Option<f64>,
}

/// What it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What<'a> {
    Landmark([f64; 2]),
    Ball,
    /// With its team and number, as far as they are seen.
    Player(Option<&'a str>, Option<u32>),
}

impl<'a> Told<'a> {
    /// Reads a message; `landmarks` are the names and places of what stands still.
    pub fn read(text: &'a str, landmarks: &[(&'static str, [f64; 2])]) -> Self {
        if text.starts_with("(error")
            && ["no_more", "no_such_team", "init"].iter().any(|word| text.contains(word))
        {
            return Self::Refused(Refused(text.to_owned()));
        }
        Node::read(text).and_then(|node| Self::of(&node, landmarks)).unwrap_or(Self::Other)
    }

    fn of(node: &Node<'a>, landmarks: &[(&'static str, [f64; 2])]) -> Option<Self> {
        let items = node.items();
        let word = |place: usize| items.get(place).and_then(Node::word);
        let whole = |place: usize| Some(items.get(place)?.number()? as u32);
        Some(match node.name()? {
            "init" if word(2) == Some("ok") => Self::Coach,
            "init" => {
                let side = if word(1)? == "l" { Side::Left } else { Side::Right };
                Self::Player { side, unum: whole(2)?, mode: word(3).unwrap_or("before_kick_off") }
            }
            "server_param" => Self::Server(Box::new(server(node))),
            "player_param" => Self::Types(node.number_of("player_types", 1)? as usize),
            "player_type" => {
                let values =
                    items.iter().filter_map(|item| Some((item.name()?, item.items().get(1)?.number()?)));
                Self::Type(node.number_of("id", 1)? as u32, values.collect())
            }
            // With the type it is a mate; opponents' are not told.
            "change_player_type" => Self::Changed { unum: whole(1)?, kind: whole(2)? },
            "sense_body" => Self::Body(body(node)?),
            "see" => {
                let seen = items.get(2..).unwrap_or_default().iter();
                Self::See { seen: seen.filter_map(|thing| see(thing, landmarks)).collect() }
            }
            "hear" if word(2) == Some("referee") => Self::Referee { word: word(3)? },
            "think" => Self::Think,
            _ => Self::Other,
        })
    }
}

/// Those that we know are set; a server of another release may have others.
fn server(node: &Node<'_>) -> ServerParams {
    let mut server = ServerParams::today();
    for item in node.items() {
        if let (Some(name), Some(value)) = (item.name(), item.items().get(1).and_then(Node::word)) {
            let _ = server.set(name, value);
        }
    }
    if server.check().is_err() { ServerParams::today() } else { server }
}

/// Applies what is told of a type to the default one.
pub fn player_type(server: &ServerParams, values: &[(&str, f64)]) -> PlayerType {
    let mut kind = PlayerType::default_of(server);
    for &(name, value) in values {
        let place = match name {
            "player_speed_max" => &mut kind.player_speed_max,
            "stamina_inc_max" => &mut kind.stamina_inc_max,
            "player_decay" => &mut kind.player_decay,
            "inertia_moment" => &mut kind.inertia_moment,
            "dash_power_rate" => &mut kind.dash_power_rate,
            "player_size" => &mut kind.player_size,
            "kickable_margin" => &mut kind.kickable_margin,
            "kick_rand" => &mut kind.kick_rand,
            "extra_stamina" => &mut kind.extra_stamina,
            "effort_max" => &mut kind.effort_max,
            "effort_min" => &mut kind.effort_min,
            "kick_power_rate" => &mut kind.kick_power_rate,
            "catchable_area_l_stretch" => &mut kind.catchable_area_l_stretch,
            _ => continue,
        };
        *place = value;
    }
    let is_sound = kind.kickable_margin > 0.0
        && kind.player_size > 0.0
        && kind.dash_power_rate > 0.0
        && kind.effort_max > 0.0
        && (0.0..1.0).contains(&kind.player_decay);
    if is_sound { kind } else { PlayerType::default_of(server) }
}

fn body(node: &Node<'_>) -> Option<Body> {
    let expires =
        |name: &str, field: &str| node.find(name).and_then(|list| list.number_of(field, 1)).unwrap_or(0.0);
    Some(Body {
        stamina: node.number_of("stamina", 1)?,
        speed: node.number_of("speed", 1)?,
        speed_direction_rad: ours(node.number_of("speed", 2).unwrap_or(0.0)),
        neck_rad: ours(node.number_of("head_angle", 1).unwrap_or(0.0)),
        obeys: expires("tackle", "expires") == 0.0 && expires("foul", "charged") == 0.0,
    })
}

/// Without a distance, and of unknown names, nothing.
fn see<'a>(thing: &Node<'a>, landmarks: &[(&'static str, [f64; 2])]) -> Option<Seen<'a>> {
    let [name, distance, direction, changes @ ..] = thing.items() else { return None };
    let words = name.items();
    let what = match name.name()? {
        "b" => What::Ball,
        "p" => What::Player(
            words.get(1).and_then(Node::word),
            words.get(2).and_then(Node::number).map(|number| number as u32),
        ),
        "f" | "g" => {
            let is_it = |name: &str| name.split(' ').eq(words.iter().filter_map(Node::word));
            What::Landmark(landmarks.iter().find(|(name, _)| is_it(name))?.1)
        }
        _ => return None,
    };
    let number = |place: usize| changes.get(place).and_then(Node::number);
    Some(Seen {
        what,
        distance_m: distance.number()?,
        direction_rad: ours(direction.number()?),
        change: number(0).zip(number(1)).map(|(by_m, by_deg)| [by_m, ours(by_deg)]),
        body_rad: number(2).map(ours),
    })
}

/// Degrees clockwise as radians counter-clockwise.
fn ours(clockwise_deg: f64) -> f64 {
    -clockwise_deg.to_radians()
}
