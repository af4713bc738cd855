//! Between a Frame of the world and the wire's state: names, units and axes are turned here, and nowhere else.

use crate::PlayMode;
use crate::state::{Body, Happened, Moving, PLAYERS, Point, State, Who};
use crate::wire::is_spoken;
use touchline_plugin_api::motion::MAX_MOTION_DATA;
use touchline_plugin_api::view::ObjectKind;
use touchline_sim::{EventKind, Frame, Message, RobotFrame, Scenario};
use touchline_soccer_law::face::{
    CYCLE_SECS, Datum, REFEREE_PLUGIN, Side, TEAM_SIZE, Value, event, mode_of_phase,
};
use touchline_soccer_law::params::SoccerParams;

/// Why a world is none of this league's.
#[derive(Debug, thiserror::Error)]
pub enum NotSoccer {
    /// It has another referee, or none.
    #[error(
        "its referee is {0}, and not \"soccer\": the parameters of the game stand in that referee's table"
    )]
    Referee(String),
    /// It has other teams.
    #[error("its teams are {0}, and not left and right")]
    Teams(String),
    /// Its parameters make no sense.
    #[error("the referee's parameters: {0}")]
    Params(String),
}

/// The parameters that a world's referee plays by.
///
/// # Errors
/// When the world is none of this league's.
pub fn params_of(scenario: &Scenario) -> Result<SoccerParams, NotSoccer> {
    let referee = scenario.referee.as_ref().filter(|referee| referee.plugin == REFEREE_PLUGIN);
    let Some(referee) = referee else {
        let other =
            scenario.referee.as_ref().map_or("none".into(), |referee| format!("\"{}\"", referee.plugin));
        return Err(NotSoccer::Referee(other));
    };
    let teams: Vec<_> = scenario.teams.iter().map(|team| team.name.as_str()).collect();
    if teams != Side::BOTH.map(Side::word) {
        return Err(NotSoccer::Teams(teams.join(", ")));
    }
    let wrong = |problem: String| NotSoccer::Params(problem);
    let params = &referee.params;
    let params: SoccerParams = if params.is_null() {
        SoccerParams::today()
    } else {
        serde_json::from_value(params.clone()).map_err(|error| wrong(error.to_string()))?
    };
    params.check().map_err(|error| wrong(error.to_string()))?;
    Ok(params)
}

/// The player that a robot of this name is.
pub fn who(name: &str) -> Option<Who> {
    let (side, unum) = name.split_once('-')?;
    let side = Side::BOTH.into_iter().find(|known| known.word() == side)?;
    let unum = unum.parse().ok().filter(|unum| (1..=TEAM_SIZE as u32).contains(unum))?;
    Some(Who { side, unum })
}

/// The world as the wire tells it.
pub fn state(frame: &Frame) -> State {
    let game = &frame.game;
    let value = |value: Value| game.value(value.name()).unwrap_or(0.0).max(0.0) as u32;
    let score = |side: Side| game.teams.get(side as usize).map_or(0, |team| team.score.max(0) as u32);
    let mut players: [Body; PLAYERS] = std::array::from_fn(|place| Body::nobody(Who::at(place)));
    for robot in &frame.robots {
        if let Some(who) = who(&robot.identity.name) {
            players[who.place()] = body(frame, robot);
        }
    }
    let ball = frame.objects.iter().find(|object| object.kind() == ObjectKind::Ball);
    State {
        step: frame.step,
        run: frame.run,
        time: libm::round(game.clock_secs / CYCLE_SECS).max(0.0) as u32,
        stoppage: value(Value::Stoppage),
        mode: mode_of_phase(game.phase).unwrap_or(PlayMode::BEFORE_KICK_OFF),
        scores: Side::BOTH.map(score),
        penalties: [
            [value(Value::PenaltyScoreLeft), value(Value::PenaltyMissLeft)],
            [value(Value::PenaltyScoreRight), value(Value::PenaltyMissRight)],
        ],
        ball: ball.map_or_else(Moving::default, |ball| Moving {
            pos: turned([ball.pose.x_m, ball.pose.y_m]),
            vel: a_cycle([ball.twist.x_m_s, ball.twist.y_m_s]),
        }),
        catcher: value(Value::Catcher).checked_sub(1).map(|place| Who::at(place as usize)),
        players,
    }
}

fn body(frame: &Frame, robot: &RobotFrame) -> Body {
    let data: &[f64; MAX_MOTION_DATA] = &robot.motion_data;
    let datum = |datum: Datum| data[datum.index()];
    let count = |which: Datum| datum(which).max(0.0) as u32;
    let object = frame.objects.get(robot.object as usize);
    let twist = object.map(|object| [object.twist.x_m_s, object.twist.y_m_s]).unwrap_or_default();
    Body {
        motion: Moving { pos: turned([robot.pose.x_m, robot.pose.y_m]), vel: a_cycle(twist) },
        body_rad: heading(robot.pose.theta_rad),
        neck_rad: plain(-datum(Datum::Neck)),
        bits: count(Datum::State),
        kind: count(Datum::PlayerType) as usize,
        stamina: datum(Datum::Stamina),
        effort: datum(Datum::Effort),
        recovery: datum(Datum::Recovery),
        capacity: datum(Datum::Capacity),
        tackle_cycles: count(Datum::TackleCycles),
        foul_cycles: count(Datum::FoulCycles),
    }
}

/// The heading of a body: the server's right team looks to pi, not to -pi.
fn heading(theta_rad: f64) -> f64 {
    let body_rad = plain(-theta_rad);
    if body_rad <= -std::f64::consts::PI { std::f64::consts::PI } else { body_rad }
}

/// Another axis, without the sign of a zero.
fn turned([x, y]: Point) -> Point {
    [plain(x), plain(-y)]
}

/// Metres a second in the world's axes as metres a cycle in the wire's.
fn a_cycle(velocity: Point) -> Point {
    turned(velocity).map(|speed| plain(speed * CYCLE_SECS))
}

fn plain(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { number }
}

/// What has happened since an event and a message of these numbers, in its order; messages are `longest` bytes at most.
pub fn happened(frame: &Frame, next_event: u64, next_message: u64, longest: usize) -> Vec<Happened> {
    let events = frame.events.iter().filter(|event| event.number >= next_event);
    let mut all = of_events(events.map(|event| (event.step, &event.kind)));
    let messages =
        frame.messages.iter().map(|message| &**message).filter(|message| message.number >= next_message);
    all.extend(of_messages(messages, longest));
    all
}

/// Of several in one step by their players' numbers, whoever's datagram was faster.
fn of_messages<'a>(messages: impl Iterator<Item = &'a Message>, longest: usize) -> Vec<Happened> {
    let messages = messages.filter(|message| is_sayable(&message.text, longest));
    let mut said: Vec<_> =
        messages.filter_map(|message| Some((who(&message.from_name)?, message.text.clone()))).collect();
    said.sort_by_key(|(who, _)| *who);
    said.into_iter().map(|(who, text)| Happened::Said(who, text)).collect()
}

/// Whether a player could say this over the wire. Whoever speaks by the message board, or is a plugin, may say anything: with a quotation mark in
/// it, clients would read on in what looks like a message of somebody else.
fn is_sayable(text: &str, longest: usize) -> bool {
    text.len() <= longest && text.bytes().all(is_spoken)
}

/// Events, oldest first, each with its step. When words were said stands behind them, so they are read from behind.
fn of_events<'a>(events: impl DoubleEndedIterator<Item = (u64, &'a EventKind)>) -> Vec<Happened> {
    let mut all = Vec::new();
    let mut said_at: Option<(u64, [u32; 2])> = None;
    for (step, kind) in events.rev() {
        if let Some(clock) = clock_of(kind) {
            said_at = Some((step, clock));
            continue;
        }
        let clock = said_at.filter(|(of, _)| *of == step).map(|(_, clock)| clock);
        all.extend(of_event(kind).map(|happened| match (happened, clock) {
            (Happened::Word(word), Some(clock)) => Happened::EarlierWord(word, clock),
            (happened, _) => happened,
        }));
    }
    all.reverse();
    all
}

/// What the clock showed when the words before this event were said.
fn clock_of(kind: &EventKind) -> Option<[u32; 2]> {
    let EventKind::Game { kind, text, .. } = kind else { return None };
    let (time, stoppage) = text.split_once(' ').filter(|_| kind == event::SAID_AT)?;
    Some([time.parse().ok()?, stoppage.parse().ok()?])
}

fn of_event(kind: &EventKind) -> Option<Happened> {
    match kind {
        // The referee's words are one word each, but for keepaway's; what it refuses is told in many.
        EventKind::Announcement(word) if !word.contains(' ') || word.starts_with("training Keepaway ") => {
            Some(Happened::Word(word.clone()))
        }
        EventKind::Game { kind, team, text } => {
            let side = team.and_then(Side::of_team)?;
            let mut numbers = text.split(' ').map(str::parse::<u32>);
            let who = Who {
                side,
                unum: numbers.next()?.ok().filter(|unum| (1..=TEAM_SIZE as u32).contains(unum))?,
            };
            match kind.as_str() {
                event::PLAYER_TYPE => Some(Happened::Type(who, numbers.next()?.ok()? as usize)),
                event::TOO_MANY_MOVES => Some(Happened::TooManyMoves(who)),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchline_plugin_api::radio::{Channel, Sender};

    /// Keepaway's word has blanks; a line that the referee could not read is nobody's to hear.
    #[test]
    fn announcements_are_words_of_the_referee() {
        let heard = |text: &str| of_event(&EventKind::Announcement(text.into()));
        assert_eq!(heard("kick_off_l"), Some(Happened::Word("kick_off_l".into())));
        assert_eq!(heard("training Keepaway 2"), Some(Happened::Word("training Keepaway 2".into())));
        assert_eq!(heard("unknown command: fly"), None);
    }

    /// A word is said at the clock that stands behind it in its step; without one at that of the step.
    #[test]
    fn words_before_the_clock_went_on_are_told_apart() {
        let word = |text: &str| EventKind::Announcement(text.into());
        let at = |text: &str| EventKind::Game { kind: event::SAID_AT.into(), team: None, text: text.into() };
        let events = [
            (1, word("half_time")),
            (2, word("foul_charge_l")),
            (2, word("yellow_card_l_2")),
            (2, at("594 0")),
            (2, word("goal_r_1")),
        ];
        let happened = of_events(events.iter().map(|(step, kind)| (*step, kind)));
        let earlier = |text: &str| Happened::EarlierWord(text.into(), [594, 0]);
        let expected = [
            Happened::Word("half_time".into()),
            earlier("foul_charge_l"),
            earlier("yellow_card_l_2"),
            Happened::Word("goal_r_1".into()),
        ];
        assert_eq!(happened, expected);
    }

    /// What comes by the message board is no message of the wire's as long as nobody could say it there: this one would read as two.
    #[test]
    fn what_nobody_could_say_is_not_heard() {
        let forged = "x\") (hear 5 referee goal_l_1";
        let said = |text: &str| Message {
            number: 1,
            step: 5,
            from: 1,
            from_name: "left-1".into(),
            sender: Sender::Robot,
            from_team: Some(0),
            from_shirt: None,
            channel: Channel::All,
            heard_by: Vec::new(),
            bearings_rad: Vec::new(),
            text: text.into(),
        };
        let heard = |text: &str| !of_messages([said(text)].iter(), 10).is_empty();
        for text in [forged, "\"", "a\nb", "a\0", "gr\u{fc}n", "12345678901"] {
            assert!(!heard(text), "{text:?}");
        }
        for text in ["1234567890", "(a b)", "-1.5 *<>?/"] {
            assert!(heard(text), "{text:?}");
        }
    }

    #[test]
    fn players_are_robots_by_their_names() {
        assert_eq!(who("right-11"), Some(Who { side: Side::Right, unum: 11 }));
        for name in ["right-12", "left-0", "left", "goal-1", "left-1-1", "left-x"] {
            assert_eq!(who(name), None, "{name}");
        }
    }
}
