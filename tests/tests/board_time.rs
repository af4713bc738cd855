//! Simulated time as clients of the message board see it. [C4, C6, W6]

use crate::board::server;
use crate::client::Client;

/// C4, W6: the period is the world's time, however that passes: of twenty seconds in lockstep each tenth is sent, and before the
/// answer to the order that made it.
#[test]
fn push_counts_the_worlds_time() {
    let server = server("lockstep");
    let mut client = Client::operator(&server);
    client.ok("ROBOT chaser file=pioneer");
    client.ok("PUSH me 100 odometry");
    let first = client.notice().number("sim_us");
    for tenth in 1..=200 {
        client.ok("STEP 10");
        let pushed: Vec<u64> = client.notices.drain(..).map(|state| state.number("sim_us")).collect();
        assert_eq!(pushed, [first + tenth * 100_000]);
    }
    // A step longer than the period has one; many within a period have one.
    client.ok("PUSH me 1 odometry");
    client.notice();
    for _ in 0..5 {
        client.ok("STEP");
    }
    assert_eq!(client.notices.drain(..).count(), 5);
    client.ok("PUSH me 50 odometry");
    client.notice();
    for _ in 0..20 {
        client.ok("STEP");
    }
    assert_eq!(client.notices.drain(..).count(), 4);
    // Back at the beginning it goes on.
    client.ok("RESET");
    client.ok("STEP 10");
    assert_eq!(client.notices.pop().expect("a push").number("sim_us"), 100_000);
}

/// W6, C6: where the world is shown after a pause, there it stands: no step is made behind it.
#[test]
fn after_a_pause_the_world_stands_where_it_is_shown() {
    let server = server("max");
    let mut client = Client::operator(&server);
    client.ok("ROBOT chaser file=pioneer");
    client.ok("TWIST me 0.3 0 1");
    for _ in 0..20 {
        client.ok("PAUSE");
        let shown = client.ok("STATUS");
        assert_eq!(client.ok("WORLD").number("step"), shown.number("step"));
        // To set the speed changes nothing but shows the world anew.
        client.ok("SPEED max");
        let again = client.ok("STATUS");
        assert_eq!(
            ["step", "tick", "state_hash"].map(|key| again.field(key)),
            ["step", "tick", "state_hash"].map(|key| shown.field(key))
        );
        assert_eq!(client.ok("STEP").number("step"), shown.number("step") + 1);
        client.ok("RESUME");
    }
}
