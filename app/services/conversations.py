"""Conversations and their messages, kept as they happen. Deleting marks; nothing leaves the file until `forget`."""

import datetime
import time
import uuid
from collections.abc import Iterable
from contextlib import AbstractContextManager

import msgspec

from app.data.conversation import Conversation, Failure, Found, FoundPart, Message
from app.data.evidence import SentenceEvidence
from app.data.ledger import Ledger
from app.data.quote import Quote
from app.services.database import Database, Row, Value
from app.services.search import matcher, snippet

TITLE_CHARACTERS = 60
FOUND_AT_MOST = 200
TELLING = 512
"""Tokens that must have been read for their rate to say anything of a longer text."""
WRITTEN = 8
"""The same of writing."""

CONVERSATION = "id, title, began, updated, draft, pending"
MESSAGE = "id, conversation, role, text, created, documents, state, ledger, failure, found, quotes, evidence"


# `Conversations.list` hides the builtin of that name from the annotations below it
Messages = list[Message]
Places = list[Found]


class Removed(msgspec.Struct, frozen=True):
    """Messages that were taken out of a conversation, oldest first, for `Conversations.restore_messages`.

    `instead`: those that came back in their place and go when they return.
    """

    conversation: str
    messages: tuple[str, ...]
    instead: tuple[str, ...] = ()


class Detached(msgspec.Struct, frozen=True):
    """What held an item before it was taken out of a conversation, for `Conversations.attach_again`."""

    conversation: str
    pending: tuple[str, ...]
    documents: dict[str, tuple[str, ...]]
    """By message."""


class Conversations:
    """All conversations of one database. Unknown ids raise KeyError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def together(self) -> AbstractContextManager[None]:
        """Everything inside is kept, or nothing."""
        return self._database.writing()

    def new(self) -> Conversation:
        now = datetime.datetime.now().astimezone()
        made = Conversation(uuid.uuid4().hex, "", now.isoformat(timespec="seconds"), now.timestamp())
        self._database.changed(
            "INSERT INTO conversations (id, title, began, updated) VALUES (?, ?, ?, ?)",
            (made.id, made.title, made.began, made.updated),
        )
        return made

    def list(self) -> list[Conversation]:
        """Those that are not removed, the one used last first."""
        rows = self._database.rows(
            f"SELECT {CONVERSATION} FROM conversations WHERE deleted_at IS NULL ORDER BY updated DESC, rowid DESC"
        )
        return [_conversation(row) for row in rows]

    def get(self, id: str) -> Conversation:
        """A conversation, removed or not."""
        rows = self._database.rows(f"SELECT {CONVERSATION} FROM conversations WHERE id = ?", (id,))
        if not rows:
            raise KeyError(id)
        return _conversation(rows[0])

    def rename(self, id: str, title: str) -> None:
        self._set(id, "title", " ".join(title.split()))

    def remove(self, id: str) -> None:
        """Hide it from `list` and `search` until `restore`."""
        self._set(id, "deleted_at", time.time())

    def restore(self, id: str) -> None:
        self._set(id, "deleted_at", None)

    def forget(self, id: str) -> None:
        """Delete it and its messages for good."""
        with self._database.writing():
            self._database.changed("DELETE FROM messages WHERE conversation = ?", (id,))  # fires the search's triggers
            self._database.changed("DELETE FROM conversations WHERE id = ?", (id,))

    def save_draft(self, id: str, text: str) -> None:
        self._set(id, "draft", text)

    def set_pending(self, id: str, items: tuple[str, ...]) -> None:
        """Keep which library items are attached to the question that is not yet asked."""
        self._set(id, "pending", _json(items))

    def messages(self, id: str) -> Messages:
        """Those that are not removed, oldest first."""
        rows = self._database.rows(
            f"SELECT {MESSAGE} FROM messages WHERE conversation = ? AND deleted_at IS NULL ORDER BY n", (id,)
        )
        return [_message(row) for row in rows]

    def message(self, id: str) -> Message:
        """A message, removed or not."""
        rows = self._database.rows(f"SELECT {MESSAGE} FROM messages WHERE id = ?", (id,))
        if not rows:
            raise KeyError(id)
        return _message(rows[0])

    def add(self, message: Message) -> None:
        """Keep a new message at the end of its conversation; the first question names a conversation without title."""
        title = _title(message.text) if message.role == "user" else ""
        with self._database.writing():
            known = self._database.changed(
                "UPDATE conversations SET updated = ?, title = iif(title = '', ?, title) WHERE id = ?",
                (message.created, title, message.conversation),
            )
            if not known:
                raise KeyError(message.conversation)
            self._database.changed(
                f"INSERT INTO messages ({MESSAGE}) VALUES ({', '.join('?' * 12)})",
                (
                    *(message.id, message.conversation, message.role, message.text, message.created),
                    *(_json(message.documents), message.state, _json(message.ledger), _json(message.failure)),
                    *_of_answer(message),
                ),
            )

    def ask(self, question: Message, answer: Message) -> None:
        """Keep a question and the answer to be, and empty the draft and what was attached, in one step."""
        with self._database.writing():
            self.add(question)
            self.add(answer)
            self.save_draft(question.conversation, "")
            self.set_pending(question.conversation, ())

    def update(self, message: Message) -> None:
        """Keep what a message has become: its text, state, ledger, failure, and what was found, quoted and read."""
        done = self._database.changed(
            "UPDATE messages SET text = ?, state = ?, ledger = ?, failure = ?, found = ?, quotes = ?, evidence = ? "
            "WHERE id = ?",
            (
                *(message.text, message.state, _json(message.ledger), _json(message.failure)),
                *(*_of_answer(message), message.id),
            ),
        )
        if not done:
            raise KeyError(message.id)

    def remove_after(self, message_id: str) -> Removed:
        """Take out all that came after a message."""
        return self._remove(message_id, ">")

    def remove_from(self, message_id: str) -> Removed:
        """Take out a message and all that came after it."""
        return self._remove(message_id, ">=")

    def _remove(self, message_id: str, compare: str) -> Removed:
        conversation = self.message(message_id).conversation
        with self._database.writing():
            rows = self._database.rows(
                "UPDATE messages SET deleted_at = ? WHERE conversation = ? AND deleted_at IS NULL "
                f"AND n {compare} (SELECT n FROM messages WHERE id = ?) RETURNING n, id",
                (time.time(), conversation, message_id),
            )
        return Removed(conversation, tuple(id for _, id in sorted(rows)))

    def restore_messages(self, removed: Removed) -> Removed:
        """Bring back what was taken out, in place of what came since. The result undoes it by the same call."""
        with self._database.writing():
            since = self.remove_from(removed.messages[0]).messages if removed.messages else ()
            for id in removed.instead:
                self._database.changed("UPDATE messages SET deleted_at = ? WHERE id = ?", (time.time(), id))
            for id in removed.messages:
                self._database.changed("UPDATE messages SET deleted_at = NULL WHERE id = ?", (id,))
        return Removed(removed.conversation, (*removed.instead, *since), removed.messages)

    def detach(self, id: str, item: str) -> Detached:
        """Take an item out of a conversation's questions, asked and to come."""
        with self._database.writing():
            pending = self.get(id).pending
            held = {message.id: message.documents for message in self.messages(id) if item in message.documents}
            self.set_pending(id, tuple(one for one in pending if one != item))
            for message, documents in held.items():
                self._hold(message, tuple(one for one in documents if one != item))
        return Detached(id, pending, held)

    def attach_again(self, detached: Detached) -> None:
        with self._database.writing():
            self.set_pending(detached.conversation, detached.pending)
            for message, documents in detached.documents.items():
                self._hold(message, documents)

    def _hold(self, message: str, documents: tuple[str, ...]) -> None:
        self._database.changed("UPDATE messages SET documents = ? WHERE id = ?", (_json(documents), message))

    def holding(self, items: Iterable[str]) -> int:
        """In how many conversations that are not removed a question was asked about any of these items."""
        ((count,),) = self._database.rows(
            "SELECT count(DISTINCT m.conversation) FROM messages m, json_each(m.documents) held "
            "JOIN conversations c ON c.id = m.conversation WHERE m.deleted_at IS NULL AND c.deleted_at IS NULL "
            "AND held.value IN (SELECT value FROM json_each(?))",
            (_json(list(items)),),
        )
        return int(count)

    def settle(self) -> int:
        """Mark answers that a program's end cut short as stopped; how many. For who holds the engine's lock."""
        return self._database.changed("UPDATE messages SET state = 'stopped' WHERE state IN ('waiting', 'writing')")

    def search(self, text: str) -> Places:
        """Conversations that hold all the words, in their title or in one message, the one used last first."""
        words = text.split()
        if not words:
            return []
        in_title, title_values = matcher(words, "c.title")
        in_text, text_values = matcher(words, "m.text", index="words", row="m.n")
        rows = self._database.rows(
            "SELECT c.id, c.title, (SELECT m.text FROM messages m WHERE m.conversation = c.id "
            f"AND m.deleted_at IS NULL AND {in_text} ORDER BY m.n LIMIT 1) AS hit "
            f"FROM conversations c WHERE c.deleted_at IS NULL AND (hit IS NOT NULL OR {in_title}) "
            f"ORDER BY c.updated DESC LIMIT {FOUND_AT_MOST}",
            (*text_values, *title_values),
        )
        return [Found(id, title, snippet(title if hit is None else hit, words)) for id, title, hit in rows]

    def reading_rate(self, fingerprint: str, precision: str) -> float | None:
        """Tokens a second that this model was last seen to read on this computer; None: it read too little so far."""
        return self._rate("reading_rate", "read", TELLING, fingerprint, precision)

    def writing_rate(self, fingerprint: str, precision: str) -> float | None:
        """The same of writing."""
        return self._rate("writing_rate", "written", WRITTEN, fingerprint, precision)

    def _rate(self, rate: str, of: str, least: int, fingerprint: str, precision: str) -> float | None:
        rows = self._database.rows(
            f"SELECT json_extract(ledger, '$.{rate}') FROM messages WHERE ledger IS NOT NULL "
            "AND json_extract(ledger, '$.fingerprint') = ? AND json_extract(ledger, '$.precision') = ? "
            f"AND json_extract(ledger, '$.{of}') >= ? AND json_extract(ledger, '$.{rate}') IS NOT NULL "
            "ORDER BY n DESC LIMIT 1",
            (fingerprint, precision, least),
        )
        return float(rows[0][0]) if rows else None

    def _set(self, id: str, column: str, value: Value) -> None:
        if not self._database.changed(f"UPDATE conversations SET {column} = ? WHERE id = ?", (value, id)):
            raise KeyError(id)


def _title(question: str) -> str:
    words = " ".join(question.split())
    return words if len(words) <= TITLE_CHARACTERS else words[: TITLE_CHARACTERS - 1].rstrip() + "…"


def _json(value: object) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()


def _of_answer(message: Message) -> tuple[str | None, str | None, str | None]:
    return _json(message.found or None), _json(message.quotes or None), _json(message.evidence or None)


def _conversation(row: Row) -> Conversation:
    id, title, began, updated, draft, pending = row
    return Conversation(id, title, began, updated, draft, msgspec.json.decode(pending, type=tuple[str, ...]))


def _message(row: Row) -> Message:
    id, conversation, role, text, created, documents, state, ledger, failure, found, quotes, evidence = row
    return Message(
        *(id, conversation, role, text, created),
        documents=msgspec.json.decode(documents, type=tuple[str, ...]),
        state=state,
        ledger=None if ledger is None else msgspec.json.decode(ledger, type=Ledger),
        failure=None if failure is None else msgspec.json.decode(failure, type=Failure),
        found=() if found is None else msgspec.json.decode(found, type=tuple[FoundPart, ...]),
        quotes=() if quotes is None else msgspec.json.decode(quotes, type=tuple[Quote, ...]),
        evidence=() if evidence is None else msgspec.json.decode(evidence, type=tuple[SentenceEvidence, ...]),
    )
