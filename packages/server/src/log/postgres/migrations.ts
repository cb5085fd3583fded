import { searchMigration } from './search-migration.ts'

/**
 * Each migration turns a database of one version into one of the next; the first starts with an empty schema. A published
 * migration is never changed: a new one is added. Texts that people or programs choose are stored by `storable`.
 */
export const migrations: readonly string[] = [
  `
  -- One row. deletions says how many threads were ever deleted: what is gone has no version of its own.
  CREATE TABLE store (id text NOT NULL, deletions bigint NOT NULL DEFAULT 0, probe bigint NOT NULL DEFAULT 0);
  INSERT INTO store (id) VALUES (gen_random_uuid()::text);

  -- A node has a lease until its time has come, by the clock of the database, and it is not ended. Only ended decides
  -- that its runs may be taken: a statement may see an old state of this table, and then sees too few ended nodes.
  CREATE TABLE nodes (
    id text PRIMARY KEY,
    session text NOT NULL,
    until timestamptz NOT NULL,
    ended boolean NOT NULL DEFAULT false
  );

  -- searched is the title in lower case, without U+0000.
  CREATE TABLE threads (
    id text COLLATE "C" PRIMARY KEY,
    title text NOT NULL,
    searched text NOT NULL,
    owner text,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    version bigint NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX threads_by_update ON threads (updated_at DESC, id DESC);
  CREATE INDEX threads_by_change ON threads (changed_at);

  -- What an append changes is in no index, and there is room in each page: the new version of the row stays there.
  -- version is raised by what those who watch the run see; token names the call that made the last owner.
  CREATE TABLE runs (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    thread text COLLATE "C" NOT NULL REFERENCES threads (id),
    idempotency_key text,
    request_hash text,
    after_run text,
    parent_run text,
    agent text,
    format text NOT NULL,
    parser_version integer NOT NULL,
    reader_version integer,
    attempt bigint NOT NULL,
    state text NOT NULL,
    outcome text,
    framing text,
    owner text REFERENCES nodes (id),
    epoch bigint NOT NULL,
    wait_until bigint,
    seq bigint NOT NULL DEFAULT 0,
    raw bigint NOT NULL DEFAULT 0,
    inputs bigint NOT NULL DEFAULT 0,
    told bigint NOT NULL DEFAULT 0,
    version bigint NOT NULL DEFAULT 0,
    token text,
    last_at bigint NOT NULL,
    created_at bigint NOT NULL,
    ended_at bigint,
    UNIQUE (thread, idempotency_key)
  ) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);
  CREATE INDEX runs_by_thread ON runs (thread, number DESC);
  CREATE INDEX open_runs ON runs (number) WHERE state <> 'ended';
  CREATE INDEX runs_by_owner ON runs (owner) WHERE state <> 'ended';
  CREATE INDEX runs_by_wait ON runs (wait_until) WHERE state = 'waiting';

  -- A row holds the entries of one append, or of many once they are packed: lines joined by line feeds, as text or
  -- deflated. No foreign key: who adds a row has locked its run.
  CREATE TABLE entries (
    run bigint NOT NULL,
    first_seq bigint NOT NULL,
    last_seq bigint NOT NULL,
    lines text,
    packed bytea,
    PRIMARY KEY (run, last_seq)
  );

  -- A row holds the inputs of one append. heads is a JSON array of kind, name and number of bytes; bodies has the bytes.
  CREATE TABLE inputs (
    run bigint NOT NULL,
    last_position bigint NOT NULL,
    heads text NOT NULL,
    bodies bytea NOT NULL,
    PRIMARY KEY (run, last_position)
  );

  CREATE TABLE messages (
    number bigint GENERATED ALWAYS AS IDENTITY,
    id text PRIMARY KEY,
    chat text COLLATE "C" NOT NULL,
    role text NOT NULL,
    content text NOT NULL,
    metadata text NOT NULL,
    searched text NOT NULL,
    created_at bigint NOT NULL
  );
  CREATE INDEX messages_by_chat ON messages (chat, number);

  -- key, made_by, command and result are JSON. A command without a key has a number sign and a token of its own instead.
  CREATE TABLE commands (
    run bigint NOT NULL REFERENCES runs (number),
    number bigint NOT NULL,
    key text NOT NULL,
    made_by text,
    at bigint NOT NULL,
    command text NOT NULL,
    result text,
    PRIMARY KEY (run, number),
    UNIQUE (run, key)
  );
  CREATE TABLE followers (
    run bigint NOT NULL REFERENCES runs (number),
    node text NOT NULL REFERENCES nodes (id),
    PRIMARY KEY (run, node)
  );
  CREATE INDEX followers_by_node ON followers (node);

  -- Which threads name which files. A file is unused once the last thread that names it is deleted.
  CREATE TABLE files (id text NOT NULL, thread text COLLATE "C" NOT NULL, PRIMARY KEY (id, thread));
  CREATE INDEX files_by_thread ON files (thread);
  CREATE TABLE unused_files (id text PRIMARY KEY);

  -- A function, because each of its statements sees what was committed before it: the thread is locked first, and what is
  -- then decided about its runs holds. What it refuses is an error of class MR, which undoes the thread.
  CREATE FUNCTION create_run(wanted json, given_token text, now bigint) RETURNS SETOF runs LANGUAGE plpgsql AS $function$
  DECLARE
    of_id text := wanted ->> 'id';
    of_thread text := wanted ->> 'thread';
    of_key text := wanted ->> 'key';
    of_owner text := wanted ->> 'owner';
  BEGIN
    RETURN QUERY SELECT * FROM runs WHERE id = of_id;
    IF FOUND THEN RETURN; END IF;
    RETURN QUERY SELECT * FROM runs WHERE thread = of_thread AND idempotency_key = of_key;
    IF FOUND THEN RETURN; END IF;
    INSERT INTO threads AS t (id, title, searched, created_at, updated_at, version)
      VALUES (of_thread, '', '', now, now, 1)
      ON CONFLICT (id) DO UPDATE SET updated_at = greatest(t.updated_at, now), version = t.version + 1,
        changed_at = clock_timestamp();
    IF EXISTS (SELECT FROM runs r WHERE r.id = of_id OR (r.thread = of_thread AND r.idempotency_key = of_key)) THEN
      RAISE EXCEPTION 'another has created it' USING ERRCODE = 'MR000';
    END IF;
    IF (wanted ->> 'isAlone')::boolean AND EXISTS (
      SELECT FROM runs r WHERE r.thread = of_thread AND r.state <> 'ended' AND r.parent_run IS NULL) THEN
      RAISE EXCEPTION 'run-live' USING ERRCODE = 'MR001';
    END IF;
    IF of_owner IS NOT NULL AND NOT EXISTS (
      SELECT FROM nodes n WHERE n.id = of_owner AND NOT n.ended AND n.until > clock_timestamp()) THEN
      RAISE EXCEPTION 'unknown-node' USING ERRCODE = 'MR002';
    END IF;
    RETURN QUERY INSERT INTO runs (id, thread, idempotency_key, request_hash, after_run, parent_run, agent, format,
        parser_version, reader_version, attempt, state, owner, epoch, token, last_at, created_at)
      VALUES (of_id, of_thread, of_key, wanted ->> 'hash', wanted ->> 'afterRun', wanted ->> 'parentRun',
        wanted ->> 'agent', wanted ->> 'format', (wanted ->> 'parserVersion')::integer,
        (wanted ->> 'readerVersion')::integer, (wanted ->> 'attempt')::bigint, 'live', of_owner,
        CASE WHEN of_owner IS NULL THEN 0 ELSE 1 END, given_token, now, now)
      RETURNING *;
  END $function$;

  -- Runs are locked before their thread, as an append does. What was committed meanwhile is seen, and goes too.
  CREATE FUNCTION delete_thread(of_id text) RETURNS text[] LANGUAGE plpgsql AS $function$
  DECLARE
    open_run text;
    numbers bigint[];
    ids text[];
  BEGIN
    PERFORM FROM runs WHERE thread = of_id ORDER BY number FOR UPDATE;
    PERFORM FROM threads WHERE id = of_id FOR UPDATE;
    IF NOT FOUND THEN RETURN NULL; END IF;
    SELECT id INTO open_run FROM runs WHERE thread = of_id AND state <> 'ended' LIMIT 1;
    IF FOUND THEN RAISE EXCEPTION '%', open_run USING ERRCODE = 'MR001'; END IF;
    SELECT coalesce(array_agg(number), '{}'), coalesce(array_agg(id), '{}') INTO numbers, ids
      FROM runs WHERE thread = of_id;
    INSERT INTO unused_files SELECT own.id FROM files own WHERE own.thread = of_id
      AND NOT EXISTS (SELECT FROM files f WHERE f.id = own.id AND f.thread <> of_id) ON CONFLICT DO NOTHING;
    DELETE FROM files WHERE thread = of_id;
    DELETE FROM messages WHERE chat = of_id;
    DELETE FROM entries WHERE run = ANY (numbers);
    DELETE FROM inputs WHERE run = ANY (numbers);
    DELETE FROM commands WHERE run = ANY (numbers);
    DELETE FROM followers WHERE run = ANY (numbers);
    DELETE FROM runs WHERE number = ANY (numbers);
    DELETE FROM threads WHERE id = of_id;
    UPDATE store SET deletions = deletions + 1;
    RETURN ids;
  END $function$;
  `,
  // The files themselves, so that nodes need no folder that they share. A file without its row here is not complete.
  `
  CREATE TABLE stored_files (id text PRIMARY KEY, upload text NOT NULL, info text NOT NULL);
  CREATE TABLE file_chunks (
    upload text NOT NULL,
    nth integer NOT NULL,
    bytes bytea NOT NULL,
    added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (upload, nth)
  );
  ALTER TABLE file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
  `,
  searchMigration,
  // JSON; made with the texts.
  'ALTER TABLE runs ADD COLUMN digest text;',
]
