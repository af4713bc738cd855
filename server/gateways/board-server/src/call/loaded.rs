//! Robots and players for which something is loaded first, beside the connections' threads and the world's.

use super::{Begun, Call, Done, Refused, Work, done, finish};
use crate::errors::request_error;
use crate::files::{Driven, Ready, Source, Wanted};
use std::sync::Arc;
use touchline_board::Reply;
use touchline_plugin_api::geometry::Pose2;
use touchline_sim::scenario::PlayerChoice;
use touchline_sim::{Action, RobotNumber};

impl Call<'_> {
    fn wanted(&self, player: PlayerChoice, robot: Driven) -> Wanted {
        let gate = self.gate();
        let (scenario, game) = (Arc::clone(gate.scenario()), gate.newest().frame.game.clone());
        Wanted { player, robot, scenario, game }
    }

    /// Gives a robot a player; one that comes in place of a player in a process of its own has such a process too.
    pub fn set_player(
        &mut self,
        robot: RobotNumber,
        mut player: PlayerChoice,
        action: impl FnOnce(PlayerChoice) -> Action + Send + 'static,
        then: impl FnOnce(touchline_gate::Reply) -> Done + Send + 'static,
    ) -> Result<Begun, Refused> {
        let frame = self.gate().newest();
        let driven = frame.frame.robot(robot);
        player.choice.isolate |= driven.is_some_and(|robot| robot.player_is_isolated);
        let there = driven.map(|robot| Arc::clone(&robot.identity));
        let wanted = self.wanted(player, there.map_or(Driven::Gone, Driven::There));
        let (files, place) = (self.files(), self.client().reserve());
        let done = Box::pin(async move {
            let Ready { player, made } = match files.player(wanted).await {
                Ok(ready) => ready,
                Err(reply) => return Done::Answer(reply),
            };
            let done = match place.act(action(player)) {
                Ok(pending) => finish(pending.reply.wait().await, then),
                Err(error) => Done::Answer(request_error(&error)),
            };
            drop(made);
            done
        });
        Ok(Begun::Later(Work { blocks: true, makes_robot: false, done }))
    }

    /// Makes a robot: of this connection's own, unless it has a player.
    pub fn make_robot(
        &mut self,
        name: String,
        source: Source,
        team: Option<u32>,
        pose: Option<Pose2>,
        player: Option<PlayerChoice>,
    ) -> Result<Begun, Refused> {
        let makes_robot = player.is_none();
        if makes_robot {
            self.talk.session.expect_robot(self.incoming.ticket, &name);
        }
        let wanted = player.map(|player| self.wanted(player, Driven::Gone));
        let (files, place) = (self.files(), self.client().reserve());
        let then = move |reply| match reply {
            touchline_gate::Reply::Made(robot) if !makes_robot => {
                Done::Answer(Reply::ok().with("robot", robot))
            }
            reply => done(reply),
        };
        let done = Box::pin(async move {
            let spec = match files.robot(name.clone(), source).await {
                Ok(spec) => spec,
                Err(reply) => return Done::Answer(reply),
            };
            let ready = match wanted {
                Some(mut wanted) => {
                    let (name, spec) = (name.clone(), Arc::clone(&spec));
                    wanted.robot = Driven::New { name, team, spec };
                    files.player(wanted).await.map(Some)
                }
                None => Ok(None),
            };
            let (player, made) = match ready {
                Ok(ready) => ready.map(|Ready { player, made }| (player, made)).unzip(),
                Err(reply) => return Done::Answer(reply),
            };
            let done = match place.act(Action::AddRobot { name, team, spec, pose, player }) {
                Ok(pending) => finish(pending.reply.wait().await, then),
                Err(error) => Done::Answer(request_error(&error)),
            };
            drop(made);
            done
        });
        Ok(Begun::Later(Work { blocks: true, makes_robot, done }))
    }
}
