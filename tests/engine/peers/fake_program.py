"""A peer of the tests: a process that speaks a peer's lines and makes its numbers up. What it does is in FAKE_PEER."""

import json
import os
import sys
import time

name = sys.argv[1]
how = dict(part.split("=") for part in os.environ.get("FAKE_PEER", "").split(",") if part)


def say(message):
    print(json.dumps(message), flush=True)


if how.get("absent") == name:
    say({"absent": name.replace("-", "_")})
    sys.exit()
say({"ready": {"version": "9.9", "python": "3"}})
asked, model = 0, ""
for line in sys.stdin:
    command = json.loads(line)
    do = command["do"]
    if how.get("dies") == do:
        os._exit(7)
    if how.get("late") == do:
        say({"done": 640, "of": 1280})
        time.sleep(600)  # until it is ended
    while how.get("chatters") == do:
        say({"done": 640, "of": 1280})
    if how.get("fails") == do:
        say({"error": f"ValueError: not today{' with ' + model if 'place' in how else ''}"})
        continue
    if do == "open":
        model = command["model"]
        say({"ok": {"flags": {"n_ctx": command["window"], "stretched": command["window"] > command["native"]}}})
    elif do == "ask":
        asked += 1
        # It gives back the text's own tokens: the answer holds the number whenever the prompt does
        say({"ok": {"first": 8.0 / asked, "seconds": 9.0, "tokens": command["ids"]}})
    elif do in ("save", "restore"):
        say({"ok": {"seconds": 0.5, "result": name == "llama-cpp" or None}})
    else:
        say({"ok": {"seconds": len(command["ids"]) / 100 if do == "read" else command["count"] / 10, "result": None}})
