"""Words, messages, clocks, and the decoding cases that all clients share. [P4, C3, C7]"""

import json
import math
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))

from touchline_client import (  # noqa: E402
    ClockEstimate,
    ClockSync,
    Feature,
    Field,
    Mount,
    NotFound,
    ProtocolError,
    Robot,
    Sensor,
    Sensors,
)
from touchline_client.message import Message, MessageReader, word, words  # noqa: E402
from touchline_client.sensors import read_data_line  # noqa: E402

CASES = Path(__file__).resolve().parents[4] / "tests" / "conformance" / "decode"


class DecodingTest(unittest.TestCase):
    def test_integers_mean_what_the_cases_say(self) -> None:
        paths = sorted(CASES.glob("*.json"))
        self.assertGreaterEqual(len(paths), 5)
        for path in paths:
            with self.subTest(path.name):
                case = json.loads(path.read_text(encoding="utf-8"))
                fields = [Field(**{**one, "shape": tuple(one["shape"])}) for one in case["feature"]["fields"]]
                feature = Feature(case["feature"]["name"], fields)
                _, stamp_us, quantised = read_data_line(case["data"])
                self.assertEqual(stamp_us, case["stamp_us"])
                values = feature.decode(quantised)
                self.assertEqual(list(values), [one.name for one in fields])
                for name, want in case["values"].items():
                    self.assertEqual(len(values[name]), len(want), name)
                    for got, expected in zip(values[name], map(float, want)):
                        self.assertTrue(math.isclose(got, expected, rel_tol=1e-9), f"{name}: {got} {expected}")

    def test_data_that_cannot_be_read(self) -> None:
        for line in ["DATA", "DATA a 1 2 3", "DATA a x 0", "DATA a 1 1 -3", "DATA a 1 1 4294967296", "STATE a 1 0", ""]:
            with self.subTest(line), self.assertRaises(ProtocolError):
                read_data_line(line)
        with self.assertRaises(ProtocolError):
            Feature("f", [Field("n", "1", 1.0, False, (2,))]).decode([1])


class StampTest(unittest.TestCase):
    def test_readings_have_stamps_of_their_own(self) -> None:
        """C3, C4: a reading has the stamp of its line; a sensor without a first sample says that it has none."""

        def one(name: str) -> Sensor:
            feature = Feature(name, [Field("n", "1", 1.0, False, ())])
            return Sensor(name, name, "t", "p", Mount(0.0, 0.0, 0.0, 0.0), [feature])

        head = "STATE robot=1 step=7 sim_us=70000 stamp_us=1000000 lines=4"
        lines = ["DATA live 1000000 1 5", "DATA held 920000 1 6", "DATA part.part 960000 1 7", "NONE later"]
        message = Message(head)
        message.lines = lines
        sensors = Sensors([one(name) for name in ("live", "held", "part", "later")]).updated(message)
        stamps = [round(sensors.read(feature=name).stamp, 9) for name in ("live", "held", "part")]
        self.assertEqual((stamps, sensors.stamp), ([1.0, 0.92, 0.96], 1.0))
        with self.assertRaisesRegex(NotFound, "its first sample has not arrived yet"):
            sensors.read(feature="later")


class MessageTest(unittest.TestCase):
    BYTES = (
        b'TOUCHLINE 1 0.1.0\r\n#7 OK LIST lines=2\nROBOT 1 name="a b"\nROBOT 2\n'
        b'ERR a/b n=1 e="" "c \\"d\\" \\\\ \\n\xc3\xa9"\n'
    )

    def test_messages_are_read_in_any_pieces(self) -> None:
        for size in range(1, len(self.BYTES)):
            reader, messages = MessageReader(), []
            for start in range(0, len(self.BYTES), size):
                reader.extend(self.BYTES[start : start + size])
                while True:
                    message = reader.next_message()
                    if message is None:
                        break
                    messages.append(message)
            greeting, listing, error = messages
            self.assertEqual(greeting.words, ["1", "0.1.0"])
            self.assertEqual((listing.tag, len(listing.lines)), ("7", 2))
            self.assertEqual(Message(listing.lines[0]).field("name"), "a b")
            self.assertEqual(error.words, ["a/b", 'c "d" \\ \né'])
            self.assertEqual((error.integer("n"), error.field("e")), (1, ""))

    def test_nonsense_is_an_error(self) -> None:
        for data in [b'OK "x\n', b"\xff\n", b"OK X lines=99999999\n", b"OK X lines=-1\n", b'OK "\\x"\n', b'OK "a"b\n']:
            reader = MessageReader()
            reader.extend(data)
            with self.subTest(data), self.assertRaises(ProtocolError):
                reader.next_message()

    def test_words_come_back(self) -> None:
        for text in ["plain", "two words", 'a "b"', "back\\slash", "é", "", "a=b", "line\nend", "tab\t"]:
            with self.subTest(text):
                self.assertEqual(list(words(f"k={word(text)} {word(text)}")), [("k", text), (None, text)])

    def test_descriptions_that_make_no_sense(self) -> None:
        head = "OK DESCRIBE robot=1 name=a radius_m=0.2"
        for line in ["FEATURE f", "FIELD f unit=m scale=1 signed=0 shape=2", "DIM d", "SENSOR s"]:
            message = Message(head)
            message.lines = [line]
            with self.subTest(line), self.assertRaises(ProtocolError):
                Robot.from_message(message)


class ClockTest(unittest.TestCase):
    def test_the_round_with_the_smallest_delay_wins(self) -> None:
        sync, offset = ClockSync(), 123_456
        for there, work, back in [(900, 5, 20), (40, 7, 40), (10, 3, 5000)]:
            t1 = 1_000_000 - offset + there
            sync.add(1_000_000, t1, t1 + work, t1 + work + back + offset)
        self.assertEqual(sync.best, ClockEstimate(offset, 80))

    def test_stamps_that_run_backwards_are_not_used(self) -> None:
        sync = ClockSync()
        sync.add(100, 50, 40, 200)
        sync.add(100, 50, 60, 90)
        self.assertIsNone(sync.best)


if __name__ == "__main__":
    unittest.main()
