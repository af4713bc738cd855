//! Closed forms of the laws, and the distributions of their noise: means within five standard errors of 10^5 draws.

use super::*;
use touchline_plugin_api::noise::NoiseKey;

const DRAWS: u32 = 100_000;

fn server() -> ServerParams {
    ServerParams::today()
}

fn default_type(server: &ServerParams) -> PlayerType {
    PlayerType::default_of(server)
}

fn noise() -> Noise {
    NoiseKey::for_owner(7, "test").stream()
}

fn close(got: f64, wanted: f64) {
    assert!((got - wanted).abs() < 1e-12 * wanted.abs().max(1.0), "{got} for {wanted}");
}

/// Mean of the draws is `mean` within five standard errors, whose square is the variance over the number of draws.
fn mean_is(draws: impl Iterator<Item = f64>, mean: f64, variance: f64) {
    let got = draws.sum::<f64>() / f64::from(DRAWS);
    let error = (variance / f64::from(DRAWS)).sqrt();
    assert!((got - mean).abs() < 5.0 * error, "{got} for {mean} +- {error}");
}

/// Draws are uniform in [low, high]: none outside, mean and variance those of the law.
fn is_uniform(draws: &[f64], low: f64, high: f64) {
    let width = high - low;
    assert!(draws.iter().all(|draw| (low - 1e-12..=high + 1e-12).contains(draw)), "{low} to {high}");
    mean_is(draws.iter().copied(), (low + high) / 2.0, width * width / 12.0);
    let square = |number: f64| number * number;
    let squares = draws.iter().map(|draw| square(draw - (low + high) / 2.0));
    // Of the square of a uniform number on (-w/2, w/2): mean w^2/12, variance w^4/180.
    mean_is(squares, width * width / 12.0, square(width * width) / 180.0);
}

fn plain(power: f64, direction_rad: f64) -> [Leg; 2] {
    [Leg { power, direction_rad }; 2]
}

fn dasher<'a>(player_type: &'a PlayerType, stamina: &'a Stamina) -> Dasher<'a> {
    Dasher { player_type, stamina, velocity: [0.0; 2], heading_rad: 0.5, slowness: 1.0, player_rand: 0.1 }
}

/// Halves of a step of the direction go to the even one, as they were said in degrees.
#[test]
fn a_direction_between_two_steps_goes_to_the_even_one() {
    let server = ServerParams { dash_angle_step: 1.0, ..server() };
    for half in -180..180 {
        let said_deg = f64::from(half) + 0.5;
        let even_deg = if half % 2 == 0 { half } else { half + 1 };
        close(dash_direction(&server, said_deg.to_radians()).to_degrees(), f64::from(even_deg));
        close(dash_direction(&server, (said_deg + 1e-6).to_radians()).to_degrees(), f64::from(half + 1));
    }
}

/// Spec 6: effort x power x rate of the direction x dash_power_rate, along body and direction.
#[test]
fn a_dash_accelerates_by_its_power_and_direction() {
    let server = server();
    let (player_type, full) = (default_type(&server), Stamina::full(&server, &default_type(&server)));
    for (direction_deg, rate) in
        [(0.0, 1.0), (45.0, 0.7), (90.0, 0.4), (-90.0, 0.4), (135.0, 0.55), (180.0, 0.7), (-180.0, 0.7)]
    {
        let direction_rad = f64::to_radians(direction_deg);
        let dash = dash(&server, &dasher(&player_type, &full), plain(80.0, direction_rad), &mut noise());
        let [x, y] = polar(0.006 * 80.0 * rate, 0.5 + direction_rad);
        close(dash.accel[0], x);
        close(dash.accel[1], y);
        assert!(dash.turn_rad.abs() < 1e-12, "{direction_deg}: {dash:?}");
        assert_eq!(dash.cost, 80.0);
    }
    // Directions are whole degrees.
    let [one, other] = [30.4f64, 30.0].map(|direction_deg| {
        dash(&server, &dasher(&player_type, &full), plain(100.0, direction_deg.to_radians()), &mut noise())
            .accel
    });
    close(one[0], other[0]);
    // Backwards is not allowed today: power below 0 is none.
    let none = dash(&server, &dasher(&player_type, &full), plain(-50.0, 0.0), &mut noise());
    assert_eq!(none, Dash::default());
}

/// Spec 6: power below 0 costs twice.
#[test]
fn a_dash_backwards_costs_twice() {
    let server = ServerParams { min_dash_power: -100.0, ..server() };
    let (player_type, full) = (default_type(&server), Stamina::full(&server, &default_type(&server)));
    let back = dash(&server, &dasher(&player_type, &full), plain(-30.0, 0.0), &mut noise());
    assert_eq!(back.cost, 60.0);
    let [x, _] = polar(-0.006 * 30.0, 0.5);
    close(back.accel[0], x);
}

/// Stamina that is not there is missing from the power; as in the server the legs share it unevenly: 25 and 50 x 50 / 75.
#[test]
fn the_last_stamina_is_shared_unevenly() {
    let server = server();
    let player_type = default_type(&server);
    let spent = Stamina { stamina: 0.0, effort: 1.0, recovery: 0.5, capacity: 0.0 };
    let still = Dasher { player_rand: 0.0, ..dasher(&player_type, &spent) };
    let dash = dash(&server, &still, plain(100.0, 0.0), &mut noise());
    assert_eq!(dash.cost, 50.0);
    let (left, right) = (0.006 * 50.0, 0.006 * 2.0 * (50.0 * 50.0 / 75.0));
    close(length(dash.accel), (left + right) / 2.0);
    close(dash.turn_rad, (right - left) / 0.6);
}

/// Spec 6: the legs' difference along the body turns it: counter-clockwise if the right one is faster.
#[test]
fn unequal_legs_turn_the_body() {
    let server = server();
    let (player_type, full) = (default_type(&server), Stamina::full(&server, &default_type(&server)));
    let leg = |power: f64| Leg { power, direction_rad: 0.0 };
    let mut noise = noise();
    let legs = [leg(50.0), leg(100.0)];
    let turn =
        |_| dash(&server, &dasher(&player_type, &full), legs, &mut noise).turn_rad / (0.006 * 50.0 / 0.6);
    let draws: Vec<f64> = (0..DRAWS).map(turn).collect();
    is_uniform(&draws, 0.9, 1.1);
}

/// Spec 6, stamina: while it is above the thresholds each cycle gives back stamina_inc_max; at full power 100 it falls by 55 a cycle.
#[test]
fn stamina_follows_its_closed_form() {
    let server = server();
    let player_type = default_type(&server);
    let mut stamina = Stamina::full(&server, &player_type);
    for cycle in 0..100 {
        close(stamina.stamina, 8000.0 - 55.0 * f64::from(cycle));
        assert_eq!((stamina.effort, stamina.recovery), (1.0, 1.0));
        close(stamina.capacity, 130_600.0 - 45.0 * f64::from(cycle));
        stamina.spend(100.0);
        stamina.recover(&server, &player_type);
    }
    // The next dash comes to the threshold of 2400, so recovery and effort fall before anything comes back.
    stamina.spend(100.0);
    stamina.recover(&server, &player_type);
    assert_eq!((stamina.effort, stamina.recovery), (0.995, 0.998));
    close(stamina.stamina, 2400.0 + 0.998 * 45.0);
    for _ in 0..1000 {
        stamina.spend(100.0);
        stamina.recover(&server, &player_type);
    }
    assert_eq!((stamina.effort, stamina.recovery), (0.6, 0.5));
    // Without capacity nothing comes back; effort does, above its threshold.
    let mut spent = Stamina { capacity: 10.0, ..stamina };
    let before = spent.stamina;
    spent.recover(&server, &player_type);
    close(spent.stamina, before + 10.0);
    assert_eq!(spent.capacity, 0.0);
    let mut rested = Stamina { stamina: 5000.0, ..spent };
    rested.recover(&server, &player_type);
    close(rested.effort, 0.61);
}

/// Spec 5: moment times (1 + U(-r, r)) over (1 + inertia x speed).
#[test]
fn a_turn_has_inertia_and_noise() {
    let server = server();
    let player_type = default_type(&server);
    let mut noise = noise();
    let turned = |_| turn(&server, &player_type, 0.4, 1.5, 0.1, &mut noise) / (1.5 / 3.0);
    let draws: Vec<f64> = (0..DRAWS).map(turned).collect();
    is_uniform(&draws, 0.9, 1.1);
    close(turn(&server, &player_type, 0.0, -9.0, 0.0, &mut noise), -PI);
    close(turn_neck(&server, 1.0, 2.0), PI / 2.0);
}

fn kicker<'a>(player_type: &'a PlayerType, ball: [f64; 2], velocity: [f64; 2], rand: f64) -> Kicker<'a> {
    Kicker { player_type, heading_rad: 0.0, ball, ball_velocity: velocity, kick_rand: rand }
}

/// Spec 6: power x rate x (1 - 0.25 a/pi - 0.25 g/margin).
#[test]
fn a_kick_is_weaker_the_worse_the_ball_lies() {
    let server = server();
    let player_type = default_type(&server);
    for (ball, part) in [
        ([0.385, 0.0], 1.0),
        ([1.085, 0.0], 0.75),
        ([-0.385, 0.0], 0.75),
        ([0.0, 0.735], 1.0 - 0.125 - 0.125),
        ([-1.085, 0.0], 0.5),
    ] {
        let accel = kick(&server, &kicker(&player_type, ball, [0.0; 2], 0.0), 100.0, 1.0, &mut noise());
        let [x, y] = polar(2.7 * part, 1.0);
        close(accel[0], x);
        close(accel[1], y);
    }
}

/// Spec 6: noise of length U(0, m) in any direction; m = 0.1 x P/100 x (0.5 + 0.25 (a/pi + g/margin) + 0.5 + 0.5 v/v_max).
#[test]
fn a_kick_s_noise_grows_with_power_place_and_speed() {
    let server = server();
    let player_type = default_type(&server);
    let mut noise = noise();
    let kicker = kicker(&player_type, [0.0, 0.735], [0.6, 0.0], 0.1);
    let without = kick(&server, &Kicker { kick_rand: 0.0, ..kicker }, 50.0, 0.3, &mut noise);
    let draws: Vec<[f64; 2]> = (0..DRAWS)
        .map(|_| {
            let accel = kick(&server, &kicker, 50.0, 0.3, &mut noise);
            [accel[0] - without[0], accel[1] - without[1]]
        })
        .collect();
    let most = 0.1 * 0.5 * ((0.5 + 0.25 * (0.5 + 0.5)) + (0.5 + 0.5 * 0.6 / 2.82));
    let lengths: Vec<f64> = draws.iter().map(|&draw| length(draw)).collect();
    is_uniform(&lengths, 0.0, most);
    let directions: Vec<f64> = draws.iter().map(|draw| libm::atan2(draw[1], draw[0])).collect();
    is_uniform(&directions, -PI, PI);
}

/// Spec 6: fails with (|x|/d)^e + (|y|/w)^e; succeeds with the rest.
#[test]
fn a_tackle_fails_the_farther_the_ball_is() {
    let server = server();
    for (ball, foul, failure) in [
        ([1.0, 0.0], false, 1.0 / 64.0),
        ([1.0, 0.625], false, 2.0 / 64.0),
        ([2.0, 0.0], false, 1.0),
        ([1.0, 0.0], true, 1.0 / 1024.0),
    ] {
        close(tackle_failure(&server, ball, foul).unwrap(), failure);
    }
    assert_eq!(tackle_failure(&server, [-0.1, 0.0], false), None);
    let back = ServerParams { tackle_back_dist: 0.5, ..server };
    close(tackle_failure(&back, [-0.25, 0.0], false).unwrap(), 1.0 / 64.0);
}

/// Spec 6: by direction from max to max_back; by power along the body; both weaker for a ball aside; noise as its law says.
#[test]
fn a_tackle_s_power_is_by_direction_or_by_power() {
    let server = ServerParams { max_back_tackle_power: 50.0, ..server() };
    let player_type = default_type(&server);
    let tackler = kicker(&player_type, [0.0, 0.6], [0.0; 2], 0.0);
    let power = |with| length(tackle_accel(&server, &tackler, &Tackle { with, failure: 0.0 }, &mut noise()));
    close(power(TackleWith::Direction(0.0)), 2.7 * 0.75);
    close(power(TackleWith::Direction(PI)), 1.35 * 0.75);
    close(power(TackleWith::Direction(PI / 2.0)), 0.75 * 0.75 * 2.7);
    close(power(TackleWith::Power(40.0)), 0.4 * 2.7 * 0.75);
    close(power(TackleWith::Power(-90.0)), 0.5 * 2.7 * 0.75);
    let mut noise = noise();
    let noisy = Kicker { kick_rand: 0.1, ..tackler };
    let tackle = Tackle { with: TackleWith::Power(100.0), failure: 0.4 };
    let without = tackle_accel(&server, &tackler, &tackle, &mut noise);
    let lengths: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let accel = tackle_accel(&server, &noisy, &tackle, &mut noise);
            length([accel[0] - without[0], accel[1] - without[1]])
        })
        .collect();
    is_uniform(&lengths, 0.0, 0.1 * 2.0 * ((0.5 + 0.5 * 0.6) + 0.5));
}

/// Spec 6: sure within l (2 - s), linear to nothing at l s, nothing beyond or aside.
#[test]
fn a_catch_is_less_sure_where_the_type_is_stretched() {
    let server = server();
    let player_type = PlayerType { catchable_area_l_stretch: 1.25, ..default_type(&server) };
    let area = CatchArea::new(&server, &player_type, 0.5, 0.25);
    let probability = |ahead: f64, aside: f64| area.probability(rotated([ahead, aside], 0.75));
    assert_eq!(probability(0.89, 0.49), Some(1.0));
    close(probability(1.2, 0.0).unwrap(), 0.5);
    close(probability(1.35, -0.3).unwrap(), 0.25);
    assert_eq!(probability(1.51, 0.0), None);
    assert_eq!(probability(0.5, 0.51), None);
    assert_eq!(probability(-0.01, 0.0), None);
    let mut noise = noise();
    let caught = |_| f64::from(noise.chance(probability(1.35, 0.0).unwrap()));
    mean_is((0..DRAWS).map(caught), 0.25, 0.1875);
    let ([x, y], heading_rad) = caught_place(&server, &player_type, [1.0, 2.0], [0.0, 1.0]);
    close(x, 1.0);
    close(y, 2.0 + 1.0 - 0.385);
    close(heading_rad, PI / 2.0);
    let straight = CatchArea::new(&server, &player_type, 0.0, 0.0);
    assert_eq!(punched(&straight, [-2.0, 0.5]), [4.0, -0.0]);
}

/// Spec 6: acceleration and speed are held; noise of length U(0, rand |v|) in any direction.
#[test]
fn motion_is_held_and_noisy() {
    let mut noise = noise();
    assert_eq!(moved([0.0; 2], [9.0, 0.0], 2.7, 3.0, 0.0, &mut noise), [2.7, 0.0]);
    let [x, y] = moved([2.0, 0.0], [0.0, 2.7], 2.7, 3.0, 0.0, &mut noise);
    close(length([x, y]), 3.0);
    let lengths: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let [x, y] = moved([0.6, 0.8], [0.0; 2], 1.0, 1.0, 0.1, &mut noise);
            length([x - 0.6, y - 0.8])
        })
        .collect();
    is_uniform(&lengths, 0.0, 0.1);
}

/// Issue of the league, number 3: what a server's file allows makes numbers, of kicks and of tackles.
#[test]
fn kicks_and_tackles_are_finite_by_the_extremes_of_a_file() {
    let changes: [fn(&mut ServerParams); 6] = [
        |server| server.ball_decay = 0.0,
        |server| server.ball_decay = 1e-300,
        |server| server.maxpower = 0.0,
        |server| (server.maxpower, server.minpower) = (1e-300, -1e6),
        |server| server.max_tackle_power = 0.0,
        |server| (server.max_tackle_power, server.max_back_tackle_power) = (0.0, 0.0),
    ];
    for change in changes {
        let mut server = server();
        change(&mut server);
        let player_type = default_type(&server);
        for (power, speed) in [-100.0, 0.0, 50.0].into_iter().flat_map(|power| [0.0, 1.0].map(|v| (power, v)))
        {
            let kicker = kicker(&player_type, [0.5, 0.1], [speed, 0.0], 0.1);
            let kicked = kick(&server, &kicker, power, 0.3, &mut noise());
            let tackled = [TackleWith::Power(power), TackleWith::Direction(0.3)]
                .map(|with| tackle_accel(&server, &kicker, &Tackle { with, failure: 0.5 }, &mut noise()));
            let numbers = [kicked, tackled[0], tackled[1]];
            assert!(
                numbers.iter().flatten().all(|number| number.is_finite()),
                "{power}, {speed}: {numbers:?}"
            );
        }
    }
}
