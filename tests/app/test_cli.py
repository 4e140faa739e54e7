"""The command line: answers on stdout, everything else on stderr, and an exit code that says how it went."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from app import cli
from app.services.conversations import Conversations
from app.services.database import Database
from app.services.library import Library
from engine.lock import Lock

ENGINE = (sys.executable, str(Path(__file__).with_name("scripted_engine.py")))

WITH_ENGINE = f"""
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a terminal, also where the tests run in the background
from app import cli
from engine import client
client.default_command = lambda data: {ENGINE!r}
sys.exit(cli.main(sys.argv[1:]))
"""


def test_an_answer_goes_to_stdout_and_what_it_was_made_with_to_stderr(run):
    code, out, error = run("ask", "Who?")
    assert (code, out) == (0, "You asked: Who?\n")
    assert "Test model bf16 int8" in error
    assert "40 tok/s" in error
    assert "window 4,096" in error


def test_documents_are_read_in_full_and_named(run, document):
    lease, house = document("The rent is 300."), document("The house is red.", "house.md")
    code, out, error = run("ask", "--doc", lease, "--doc", house, "Who?")
    assert (code, out) == (0, "You asked: Who?\n")
    assert "Read in full: lease.txt, house.md · 33 tokens" in error


def test_json_holds_answer_usage_ledger_and_documents(run, document):
    code, out, _ = run("ask", "--json", "--temperature", "0.5", "--seed", "3", "--doc", document("The rent."), "Who?")
    report = json.loads(out)
    assert code == 0
    assert (report["answer"], report["finish"]) == ("You asked: Who?", "complete")
    assert report["usage"]["prompt"] == len("The rent.") + len("Who?")
    assert (report["ledger"]["model"], report["ledger"]["temperature"], report["ledger"]["seed"]) == (
        *("Test model", 0.5, 3),
    )
    (item,) = report["documents"]
    assert (item["name"], item["tokens"], item["units"], item["left_out"]) == ("lease.txt", 9, 1, [])
    assert report["conversation"] is None


def test_nothing_is_kept_unless_it_is_asked_for(run, document, home):
    run("ask", "--doc", document("The rent."), "Who?")
    assert not (home / "longread.db").exists()
    assert not list((home / "texts").iterdir())
    assert not list(home.glob(".passing-*"))


def test_keep_puts_it_where_the_window_finds_it(run, document, home):
    _, out, _ = run("ask", "--into-library", "--json", "--doc", document("The rent."), "Who?")
    database = Database(home / "longread.db")
    (conversation,) = Conversations(database).list()
    assert conversation.id == json.loads(out)["conversation"]
    assert conversation.title == "Who?"
    assert [one.text for one in Conversations(database).messages(conversation.id)] == ["Who?", "You asked: Who?"]
    (item,) = Library(database, home / "texts").items()
    assert Library(database, home / "texts").text(item.id) == "The rent."


def test_one_document_without_text_and_nothing_is_asked(run, document, tmp_path):
    (tmp_path / "empty.txt").touch()
    (tmp_path / "film.mp4").write_bytes(bytes(range(256)) * 9)
    files = [document("The rent."), str(tmp_path / "empty.txt"), str(tmp_path / "film.mp4")]
    code, out, error = run("ask", *(word for file in files for word in ("--doc", file)), "Who?")
    assert (code, out) == (1, "")
    assert "empty.txt: " in error
    assert "film.mp4: " in error
    assert "Nothing was asked." in error


def test_the_same_text_twice_is_read_once_and_said(run, document):
    code, _, error = run("ask", "--doc", document("The rent."), "--doc", document("The rent.", "copy.txt"), "Who?")
    assert code == 0
    assert "copy.txt has the same text as lease.txt and is read once." in error
    assert "Read in full: lease.txt · 9 tokens" in error


def test_a_question_from_stdin(run, monkeypatch):
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO("Who is it?"))
    assert run("ask", "-")[1] == "You asked: Who is it?\n"


def test_a_missing_model_says_how_to_get_it(run):
    code, out, error = run("ask", "Who?", model=None)
    assert (code, out) == (1, "")
    assert error.count("\n") == 1
    assert "longread models fetch smollm2-135m-instruct" in error


@pytest.mark.parametrize(
    ("name", "said"), [("nothing", "There is no model nothing"), ("minicpm-sala", "longread models fetch minicpm-sala")]
)
def test_a_model_that_cannot_be_used_says_why(run, name, said):
    code, _, error = run("ask", "Who?", model=name)
    assert code == 1
    assert said in error


def test_a_broken_model_is_named(run, tmp_path):
    (tmp_path / "broken.gguf").write_bytes(b"GGUF")
    code, out, error = run("ask", "Who?", model=str(tmp_path / "broken.gguf"))
    assert (code, out) == (1, "")
    assert "model.safetensors is cut short" in error


@pytest.mark.parametrize(("mode", "said"), [("whole", "Read in segments it is"), ("auto", "The question with what")])
def test_too_long_says_how_long_what_fits_and_what_would_help(run, mode, said):
    code, out, error = run("ask", "--mode", mode, "too long")
    assert (code, out) == (1, "")
    assert said in error
    assert "9,000 tokens" in error
    assert "4,096" in error


def test_an_engine_that_dies_leaves_what_was_written(run):
    code, out, error = run("ask", "die")
    assert (code, out) == (1, "Half \n")
    assert "The engine stopped unexpectedly" in error


def test_an_answer_that_loops_says_so(run):
    code, out, error = run("ask", "loop")
    assert (code, out) == (0, "You asked: loop\n")
    assert "begun to repeat itself" in error


def test_beside_a_running_window_it_says_who_holds_the_model(run, home):
    held = Lock(home)
    held.take()
    try:
        code, out, error = run("ask", "Who?")
    finally:
        held.release()
    assert (code, out) == (1, "")
    assert f"Another Longread (process {os.getpid()}, " in error


def test_a_note_of_the_engine_is_said(run):
    assert "No NVIDIA graphics card" in run("ask", "--device", "cuda", "Who?")[2]


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("sing",),
        ("ask",),
        ("ask", "--window", "12", "Who?"),
        ("ask", "--temperature", "3", "Who?"),
        ("ask", "--precision", "fp12", "Who?"),
        ("ask", "--max-tokens", "0", "Who?"),
        ("ask", "--colour", "red", "Who?"),
        ("ask", "--mode", "quick", "Who?"),
        ("ask", "--segment", "12", "Who?"),
        ("ask", "--overlap", "-1", "Who?"),
        ("ask", "--segments", "0", "Who?"),
        ("ask", "--keep-rows", "0", "Who?"),
        ("ask", "--keep-rows", "101%", "Who?"),
        ("readings", "forget"),
        ("readings", "forget", "--all", "lease.txt"),
        ("ask", " "),
        ("read",),
        ("models", "fetch"),
        ("models", "eat"),
        ("models", "quantize"),
        ("models", "quantize", "big", "--bits", "3"),
    ],
)
def test_bad_use_is_2(home, monkeypatch, arguments):
    monkeypatch.setattr("app.crash.install", lambda folder: None)
    assert cli.main(arguments) == 2


def test_read_tells_pages_tokens_and_what_is_left_out(run, document, tmp_path):
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "main.py").write_text("print(1)\n")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    code, out, _ = run("read", document("The rent."), str(folder))
    assert code == 0
    assert "lease.txt: 1 section, 9 characters, 9 tokens" in out
    assert "code: 1 file, " in out
    assert "  left out: picture.png: " in out


def test_read_as_json_tells_of_refused_documents_too(run, document, tmp_path):
    code, out, error = run("read", "--json", document("The rent."), str(tmp_path / "nowhere.pdf"))
    first, second = json.loads(out)["documents"]
    assert code == 1
    assert (first["name"], first["tokens"], first["sha256"][:4]) == ("lease.txt", 9, first["sha256"][:4])
    assert second["refused"]["code"] == "missing"
    assert "nowhere.pdf: " in error


def test_read_without_a_model_counts_everything_but_tokens(run, document):
    code, out, error = run("read", "--json", document("The rent."), model=None)
    (item,) = json.loads(out)["documents"]
    assert (code, item["characters"], item["tokens"]) == (0, 9, None)
    assert "Tokens were not counted." in error
    assert "models fetch" in error


def test_models_lists_adds_and_marks_the_chosen_one(run, tmp_path):
    code, out, _ = run("models", "add", str(tmp_path / "model.gguf"))
    assert (code, out) == (0, f"{tmp_path / 'model.gguf'}\n")
    code, out, _ = run("models")
    assert code == 0
    assert out.startswith("* smollm2-135m-instruct ")
    assert "minicpm-sala" in out
    assert str(tmp_path / "model.gguf") in out
    entries = json.loads(run("models", "list", "--json")[1])["models"]
    assert entries[-1]["path"] == str(tmp_path / "model.gguf")
    assert json.loads(run("models", "--json")[1])["models"] == entries


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("fetch", "nothing"), "There is no model nothing"),
        (("add", "/no/such/place"), "There is nothing at"),
    ],
)
def test_what_cannot_be_fetched_or_added_says_why(run, arguments, said):
    code, out, error = run("models", *arguments)
    assert (code, out) == (1, "")
    assert said in error


def test_models_quantize_makes_a_copy_and_adds_it(run, home, tmp_path):
    source = tmp_path / "big"
    source.mkdir()
    text = tmp_path / "text.txt"
    code, out, error = run("models", "quantize", str(source), "--bits", "8", "--calibrate", str(text))
    made = home / "models" / "big-int8"
    assert (code, out) == (0, f"{made}\n")
    assert "14 matrices in 8 bits, groups of 64; 1 left. 1.0 MB, 2.0 s." in error
    options = json.loads((made / "config.json").read_text())
    assert options["method"] == "gptq"
    assert (options["model"], options["calibrate"]) == (str(source), str(text))
    assert str(made) in run("models")[1]


def test_doctor_tells_versions_devices_model_places_and_the_sandbox(run, home):
    code, out, error = run("doctor")
    assert (code, error.replace("Loading the model\n", "")) == (0, "")
    for told in ("torch:", "9.9", "Test processor", "precision:    bf16", "int8 0.500 ms", str(home), "has no network"):
        assert told in out
    assert "No GPU is in use" in out
    assert "4,096 tokens for the text, the question and the answer together" in out
    assert "longer texts: read in segments" in out
    report = json.loads(run("doctor", "--json")[1])
    assert report["model"]["writing"] == "int8"
    assert report["engine"]["devices"][0]["name"] == "Test processor"
    assert report["places"]["data"] == str(home)
    assert report["documents"]["reached"] is None


def test_doctor_tells_what_a_policy_would_save(run):
    out = run("doctor", "--policy", "h2o", "--keep", "30%")[1]
    assert "h2o keeps 2,458 of 4,096 tokens: K/V 3.0 GB while it is read, then at most 1.0 GB in place of" in out
    assert "blocks cannot be had as things are set, so nothing is saved" in run("doctor", "--policy", "blocks")[1]
    assert "this model can have triattention, h2o" in run("doctor", "--policy", "blocks")[1]
    assert "policy" not in run("doctor")[1]
    code, out, error = run("doctor", "--keep", "0.3")
    assert (code, out) == (2, "")
    assert "without --policy nothing is forgotten" in error


@pytest.mark.parametrize(
    ("languages", "told"),
    [(("deu", "eng"), "recognised in deu, eng."), ((), "no text is recognised; `pip install 'longread[ocr]'` adds it")],
)
def test_doctor_tells_whether_scans_can_be_read(run, monkeypatch, languages, told):
    monkeypatch.setattr("app.documents.ocr.available", lambda: languages)
    assert told in run("doctor")[1]
    assert json.loads(run("doctor", "--json")[1])["recognised"] == list(languages)


def test_doctor_without_a_model_tells_the_rest_and_ends_with_1(run):
    code, out, error = run("doctor", model=None)
    assert code == 1
    assert "Test processor" in out
    assert "models fetch" in error


def test_bench_gives_the_engines_report(run, tmp_path):
    code, out, _ = run("bench")
    assert code == 0
    assert out == f"{tmp_path / 'model.gguf'}, bf16, int8, Test processor, 2 threads\n  read  700 tokens/s\n"
    assert run("bench", "--compare")[1].endswith("  read  700 tokens/s, beside 350, 2.00 times\n")
    assert json.loads(run("bench", "--json")[1])["results"]["rows"][0]["ours"] == 700


def test_bench_writes_its_report_where_it_is_told_and_measures_nothing_where_it_cannot(run, tmp_path):
    code, out, _ = run("bench", "speed", "--json", str(tmp_path / "out.json"))
    assert code == 0
    assert "700 tokens/s" in out
    assert json.loads((tmp_path / "out.json").read_text())["kind"] == "speed"
    code, out, error = run("bench", "speed", "--json", str(tmp_path / "no" / "out.json"))
    assert (code, out) == (2, "")
    assert "nothing was measured" in error


def test_settings_that_cannot_be_read_are_said_and_kept(run, home):
    (home / "settings.json").write_text("{")
    code, _, error = run("ask", "Who?")
    assert code == 0
    (kept,) = home.glob("settings.damaged-*.json")
    assert str(kept) in error


# In a process of its own


def start(home: Path, *arguments: str, model: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WITH_ENGINE, arguments[0], "--model", str(model), *arguments[1:]]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "model.gguf").write_bytes(b"GGUF")
    return tmp_path / "model.gguf"


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_it_and_leaves_no_engine_and_no_text(home, model, document, number):
    process = start(home, "ask", "--doc", document("The rent."), "hang", model=model)
    assert process.stdout.read(5) == "Half "
    children = psutil.Process(process.pid).children(recursive=True)
    assert children
    process.send_signal(number)
    out, error = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in out + error
    assert not psutil.wait_procs(children, timeout=10)[1]
    assert not list(home.glob(".passing-*"))


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such signals")
def test_texts_of_a_killed_run_are_swept_by_the_next(home, model, document):
    process = start(home, "ask", "--doc", document("The rent."), "hang", model=model)
    assert process.stdout.read(5) == "Half "
    children = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.communicate()
    assert not psutil.wait_procs(children, timeout=10)[1]  # end of input ends the engine
    assert len(list(home.glob(".passing-*"))) == 1
    assert start(home, "ask", "Who?", model=model).wait() == 0
    assert not list(home.glob(".passing-*"))


def test_a_reader_that_goes_away_is_no_complaint(home, model):
    process = start(home, "ask", "Who?", model=model)
    process.stdout.close()
    error = process.stderr.read()
    assert process.wait() == 1
    assert "Traceback" not in error
    assert "Exception" not in error


@pytest.mark.parametrize("arguments", [("--help",), ("ask", "--help"), ("sing",)])
def test_help_and_mistakes_load_nothing_heavy(arguments):
    program = f"""
import sys
from app import cli
cli.main({arguments!r})
heavy = {{"msgspec", "asyncio", "apsw", "psutil", "torch", "PySide6"}} & set(sys.modules)
sys.exit(", ".join(heavy) if heavy else 0)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
