"""The database's shape, as the steps that lead to it. A step that was released is never changed; a new one is added."""

FIRST = """
CREATE TABLE items (
    id TEXT PRIMARY KEY,          -- sha256 of the text
    about TEXT NOT NULL,          -- JSON: what `Item` says and no other column does
    spans TEXT NOT NULL,          -- JSON: the pages, sections or files of the text
    added REAL NOT NULL,
    deleted_at REAL
) STRICT;

CREATE TABLE counts (             -- tokens of an item, by the tokenizer of one model
    item TEXT NOT NULL REFERENCES items(id) ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    PRIMARY KEY (item, fingerprint)
) STRICT, WITHOUT ROWID;

CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    began TEXT NOT NULL,
    updated REAL NOT NULL,
    draft TEXT NOT NULL DEFAULT '',
    pending TEXT NOT NULL DEFAULT '[]',   -- JSON: ids of items
    deleted_at REAL
) STRICT;

CREATE TABLE messages (
    n INTEGER PRIMARY KEY,        -- the order in a conversation
    id TEXT NOT NULL UNIQUE,
    conversation TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    created REAL NOT NULL,
    documents TEXT NOT NULL,      -- JSON: ids of items
    state TEXT NOT NULL,
    ledger TEXT,                  -- JSON
    failure TEXT,                 -- JSON
    deleted_at REAL
) STRICT;
CREATE INDEX messages_of ON messages(conversation, n);

-- Trigrams find words in scripts that are written without spaces.
CREATE VIRTUAL TABLE words USING fts5(text, content='messages', content_rowid='n', tokenize='trigram');
CREATE TRIGGER words_added AFTER INSERT ON messages BEGIN
    INSERT INTO words(rowid, text) VALUES (new.n, new.text);
END;
CREATE TRIGGER words_removed AFTER DELETE ON messages BEGIN
    INSERT INTO words(words, rowid, text) VALUES ('delete', old.n, old.text);
END;
CREATE TRIGGER words_changed AFTER UPDATE OF text ON messages BEGIN
    INSERT INTO words(words, rowid, text) VALUES ('delete', old.n, old.text);
    INSERT INTO words(rowid, text) VALUES (new.n, new.text);
END;
"""

FOUND = """
ALTER TABLE messages ADD COLUMN found TEXT;  -- JSON: what each part of the text gave; NULL when parts were not asked
"""

EVIDENCE = """
ALTER TABLE messages ADD COLUMN quotes TEXT;    -- JSON; NULL when there are none
ALTER TABLE messages ADD COLUMN evidence TEXT;  -- JSON; NULL when there is none
ALTER TABLE items ADD COLUMN headings TEXT NOT NULL DEFAULT '[]';  -- JSON
ALTER TABLE items ADD COLUMN runs TEXT NOT NULL DEFAULT '[]';      -- JSON: where a PDF's text stands on its pages
"""

MATTERS = """
CREATE TABLE matters (            -- collections of items
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    made REAL NOT NULL,
    deleted_at REAL
) STRICT;

CREATE TABLE held (               -- which items a matter holds
    matter TEXT NOT NULL REFERENCES matters(id) ON DELETE CASCADE,
    item TEXT NOT NULL REFERENCES items(id) ON DELETE CASCADE,
    added REAL NOT NULL,
    PRIMARY KEY (matter, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX held_item ON held(item);

ALTER TABLE items ADD COLUMN origin TEXT;  -- JSON: how it was made; NULL of what an older Longread added
ALTER TABLE items ADD COLUMN succeeds TEXT REFERENCES items(id) ON DELETE SET NULL;  -- the same file's version before
CREATE INDEX items_succeed ON items(succeeds);
CREATE INDEX items_size ON items(json_extract(about, '$.file_size'));
"""

KEYS = """
CREATE TABLE keys (               -- of the local API
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,    -- sha256 of the secret, which is kept nowhere
    hint TEXT NOT NULL,           -- its last letters
    models TEXT NOT NULL,         -- JSON: names; [] for all
    documents TEXT NOT NULL,      -- JSON: ids of items, which may have been deleted since; [] for all
    remote INTEGER NOT NULL,
    daily_tokens INTEGER,
    created REAL NOT NULL,
    last_used REAL,
    requests INTEGER NOT NULL DEFAULT 0,
    prompt INTEGER NOT NULL DEFAULT 0,
    reused INTEGER NOT NULL DEFAULT 0,
    written INTEGER NOT NULL DEFAULT 0,
    day TEXT NOT NULL DEFAULT '', -- the date that `today` counts tokens of
    today INTEGER NOT NULL DEFAULT 0,
    last_error TEXT NOT NULL DEFAULT '',
    revoked_at REAL
) STRICT;
"""

STEPS: tuple[str, ...] = (FIRST, FOUND, EVIDENCE, MATTERS, KEYS)
"""Step n leads from version n to n + 1; a new database is version 0."""
