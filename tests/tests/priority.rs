//! What the system gives the world's thread, and that it is told as it is.

#![cfg(target_os = "linux")]

use crate::client::Client;
use crate::program::Server;
use std::fs;

/// Policy (2: the real-time class SCHED_RR) and nice value of the world's thread, as the kernel has them.
fn kernel_says(server: &Server) -> (i64, i64) {
    let tasks = fs::read_dir(format!("/proc/{}/task", server.id())).unwrap();
    let stat = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("stat")).ok());
    let world = stat.filter_map(|stat| Some(stat.split_once(" (world) ")?.1.to_owned())).next().unwrap();
    let field = |number: usize| world.split_whitespace().nth(number - 3).unwrap().parse().unwrap();
    (field(41), field(19))
}

fn expected(said: &str, own_nice: i64) -> (i64, i64) {
    match said {
        "realtime" => (2, own_nice),
        "raised" => (0, own_nice - 10),
        "normal" => (0, own_nice),
        other => panic!("{other}"),
    }
}

/// The ready line, `STATUS` and the kernel say the same of the world's thread; a world that keeps no clock, or shall not, is as any other.
#[test]
fn the_priority_that_is_told_is_the_one_that_there_is() {
    let plain = Server::start("worlds/keeper.toml", &["--priority", "normal"]);
    let (policy, own_nice) = kernel_says(&plain);
    assert_eq!((policy, &plain.ready["priority"]), (0, &"normal".into()));

    let server = Server::start("worlds/keeper.toml", &[]);
    let said = server.ready["priority"].as_str().unwrap().to_owned();
    assert_eq!(kernel_says(&server), expected(&said, own_nice));
    let mut client = Client::operator(&server);
    assert_eq!(client.ok("STATUS").field("priority"), said);

    client.ok("SPEED max");
    while client.ok("STATUS").field("priority") != "normal" {}
    assert_eq!(kernel_says(&server), (0, own_nice));
    client.ok("SPEED 1");
    while client.ok("STATUS").field("priority") != said {}
    assert_eq!(kernel_says(&server), expected(&said, own_nice));
}
