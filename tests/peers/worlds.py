"""The same swarm as a world of Touchline, of ARGoS and of Stage: robots on a grid in a walled square."""

import dataclasses
import math
import random

WALL_M = 0.1


@dataclasses.dataclass(frozen=True)
class Swarm:
    """So many robots, each with so much room."""

    robots: int
    room_m2: float

    @property
    def half_m(self):
        return math.sqrt(self.robots * self.room_m2) / 2

    @property
    def places(self):
        """x, y, heading of each, in metres and radians."""
        chance = random.Random(1)
        row = math.ceil(math.sqrt(self.robots))
        pitch_m = 2 * self.half_m / row
        return [
            (pitch_m * (index % row + 0.5) - self.half_m, pitch_m * (index // row + 0.5) - self.half_m,
             chance.uniform(-math.pi, math.pi))
            for index in range(self.robots)
        ]

    @property
    def walls(self):
        """x, y, extent along x, extent along y of each."""
        away_m, side_m = self.half_m + WALL_M / 2, 2 * self.half_m
        across = [(0, y, side_m + 2 * WALL_M, WALL_M) for y in (-away_m, away_m)]
        return across + [(x, 0, WALL_M, side_m) for x in (-away_m, away_m)]


# The players of Touchline's robots in the words of a world file: the rule of wander.hpp, and the player that it ships.
FRONT = (f'feature = "180DegreeScan", first_rad = {-math.pi / 2}, step_rad = {math.pi / 179}, '
         f"speed_m_s = 0.5, turn_rad_s = {math.pi / 2}, radius_m = 0.2907, clearance_m = 0.5")


def ring(clearance_m, patience_s):
    return (f'feature = "360DegreeScan", first_rad = {math.pi / 24 - math.pi}, step_rad = {math.tau / 24}, '
            "speed_m_s = 0.15, turn_rad_s = 2.0, radius_m = 0.085, "
            f"clearance_m = {clearance_m}, patience_s = {patience_s}")


def rule(params):
    return f'plugin = "swarm", params = {{ {params} }}'


def wanderer(clearance_m):
    return f'plugin = "wanderer", params = {{ speed_fraction = 1.0, clearance_m = {clearance_m} }}'


def touchline(swarm, robot_file, law, step_s, player):
    """A world file; all players are asked ten times a second, and read their laser then."""
    lines = [
        'name = "swarm"', f"dt_s = {step_s}", "[physics]", f'law = "{law}"', "[surface]", "friction = 0.49",
        "restitution = 0.0",
    ]
    for x, y, length, width in swarm.walls:
        lines += [
            "[[fixture]]", 'shape = "rectangle"', 'role = "wall"', f"x_m = {x:.4f}", f"y_m = {y:.4f}",
            f"length_m = {length:.4f}", f"width_m = {width:.4f}", "z_m = [0.0, 0.5]",
        ]
    for index, (x, y, theta) in enumerate(swarm.places):
        lines += [
            "[[robot]]", f'name = "r{index}"', f'file = "{robot_file}"',
            f"pose = {{ x_m = {x:.4f}, y_m = {y:.4f}, theta_rad = {theta:.4f} }}",
            f"player = {{ rate_hz = 10, {player} }}",
        ]
    return "\n".join(lines) + "\n"


def argos(swarm, library, seconds, cell_m, clearance_m, patience_s):
    """An experiment: ten ticks a second, ten steps of the physics in each; `cell_m` asks for a hash of such cells."""
    side_m = 2 * swarm.half_m + 1
    walls = [
        f'<box id="w{index}" size="{length:.4f},{width:.4f},0.5" movable="false">'
        f'<body position="{x:.4f},{y:.4f},0" orientation="0,0,0" /></box>'
        for index, (x, y, length, width) in enumerate(swarm.walls)
    ]
    robots = [
        f'<foot-bot id="r{index}"><body position="{x:.4f},{y:.4f},0" orientation="{math.degrees(theta):.4f},0,0" />'
        '<controller config="swarm" /></foot-bot>'
        for index, (x, y, theta) in enumerate(swarm.places)
    ]
    cells = f'<spatial_hash cell_size="{cell_m}" cell_num="{20 * swarm.robots}" />' if cell_m else ""
    return "\n".join([
        "<argos-configuration>",
        '<framework><system threads="0" />',
        f'<experiment length="{seconds}" ticks_per_second="10" random_seed="1" /></framework>',
        f'<controllers><swarm id="swarm" library="{library}">',
        '<actuators><differential_steering implementation="default" /></actuators>',
        '<sensors><footbot_proximity implementation="default" /></sensors>',
        f'<params clearance_m="{clearance_m}" patience_s="{patience_s}" /></swarm></controllers>',
        f'<loop_functions library="{library}" label="places" />',
        f'<arena size="{side_m:.4f},{side_m:.4f},2" center="0,0,0.5">',
        *walls,
        *robots,
        "</arena>",
        f'<physics_engines><dynamics2d id="plane" iterations="10">{cells}</dynamics2d></physics_engines>',
        "<media />",
        "</argos-configuration>",
    ]) + "\n"


def stage(swarm, plugin, seconds):
    """A world in steps of 0.1 s; all that is not said is what Stage takes by itself, so its map has cells of 2 cm."""
    walls = [
        f'model ( name "w{index}" size [{length:.4f} {width:.4f} 0.5] pose [{x:.4f} {y:.4f} 0 0] gui_nose 0 )'
        for index, (x, y, length, width) in enumerate(swarm.walls)
    ]
    robots = [
        f'wanderer ( name "r{index}" pose [{x:.4f} {y:.4f} 0 {math.degrees(theta):.4f}] '
        f'ctrl "{plugin} {index} {seconds}" )'
        for index, (x, y, theta) in enumerate(swarm.places)
    ]
    # The laser stands in the robot, 10 cm over the floor: a child's height counts from its parent's top.
    robot = """
define wanderer position (
  size [0.44 0.38 0.22]
  drive "diff"
  localization "gps"
  velocity_bounds [-0.5 0.5 0 0 0 0 -90 90]
  acceleration_bounds [-0.5 0.5 0 0 0 0 -90 90]
  ranger ( pose [0 0 -0.12 0] sensor ( range [0 8] fov 180 samples 180 ) )
)
"""
    return "\n".join(["interval_sim 100", f"quit_time {seconds}", robot, *walls, *robots]) + "\n"
