"""ROS 2's standard simulation services (simulation_interfaces 1 and 2) as the board's commands. Without ROS.

Each function takes a request by its fields' names and gives the fields of the answer.
"""

import math
import re
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from ..client import Client
from ..errors import Refused, TouchlineError
from ..message import Message, word
from . import convert
from .bridge import MAP
from .convert import Fields

# Result.
UNSUPPORTED, OK, NOT_FOUND, INCORRECT_STATE, FAILED = range(5)
# SetSimulationState and SetEntityState have results of their own.
ALREADY_IN_TARGET_STATE = 101
INVALID_POSE = 101
# SimulationState.
STOPPED, PLAYING, PAUSED, QUITTING = range(4)
# EntityCategory.
ROBOT, DYNAMIC_OBJECT = 1, 4
# ResetSimulation.
SCOPE_DEFAULT, SCOPE_TIME_AND_STATE, SCOPE_ALL = 0, 3, 255
#: The most steps of one order: the board's own bound.
MOST_STEPS = 1_000_000

#: SimulatorFeatures, by the commands that they need.
FEATURES: Dict[str, Tuple[int, ...]] = {
    # ENTITY_CATEGORIES, ENTITY_STATE_GETTING, ENTITY_INFO_GETTING
    "WORLD": (8, 10, 12),
    # ENTITY_STATE_SETTING
    "PLACE": (11,),
    # SIMULATION_RESET
    "RESET": (20,),
    # SIMULATION_STATE_GETTING
    "STATUS": (24,),
    # SIMULATION_STATE_SETTING, SIMULATION_STATE_PAUSE
    "PAUSE": (25, 26),
    # STEP_SIMULATION_SINGLE, STEP_SIMULATION_MULTIPLE
    "STEP": (31, 32),
}
#: What each of the server's roles may not do of these (docs/roles.md).
FORBIDDEN: Dict[str, Tuple[str, ...]] = {
    "spectator": ("PLACE", "RESET", "PAUSE", "STEP"),
    "monitor": ("PLACE", "RESET", "PAUSE", "STEP"),
    "player": ("PLACE", "RESET", "PAUSE", "STEP"),
    "team": ("PLACE", "RESET", "PAUSE", "STEP"),
    "referee": ("RESET", "STEP"),
}
ABOUT = (
    "Touchline: a 2D simulator. Entities are its robots and balls (ball-0 is the first); poses are in the frame 'map'."
)


class Entity(NamedTuple):
    """A robot or a ball as it really is: world frame, SI units."""

    name: str
    category: int
    description: str
    x: float
    y: float
    z: float
    yaw: float
    vx: float
    vy: float
    vz: float
    turn: float
    stamp_us: int

    def state(self) -> Fields:
        """EntityState: pose and velocity in the map."""
        return {
            "header": convert.header(self.stamp_us, MAP),
            "pose": convert.pose(self.x, self.y, self.yaw, self.z),
            "twist": convert.twist(self.vx, self.vy, self.turn, self.vz),
        }


def result(code: int, message: str = "") -> Fields:
    """The answer of a service that has no other: a Result."""
    return {"result": {"result": code, "error_message": message}}


class Simulation:
    """Answers the services, by one connection; ``sees_truth`` says whether it may be told where everything is."""

    def __init__(self, client: Client, steps_at_once: int, sees_truth: bool) -> None:
        self._client = client
        self._sees_truth = sees_truth
        # Not more than a period of readings, so that none is left out.
        self._steps_at_once = max(1, steps_at_once)
        self._is_stopped = False
        self.services: Dict[str, Callable[[Any], Fields]] = {
            "GetSimulatorFeatures": self.features,
            "GetSimulationState": self.state,
            "SetSimulationState": self.set_state,
            "StepSimulation": self.step,
            "ResetSimulation": self.reset,
            "GetEntities": self.entities,
            "GetEntitiesStates": self.entities_states,
            "GetEntityInfo": self.entity_info,
            "GetEntityState": self.entity_state,
            "SetEntityState": self.set_entity_state,
        }

    def answer(self, service: str, request: Any) -> Fields:
        """The fields of the answer; what the server refuses is a result, and no exception."""
        try:
            return self.services[service](request)
        except Refused as error:
            return result(FAILED, str(error))
        except TouchlineError as error:
            return result(FAILED, f"the server does not answer: {error}")

    # The whole simulation.

    def features(self, _: Any) -> Fields:
        """What this connection's role may do."""
        forbidden = FORBIDDEN.get(self._client.role, ()) + (() if self._sees_truth else ("WORLD", "PLACE"))
        features = [one for command, many in FEATURES.items() if command not in forbidden for one in many]
        return {"features": {"features": sorted(features), "spawn_formats": [], "custom_info": ABOUT}}

    def _state(self) -> int:
        status = self._client.ask("STATUS")
        # In lockstep time stands until somebody orders steps.
        if status.field("paused") == "0" and status.fields.get("speed") != "lockstep":
            return PLAYING
        return STOPPED if self._is_stopped and status.integer("step") == 0 else PAUSED

    def state(self, _: Any) -> Fields:
        """Playing, paused, or stopped: paused at the beginning, because somebody asked for it here."""
        return {"state": {"state": self._state()}, **result(OK)}

    def set_state(self, request: Any) -> Fields:
        """Resumes, pauses, or pauses and resets. The server is not ended by this (QUITTING)."""
        wanted, now = request.state.state, self._state()
        if wanted not in (STOPPED, PLAYING, PAUSED):
            return result(UNSUPPORTED, "states are STOPPED, PLAYING, PAUSED; the server is ended where it was started")
        if wanted == now:
            return result(ALREADY_IN_TARGET_STATE, "it is in this state already")
        if wanted == PLAYING:
            if self._client.ask("STATUS").fields.get("speed") == "lockstep":
                return result(INCORRECT_STATE, "in lockstep time goes by StepSimulation")
            self._client.ask("RESUME")
        elif now == PLAYING:
            self._client.ask("PAUSE")
        if wanted == STOPPED:
            self._client.ask("RESET")
        self._is_stopped = wanted == STOPPED
        return result(OK)

    def step(self, request: Any) -> Fields:
        """Steps of a world that stands; readings that are due meanwhile are published before the answer."""
        if self._state() == PLAYING:
            return result(FAILED, "the simulation is not paused: SetSimulationState first")
        if not 1 <= request.steps <= MOST_STEPS:
            return result(FAILED, f"steps must be 1 to {MOST_STEPS}, and is {request.steps}")
        left = request.steps
        while left > 0:
            steps = min(left, self._steps_at_once)
            self._client.step(steps)
            left -= steps
        self._is_stopped = False
        return result(OK)

    def reset(self, request: Any) -> Fields:
        """Time and state together; robots that clients have brought stay."""
        if request.scope not in (SCOPE_DEFAULT, SCOPE_TIME_AND_STATE, SCOPE_ALL):
            return result(UNSUPPORTED, "time and state are reset together: SCOPE_DEFAULT, or SCOPE_TIME | SCOPE_STATE")
        self._client.ask("RESET")
        return result(OK)

    # Entities.

    def _entities(self) -> List[Entity]:
        models = {}
        for line in map(Message, self._client.ask("LIST").lines):
            if line.word == "ROBOT":
                models[line.at(1)] = line.field("model")
        world = self._client.ask("WORLD")
        stamp_us = world.integer("sim_us")
        robots, balls = [], []
        for line in map(Message, world.lines):
            if line.word == "BALL":
                x, y, z, vx, vy, vz = (line.number(key) for key in ("x", "y", "z", "vx", "vy", "vz"))
                balls.append(
                    Entity(f"ball-{line.at(0)}", DYNAMIC_OBJECT, "ball", x, y, z, 0.0, vx, vy, vz, 0.0, stamp_us)
                )
            elif line.word == "ROBOT":
                x, y, yaw, ahead, left, turn = (
                    line.number(key) for key in ("x", "y", "theta", "forward", "left", "turn")
                )
                vx = ahead * math.cos(yaw) - left * math.sin(yaw)
                vy = ahead * math.sin(yaw) + left * math.cos(yaw)
                name = line.at(1)
                model = models.get(name, "")
                robots.append(Entity(name, ROBOT, model, x, y, 0.0, yaw, vx, vy, 0.0, turn, stamp_us))
        return robots + balls

    def _entity(self, name: str) -> Optional[Entity]:
        return next((one for one in self._entities() if one.name == name), None)

    def _chosen(self, filters: Any) -> Tuple[List[Entity], Fields]:
        """Those that a filter lets through, and the result."""
        if filters.tags.tags:
            return [], result(UNSUPPORTED, "entities have no tags")
        bounds = getattr(filters, "bounds", None)
        if bounds is not None and bounds.type != 0:
            return [], result(UNSUPPORTED, "entities cannot be chosen by bounds")
        try:
            pattern = re.compile(filters.filter)
        except re.error as error:
            return [], result(FAILED, f"the filter is no regular expression: {error}")
        categories = {one.category for one in filters.categories}
        chosen = [
            one
            for one in self._entities()
            if pattern.search(one.name) and (not categories or one.category in categories)
        ]
        return chosen, result(OK)

    def entities(self, request: Any) -> Fields:
        """The names of robots and balls."""
        chosen, said = self._chosen(request.filters)
        return {"entities": [one.name for one in chosen], **said}

    def entities_states(self, request: Any) -> Fields:
        """Names and states, all of one step."""
        chosen, said = self._chosen(request.filters)
        return {"entities": [one.name for one in chosen], "states": [one.state() for one in chosen], **said}

    def entity_info(self, request: Any) -> Fields:
        """What an entity is: its category, and a robot's model."""
        found = self._entity(request.entity)
        if found is None:
            return _unknown(request.entity)
        return {"info": {"category": {"category": found.category}, "description": found.description}, **result(OK)}

    def entity_state(self, request: Any) -> Fields:
        """Where an entity really is."""
        found = self._entity(request.entity)
        return _unknown(request.entity) if found is None else {"state": found.state(), **result(OK)}

    def set_entity_state(self, request: Any) -> Fields:
        """Puts a robot somewhere, at rest, or a ball, at rest or rolling."""
        found = self._entity(request.entity)
        if found is None:
            return _unknown(request.entity)
        state = request.state
        if state.header.frame_id not in ("", MAP, "world"):
            return result(UNSUPPORTED, f"poses are in the frame {MAP}, not {state.header.frame_id}")
        # Version 1 has no such flags: everything is set.
        sets_pose, sets_twist = getattr(request, "set_pose", True), getattr(request, "set_twist", True)
        at, turn = state.pose.position, state.pose.orientation
        yaw = convert.yaw(turn.x, turn.y, turn.z, turn.w) if sets_pose else found.yaw
        place = (at.x, at.y, at.z) if sets_pose else (found.x, found.y, found.z)
        if yaw is None or not all(map(math.isfinite, place)):
            return result(INVALID_POSE, "the pose must be finite, and its orientation a unit quaternion about z")
        linear, spin = state.twist.linear, state.twist.angular
        velocity = (linear.x, linear.y, linear.z)
        if found.category == ROBOT:
            if sets_twist and any((*velocity, spin.x, spin.y, spin.z)):
                return result(FAILED, "a robot is put somewhere at rest; drive it by cmd_vel")
            if not sets_pose:
                return result(OK)
            order = ["PLACE", word(found.name), repr(place[0]), repr(place[1]), repr(yaw)]
        else:
            if not sets_twist:
                velocity = (found.vx, found.vy, found.vz)
            if not all(map(math.isfinite, velocity)):
                return result(FAILED, "the velocity must be finite")
            x, y, z = map(repr, place)
            vx, vy, vz = map(repr, velocity)
            order = ["BALL", found.name[len("ball-") :], x, y, vx, vy, f"z={z}", f"vz={vz}"]
        try:
            self._client.ask(*order)
        except Refused as error:
            return result(INVALID_POSE, str(error))
        return result(OK)


def _unknown(name: str) -> Fields:
    return result(NOT_FOUND, f"there is no entity {name}")
