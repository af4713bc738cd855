"""Reads a recording with the library that others use, and checks it against its own schemas. [mechanism 7]

Prints `ok NAME` or `not ok NAME: REASON` for each check; the exit code is 1 if one failed.
"""

import base64
import json
import math
import sys

from mcap.reader import make_reader

STANDARD = {
    "/events": "foxglove.Log",
    "/tf": "foxglove.FrameTransforms",
    "/scene": "foxglove.SceneUpdate",
}
KINDS = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
}


def fits(value, schema, path):
    """The first place at which a value is not what its schema says, or None."""
    kind = schema.get("type")
    if kind is None:
        return None
    if not isinstance(value, KINDS[kind]) or (isinstance(value, bool) and kind != "boolean"):
        return f"{path} is no {kind}: {value!r}"
    for name, part in schema.get("properties", {}).items():
        if isinstance(value, dict) and name in value:
            wrong = fits(value[name], part, f"{path}.{name}")
            if wrong:
                return wrong
    if "items" in schema:
        for index, item in enumerate(value):
            wrong = fits(item, schema["items"], f"{path}[{index}]")
            if wrong:
                return wrong
    return None


def check_messages(reader):
    last, seen, transforms, entities = {}, {}, None, set()
    for schema, channel, message in reader.iter_messages():
        seen[channel.topic] = seen.get(channel.topic, 0) + 1
        if channel.message_encoding != "json":
            continue
        value = json.loads(message.data)
        wrong = fits(value, json.loads(schema.data), channel.topic)
        assert wrong is None, wrong
        assert message.log_time >= last.get(channel.topic, 0), f"{channel.topic}: time runs back"
        last[channel.topic] = message.log_time
        if channel.topic == "/tf":
            transforms = {one["child_frame_id"] for one in value["transforms"]}
            for one in value["transforms"]:
                turn = one["rotation"]
                assert math.isclose(turn["z"] ** 2 + turn["w"] ** 2, 1.0, abs_tol=1e-3), turn
        if channel.topic == "/scene":
            entities |= {one["frame_id"] for one in value["entities"]}
        if schema.name == "foxglove.LaserScan":
            assert value["ranges"] and value["end_angle"] > value["start_angle"], value
        if schema.name == "foxglove.CompressedImage":
            assert base64.b64decode(value["data"]).startswith(b"\x89PNG"), "no PNG"
    for topic in ("/tf", "/scene", "/events", "/touchline/poses", "/touchline/state"):
        assert seen.get(topic), f"nothing in {topic}"
    assert entities == transforms | {"world"}, (entities, transforms)
    assert any(topic.startswith("/sensors/") for topic in seen), "no sensor was recorded"


def check_summary(reader):
    header, summary = reader.get_header(), reader.get_summary()
    assert header.profile == "touchline", header
    names = {channel.topic: summary.schemas[channel.schema_id].name
             for channel in summary.channels.values() if channel.schema_id}
    for topic, name in STANDARD.items():
        assert names[topic] == name, names
    assert summary.statistics.message_end_time == 10_000_000_000, summary.statistics


def check_head(reader):
    attachments = {one.name: one.data for one in reader.iter_attachments()}
    head = json.loads(attachments["touchline.json"])
    assert head["format"] == 5 and head["scenario"]["robots"], head.keys()


def main(path):
    failed = False
    for check in (check_summary, check_head, check_messages):
        with open(path, "rb") as file:
            try:
                check(make_reader(file, validate_crcs=True))
                print(f"ok {check.__name__}")
            except (AssertionError, KeyError, ValueError) as error:
                print(f"not ok {check.__name__}: {error!r}")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
