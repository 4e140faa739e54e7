"""What is kept of a text that is read whole: everything, or a share of it by a policy that forgets the rest; and how
much of what is kept is looked at."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QSlider, QWidget

from app.data import policies
from app.data.policies import NAMES
from app.data.settings import Settings
from app.models import quantities
from app.views.fields import Choice
from app.views.settings_rows import Headline, Note, Row, Section
from engine.protocol import Loaded, Planned

FIRST = 0.5
"""Share that is kept by a policy that was just chosen, where none was said before."""


class KeptSection(Section):
    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self._window = 0
        self.about = Note()
        self.about.show_text(
            self.tr(
                "A policy keeps some of a text's keys and values and forgets the rest: less memory and faster writing, "
                "and what is gone is gone. Each answer says what was forgotten, and of which pages."
            )
        )
        self.policy = Choice()
        for name, words in NAMES.items():
            self.policy.addItem(words or self.tr("Keep everything"), name)
        self._policy_row = Row(self.tr("Policy"), self.policy)
        self.share_line = Headline()
        self.share = QSlider(Qt.Orientation.Horizontal)
        self.share.setRange(1, 100)
        self.share.setPageStep(10)
        self.share.setAccessibleName(self.tr("Keep of a text"))
        self.saved = Note()
        self.whole_note = Note()
        self.warning = Note("small-warn")
        self.add(self.about)
        self.add(self._policy_row)
        self.add(self.warning)
        self.add(self.share_line, self.share, self.saved)
        self.add(self.whole_note)
        self.selection = Choice()
        for name, words in self._selections().items():
            self.selection.addItem(words, name)
        self._selection_row = Row(self.tr("What is looked at"), self.selection)
        self.selection_warning = Note("small-warn")
        self.add(self._selection_row, self.selection_warning)
        self.selection.activated.connect(lambda _: self._look_at(self.selection.currentData()))
        self.policy.activated.connect(lambda _: self._choose(self.policy.currentData()))
        self.share.valueChanged.connect(self._choose_share)

    def show_settings(self, settings: Settings, loaded: Loaded | None, plan: Planned | None) -> None:
        """`loaded`: None while the chosen model is not the one that is loaded. `plan`: None where it is not known."""
        self._settings = settings
        on = policies.on(settings)
        self.policy.setCurrentIndex(self.policy.findData(settings.policy))
        self._show_allowed(self._allowed(loaded, plan))
        about = self._abouts()
        self._policy_row.say(about[settings.policy], about.values())
        obstacle = self.obstacle(loaded, plan)
        self.warning.show_text(f"⚠ {obstacle}" if obstacle and on else obstacle or self._beside(loaded))
        self.warning.set_role("small-warn" if obstacle and on else "caption")
        self.warning.setVisible(bool(self.warning.text()))
        self._show_share(settings, plan, bool(obstacle))
        whole = self._wholes()
        self.whole_note.show_text(whole[self._whole(settings)], whole.values())
        self.selection.setCurrentIndex(self.selection.findData(settings.selection))
        looks = self._looks()
        self._selection_row.say(looks[settings.selection], looks.values())
        refused = self._no_selection(settings, loaded)
        self.selection_warning.show_text(f"⚠ {refused}" if refused else "")
        self.selection_warning.setVisible(bool(refused))

    def state(self, loaded: Loaded | None, plan: Planned | None) -> str:
        """The section in a few words."""
        settings = self._settings
        if not policies.on(settings):
            part = settings.selection != "none"
            return self.tr("Everything, and a part is looked at") if part else self.tr("Everything")
        name = NAMES[settings.policy]
        if self.obstacle(loaded, plan):
            return self.tr("{policy} · cannot be had as things are set").format(policy=name)
        return f"{name} · {self._kept_words(settings, plan)}"

    def obstacle(self, loaded: Loaded | None, plan: Planned | None) -> str:
        """Why the engine would refuse a question with a policy; "": it would not, as far as is known."""
        can, policy = self._allowed(loaded, plan), self._settings.policy
        if can is not None and not can:
            return self.tr(
                "{model} does not keep all of a text in every layer, so no policy can choose what to forget: questions "
                "would be refused. Keep everything."
            ).format(model=loaded.name if loaded is not None else self.tr("This model"))
        if can is not None and policy != "none" and policy not in can:
            if can == ("blocks",):
                return self.tr(
                    "{model} chooses blocks of a text to look at, and forgets whole blocks or nothing: questions would "
                    "be refused. Choose {policy}, or keep everything."
                ).format(model=loaded.name if loaded is not None else self.tr("This model"), policy=NAMES["blocks"])
            return self.tr(
                "This model chooses no blocks that could be forgotten: questions would be refused. Choose another "
                "policy, or keep everything."
            )
        if policies.on(self._settings) and self._settings.reading_mode == "parallel":
            return self.tr(
                "Every text is to be read in segments, as is set below: then a policy has nothing to choose, and "
                "questions would be refused."
            )
        return ""

    def _allowed(self, loaded: Loaded | None, plan: Planned | None) -> tuple[str, ...] | None:
        """Policies that a model of this kind can have; None: it is not known."""
        if plan is not None and plan.policies:
            return plan.policies
        if loaded is None:
            return None
        if "sparse" in loaded.layers:
            return ("blocks",)
        whole = loaded.whole_only or "full" not in loaded.layers
        return () if whole else tuple(name for name in NAMES if name not in ("none", "blocks"))

    def _show_allowed(self, can: tuple[str, ...] | None) -> None:
        """The list shows what can be chosen with the model; what cannot stays in it, greyed."""
        model = self.policy.model()
        assert isinstance(model, QStandardItemModel)
        for row in range(self.policy.count()):
            name = self.policy.itemData(row)
            model.item(row).setEnabled(can is None or name == "none" or name in can)

    def _no_selection(self, settings: Settings, loaded: Loaded | None) -> str:
        """Why the engine would refuse every question with this selection; "": it would not, as far as is known."""
        if settings.selection == "none" or loaded is None or set(loaded.layers) == {"full"}:
            return ""
        return self.tr(
            "{model} looks at a text in a way of its own, so questions would be refused. Look at all of it."
        ).format(model=loaded.name)

    def _beside(self, loaded: Loaded | None) -> str:
        """What holds for some of the loaded model's layers alone."""
        sliding = loaded.layers.get("sliding", 0) if loaded is not None else 0
        if loaded is None or not sliding:
            return ""
        counts = {"n": quantities.number(sliding), "total": quantities.number(sum(loaded.layers.values()))}
        return self.tr(
            "{n} of this model's {total} layers see only what is near, and keep all of that in any case; the others "
            "forget."
        ).format_map(counts)

    def _show_share(self, settings: Settings, plan: Planned | None, obstacle: bool) -> None:
        on = policies.on(settings)
        window = plan.window if plan is not None else 0
        counted = policies.planned(settings, plan)
        percent = round((settings.policy_keep or 1.0) * 100)
        if on and settings.policy_keep is None and window:
            rows = counted.rows if counted is not None else policies.kept(settings, window, window)
            percent = round(rows * 100 / window)
        percent = min(max(percent, 1), 100) if on else 100
        blocked = self.share.blockSignals(True)
        self.share.setValue(percent)
        self.share.blockSignals(blocked)
        self.share.setEnabled(on)
        self.share_line.words.setText(self.tr("Keep {n} % of a text").format(n=percent))
        self.share_line.say(self._of_window(settings, plan) if on else self.tr("everything"))
        nothing, refused = self.tr("Nothing is forgotten."), self.tr("As things are set, nothing is saved.")
        texts = self._saved(settings, plan)
        said = nothing if not on else refused if obstacle else texts[0]
        self.saved.show_text(said, texts)
        self.share.setAccessibleDescription(f"{self.share_line.words.text()}. {said}")

    def _of_window(self, settings: Settings, plan: Planned | None) -> str:
        window, counted = plan.window if plan is not None else 0, policies.planned(settings, plan)
        if not window or (counted is None and settings.policy == "blocks"):
            return ""
        rows = quantities.number(counted.rows if counted is not None else policies.kept(settings, window, window))
        return self.tr("{n} of {tokens}").format(n=rows, tokens=quantities.tokens(window))

    def _kept_words(self, settings: Settings, plan: Planned | None) -> str:
        if settings.policy_keep is not None:
            return self.tr("keeps {n} %").format(n=round(settings.policy_keep * 100))
        most = quantities.tokens(settings.policy_rows or policies.USUAL)
        return self.tr("keeps {tokens}").format(tokens=most)

    def _saved(self, settings: Settings, plan: Planned | None) -> list[str]:
        """Bytes that keys and values of a full window take with the policy and without, in a sentence; then those that
        may come to stand there instead."""
        counted = policies.planned(settings, plan)
        if plan is None or not plan.window or (counted is None and settings.policy == "blocks"):
            return [self.tr("What this saves is not known yet.")]
        rows = policies.held(settings, plan.window, plan.window)
        reading, after = (plan.kv * count // plan.window for count in rows)
        if counted is not None:
            reading, after = counted.reading, counted.after
        sizes = {
            "all": quantities.size(plan.kv),
            "held": quantities.size(after),
            "saved": quantities.size(plan.kv - after),
        }
        nothing = self.tr("A full window's K/V: {all} all the same; only writing is faster.")
        later = self.tr("A full window's K/V: {all} while it is read, then at most {held}: {saved} less.")
        less = self.tr("A full window's K/V: at most {held} in place of {all}: {saved} less.")
        said = nothing if after >= plan.kv else later if reading > after else less
        return [text.format_map(sizes) for text in (said, nothing, later, less)]

    def _abouts(self) -> dict[str, str]:
        return {
            "none": self.tr("The surest for every question, and the most memory."),
            "triattention": self.tr(
                "Keeps what this model tends to look at, measured once. Good for long writing; it does "
                "not know your question, so a rare detail may be lost."
            ),
            "h2o": self.tr(
                "Keeps what was looked at most so far. Good for summaries; reading takes longer, and a detail that "
                "nothing pointed to is lost."
            ),
            "snapkv": self.tr(
                "Keeps what your question looks at. Good for one question over a text; a second one about another "
                "place suffers."
            ),
            "streaming": self.tr(
                "Keeps the beginning and what is newest. Good for a chat without an end; the middle of a text is "
                "forgotten."
            ),
            "blocks": self.tr(
                "For models that choose blocks: keeps those that were chosen most. Good for long texts and answers; "
                "what nothing has asked for yet is lost."
            ),
        }

    def _selections(self) -> dict[str, str]:
        return {
            "none": self.tr("All that is kept"),
            "quest": self.tr("Likely pages, in writing"),
            "blocks": self.tr("Likely blocks, in reading"),
        }

    def _looks(self) -> dict[str, str]:
        return {
            "none": self.tr("Every token sees everything before it."),
            "quest": self.tr(
                "From 12,288 tokens on each written token looks at the rows that may matter most to it (Quest): long "
                "texts are answered faster, and nothing is forgotten. Texts must fit the window; no policy beside it."
            ),
            "blocks": self.tr(
                "From 16,384 tokens on what is read looks at the blocks that matter most (XAttention): long texts are "
                "read faster and less exactly, and not kept on disk. Texts must fit the window; no policy beside it."
            ),
        }

    def _whole(self, settings: Settings) -> str:
        return "none" if not policies.on(settings) else "endless" if policies.endless(settings) else "whole"

    def _wholes(self) -> dict[str, str]:
        return {
            "none": self.tr("Texts in segments have a choice of their own: “Keep of what was read”, above."),
            "whole": self.tr(
                "With a policy every text is read whole, so one longer than the window is refused. Nothing of it is "
                "saved on disk, and no question goes over every part."
            ),
            "endless": self.tr(
                "With this policy every text is read whole, also one longer than the window. Nothing of it is saved on "
                "disk, and no question goes over every part."
            ),
        }

    def _choose_share(self, percent: int) -> None:
        """A number of tokens that was set beside it would go before it in silence."""
        self._change(policy_keep=percent / 100, policy_rows=None)

    def _choose(self, policy: str) -> None:
        """What the settings say besides goes with the choice where the policy knows it."""
        settings = self._settings
        if policy == settings.policy:
            return
        self._settings = policies.chosen(settings, policy)
        fields: dict[str, object] = {}
        if policy != "none":
            fields["selection"] = "none"
        if policy != "none" and settings.policy_keep is None and settings.policy_rows is None:
            fields["policy_keep"] = FIRST
        self._change(**fields)

    def _look_at(self, selection: str) -> None:
        """The engine takes one or the other: what is forgotten cannot be selected."""
        if selection == self._settings.selection:
            return
        self._change(selection=selection, policy="none" if selection != "none" else self._settings.policy)
