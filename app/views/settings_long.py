"""How a text longer than the window is read: in segments, and what is done with them at a question."""

from PySide6.QtWidgets import QWidget

from app.data import policies
from app.data.settings import Settings
from app.models import quantities
from app.views.fields import Choice
from app.views.segments import Segments
from app.views.settings_rows import Count, Note, Row, Section
from engine.protocol import Calibration

SEGMENT_LEAST, SEGMENT_MOST, SEGMENT_STEP = 128, 1_048_576, 250
OVERLAP_MOST, OVERLAP_STEP = 65_536, 32
SEGMENTS_MOST = 9_999


class LongTexts(Section):
    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        automatic = self.tr("Automatic")
        self.mode = Segments(self.tr("Texts longer than the window"))
        self.mode.set_choices(
            [
                ("auto", automatic, self.tr("In segments when a text is longer than the window")),
                ("parallel", self.tr("In segments"), self.tr("Every text in segments")),
                ("whole", self.tr("Never, refuse"), self.tr("What does not fit the window is refused")),
            ]
        )
        self.mode_note = Note()
        tokens = (self.tr("token"), self.tr("tokens"))
        segments = (self.tr("segment"), self.tr("segments"))
        self.segment = Count(automatic, SEGMENT_LEAST, SEGMENT_MOST, SEGMENT_STEP, tokens)
        self.overlap = Count(automatic, 0, OVERLAP_MOST, OVERLAP_STEP, tokens)
        self.join = Choice()
        for name, words in self._joins().items():
            self.join.addItem(words, name)
        self.keep = Count(automatic, 1, SEGMENTS_MOST, 1, segments)
        self.asked = Count(self.tr("All"), 1, SEGMENTS_MOST, 1, segments)
        self._row_of = {
            "segment": Row(self.tr("Segment length"), self.segment),
            "overlap": Row(self.tr("Overlap"), self.overlap),
            "asked": Row(self.tr("Question put to"), self.asked),
            "keep": Row(self.tr("Answer written over"), self.keep),
            "join": Row(self.tr("Segments joined by"), self.join),
        }
        self.origin = Note()
        self.add(self.mode, self.mode_note)
        for row in self._row_of.values():
            self.add(row)
        self.add(self.origin)
        self.mode.chosen.connect(lambda name: self._change(reading_mode=name))
        self.segment.chosen.connect(lambda amount: self._change(segment=amount))
        self.overlap.chosen.connect(lambda amount: self._change(overlap=amount))
        self.keep.chosen.connect(lambda amount: self._change(keep=amount))
        self.asked.chosen.connect(lambda amount: self._change(asked=amount))
        self.join.activated.connect(lambda _: self._change(join=self.join.currentData()))

    def row(self, name: str) -> Row:
        """By the setting's name: segment, overlap, asked, keep or join."""
        return self._row_of[name]

    def show_settings(self, settings: Settings, known: Calibration | None, whole_only: bool = False) -> None:
        """`known`: what automatic comes to for the chosen model, None while it is not loaded. `whole_only`: it reads
        every text whole."""
        self._settings, self._whole_only = settings, whole_only
        self.mode.set_current(settings.reading_mode)
        self.segment.set_amount(settings.segment, known.segment if known else None)
        self.overlap.set_amount(settings.overlap, known.overlap if known else None)
        self.keep.set_amount(settings.keep, known.keep if known else None)
        self.asked.set_amount(settings.asked)
        self.join.setCurrentIndex(self.join.findData(settings.join))
        apart = settings.reading_mode != "whole" and not whole_only and not policies.on(settings)
        apart = apart and settings.selection == "none"
        for row in self._row_of.values():
            row.setEnabled(apart)
        self.mode.setEnabled(not whole_only)
        self._say(settings, known)

    def state(self, known: Calibration | None) -> str:
        """The section in a few words."""
        settings = self._settings
        if self._whole_only:
            return self.tr("This model reads every text whole")
        if policies.on(settings):
            return self.tr("Read whole, by the policy under “What is kept”")
        if settings.selection != "none":
            return self.tr("Refused, by what is looked at under “What is kept”")
        if settings.reading_mode == "whole":
            return self.tr("Refused")
        segment = settings.segment or (known.segment if known else None)
        keep = settings.keep or (known.keep if known else None)
        if segment is None or keep is None:
            return self.tr("In segments") if settings.reading_mode == "auto" else self.tr("All texts in segments")
        if settings.reading_mode == "auto":
            told = self.tr("In segments of {n} tokens, answers over {keep} of them")
        else:
            told = self.tr("All texts in segments of {n} tokens, answers over {keep} of them")
        return told.format(n=quantities.number(segment), keep=quantities.number(keep))

    def _joins(self) -> dict[str, str]:
        return {
            "auto": self.tr("Automatic"),
            "shared": self.tr("Shared positions"),
            "consecutive": self.tr("Consecutive positions"),
            "reread": self.tr("Read again"),
        }

    def _say(self, settings: Settings, known: Calibration | None) -> None:
        modes = {
            "auto": self.tr("What fits the window is read whole. A longer text is read in segments, each on its own."),
            "parallel": self.tr("Also a text that fits the window is read in segments, each on its own."),
            "whole": self.tr("A text longer than the window is refused before anything of it is read."),
        }
        modes["only"] = self.tr("This model was made for long texts: it reads every text whole, up to its window.")
        modes["policy"] = self.tr("With the policy that is chosen under “What is kept”, every text is read whole.")
        modes["selection"] = self.tr(
            "With what is chosen to be looked at under “What is kept”, a text is read whole or refused: one longer "
            "than the window is not read in segments."
        )
        modes["selection_parallel"] = self.tr(
            "With what is chosen to be looked at under “What is kept”, no text is read in segments: every one is "
            "refused."
        )
        selects = settings.selection != "none" and settings.reading_mode != "whole"
        by_policy = policies.on(settings) and settings.reading_mode != "parallel"
        by_selection = "selection_parallel" if settings.reading_mode == "parallel" else "selection"
        others = "policy" if by_policy else by_selection if selects else settings.reading_mode
        note = modes["only" if self._whole_only else others]
        self.mode_note.show_text(note, modes.values())
        self.mode.setAccessibleDescription(note)
        self._row_of["segment"].say(
            self._with_automatic(
                self.tr("Tokens read together, at most. Short ones are found surer, long ones keep more in context."),
                known and quantities.number(known.segment),
            )
        )
        self._row_of["overlap"].say(
            self._with_automatic(
                self.tr("Tokens that a segment repeats of the one before, so that no sentence is torn."),
                known and quantities.number(known.overlap),
            )
        )
        every = self.tr("Your question is put to every segment, so that none is missed.")
        some = self.tr("Only the likeliest by a first look: sooner, but less sure.")
        self._row_of["asked"].say(every if settings.asked is None else some, (every, some))
        few = self.tr("At most so many segments, those that explain your question best.")
        if known:
            few += " " + self.tr("Automatic here: {n}, within {gap} nats of the first.").format(
                n=quantities.number(known.keep), gap=quantities.decimal(known.gap, 2)
            )
        self._row_of["keep"].say(few)
        joins = {
            "auto": self.tr("How the segments that an answer sees are put together."),
            "shared": self.tr("Each keeps the positions it was read at. At once; small models fall silent beyond two."),
            "consecutive": self.tr("Positions are counted on from one to the next, exactly. Nothing is read again."),
            "reread": self.tr("Their text is read again in one piece. The surest for comparing, and the slowest."),
        }
        if known:
            joins["auto"] += " " + self.tr("Automatic here: {name}.").format(name=self._joins()[known.join].lower())
        self._row_of["join"].say(joins[settings.join], joins.values())
        if known is None:
            origin = self.tr("What automatic comes to is known once the model is loaded.")
        elif known.measured:
            origin = self.tr("What is automatic was measured with this model.")
        else:
            origin = self.tr("What is automatic is usual for models of this size; it was not measured with this one.")
        self.origin.show_text(origin)

    def _with_automatic(self, does: str, amount: str | None) -> str:
        return does + " " + self.tr("Automatic here: {n}.").format(n=amount) if amount else does
