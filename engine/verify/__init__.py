"""Proof that a long window is real: questions whose answers are known, about long texts and short ones, to anything
that has an engine's face. The payloads are new in each run; the same seed asks the same again."""

from engine.verify.desk import Desk
from engine.verify.face import Face, Local
from engine.verify.forecast import expected_seconds
from engine.verify.plan import Plan, plan
from engine.verify.run import digest, one, run
from engine.verify_names import TestName, Tier
from engine.verify_results import Cell, Outcome, Pace, Point, Report, Subject, Verdict

__all__ = [
    "Cell",
    "Desk",
    "Face",
    "Local",
    "Outcome",
    "Pace",
    "Plan",
    "Point",
    "Report",
    "Subject",
    "TestName",
    "Tier",
    "Verdict",
    "digest",
    "expected_seconds",
    "one",
    "plan",
    "run",
]
