/**
 * Each migration turns a file of one version into one of the next; the first starts with an empty file. A published
 * migration is never changed: a new one is added.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE threads (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX threads_by_update ON threads (updated_at, id);

  CREATE TABLE runs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    idempotency_key TEXT,
    after_run_id TEXT,
    parent_run_id TEXT,
    agent TEXT,
    format TEXT NOT NULL,
    parser_version INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    state TEXT NOT NULL,
    outcome TEXT,
    seq INTEGER NOT NULL DEFAULT 0,
    raw_records INTEGER NOT NULL DEFAULT 0,
    inputs INTEGER NOT NULL DEFAULT 0,
    last_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    UNIQUE (thread_id, idempotency_key)
  ) STRICT;
  CREATE INDEX open_runs ON runs (number) WHERE state <> 'ended';

  -- A row holds the entries of one append, or of many once they are packed: events is a JSON array, or that array
  -- deflated; stamps says for how many of them in turn which time and how many raw records hold.
  CREATE TABLE entries (
    run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
    last_seq INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    stamps TEXT NOT NULL,
    events ANY NOT NULL,
    PRIMARY KEY (run, last_seq)
  ) STRICT, WITHOUT ROWID;

  -- The body of a producer's record is its bytes; of a server's event, its JSON.
  CREATE TABLE inputs (
    run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT,
    body ANY NOT NULL,
    PRIMARY KEY (run, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    chat_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    content TEXT NOT NULL,
    message_metadata TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX messages_by_chat ON messages (chat_id);
  `,
  // Within a thread the index is ordered by number, so that the newest run is found without reading the others.
  'CREATE INDEX runs_by_thread ON runs (thread_id);',
  'ALTER TABLE runs ADD COLUMN framing TEXT;',
  'ALTER TABLE runs ADD COLUMN request_hash TEXT;',
  // A file is unused once the last thread that names it is deleted. It is listed until the store has removed it.
  `
  CREATE TABLE files (
    id TEXT NOT NULL,
    thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    PRIMARY KEY (id, thread_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX files_by_thread ON files (thread_id);
  CREATE TABLE unused_files (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  `,
  'ALTER TABLE runs ADD COLUMN reader_version INTEGER;',
  // An open run of an earlier release had an owner that has ended: the next node takes it over.
  `
  ALTER TABLE threads ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE runs ADD COLUMN owner TEXT;
  ALTER TABLE runs ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE runs ADD COLUMN wait_until INTEGER;
  UPDATE runs SET owner = 'an earlier release' WHERE state <> 'ended';
  CREATE TABLE nodes (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  -- key, by, command and result are JSON.
  CREATE TABLE commands (
    run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    key TEXT,
    by TEXT,
    at INTEGER NOT NULL,
    command TEXT NOT NULL,
    result TEXT,
    PRIMARY KEY (run, number),
    UNIQUE (run, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE followers (
    run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
    node TEXT NOT NULL REFERENCES nodes (id) ON DELETE CASCADE,
    PRIMARY KEY (run, node)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX followers_by_node ON followers (node);
  `,
  // From here on a row holds the lines of its entries, joined by line feeds, and its stamps are empty. Rows of earlier
  // releases keep their form.
  'ALTER TABLE entries RENAME COLUMN events TO lines;',
  // A row holds the lines and the inputs of one small append, until it is merged into the tables of both. There, from here
  // on, a row of inputs is a page of them at the position of the last. Rows of earlier releases keep their form.
  `
  CREATE TABLE appends (
    number INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
    last_seq INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    position INTEGER NOT NULL,
    lines TEXT NOT NULL,
    inputs TEXT NOT NULL
  ) STRICT;
  CREATE INDEX appends_by_run ON appends (run, last_seq);
  `,
  // The texts that can be searched, and their words. Both are made anew from the entries for a run with another version.
  `
  ALTER TABLE runs ADD COLUMN searched_version INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX runs_by_searched ON runs (searched_version, number) WHERE state = 'ended';
  CREATE TABLE searched (
    number INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    kind TEXT NOT NULL,
    seq INTEGER NOT NULL,
    name TEXT,
    text TEXT NOT NULL
  ) STRICT;
  -- Words come divided and in small letters. What is deleted leaves no trace in the index.
  CREATE VIRTUAL TABLE found USING fts5 (words, content = '', tokenize = 'ascii');
  INSERT INTO found (found, rank) VALUES ('secure-delete', 1);
  `,
  // JSON; made with the texts.
  'ALTER TABLE runs ADD COLUMN digest TEXT;',
]
