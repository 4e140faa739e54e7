"""The command line over texts longer than the window: how they are read, what of them was seen, what is kept."""

import json

import msgspec
import pytest

from app import paths
from app.data.settings import Settings
from app.services.settings import SettingsStore
from engine.protocol import ReadingSettings, Selection


def how(out: str) -> ReadingSettings:
    return msgspec.json.decode(out, type=ReadingSettings)


def test_every_option_of_reading_reaches_the_engine(run, document):
    options = (
        *("--mode", "parallel", "--segment", "1000", "--overlap", "32", "--join", "reread", "--segments", "2"),
        *("--ask-only", "9", "--keep-rows", "50%", "--calibrate", "--kv", "int8", "--part", "64", "--no-save"),
    )
    code, out, _ = run("ask", *options, "--part-question", "What is it?", "how")
    assert code == 0
    assert how(out) == ReadingSettings(
        *("parallel", 1000, 32, "reread", 2, 9, 0.5, True, "int8", True, 64, "What is it?", False),
    )


@pytest.mark.parametrize("kind", ["quest", "blocks", "none"])
def test_a_selection_reaches_the_engine(run, kind):
    SettingsStore(paths.settings()).save(Settings(selection="quest"))
    assert how(run("ask", "--selection", kind, "how")[1]) == ReadingSettings(selection=Selection(kind))
    assert how(run("ask", "how")[1]).selection == Selection("quest")


def test_an_unknown_selection_is_refused(run):
    code, _, error = run("ask", "--selection", "most", "how")
    assert code == 2
    assert "invalid choice: 'most'" in error


def test_without_options_it_is_as_the_settings_say(run):
    assert how(run("ask", "how")[1]) == ReadingSettings()
    SettingsStore(paths.settings()).save(Settings(reading_mode="whole", keep=3, save_readings=False, readings_quota=9))
    assert how(run("ask", "how")[1]) == ReadingSettings(mode="whole", keep=3, save=False, quota=9)
    assert how(run("ask", "--into-library", "--mode", "auto", "how")[1]) == ReadingSettings(keep=3, save=False, quota=9)


def test_a_stretched_window_comes_with_its_warning(run):
    code, _, error = run("ask", "--extend", "yarn", "--window", "16384", "Who?")
    assert code == 0
    assert "made for 8,192 tokens and is stretched 2 times, to 16,384 (yarn)" in error


def test_a_long_text_is_told_with_its_segments(run, document):
    code, out, error = run("ask", "--doc", document("word " * 1_800), "Who?")
    assert (code, out) == (0, "You asked: Who?\n")
    assert "Asking  99 % · 5 of 5 segments" in error
    assert "Read in full: lease.txt · 9,000 tokens in 5 segments; this answer was written over segments 1, 5" in error
    assert "The text is 9,004 tokens and the window holds 4,096. It was read in full, in 5 segments" in error
    assert "joined" not in error
    assert "asked " not in error
    assert "--every-part" not in error


def test_what_the_person_chose_of_it_is_told(run, document):
    text = document("word " * 1_800)
    error = run("ask", "--doc", text, "--ask-only", "3", "--join", "reread", "--segments", "1", "List all words")[2]
    assert "written over segment 1 · asked 3 of 5 segments · joined: reread" in error
    assert "With --every-part every part of it is asked." in error


def test_json_holds_the_segments_with_their_places(run, document):
    report = json.loads(run("ask", "--json", "--doc", document("word " * 1_800), "Who?")[1])
    (item,) = report["documents"]
    assert report["usage"]["mode"] == "parallel"
    assert [one["score"] for one in report["usage"]["segments"]] == [1.5, 2.5, 2.5, 2.5, 1.5]
    first, *_ = report["ledger"]["segments"]
    assert (first["number"], first["kept"], first["rows"]) == (1, True, 9)
    assert (first["places"][0]["item"], first["places"][0]["end"]) == (item["sha256"], 2000)
    assert report["found"] == []


def test_every_part_is_asked_and_what_is_certain_comes_first(run, document):
    text = document("a" * 500 + "number 11 " * 50 + "b" * 500 + "number 12 " * 50)
    code, out, error = run("ask", "--doc", text, "--every-part", "List every number.")
    assert code == 0
    assert out == "part 2 of 4: 11\npart 4 of 4: 12\n\nYou asked: List every number.\n"
    assert "Each part is asked: What is the number mentioned in the text?" in error
    assert "Not certain:\n  part 1 of 4: nothing\n  part 3 of 4: nothing\n" in error
    assert "went over all 4 parts" in error
    assert "of 4 parts" in error.partition("Asking")[2]


def test_found_parts_in_json_say_where(run, document):
    text = document("a" * 500 + "number 11 " * 50)
    code, out, _ = run("ask", "--json", "--doc", text, "--part-question", "Which number?", "List every number")
    report = json.loads(out)
    assert code == 0
    assert report["part_question"] == "Which number?"
    assert [(one["part"], one["text"], one["certain"]) for one in report["found"]] == [
        *((0, "nothing", False), (1, "11", True)),
    ]
    assert report["found"][1]["item"] == report["documents"][0]["sha256"]
    assert (report["usage"]["mode"], report["usage"]["asked"]) == ("coverage", 2)


def test_readings_outlive_the_command_and_are_listed_and_forgotten(run, document, home):
    run("ask", "--into-library", "--doc", document("The rent."), "Who?")
    run("ask", "--doc", document("The house.", "house.txt"), "Who?")
    run("ask", "--no-save", "--doc", document("The garden.", "garden.txt"), "Who?")
    code, out, _ = run("readings")
    assert code == 0
    assert out.count(" · 9,000 tokens · 1.0 MB · in segments · Test model bf16 · used 2001-09-") == 2
    assert " lease.txt · " in out
    assert f"2 readings, 2.0 MB of 1.0 GB; 8.0 GB free in {home}\n" in out
    readings = json.loads(run("readings", "list", "--json")[1])["readings"]
    assert sorted(str(one["names"][0]) for one in readings) == ["None", "lease.txt"]
    assert run("readings", "forget", "lease.txt")[:2] == (0, "1 reading forgotten, 1.0 MB freed\n")
    (left,) = json.loads(run("readings", "--json")[1])["readings"]
    code, out, _ = run("readings", "forget", left["documents"][0][:8].upper(), "--json")
    assert (code, json.loads(out)) == (0, {"readings": 1, "bytes": 2**20})
    assert run("readings", "forget", "--all")[:2] == (0, "0 readings forgotten, 0 B freed\n")


def test_forgetting_what_is_not_kept_says_so(run, home):
    code, out, error = run("readings", "forget", "lease.txt")
    assert (code, out) == (1, "")
    assert "Nothing is kept of a document lease.txt." in error
    assert not (home / "longread.db").exists()


@pytest.mark.parametrize("action", ["list", "forget"])
def test_the_folder_of_the_settings_is_looked_in(run, document, home, tmp_path, action):
    folder = tmp_path / "readings"
    folder.mkdir()
    SettingsStore(paths.settings()).save(Settings(readings_folder=str(folder)))
    run("ask", "--doc", document("The rent."), "Who?")
    assert (folder / "scripted-readings.json").exists()
    out = run("readings", *((action, "--all") if action == "forget" else (action,)))[1]
    assert out.startswith("1 reading forgotten" if action == "forget" else "")
    assert action == "forget" or str(folder) in out
