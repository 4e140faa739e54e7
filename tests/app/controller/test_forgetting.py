"""What the window says of a policy while an answer is made and after, and how it is asked for and refused."""

from msgspec.structs import replace
from PySide6.QtWidgets import QPushButton

from app.controller.estimate import estimate
from app.views.failure import FailureCard
from engine.protocol import (
    Answered,
    Done,
    Eviction,
    Failed,
    ForgottenPart,
    Gauges,
    MemoryParts,
    Place,
    Pruned,
    Usage,
)

MEMORY = MemoryParts(8, 1, 1, 0, 1, 5)
HOW = Eviction("h2o", 0.3)
GONE = tuple(
    ForgottenPart(Place(0, n * 2000, n * 2000 + 2000), 2_000, share) for n, share in enumerate((0.5, 0.95, 0.65))
)
USAGE = Usage(6_040, 6_040, 0, 1, evicted=4_200, pruned=Pruned(HOW, 1_812, 1_841, 4_200, GONE))


def forgets(program) -> None:
    program.controller.settings.apply(replace(program.state.settings, policy="h2o", policy_keep=0.3))


async def test_an_answer_s_ledger_says_which_pages_lost_most_and_opens_them(program, until):
    item = await program.add()
    forgets(program)
    program.ask("Who?")
    await until(lambda: program.engine.streams)
    assert program.engine.asked().reading.eviction == HOW
    program.engine.answer(Done("", "complete", USAGE, Answered("Anna.", (1,), None)))
    await until(program.idle)
    line = program.window.conversation.view(program.last().id).ledger()
    said = line.text().replace("\u00a0", " ")
    assert "⚠ Forgotten: 4,200 of 6,041 tokens (H2O)" in said
    assert "Most was forgotten of p. 2" in said
    line._more.click()
    assert [cell.shade for cell in line.strip.cells] == [0.95, 0.65, 0.5]
    line.strip.cells[0].click()
    assert program.window.source.item().id == item
    assert program.window.source.page_label() == "2 (index 2)"


async def test_the_gauge_comes_with_a_policy_and_goes_with_it(program):
    strip = program.window.instruments
    gauges = Gauges(MEMORY, 1, 6_041, 8_192, rows=1_841, forgotten=4_200)
    program.controller.engine.show_gauges(gauges)
    assert strip.kept.isHidden()
    forgets(program)
    program.controller.engine.show_gauges(gauges)
    assert not strip.kept.isHidden()
    assert strip.kept.value.text() == "1,841 · 4,200"
    program.controller.settings.apply(replace(program.state.settings, policy="none"))
    assert strip.kept.isHidden()


async def test_what_cannot_be_is_refused_with_a_way_on(program, until):
    await program.add()
    forgets(program)
    program.ask("Who?")
    await until(lambda: program.engine.streams)
    stream = program.engine.streams[-1]
    stream.put(Failed(stream.id, "evict_model", "no", "h2o"))
    await until(program.idle)
    (card,) = program.window.conversation.view(program.last().id).findChildren(FailureCard)
    assert "no policy can choose what to forget" in card.accessibleName()
    (button,) = [one for one in card.findChildren(QPushButton) if one.text() == "Keep everything"]
    button.click()
    await until(lambda: len(program.engine.streams) == 2)
    assert program.state.settings.policy == "none"
    assert program.engine.asked().reading.eviction is None


def test_with_a_policy_texts_are_expected_to_be_read_whole_and_not_saved(program):
    settings = replace(program.state.settings, policy="h2o", policy_keep=0.3)
    told = estimate([128_000], program.state.loaded, settings)
    assert (told.segments, told.longer, told.disk) == (None, True, None)
    told = estimate([128_000], program.state.loaded, replace(settings, policy="streaming"))
    assert (told.segments, told.longer) == (None, False)
