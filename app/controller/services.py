"""Everything that lives as long as the window, built once by `app.application`."""

from dataclasses import dataclass

from app.services.assistant import Assistant
from app.services.collections import Collections
from app.services.conversations import Conversations
from app.services.database import Database
from app.services.downloads import Downloads
from app.services.keys import Keys
from app.services.library import Library
from app.services.models import Models
from app.services.originals import Originals
from app.services.privacy import Connections
from app.services.providers import Providers
from app.services.settings import SettingsStore
from app.services.text_index import TextIndex
from app.services.text_search import TextSearch
from engine.client import Engine


@dataclass(frozen=True)
class Services:
    database: Database
    library: Library
    conversations: Conversations
    settings: SettingsStore
    models: Models
    downloads: Downloads
    connections: Connections
    engine: Engine
    assistant: Assistant
    collections: Collections
    originals: Originals
    index: TextIndex
    search: TextSearch
    providers: Providers
    keys: Keys
