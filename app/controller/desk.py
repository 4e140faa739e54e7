"""What every controller works with."""

from dataclasses import dataclass

from app.controller.attachments import Attachments
from app.controller.consent import Consent
from app.controller.services import Services
from app.controller.state import State
from app.controller.tasks import Tasks
from app.controller.undo import Undo
from app.views.notices import Notices
from app.views.window import MainWindow


@dataclass(frozen=True)
class Desk:
    services: Services
    state: State
    window: MainWindow
    notices: Notices
    tasks: Tasks
    undo: Undo
    attachments: Attachments
    consent: Consent
