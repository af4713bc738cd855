"""The container filled by real sensors, and a catalogue without a server. [P4, P5, C5, C7]"""

import doctest
import json
import math
import sys
import threading
import unittest
from fractions import Fraction
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "src"), str(Path(__file__).resolve().parent)]

from fake_server import DESCRIPTION, FakeServer  # noqa: E402
from touchline_client import (  # noqa: E402
    Client,
    Closed,
    Feature,
    Field,
    LocalSensors,
    NotFound,
    ProtocolError,
    Robot,
    SensorSource,
    Timeout,
    local,
)

CASES = Path(__file__).resolve().parents[4] / "tests" / "conformance" / "decode"
HEAD = f"OK DESCRIBE robot=2 name=chaser radius_m=0.25 lines={len(DESCRIPTION)}"
TEXT = "\n".join([HEAD, *DESCRIPTION]) + "\n"


def nearest(source: SensorSource) -> "tuple[float, float]":
    """A program: it asks for what it needs by name, wherever it comes from; the nearest range and where the ball is."""
    sensors = source.next_sensors(5.0)
    ranges = sensors.read(feature="scan", type="laser").array("ranges")
    return min(one for one in ranges if math.isfinite(one)), sensors.read(feature="ball")["bearing"]


class LocalTest(unittest.TestCase):
    def setUp(self) -> None:
        self.real = LocalSensors(Robot.from_text(TEXT))

    def test_a_program_does_not_know_where_its_readings_come_from(self) -> None:
        server = FakeServer()
        with Client.connect(server.address, robot_named="pioneer", push=True) as client:
            simulated = nearest(client)
            self.assertEqual(client.robot.sensors, self.real.robot.sensors)
            self.real.fill(
                {
                    "laser.scan": {"ranges": client.sensors().read(feature="scan").array("ranges")},
                    "camera.ball": {"distance": 2.0, "bearing": -0.25},
                }
            )
            same = [client.sensors(), self.real.sensors()]
            for feature in ("scan", "ball"):
                board, own = (one.read(feature=feature) for one in same)
                self.assertEqual(list(board.quantised), list(own.quantised))
        server.join()
        self.assertEqual(nearest(self.real), simulated)

    def test_each_reading_keeps_its_own_stamp(self) -> None:
        with self.assertRaisesRegex(NotFound, "first sample has not arrived"):
            self.real.sensors().read(feature="ball")
        self.real.fill({"laser.scan": {"ranges": [1.0, math.inf, -math.inf]}}, stamp=3.0)
        old = self.real.sensors()
        self.real.fill({"camera.ball": {"distance": math.inf, "bearing": math.inf}}, stamp=3.5)
        new = self.real.sensors()
        self.assertEqual([new.read(feature=name).stamp for name in ("scan", "ball")], [3.0, 3.5])
        self.assertEqual(new.read(feature="scan").array("ranges"), [1.0, math.inf, -math.inf])
        self.assertEqual((old.updates, new.updates, new.stamp), (1, 2, 3.5))
        # What somebody holds never changes.
        with self.assertRaises(NotFound):
            old.read(feature="ball")

    def test_numbers_of_any_kind_are_taken(self) -> None:
        # numpy's scalars are no floats either.
        self.real.fill({"camera.ball": {"distance": Fraction(3, 2), "bearing": Fraction(-1, 4)}})
        ball = self.real.sensors().read(feature="ball")
        self.assertEqual((ball["distance"], ball["bearing"]), (1.5, -0.25))

    def test_a_sensor_that_fails_says_why_until_it_is_filled(self) -> None:
        self.real.fill({"laser.scan": {"ranges": [1.0, 1.0, 1.0]}})
        self.real.fail("laser", "unplugged")
        with self.assertRaisesRegex(NotFound, "unplugged"):
            self.real.sensors().read(feature="scan")
        self.real.fill({"laser.scan": {"ranges": [2.0, 2.0, 2.0]}})
        self.assertEqual(self.real.sensors().read(feature="scan").array("ranges"), [2.0, 2.0, 2.0])
        with self.assertRaises(NotFound):
            self.real.fail("radar", "there is none")

    def test_what_does_not_fit_is_refused_and_changes_nothing(self) -> None:
        wrong = [
            ({"laser.scan": {"ranges": [1.0]}}, ValueError),
            ({"laser.scan": {}}, NotFound),
            ({"laser.scan": {"ranges": [1.0] * 3, "colour": 1.0}}, NotFound),
            ({"laser": {"ranges": [1.0] * 3}}, NotFound),
        ]
        for readings, error in wrong:
            with self.subTest(readings), self.assertRaises(error):
                self.real.fill(readings)
        self.assertEqual(self.real.sensors().updates, 0)

    def test_who_waits_is_woken(self) -> None:
        with self.assertRaises(Timeout):
            self.real.next_sensors(0.0)
        driver = threading.Thread(target=self.real.fill, args=({"camera.ball": {"distance": 1.0, "bearing": 0.0}},))
        driver.start()
        self.assertEqual(self.real.next_sensors().updates, 1)
        driver.join()
        self.real.close()
        with self.assertRaises(Closed):
            self.real.next_sensors()


class CatalogueTest(unittest.TestCase):
    def test_a_description_that_was_kept_is_the_same(self) -> None:
        server = FakeServer()
        with Client.connect(server.address, robot_named="pioneer") as client:
            kept = client.ask("DESCRIBE", "me").text()
            self.assertEqual(Robot.from_text(kept), client.robot)
        server.join()
        for text in ["", HEAD, TEXT[: len(TEXT) // 2]]:
            with self.subTest(text), self.assertRaises(ProtocolError):
                Robot.from_text(text)

    def test_what_a_sensor_overlooks_is_told(self) -> None:
        line = "SENSOR c model=C type=camera plugin=camera x_m=0 y_m=0 z_m=1 theta_rad=0.5 follows=neck range_max_m=8 rate_hz=5"
        sensor = Robot.from_text(f"OK DESCRIBE robot=1 name=r radius_m=1 lines=1\n{line}\n").sensors[0]
        self.assertEqual((sensor.follows, sensor.range_max_m, sensor.rate_hz), ("neck", 8.0, 5.0))
        self.assertEqual((sensor.field_of_view_rad, sensor.delay_s), (None, None))

    def test_integers_of_the_cases_are_what_their_values_quantise_to(self) -> None:
        for path in sorted(CASES.glob("*.json")):
            with self.subTest(path.name):
                case = json.loads(path.read_text(encoding="utf-8"))
                fields = [Field(**{**one, "shape": tuple(one["shape"])}) for one in case["feature"]["fields"]]
                values = {name: list(map(float, many)) for name, many in case["values"].items()}
                quantised = Feature(case["feature"]["name"], fields).encode(values)
                # What lies at the ends of the range is held one step within it, as the server's sensors hold it.
                given = [{0x8000_0001: 0x8000_0002}.get(int(one), int(one)) for one in case["data"].split(" ")[4:]]
                self.assertEqual(quantised, given)

    def test_values_out_of_range_are_held_at_its_ends(self) -> None:
        range_m, angle = Field("r", "m", 0.001, False, ()), Field("a", "rad", 1e-4, True, ())
        self.assertEqual([range_m.encode(one) for one in (-1.0, 1e9, math.nan)], [0, 0xFFFF_FFFD, 0xFFFF_FFFF])
        self.assertEqual([angle.encode(one) for one in (-1e9, 1e9, math.nan)], [0x8000_0002, 0x7FFF_FFFE, 0x7FFF_FFFF])

    def test_the_example_runs(self) -> None:
        result = doctest.testmod(local, verbose=False)
        self.assertEqual(result.failed, 0)
        self.assertGreater(result.attempted, 3)


if __name__ == "__main__":
    unittest.main()
