//! The Soccer Server's clients with the built program, over real sockets: two teams of trivial players connect, kick off and play.

use crate::program::Server;
use std::fs;
use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

/// A game of two halves of two seconds in which steps wait for the players; it begins and ends by itself.
const WORLD: &str = r#"
include = ["soccer.toml"]

[referee.params.server]
synch_mode = true
auto_mode = true
half_time = 2
nr_extra_halfs = 0
penalty_shoot_outs = false
connect_wait = 5
kick_off_wait = 5
game_over_wait = 3
"#;
/// Players of each team.
const PLAYERS: usize = 3;

/// A player that dashes, turns its neck and speaks, whenever it is asked to think.
struct Player {
    socket: UdpSocket,
    server: SocketAddr,
    told: Vec<String>,
    is_over: bool,
}

impl Player {
    fn join(port: SocketAddr, team: &str, version: u32, goalie: &str) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        // No test waits for ever.
        socket.set_read_timeout(Some(Duration::from_secs(300))).unwrap();
        socket.send_to(format!("(init {team} (version {version}){goalie})\0").as_bytes(), port).unwrap();
        let mut buffer = [0; 9000];
        let (length, server) = socket.recv_from(&mut buffer).unwrap();
        let told = vec![text(&buffer[..length])];
        assert!(told[0].starts_with("(init "), "{told:?}");
        Self { socket, server, told, is_over: false }
    }

    /// Reads up to the next `(think)`, and answers it.
    fn play(&mut self, cycle: usize) {
        let mut buffer = [0; 9000];
        loop {
            let length = self.socket.recv(&mut buffer).unwrap();
            let message = text(&buffer[..length]);
            self.is_over |= message.contains("referee time_over") || message.contains("referee time_up");
            let is_asked = message == "(think)";
            // How often that comes depends on how long others take.
            if message != "(warning waiting_for_others)" {
                self.told.push(message);
            }
            if is_asked {
                let commands = match cycle % 3 {
                    // Without marks the message would go on to the last parenthesis.
                    0 => "(dash 80)(turn_neck 15)(say \"hello\")(done)",
                    1 => "(turn 30)(change_view narrow)(done)",
                    _ => "(kick 100 0)(attentionto our 1)(done)",
                };
                self.socket.send_to(format!("{commands}\0").as_bytes(), self.server).unwrap();
                return;
            }
        }
    }
}

fn text(datagram: &[u8]) -> String {
    assert_eq!(datagram.last(), Some(&0), "a datagram ends with a NUL");
    String::from_utf8(datagram[..datagram.len() - 1].to_vec()).unwrap()
}

/// Plays a whole game, to which the teams' players come one team after the other, or by turns; what each player was told.
fn game(world: &str, by_turns: bool) -> Vec<Vec<String>> {
    let players = (2 * PLAYERS).to_string();
    let options = ["--soccer=127.0.0.1:0", "--soccer-players", &players, "--studio", "off"];
    // Who has only not been given a processor is waited for: a game that goes on without it is another one.
    let server = Server::start(world, &[&options[..], &["--soccer-patience-ms", "240000"]].concat());
    let port = server.ready["soccer"][0].as_str().unwrap().parse().unwrap();
    let mut places: Vec<(usize, usize)> =
        (0..2).flat_map(|team| (0..PLAYERS).map(move |number| (team, number))).collect();
    if by_turns {
        places.sort_by_key(|&(team, number)| (number, team));
    }
    let mut players: Vec<(usize, usize, Player)> = Vec::new();
    for (team, number) in places {
        let (name, version) = [("Reds", 15), ("Blues", 18)][team];
        let goalie = if number == 0 { " (goalie)" } else { "" };
        players.push((team, number, Player::join(port, name, version, goalie)));
    }
    players.sort_by_key(|(team, number, _)| (*team, *number));
    let mut players: Vec<Player> = players.into_iter().map(|(_, _, player)| player).collect();
    let mut cycle = 0;
    while !players[0].is_over {
        assert!(cycle < 500, "the game ends");
        players.iter_mut().for_each(|player| player.play(cycle));
        cycle += 1;
    }
    players.into_iter().map(|player| player.told).collect()
}

/// Issue of the league, numbers 1, 2 and 5: a game from kick-off to its end; the same clients are told the same bytes in a second one, in whatever order
/// they have come.
#[test]
fn two_teams_play_the_same_game_twice() {
    let folder = tempfile::tempdir().unwrap();
    let worlds = crate::program::root().join("worlds").display().to_string();
    let world = WORLD.replace("soccer.toml", &format!("{worlds}/soccer.toml"));
    let file = folder.path().join("short.toml");
    fs::write(&file, world).unwrap();
    let path = file.display().to_string();
    let first = game(&path, false);
    for told in &first {
        let count = |word: &str| told.iter().filter(|text| text.starts_with(word)).count();
        assert_eq!((count("(server_param "), count("(player_type ")), (1, 18));
        assert!(count("(sense_body ") >= 40, "a body is sensed in every cycle");
        assert!(count("(see ") >= 10);
        assert!(told.iter().any(|text| text.contains(" self \"hello\")")), "one hears oneself");
        assert!(told.iter().any(|text| text.contains("referee kick_off_l")));
    }
    let positions: Vec<&String> = first[1].iter().filter(|text| text.starts_with("(sense_body")).collect();
    assert!(positions.last().unwrap().contains("(dash ") && !positions.last().unwrap().contains("(dash 0)"));
    let second = game(&path, true);
    for (one, other) in first.iter().zip(&second) {
        let differs = one.iter().zip(other).find(|(one, other)| one != other);
        assert_eq!(differs, None, "the same datagrams, the same bytes");
        assert_eq!(one.len(), other.len());
    }
}
