/**
 * The texts that can be searched, and their words. Both are made anew from the entries for a run with another version. No foreign
 * key: who adds a row has locked its run.
 */
export const searchMigration = `
  ALTER TABLE runs ADD COLUMN searched_version integer NOT NULL DEFAULT 0;
  CREATE INDEX runs_by_searched ON runs (searched_version, number) WHERE state = 'ended';
  CREATE TABLE searched (
    number bigint PRIMARY KEY,
    run bigint NOT NULL,
    kind text NOT NULL,
    seq bigint NOT NULL,
    name text,
    text text NOT NULL,
    words tsvector NOT NULL
  );
  CREATE INDEX searched_by_run ON searched (run);
  CREATE INDEX searched_by_words ON searched USING gin (words);

  -- As before, and with the texts.
  CREATE OR REPLACE FUNCTION delete_thread(of_id text) RETURNS text[] LANGUAGE plpgsql AS $function$
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
    DELETE FROM searched WHERE run = ANY (numbers);
    DELETE FROM entries WHERE run = ANY (numbers);
    DELETE FROM inputs WHERE run = ANY (numbers);
    DELETE FROM commands WHERE run = ANY (numbers);
    DELETE FROM followers WHERE run = ANY (numbers);
    DELETE FROM runs WHERE number = ANY (numbers);
    DELETE FROM threads WHERE id = of_id;
    UPDATE store SET deletions = deletions + 1;
    RETURN ids;
  END $function$;
`
