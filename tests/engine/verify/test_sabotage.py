"""Each way of being broken is caught by the test that is meant for it, by name; what is whole passes all of them."""

import dataclasses
from pathlib import Path

import pytest
import verify_double as doubles
import verify_losses as losses

from app.services.verify.told import told
from engine.protocol import Eviction, Generate, ModelSettings, ReadingSettings
from engine.verify import Desk, Outcome, one, plan, run
from engine.verify import canaries as canary_test
from engine.verify import memory as memory_test
from engine.verify.texts import made_up
from engine.verify_results import Cell

PROSE = made_up(300)
POLICY = ReadingSettings(eviction=Eviction("snapkv", rows=1000))


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The doubles' gauges are right at once."""
    monkeypatch.setattr(memory_test, "EVERY", 0.0)


@pytest.fixture
def verify(tmp_path: Path):
    async def verified(double: doubles.Double, test: str, length: int = 3000, **more) -> Outcome:
        desk = desk_of(double, tmp_path, **more)
        return await one(desk, plan("quick", double.loaded, length), test)

    return verified


def desk_of(double: doubles.Double, folder: Path, reading: ReadingSettings | None = None, **more) -> Desk:
    far = isinstance(double, doubles.Elsewhere)
    local = None if far else double
    settings = None if far else ModelSettings("model")
    desk = Desk(double, folder, "seed", reading or ReadingSettings(), local, settings, clock=lambda: double.now, **more)
    desk.prose = PROSE
    return desk


@pytest.mark.parametrize(
    ("broken", "test", "verdict", "reason"),
    [
        (doubles.CutFront, "canaries", "fail", "cut_front"),
        (doubles.CutMiddle, "canaries", "fail", "cut_middle"),
        (doubles.CutTail, "canaries", "fail", "cut_tail"),
        (doubles.Short, "tokens", "fail", "prompt_differs"),
        (doubles.Leaks, "memory", "fail", "memory_grows"),
        (doubles.HoldsWhatWasStopped, "memory", "fail", "memory_grows"),
        (doubles.ListsSome, "coverage", "fail", "not_listed"),
        (losses.WritesOfSome, "coverage", "degraded", "weak"),
        (doubles.Coarse, "precision", "fail", "precision_lost"),
        (doubles.CutFront, "needles", "fail", "needles_front"),
        (doubles.CutMiddle, "needles", "degraded", "weak"),
        (losses.CutsThird, "needles", "fail", "needles_front"),
        (doubles.CutTail, "needles", "fail", "needles_tail"),
        (doubles.Mixes, "leak", "fail", "leaked"),
        (doubles.Stale, "saved", "fail", "saved_differs"),
        (doubles.Rereads, "saved", "inactive", "not_reopened"),
        (doubles.FallsBack, "latency", "fail", "steeper"),
    ],
)
async def test_what_is_broken_is_caught_by_name(verify, broken, test, verdict, reason):
    caught = await verify(broken(), test)
    assert (caught.verdict, caught.reason) == (verdict, reason)
    assert (await verify(doubles.Double(), test)).verdict == "pass"


async def test_a_fall_back_to_dense_layers_is_told_by_what_ran(verify):
    caught = await verify(doubles.FallsBack(), "layers", 9000)
    assert (caught.verdict, caught.reason) == ("fail", "dense")
    assert (await verify(doubles.Hybrid(), "layers", 9000)).verdict == "pass"
    assert (await verify(doubles.Hybrid(), "layers")).reason == "sparse_short"


@pytest.mark.parametrize(
    ("broken", "verdict", "reason"),
    [(doubles.EvictsTooMuch, "fail", "too_much"), (doubles.IgnoresPolicy, "inactive", "policy_ignored")],
)
async def test_a_policy_keeps_what_it_promised(verify, broken, verdict, reason):
    caught = await verify(broken(), "policy", reading=POLICY)
    assert (caught.verdict, caught.reason) == (verdict, reason)
    honest = await verify(doubles.Double(), "policy", reading=POLICY)
    assert (honest.verdict, honest.values["rows"]) == ("pass", "1000")


@pytest.mark.parametrize(
    ("broken", "test", "reason"),
    [
        (doubles.Forgetful, "recital", "holes"),
        (losses.LosesMiddle, "recital", "holes"),
        (losses.LosesMiddle, "needles", "needles_middle"),
        (doubles.OfOneForm, "decoys", "mixed_up"),
        (doubles.FirstValue, "ending", "stale"),
        (doubles.FirstValue, "updates", "stale"),
        (doubles.FirstQuestion, "turns", "second_lost"),
        (doubles.LosesState, "nested", "state_lost"),
    ],
)
async def test_what_a_policy_loses_is_told_by_the_test_that_needs_it(verify, broken, test, reason):
    lost = await verify(broken(), test, 4000, reading=POLICY)
    assert (lost.verdict, lost.reason) == ("fail", reason)
    assert (await verify(doubles.Double(), test, 4000, reading=POLICY)).verdict == "pass"


async def test_nested_calls_are_told_depth_by_depth_with_what_was_forgotten(verify):
    whole = await verify(doubles.Double(), "nested")
    assert whole.values["steps"] == "2: 2/2, 0; 4: 2/2, 0; 8: 2/2, 0"
    lost = await verify(doubles.LosesState(), "nested", 4000, reading=POLICY)
    assert (lost.values["deepest"], lost.values["short"]) == ("4", "8")
    assert [cell.evicted > 900 for cell in lost.cells] == [True] * 6


async def test_what_is_whole_passes_everything_that_can_be_asked_of_it(tmp_path):
    double, seen = doubles.Double(), []
    desk = desk_of(double, tmp_path)
    report = await run(desk, plan("quick", double.loaded, 2000), on_outcome=seen.append)
    assert report.outcomes == tuple(seen)
    verdicts = {one.test: (one.verdict, one.reason) for one in seen}
    assert verdicts.pop("policy") == ("skipped", "no_policy")
    assert verdicts == dict.fromkeys(verdicts, ("pass", ""))
    assert report.verdict == "pass"
    needles = next(one for one in seen if one.test == "needles")
    assert (needles.right, needles.of) == (5, 5)
    assert needles.low == pytest.approx(0.5655, abs=1e-4)  # Wilson, of five in five


def test_numbers_lost_here_and_there_are_the_models_own_loss_where_all_was_read():
    cells = [Cell(3000, depth, int(depth not in (0.0, 0.5))) for depth in canary_test.DEPTHS]
    control = [Cell(500, depth, 1) for depth in canary_test.DEPTHS]
    found = canary_test.judged(cells, control, {0.0, 0.5}, "weak")
    assert (found.verdict, found.reason, found.values["kept"]) == ("degraded", "weak", "60%")
    assert canary_test.judged(cells, control, {0.0, 0.5}).reason == "cut_holes"
    assert canary_test.judged(cells, control, {0.0}, "weak").reason == "cut_front"
    assert canary_test.judged(cells, control, set(), "weak").reason == "canaries_weak"
    in_segments = canary_test.judged(cells, control, set(canary_test.DEPTHS), "segments")
    assert (in_segments.verdict, in_segments.reason) == ("fail", "segments")


@pytest.mark.parametrize("test", ["needles", "recital"])
async def test_what_is_lost_of_a_text_read_whole_is_lost_by_the_model(verify, test):
    weak = await verify(losses.LosesMiddle(), test, 4000)
    assert (weak.verdict, weak.reason) == ("degraded", "weak")
    assert "it is the model that loses it" in told(weak)
    coarse = await verify(losses.LosesMiddle(), test, 4000, reading=ReadingSettings(kv="int8"))
    assert (coarse.verdict, coarse.reason[:7]) == ("fail", {"needles": "needles", "recital": "holes"}[test])
    parted = await verify(losses.LosesSegments(), test, 4000)
    assert (parted.verdict, parted.reason) == ("fail", "segments")
    assert "read in segments" in told(parted)


@pytest.mark.parametrize(
    ("broken", "reason", "right"),
    [
        (losses.StumblesAndCutsFront, "needles_front", range(37, 41)),
        (losses.StumblesAndEnds, "needles_length", (33,)),
    ],
)
async def test_a_cut_is_a_cut_though_a_number_of_the_short_text_was_missed_as_well(tmp_path, broken, reason, right):
    found = []
    for double in (broken(), losses.Stumbles()):
        asked = plan("standard", double.loaded, 8000)
        found.append(await one(desk_of(double, tmp_path), asked, "needles"))
    cut, whole = found
    assert (cut.verdict, cut.reason, cut.control_right, cut.values["kept"]) == ("fail", reason, 3, "100%")
    assert cut.right in right
    assert (whole.verdict, whole.right, whole.control_right) == ("pass", 44, 3)


async def test_what_is_missed_again_at_an_edge_is_cut_whatever_the_short_text_gave(verify):
    cut = await verify(losses.StumblesAndCutsFront(), "needles")
    assert (cut.verdict, cut.reason, cut.control_right) == ("fail", "needles_front", 3)
    assert (cut.values["kept"], cut.values["again"]) == ("100%", "0/2")
    assert (await verify(losses.Stumbles(), "needles")).verdict == "pass"


async def test_each_form_is_judged_by_itself_and_the_worst_is_named(tmp_path):
    found = []
    for double in (losses.LosesRow(), doubles.Double()):
        asked = dataclasses.replace(plan("quick", double.loaded, 3000), precisions=True)
        found.append(await one(desk_of(double, tmp_path), asked, "precision"))
    lost, whole = found
    assert (lost.verdict, lost.right, lost.of) == ("degraded", 19, 20)
    assert (lost.values["form"], lost.values["kept"]) == ("kv int8", "80%")
    assert "With kv int8, 80% of the answers is left" in told(lost)
    assert (whole.verdict, whole.reason) == ("pass", "")


async def test_what_is_missed_at_an_edge_once_is_asked_for_again_before_it_counts_as_cut(verify):
    once = await verify(doubles.MissesOnce(), "needles")
    assert (once.verdict, once.reason, once.values["again"]) == ("degraded", "weak", "2/2")
    assert (await verify(doubles.CutFront(), "needles")).values["again"] == "0/2"


async def test_everything_that_it_asks_makes_way_for_the_person(tmp_path, monkeypatch):
    double, sent = doubles.Double(), []
    answer = double.send
    monkeypatch.setattr(double, "send", lambda request: sent.append(request) or answer(request))
    desk = desk_of(double, tmp_path)
    for test in ("needles", "memory"):
        await one(desk, plan("quick", double.loaded, 2000), test)
    assert {request.whose for request in sent if isinstance(request, Generate)} == {"client"}


async def test_another_seed_asks_other_things_and_the_same_one_the_same(tmp_path):
    asked = []
    for number, seed in enumerate(("a", "a", "b")):
        double, folder = doubles.Double(), tmp_path / str(number)
        folder.mkdir()
        desk = desk_of(double, folder)
        desk.seed = seed
        outcome = await one(desk, plan("quick", double.loaded, 2000), "needles")
        asked.append([cell.answer for cell in outcome.cells])
    assert asked[0] == asked[1] != asked[2]
    assert not set(asked[0]) & set(asked[2])


async def test_of_a_server_is_verified_what_can_be_known(tmp_path):
    double = doubles.Elsewhere()
    report = await run(desk_of(double, tmp_path), plan("quick", double.loaded, 3000))
    found = {one.test: (one.verdict, one.reason) for one in report.outcomes}
    for name in ("coverage", "precision", "saved", "memory"):
        assert found[name] == ("skipped", "elsewhere")
    assert found["layers"] == ("skipped", "not_told")
    for name in ("tokens", "canaries", "needles", "ending", "recital", "turns", "leak", "latency"):
        assert found[name][0] == "pass", name


async def test_a_server_that_cuts_is_caught_twice(verify):
    assert (await verify(doubles.CutsElsewhere(), "canaries", 4000)).reason == "cut_front"
    assert (await verify(doubles.CutsElsewhere(), "tokens", 4000)).reason == "prompt_short"


async def test_facts_are_planted_in_a_copy_of_the_persons_own_text(tmp_path):
    double = doubles.Double()
    own = "\n\n".join(f"Clause {number}. The tenant pays for repair number {number}." for number in range(400))
    desk = desk_of(double, tmp_path, own=own)
    report = await run(desk, dataclasses.replace(plan("quick", double.loaded, 3000), tests=("canaries", "needles")))
    assert [one.verdict for one in report.outcomes] == ["pass", "pass"]
    assert len(report.subject.document) == 64
    planted = [p for p in tmp_path.glob("*.txt") if "Clause 3." in p.read_text() and "access number" in p.read_text()]
    assert len(planted) == 5
    desk = desk_of(double, tmp_path, own="One line.\n\nAnother.")
    short = await one(desk, plan("quick", double.loaded, 3000), "needles")
    assert (short.verdict, short.reason) == ("skipped", "short_text")
