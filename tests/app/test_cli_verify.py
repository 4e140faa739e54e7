"""`longread verify`: verdicts on stdout, certificates as files, a sample replayed, and what is refused."""

import json

import pytest
import verify_double as doubles

from app.commands import verify as command
from engine.verify import Desk
from engine.verify.texts import made_up

PROSE = made_up(300)


@pytest.fixture
def double(monkeypatch):
    """Verified in the place of the model that the settings name."""
    chosen = {"double": doubles.Double()}

    async def made(assistant, engine, models, providers, settings, folder, *, seed="", own=""):
        await engine.start()  # which tells of the machine
        one = chosen["double"]
        return Desk(one, folder, seed or "seed", local=one, prose=PROSE, own=own, clock=lambda: one.now)

    monkeypatch.setattr(command, "desk", made)
    return chosen


FEW = ("--only", "tokens", "--only", "canaries", "--only", "needles", "--length", "2000")


def test_a_certificate_is_written_and_its_sample_comes_out_the_same(run, double, tmp_path):
    proof, page = tmp_path / "proof.json", tmp_path / "proof.md"
    code, out, error = run("verify", *FEW, "--seed", "s1", "--json", str(proof), "--to", str(page))
    assert code == 0, error
    assert "This takes about 1 min here. Ctrl+C stops it." in error
    assert "✓ PASS      Found at every depth (needles, " in out
    assert out.rstrip().endswith("✓ PASS: seed s1")
    report = json.loads(proof.read_text())["report"]
    assert [one["verdict"] for one in report["outcomes"]] == ["pass"] * 3
    assert report["subject"]["fingerprint"] == "f" * 64
    assert "proof.needles.svg" in page.read_text()
    code, out, _ = run("verify", "--check", str(proof))
    assert (code, out.count("; as then")) == (0, 3)
    double["double"] = doubles.CutFront()
    code, out, _ = run("verify", "--check", str(proof))
    assert code == 1
    assert "✗ canaries: fail, 4 right; then pass, 5 right" in out


def test_a_certificate_is_replayed_with_its_own_text_and_model_alone(run, double, document, tmp_path, monkeypatch):
    proof = tmp_path / "proof.json"
    run("verify", "--only", "tokens", "--length", "2000", "--json", str(proof))
    clauses = document("\n\n".join(f"Clause {number}. The tenant pays for it." for number in range(900)))
    code, _, error = run("verify", "--check", str(proof), "--doc", clauses)
    assert code == 1
    assert "is about prose of this computer, and the text given has" in error
    kept = proof.read_text()
    proof.write_text(kept.replace("bf16", "int8", 1))
    assert "verified in int8 and bf16 is loaded: --precision int8" in run("verify", "--check", str(proof))[2]
    proof.write_text(kept.replace("f" * 64, "e" * 64))
    assert (
        "The certificate is about double (eeeeeeeeeeee); double (ffffffffffff) is loaded"
        in run("verify", "--check", str(proof))[2]
    )


@pytest.mark.parametrize("damage", ["cut", "foreign", "binary", "newer", "folder"])
def test_what_is_damaged_or_foreign_is_no_certificate(run, double, tmp_path, damage):
    proof = tmp_path / "proof.json"
    run("verify", "--only", "tokens", "--length", "2000", "--json", str(proof))
    whole = proof.read_bytes()
    proof.unlink()
    match damage:
        case "cut":
            proof.write_bytes(whole[: len(whole) // 2])
        case "foreign":
            proof.write_text('[{"verdict": "pass"}]')
        case "binary":
            proof.write_bytes(bytes(range(256)))
        case "newer":
            proof.write_bytes(whole.replace(b'"format": 1', b'"format": 2'))
        case "folder":
            proof.mkdir()
    code, out, error = run("verify", "--check", str(proof))
    assert (code, out) == (1, "")
    assert "proof.json is no certificate that this Longread can check." in error


def test_what_fails_is_said_and_ends_with_one(run, double, document):
    double["double"] = doubles.CutTail()
    text = "\n\n".join(f"Clause {number}. The tenant pays for repair number {number}." for number in range(400))
    code, out, _ = run("verify", *FEW, "--doc", document(text))
    assert code == 1
    assert "✗ FAIL      Nothing cut off" in out
    assert "The end of the text is missing" in out


def test_what_cannot_be_is_refused(run, tmp_path):
    assert run("verify", "--to", str(tmp_path / "proof.docx"))[0] == 2
    assert run("verify", "--length", "10")[0] == 2
    code, _, error = run("verify", "--check", str(tmp_path / "none.json"))
    assert code == 1
    assert "none.json is no certificate" in error
