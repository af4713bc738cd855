//! Matches, their journal and their report, with hand-made plugins: runners on two lanes, and a referee who gives a goal now and
//! then to the team that is ahead. (B1)

use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use touchline_config::{EntrantSpec, ProgramSpec, TournamentSpec};
use touchline_plugin_api::container::FeatureHandle;
use touchline_plugin_api::geometry::{Pose2, Twist2};
use touchline_plugin_api::instance::{InProcess, MotionInstance, PlayerInstance, RefereeInstance};
use touchline_plugin_api::motion::{
    CommandDimension, CommandPart, Motion, MotionDescription, MotionInput, MotionOutput, MotionSetup,
};
use touchline_plugin_api::orders::Orders;
use touchline_plugin_api::player::{Player, PlayerInput, PlayerSetup};
use touchline_plugin_api::plugin::{Fault, PluginDescription, PluginKind, SetupError};
use touchline_plugin_api::referee::{Referee, RefereeInput, RefereeSetup};
use touchline_plugin_api::state::Stateless;
use touchline_sim::scenario::{
    Outline, PhysicsLaw, PlayerChoice, PluginChoice, Primitive, Radio, RobotPlacement, RobotSpec, Scenario,
    Surface, Team,
};
use touchline_sim::{MakeError, PluginFactory};
use touchline_tournament::journal::{Journal, JournalError};
use touchline_tournament::report::Report;
use touchline_tournament::{MatchResult, PlayError, Tournament};

/// How fast it runs, and the step of the call in which it or the referee fails.
#[derive(Default, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Params {
    speed_m_s: f64,
    fails_at: Option<u64>,
}

struct Legs;

impl Motion for Legs {
    const NAME: &'static str = "legs";
    const SUMMARY: &'static str = "goes as told";
    type Params = Params;
    type State = Stateless;
    fn new(_: Params, _: &MotionSetup) -> Result<Self, SetupError> {
        Ok(Self)
    }
    fn description(&self) -> MotionDescription {
        let forward = CommandDimension::symmetric("forward", "m/s", 9.0, CommandPart::Forward);
        MotionDescription { dimensions: vec![forward], ..MotionDescription::default() }
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn advance(&self, _: &mut Stateless, input: &MotionInput<'_>) -> Result<MotionOutput, Fault> {
        let twist = Twist2::new(input.command[0], 0.0, 0.0);
        Ok(MotionOutput::steady(twist))
    }
}

struct Runner(Params);

impl Player for Runner {
    const NAME: &'static str = "runner";
    const SUMMARY: &'static str = "runs";
    type Params = Params;
    type State = Stateless;
    fn new(params: Params, _: &PlayerSetup) -> Result<Self, SetupError> {
        Ok(Self(params))
    }
    fn wants(&self) -> Vec<FeatureHandle> {
        Vec::new()
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn sense_and_act(
        &self,
        _: &mut Stateless,
        input: &PlayerInput<'_>,
        orders: &mut Orders,
    ) -> Result<(), Fault> {
        if self.0.fails_at.is_some_and(|step| input.view.step >= step) {
            return Err(Fault::new("out of breath"));
        }
        orders.drive(&[self.0.speed_m_s]);
        Ok(())
    }
}

struct Judge(Params);

impl Referee for Judge {
    const NAME: &'static str = "judge";
    const SUMMARY: &'static str = "gives goals";
    type Params = Params;
    type State = Stateless;
    fn new(params: Params, _: &RefereeSetup) -> Result<Self, SetupError> {
        Ok(Self(params))
    }
    fn initial_state(&self) -> Stateless {
        Stateless
    }
    fn judge(&self, _: &mut Stateless, input: &RefereeInput<'_>, orders: &mut Orders) -> Result<(), Fault> {
        if self.0.fails_at.is_some_and(|step| input.view.step >= step) {
            return Err(Fault::new("lost the whistle"));
        }
        if input.view.step.is_multiple_of(20) {
            let way = |team| {
                input.view.robots().find(|robot| robot.team == team).map_or(0.0, |robot| robot.pose.x_m)
            };
            let ahead = way(0) - way(1) + input.noise.stream().gaussian(1.0);
            let mut game = input.game.to_state();
            game.teams[usize::from(ahead < 0.0)].score += 1;
            orders.set_game(&game);
        }
        Ok(())
    }
}

struct Factory;

impl PluginFactory for Factory {
    fn descriptions(&self) -> Vec<PluginDescription> {
        vec![]
    }
    fn motion(
        &self,
        choice: &PluginChoice,
        setup: &MotionSetup,
    ) -> Result<Arc<dyn MotionInstance>, MakeError> {
        Ok(Arc::new(
            InProcess::<Legs, _>::motion(&choice.params, setup)
                .map_err(MakeError::setup(PluginKind::Motion, choice))?,
        ))
    }
    fn player(
        &self,
        choice: &PluginChoice,
        setup: &PlayerSetup,
    ) -> Result<Arc<dyn PlayerInstance>, MakeError> {
        Ok(Arc::new(
            InProcess::<Runner, _>::player(&choice.params, setup)
                .map_err(MakeError::setup(PluginKind::Player, choice))?,
        ))
    }
    fn referee(
        &self,
        choice: &PluginChoice,
        setup: &RefereeSetup,
    ) -> Result<Arc<dyn RefereeInstance>, MakeError> {
        Ok(Arc::new(
            InProcess::<Judge, _>::referee(&choice.params, setup)
                .map_err(MakeError::setup(PluginKind::Referee, choice))?,
        ))
    }
}

fn choice(plugin: &str, params: Value) -> PluginChoice {
    PluginChoice::new(plugin, params)
}

fn scenario(referee: Value) -> Scenario {
    let surface = Surface::new(0.5, 0.3);
    let body = Primitive {
        outline: Outline::circle(0.2),
        pose: Pose2::ORIGIN,
        z_m: [0.0, 0.5],
        colour: None,
        surface: None,
    };
    let spec = Arc::new(RobotSpec {
        model: "runner".into(),
        body: vec![body],
        mass_kg: 10.0,
        traction_m_s2: 6.0,
        colour: 0,
        motion: choice("legs", json!({})),
        sensors: vec![],
        manipulators: vec![],
        commands: Default::default(),
    });
    let robot = |team: u32, name: &str| RobotPlacement {
        name: name.into(),
        team: Some(team),
        spec: Arc::clone(&spec),
        pose: Some(Pose2::new(0.0, f64::from(team) * 3.0, 0.0)),
        player: None,
    };
    Scenario {
        gravity_m_s2: touchline_sim::scenario::GRAVITY_M_S2,
        name: "lanes".into(),
        seed: 0,
        dt_secs: 0.02,
        physics: PhysicsLaw::default(),
        surface,
        teams: ["blue", "yellow"]
            .map(|name| Team { name: name.into(), colour: 0, players: Vec::new() })
            .into(),
        fixtures: vec![],
        balls: vec![],
        robots: vec![robot(0, "blue-1"), robot(1, "yellow-1")],
        referee: Some(choice("judge", referee)),
        radio: Radio::default(),
        episode: None,
        limits: Default::default(),
    }
}

fn entrant(name: &str, params: Value) -> EntrantSpec {
    let player = PlayerChoice { choice: choice("runner", params), period_secs: 0.1 };
    EntrantSpec {
        name: name.into(),
        players: BTreeMap::from([(0, player.clone()), (1, player)]),
        program: None,
    }
}

fn spec(entrants: &[(&str, f64)]) -> TournamentSpec {
    TournamentSpec {
        name: "race".into(),
        scenario: scenario(json!({})),
        match_secs: 4.0,
        pairs: 6,
        seed: 1,
        patience_secs: 10.0,
        start_patience_secs: 60.0,
        entrants: entrants.iter().map(|(name, speed)| entrant(name, json!({ "speed_m_s": speed }))).collect(),
    }
}

fn tournament(spec: TournamentSpec) -> Tournament {
    Tournament::new(spec, Arc::new(Factory), |_, choice| {
        Some(("1.0".into(), format!("{} {}\n", choice.plugin, choice.params)))
    })
}

fn three() -> Tournament {
    tournament(spec(&[("slow", 0.1), ("fast", 0.6), ("fair", 0.3)]))
}

fn all(tournament: &Tournament, threads: usize) -> BTreeMap<u64, MatchResult> {
    let numbers: Vec<u64> = (0..tournament.matches()).collect();
    let mut results = BTreeMap::new();
    let keep = |result: MatchResult| {
        assert!(results.insert(result.number, result).is_none());
        Ok(())
    };
    tournament.play_all(&numbers, threads, &AtomicBool::new(false), keep).unwrap();
    results
}

/// B1, I2: a match is a function of its number: alone, among others, on any number of threads.
#[test]
fn threads_and_order_play_no_part() {
    let tournament = three();
    let one = all(&tournament, 1);
    assert_eq!(one.len(), 36);
    assert_eq!(all(&tournament, 4), one);
    for number in [35, 0, 17] {
        assert_eq!(tournament.play(number).unwrap(), one[&number]);
    }
    assert!(matches!(tournament.play(36), Err(PlayError::NoSuchMatch(36))));
    assert!(one.values().all(|result| (result.steps, result.ended.as_str()) == (200, "time")));
}

/// B1: who runs faster is found to be better; the league's table adds up.
#[test]
fn the_faster_is_found_to_be_better() {
    let tournament = three();
    let report = Report::of(&tournament, &all(&tournament, 2));
    let names: Vec<&str> = report.entrants.iter().map(|standing| standing.name.as_str()).collect();
    assert_eq!(names, ["fast", "fair", "slow"]);
    assert_eq!((report.matches, report.played, report.void), (36, 36, 0));
    for standing in &report.entrants {
        assert_eq!((standing.matches, standing.wins + standing.draws + standing.losses), (24, 24));
        assert_eq!(standing.goals_for + standing.goals_against, 240);
        assert_eq!(standing.points, 3 * standing.wins + standing.draws);
        let [low, high] = standing.rating.interval_95.unwrap();
        assert!(low <= standing.rating.rating && standing.rating.rating <= high);
    }
    let [first, .., last] = report.couples.as_slice() else { panic!() };
    assert_eq!((first.entrants[0].as_str(), last.entrants[1].as_str()), ("fast", "slow"));
    let found = first.comparison.unwrap();
    assert!(found.share > 0.5 && found.probability_better > 0.9, "{found:?}");
    let table = report.table();
    assert!(table.contains("fast - fair") && table.contains("conditions "), "{table}");
}

/// B1: the order of the entrants in the file changes nothing, not even a random number.
#[test]
fn the_order_of_entrants_changes_nothing() {
    let other = tournament(spec(&[("fair", 0.3), ("slow", 0.1), ("fast", 0.6)]));
    let report = |of: &Tournament| serde_json::to_value(Report::of(of, &all(of, 2))).unwrap();
    let (one, other) = (report(&three()), report(&other));
    assert_eq!(one, other);
}

/// B1: one that plays against its twin gains on one side what it loses on the other, to the goal.
#[test]
fn twins_are_even() {
    let tournament = tournament(spec(&[("a", 0.4), ("b", 0.4)]));
    let report = Report::of(&tournament, &all(&tournament, 2));
    let found = report.couples[0].comparison.unwrap();
    assert_eq!((found.share, found.goal_difference, found.p_value), (0.5, 0.0, 1.0));
    assert_eq!(report.entrants[0].rating.rating, 0.0);
}

/// B1: a player that fails leaves its robot standing; the match counts, and the fault is told. A referee that fails makes it void.
#[test]
fn faults_are_told_and_attributed() {
    let mut of_player = spec(&[("good", 0.3)]);
    of_player.entrants.push(entrant("weak", json!({ "speed_m_s": 0.3, "fails_at": 50 })));
    let weak = tournament(of_player);
    let report = Report::of(&weak, &all(&weak, 2));
    assert_eq!((report.void, report.faults.len()), (0, 12));
    assert!(report.faults.iter().all(|fault| fault.entrant.as_deref() == Some("weak")));
    assert!(report.faults[0].what.contains("out of breath"), "{:?}", report.faults[0]);
    let failed: Vec<u32> = report.entrants.iter().map(|standing| standing.failed_in).collect();
    assert_eq!((failed, report.entrants[0].name.as_str()), (vec![0, 12], "good"));

    let of_referee =
        TournamentSpec { scenario: scenario(json!({ "fails_at": 30 })), ..spec(&[("a", 0.1), ("b", 0.2)]) };
    let blind = tournament(of_referee);
    let results = all(&blind, 2);
    assert!(results.values().all(|result| result.is_void() && result.ended == "fault" && result.steps == 30));
    let report = Report::of(&blind, &results);
    assert_eq!((report.void, report.entrants[0].matches), (12, 0));
    assert_eq!((report.couples[0].comparison, report.entrants[0].rating.interval_95), (None, None));
}

fn lines(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap().lines().map(Into::into).collect()
}

/// Plays what is not in the journal, at most `most` matches.
fn go_on(path: &Path, tournament: &Tournament, most: usize) -> (usize, BTreeMap<u64, MatchResult>) {
    let (mut journal, mut results) = Journal::open(path, tournament).unwrap();
    let mut todo: Vec<u64> = (0..tournament.matches()).filter(|n| !results.contains_key(n)).collect();
    todo.truncate(most);
    let keep = |result: MatchResult| {
        journal.add(&result)?;
        results.insert(result.number, result);
        Ok(())
    };
    tournament.play_all(&todo, 2, &AtomicBool::new(false), keep).unwrap();
    (todo.len(), results)
}

fn journal() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("race.jsonl");
    (folder, path)
}

/// B1: a tournament that is stopped, even within a line, goes on where it was; in the end it is what it would have been.
#[test]
fn it_goes_on_where_it_was_stopped() {
    let ((_folder, path), tournament) = (journal(), three());
    assert_eq!(go_on(&path, &tournament, 11).0, 11);
    let torn = lines(&path)[0].clone();
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(&torn.as_bytes()[..30]).unwrap();
    drop(file);
    let (played, results) = go_on(&path, &tournament, 99);
    assert_eq!((played, &results), (25, &all(&tournament, 1)));
    assert_eq!(lines(&path).len(), 36);
    assert_eq!(go_on(&path, &tournament, 99), (0, results));
}

/// B1: more pairs and another entrant go on with what is there; results of one that has gone stay, and are passed over.
#[test]
fn a_longer_tournament_takes_what_it_has() {
    let (_folder, path) = journal();
    go_on(&path, &tournament(spec(&[("slow", 0.1), ("fast", 0.6)])), 99);
    let mut longer = tournament(spec(&[("fast", 0.6), ("slow", 0.1), ("fair", 0.3)]));
    longer.set_pairs(7);
    let (played, results) = go_on(&path, &longer, 99);
    assert_eq!((played, results), (30, all(&longer, 1)));
    let (played, results) = go_on(&path, &tournament(spec(&[("fair", 0.3), ("slow", 0.1)])), 99);
    assert_eq!((played, results.len(), lines(&path).len()), (0, 12, 42));
}

/// B1: what was played under other conditions is not taken, and neither is what is no result; the file is left as it is.
#[test]
fn other_conditions_are_refused() {
    let (_folder, path) = journal();
    go_on(&path, &tournament(spec(&[("slow", 0.1), ("fast", 0.6)])), 2);
    let before = lines(&path);
    let refused = |tournament: &Tournament| Journal::open(&path, tournament).unwrap_err();
    let original = || spec(&[("slow", 0.1), ("fast", 0.6)]);
    let others = [
        tournament(spec(&[("slow", 0.2), ("fast", 0.6)])),
        tournament(TournamentSpec { match_secs: 5.0, ..original() }),
        tournament(TournamentSpec { seed: 2, ..original() }),
        tournament(TournamentSpec { scenario: scenario(json!({ "speed_m_s": 1.0 })), ..original() }),
        Tournament::new(original(), Arc::new(Factory), |_, _| Some(("1.0".into(), "rebuilt".into()))),
    ];
    for other in &others {
        let error = refused(other);
        assert!(matches!(error, JournalError::OtherConditions { line: 1, .. }), "{error}");
    }
    let same = tournament(original());
    let held = Journal::open(&path, &same).unwrap();
    assert!(matches!(refused(&same), JournalError::InUse(_)));
    assert!(matches!(Journal::restart(&path), Err(JournalError::InUse(_))));
    assert_eq!(lines(&path), before);
    drop(held);
    std::fs::write(&path, format!("{}\n{{}}\n{}\n", before[0], before[1])).unwrap();
    assert!(matches!(refused(&same), JournalError::BadLine { line: 2, .. }));
    assert_eq!(lines(&path).len(), 3);
    drop(Journal::restart(&path).unwrap());
    assert_eq!(go_on(&path, &same, 1).0, 1);
    assert_eq!(lines(&path).len(), 1);
}

/// B1: told to stop it keeps what was finished; a result that cannot be kept ends it.
#[test]
fn it_stops_when_told_and_when_results_cannot_be_kept() {
    let (tournament, stop) = (three(), AtomicBool::new(false));
    let numbers: Vec<u64> = (0..36).collect();
    let mut kept = 0;
    let keep = |_| {
        kept += 1;
        stop.store(kept == 3, Ordering::Relaxed);
        Ok(())
    };
    tournament.play_all(&numbers, 1, &stop, keep).unwrap();
    assert_eq!(kept, 3);
    let full = |_| Err(std::io::Error::other("disk full"));
    let error = tournament.play_all(&numbers, 2, &AtomicBool::new(false), full).unwrap_err();
    assert!(error.to_string().contains("disk full"), "{error}");
}

/// Two, of whom the second is a program.
fn with_program(command: &[&str], folder: &Path) -> TournamentSpec {
    let mut spec = spec(&[("a", 0.1), ("b", 0.2)]);
    let command = command.iter().map(|word| (*word).to_owned()).collect();
    spec.entrants[1].program =
        Some(ProgramSpec { command, folder: folder.to_owned(), robots: BTreeSet::from([0, 1]) });
    spec
}

/// B1: who has no means to start programs says whose is one.
#[test]
fn programs_are_not_played_without_somebody_who_starts_them() {
    let error = tournament(with_program(&["team"], Path::new("."))).play(0).unwrap_err();
    assert!(matches!(&error, PlayError::NoPrograms(name) if name == "b"), "{error}");
}

/// B1: one whose program fails has lost by three goals, or by more if it was so far behind; if both fail, the match is void.
#[test]
fn a_program_that_fails_has_lost() {
    let tournament = tournament(spec(&[("a", 0.1), ("b", 9.0)]));
    let one = tournament.nth(0).unwrap();
    let (mut world, mut course) = tournament.begin(&one).unwrap();
    let failed = |side| vec![(side, "it has left".to_owned())];
    let early = course.failed(&failed(1));
    assert_eq!(
        (early.goals, early.ended.as_str(), early.steps, early.is_void()),
        ([3, 0], "forfeit", 0, false)
    );
    assert_eq!((early.faults[0].entrant.as_deref(), early.faults[0].step), (Some("b"), 0));
    while world.game().score(1) < 4 {
        world.step(&[]);
        assert_eq!(course.look(&world), None);
        course.note(&world);
    }
    // "a" has scored nothing: its own failure leaves the score as it is, that of "b" turns it round.
    assert_eq!((course.failed(&failed(0)).goals, course.failed(&failed(1)).goals), ([0, 4], [3, 0]));
    let both = course.failed(&[failed(0), failed(1)].concat());
    assert_eq!((both.is_void(), both.ended.as_str(), both.faults.len()), (true, "fault", 2));
}

/// B1: another word, another file behind a word, or other robots make a program another one.
#[test]
fn a_program_is_known_by_its_words_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let of = |command: &[&str]| {
        let tournament = tournament(with_program(command, folder.path()));
        tournament.digest_of(&tournament.nth(0).unwrap())
    };
    let first = of(&["team.py", "{board}"]);
    assert_eq!(of(&["team.py", "{board}"]), first);
    assert_ne!(of(&["team.py", "{board}", "-v"]), first);
    std::fs::write(folder.path().join("team.py"), "print()").unwrap();
    let written = of(&["team.py", "{board}"]);
    assert_ne!(written, first);
    std::fs::write(folder.path().join("team.py"), "pass").unwrap();
    assert_ne!(of(&["team.py", "{board}"]), written);
}
