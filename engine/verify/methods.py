"""Whether what was switched on did anything: the policy that forgets, the layers that a model has, the selection."""

from engine.protocol import Eviction, Usage
from engine.verify import judging
from engine.verify.asking import talk
from engine.verify.desk import Desk
from engine.verify.plan import Plan
from engine.verify_results import Outcome

SLACK = 0.9
"""Of the rows that were promised, as many must be there at least."""
MORE = 512
"""Rows by which there may be more: they grow until the next pruning."""
USUAL = 4096
"""Rows that are kept where nothing is said."""
SPARSE_FROM = 8192
"""Tokens from which hybrid models of this kind were made to be sparse."""


async def policy(desk: Desk, plan: Plan) -> Outcome:
    """By the subject's own counts: of a text longer than what is kept something is forgotten, and not too much."""
    how = desk.reading.eviction
    if how is None:
        return judging.skipped("policy", "no_policy")
    usage = await _usage(desk, plan, "policy")
    promised = rows(how, usage.prompt)
    kept = usage.pruned.rows if usage.pruned is not None else usage.prompt - usage.evicted
    told = {"policy": how.policy, "promised": promised, "rows": kept, "forgotten": usage.evicted}
    if usage.prompt <= promised:
        return judging.skipped("policy", "policy_short")
    if usage.pruned is None or usage.pruned.how.policy != how.policy or not usage.evicted:
        return judging.outcome("policy", [], [], "inactive", "policy_ignored", **told)
    if kept < SLACK * promised:
        return judging.outcome("policy", [], [], "fail", "too_much", **told)
    if kept > promised + MORE:
        return judging.outcome("policy", [], [], "fail", "too_little", **told)
    return judging.outcome("policy", [], [], "pass", **told)


def rows(how: Eviction, prompt: int) -> int:
    """What a policy promises to keep of a prompt."""
    limits = [] if how.keep is None else [int(how.keep * prompt)]
    limits += [] if how.rows is None else [how.rows]
    return max(min(limits, default=USUAL), 176)


async def layers(desk: Desk, plan: Plan) -> Outcome:
    """Each kind of layer that the model has ran, as what it is; a selection was used where there was enough to choose
    from."""
    usage = await _usage(desk, plan, "layers")
    told = {"has": _counts(usage.layers), "ran": _counts(usage.calls or usage.layers)}
    if desk.remote or not usage.layers:
        return judging.skipped("layers", "not_told")
    if usage.layers != desk.loaded.layers:
        return judging.outcome("layers", [], [], "fail", "layers_differ", **told)
    kinds = desk.loaded.layers
    if "lightning" in kinds and not usage.calls.get("lightning"):
        return judging.outcome("layers", [], [], "fail", "dense", **told)
    if "sparse" in kinds and not usage.calls.get("sparse"):
        if usage.prompt >= SPARSE_FROM:
            return judging.outcome("layers", [], [], "fail", "dense", **told)
        return judging.outcome("layers", [], [], "skipped", "sparse_short", **told)
    return _selected(desk, usage, told)


def _counts(kinds: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())


def _selected(desk: Desk, usage: Usage, told: dict[str, str]) -> Outcome:
    chosen = desk.reading.selection
    if chosen.kind != "none" and usage.mode == "whole" and not usage.calls.get(chosen.kind):
        least = chosen.least if chosen.least is not None else 16384 if chosen.kind == "blocks" else 12288
        reason = "selection_short" if usage.prompt < least else "selection_idle"
        verdict = judging.outcome("layers", [], [], "inactive", reason, **told)
        return judging.outcome("layers", [], [], "skipped", reason, **told) if usage.prompt < least else verdict
    return judging.outcome("layers", [], [], "pass", **told)


async def _usage(desk: Desk, plan: Plan, kind: str) -> Usage:
    desk.begin(1)
    text = await desk.text(plan.length, kind, own=True)
    document = desk.document(f"{desk.nonce(kind)}\n\n{text.text()}")
    usage = (await desk.ask(talk([document], "What is this text about?"), 8)).usage
    await desk.forget()
    return usage
