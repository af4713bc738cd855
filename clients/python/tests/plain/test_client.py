"""The client against a server on loopback. [C2-C5, C8]"""

import math
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "src"), str(Path(__file__).resolve().parent)]

from fake_server import AHEAD_US, FakeServer  # noqa: E402
from touchline_client import (  # noqa: E402
    Client,
    Closed,
    NotFound,
    NotOurServer,
    ProtocolError,
    Refused,
    Timeout,
    TouchlineError,
)

ROBOT = 'model = "x"\n[motion]\nplugin = "differential"\n'


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = FakeServer()
        self.addCleanup(self.server.join)

    def test_a_robot_is_taken_and_its_world_is_stepped(self) -> None:
        with Client.take("{}:{}".format(*self.server.address), robot="attacker") as client:
            self.assertEqual((client.robot.number, client.robot.name), (2, "chaser"))
            moved = [client.step(5), client.step(5)]
            self.assertEqual([(one.step, one.episode) for one in moved], [(5, 0), (10, 1)])
            sensors = client.get("camera")
            self.assertEqual((sensors.step, sensors.read(feature="ball")["distance"]), (11, 2.0))
            client.twist(0.4, 0, 0)
        self.server.join()
        for line in ["HELLO 1 driver role=operator", "TAKE attacker", "DESCRIBE attacker", "GET 2 camera", "STEP 5"]:
            self.assertIn(line, self.server.received)

    def test_a_key_says_what_the_client_is(self) -> None:
        key = "a-key-of-the-blue-team-or-of-nobody"
        with mock.patch.dict("os.environ", {"TOUCHLINE_KEY": key}):
            with Client.take("{}:{}".format(*self.server.address), robot="attacker"):
                pass
        self.server.join()
        self.assertIn(f"HELLO 1 driver key={key}", self.server.received)

    def test_a_client_joins_reads_drives_and_leaves(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "robot.toml"
            path.write_text(ROBOT, encoding="utf-8")
            address = "{}:{}".format(*self.server.address)
            client = Client.connect(
                address, name="chaser", team="blue", pose=(1, 2, 0.5), robot_file=path, cycle=0.005
            )
        with client:
            self.assertEqual((client.robot.number, client.robot.team, client.robot.team_index), (2, "blue", 0))
            self.assertEqual([one.part for one in client.robot.dimensions], ["forward", "turn"])
            self.assertEqual(client.robot.manipulators[0].states, ["rest", "kick"])
            self.assertEqual(self.server.robot_text, ROBOT.splitlines())

            client.twist(0.4, 0, -0.5)
            client.drive([0.1, 0.2])
            with self.assertRaises(Refused) as caught:
                client.drive([0.1])
            self.assertEqual(caught.exception.code, "sim/wrong-dimensions")
            client.manipulate("kicker", "kick", 0.5)
            client.say('it is "mine"')
            client.annotate("target", {"point": [1, 2]})
            heard = client.heard()
            self.assertEqual((heard[0].sender_name, heard[0].text), ("blue-1", 'free in the "middle" – now'))
            client.heard()
            with self.assertRaises(ValueError):
                client.ask("SAY", "me", "a\nBYE")
        # The last line is on its way.
        self.server.join()
        for line in [
            "HELLO 1 chaser role=player",
            "ROBOT chaser team=blue x=1.0 y=2.0 theta=0.5 lines=3",
            "TWIST 2 0.4 0.0 -0.5",
            'SAY 2 "it is \\"mine\\""',
            "HEAR 2 since=3",
            'ANNOTATE 2 target {"point": [1, 2]}',
            "BYE",
        ]:
            self.assertIn(line, self.server.received)
        self.assertEqual(sum(line.startswith("SYNC ") for line in self.server.received), 8)
        with self.assertRaises(Closed):
            client.forward(0.1)

    def test_readings_are_of_one_step_and_in_the_clients_clock(self) -> None:
        with Client.connect(self.server.address, robot_named="pioneer", cycle=0.002) as client:
            seen = 0
            for _ in range(5):
                sensors = client.next_sensors()
                self.assertGreater(sensors.updates, seen)
                seen = sensors.updates
                scan = sensors.read(feature="scan", type="laser", model="LMS 200")
                self.assertEqual(scan.array("ranges"), [0.812, math.inf, -math.inf])
                # C3: the server's clock is an hour ahead, the stamp is not.
                slack = client.clock.delay_us * 1e-6 + 1e-4
                self.assertTrue(-slack < scan.stamp < client.now() + slack, scan.stamp)
                if sensors.step != 2:
                    ball = sensors.read(feature="ball")
                    self.assertAlmostEqual(ball["distance"], 2.0)
                    self.assertAlmostEqual(ball["bearing"], -0.25)
                else:
                    with self.assertRaisesRegex(NotFound, "oops"):
                        sensors.read(feature="ball")
                self.assertAlmostEqual(sensors.sim_time, 0.01 * sensors.step)
            with self.assertRaisesRegex(NotFound, "laser.scan, camera.ball"):
                sensors.read(feature="puck")
            with self.assertRaises(NotFound):
                scan["ranges"]
            self.assertLess(client.clock.offset_us, -AHEAD_US // 2)

    def test_sensors_can_be_pushed(self) -> None:
        with Client.connect(self.server.address, robot_named="pioneer", push=True, cycle=0.1) as client:
            self.assertEqual(client.next_sensors().step, 1)
        self.assertIn("PUSH 2 100.0 *", self.server.received)
        self.assertFalse([line for line in self.server.received if line.startswith("GET")])

    def test_a_wrong_robot_file_is_refused_with_all_its_problems(self) -> None:
        with self.assertRaises(Refused) as caught:
            Client.connect(self.server.address, robot_text="colour = 3")
        self.assertEqual(len(caught.exception.problems), 1)
        self.assertIn("model is missing", str(caught.exception))

    def test_a_wrong_selection_is_refused_at_once(self) -> None:
        with self.assertRaises(Refused):
            Client.connect(self.server.address, robot_named="pioneer", select=["sonar"])

    def test_what_gets_no_answer_is_not_sent(self) -> None:
        with Client.take("{}:{}".format(*self.server.address), robot="attacker") as client:
            for parts in [("",), (), ("  ", ""), ("#1",), ("ROBOT", "x", "lines=3"), ("#1", "robot", "x", "lines=.")]:
                with self.assertRaises(ValueError, msg=parts):
                    client.begin(*parts)
                with self.assertRaises(ValueError, msg=parts):
                    client.ask(*parts)
            with self.assertRaises(ValueError):
                client.ask_with(ROBOT)
            # Answers go to those who ask, as before.
            self.assertEqual(client.ask("DESCRIBE", "attacker").fields["name"], "chaser")
            self.assertEqual(client.ask_with(ROBOT, "ROBOT", "chaser").fields["robot"], "2")

    def test_what_is_told_of_other_robots_is_passed_over(self) -> None:
        # The server tells of robots that this connection has pushed or made as well; their sensors are others.
        others = ["STATE robot=7 step=9 sim_us=9 stamp_us=9 lines=1", "DATA radar 9 1 5", 'GONE robot=7 "removed"']
        with Client.connect(self.server.address, robot_named="pioneer", cycle=0) as client:
            self.server.notices["TWIST"] = others
            client.twist(0.1, 0, 0)
            client.ask("REMOVE", "7")
            client.twist(0.2, 0, 0)
            self.assertEqual((client.end, client.sensors().updates), (None, 0))
            client.ask("REMOVE", "2")
            with self.assertRaisesRegex(Closed, "gone: removed"):
                client.next_sensors()

    def test_who_made_no_robot_goes_on_when_one_is_gone(self) -> None:
        told = ["STATE robot=2 step=9 sim_us=9 stamp_us=9 lines=1", "DATA laser 9 3 1 2 3", 'GONE robot=2 "removed"']
        with Client.open("{}:{}".format(*self.server.address)) as client:
            self.server.notices["PAUSE"] = told
            client.ask("PAUSE")
            client.ask("RESUME")
            self.assertIsNone(client.end)
        server = FakeServer()
        self.addCleanup(server.join)
        with Client.take("{}:{}".format(*server.address), robot="chaser") as client:
            server.notices["PAUSE"] = told
            client.ask("PAUSE")
            client.ask("RESUME")
            self.assertIsNone(client.end)
            # What somebody has pushed of the robot that he has taken are its readings.
            self.assertEqual(client.sensors().step, 9)

    def test_without_a_cycle_nothing_is_read_but_what_is_asked_for(self) -> None:
        with Client.connect(self.server.address, robot_named="pioneer", cycle=0, push=True) as client:
            with self.assertRaises(Timeout):
                client.next_sensors(timeout=0.2)
            self.assertEqual(client.sensors().updates, 0)
            self.assertEqual(client.get().updates, 1)
            self.assertEqual(client.next_sensors().updates, 1)
        read = [line for line in self.server.received if line.startswith(("GET", "PUSH"))]
        # The first one is for the selection alone.
        self.assertEqual(read, ["GET 2 *", "GET 2 *"])

    def test_who_asks_for_one_sensor_keeps_those_of_the_cycle(self) -> None:
        with Client.connect(self.server.address, robot_named="pioneer", push=True) as client:
            client.next_sensors()
            seen = client.sensors()
            self.assertEqual(client.get("laser").updates, seen.updates + 1)
            self.assertIs(client.sensors(), seen)

    def test_what_was_asked_for_is_given_and_nothing_goes_back_in_time(self) -> None:
        with Client.connect(self.server.address, robot_named="pioneer", cycle=0) as client:
            client.get()
            woken = client._wait

            def late(*given: Any) -> Any:
                # Whoever asked gets the processor when newer readings have come already.
                answer = woken(*given)
                if answer.words[0] == "GET" and not self.server.notices:
                    self.server.notices["TWIST"] = [
                        "STATE robot=2 step=50 sim_us=500000 stamp_us=9 lines=1",
                        "DATA laser 9 3 1 2 3",
                    ]
                    client.twist(0.1, 0, 0)
                return answer

            with mock.patch.object(client, "_wait", late):
                got = client.get("camera")
            self.assertEqual((got.step, got.read(feature="ball")["distance"], got.updates), (3, 2.0, 2))
            self.assertEqual((client.sensors().step, client.sensors().updates), (50, 3))

    def test_what_is_asked_for_and_cannot_be_read_is_told_to_who_asked(self) -> None:
        with Client.connect(self.server.address, robot_named="pioneer", cycle=0) as client:
            client.get()
            with mock.patch("fake_server.BALL", "DATA radar {stamp} 1 5"), self.assertRaises(ProtocolError):
                client.get()
            with mock.patch("fake_server.BALL", "DATA camera {stamp} 2 1000 0"):
                self.assertEqual(client.get().read(feature="ball")["distance"], 1.0)

    def test_many_steps_have_more_time(self) -> None:
        self.server.delays_s["STEP"] = 1.5
        with Client.take("{}:{}".format(*self.server.address), robot="attacker") as client:
            client._timeout = 0.5
            self.assertEqual(client.step(6000).step, 6000)
            with self.assertRaises(Timeout):
                client.step()

    def test_a_robot_that_is_gone_ends_the_client(self) -> None:
        with Client.connect(self.server.address, robot_named="pioneer") as client:
            client.ask("REMOVE", "2")
            with self.assertRaisesRegex(TouchlineError, "gone: removed"):
                while True:
                    client.next_sensors()


class OtherServersTest(unittest.TestCase):
    def test_another_version_or_no_server_of_ours(self) -> None:
        for greeting in ["TOUCHLINE 2 9.0", "SSH-2.0-x"]:
            server = FakeServer(greeting)
            with self.assertRaises(NotOurServer):
                Client.connect(server.address, robot_named="pioneer")
            server.join()

    def test_arguments(self) -> None:
        with self.assertRaises(ValueError):
            Client.connect()
        for cycle in [-0.1, math.nan, math.inf]:
            with self.assertRaisesRegex(ValueError, "cycle"):
                Client.connect(robot_named="pioneer", cycle=cycle)
        with self.assertRaises(OSError):
            Client.connect(robot_file="/no/such/robot.toml")


if __name__ == "__main__":
    unittest.main()
