import type { Statement } from './session.ts'

/**
 * The appends of many runs as one statement: heads are locked and judged, and what is stored is stored for those that
 * passed. All bytes are one parameter, cut by offset: a driver would escape arrays of them.
 */

export type Verdict = 'ok' | 'busy' | 'unknown' | 'refused' | 'stamp'

/** A run that another transaction has locked is skipped: it must not keep the others waiting. */
const judged = (skips: boolean) => `
asked AS MATERIALIZED (SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::integer[],
    $6::integer[], $7::integer[], $8::bigint[], $9::bigint[], $10::text[]) WITH ORDINALITY
  AS a (id, epoch, after_seq, after_raw, events, raws, added_inputs, stamp_raw, at, chat, nth)),
heads AS MATERIALIZED (
  SELECT number, id, thread, state, epoch, seq, raw, inputs, last_at FROM runs WHERE id = ANY ($1::text[])
  ORDER BY number FOR NO KEY UPDATE${skips ? ' SKIP LOCKED' : ''}),
judged AS MATERIALIZED (
  SELECT a.*, h.number, h.thread, h.state, h.epoch AS head_epoch, h.seq, h.raw, h.inputs, h.last_at,
    CASE WHEN h.number IS NULL
        THEN CASE WHEN EXISTS (SELECT FROM runs r WHERE r.id = a.id) THEN 'busy' ELSE 'unknown' END
      WHEN a.chat <> h.thread OR a.epoch <> h.epoch OR h.state = 'ended' OR a.after_seq <> h.seq OR a.after_raw <> h.raw
        THEN 'refused'
      WHEN a.events > 0 AND (a.stamp_raw <> h.raw OR a.at < h.last_at) THEN 'stamp'
      ELSE 'ok' END AS verdict
  FROM asked a LEFT JOIN heads h ON h.id = a.id)`

const pages = `
paged AS (INSERT INTO entries (run, first_seq, last_seq, lines)
  SELECT j.number, j.seq + p.first, j.seq + p.last, convert_from(substring($11::bytea FROM p.start FOR p.size), 'UTF8')
  FROM unnest($12::bigint[], $13::integer[], $14::integer[], $15::integer[], $16::integer[])
    AS p (nth, first, last, start, size) JOIN judged j ON j.nth = p.nth AND j.verdict = 'ok'),
read AS (INSERT INTO inputs (run, last_position, heads, bodies)
  SELECT j.number, j.inputs + p.last, convert_from(substring($11::bytea FROM p.start FOR p.heads), 'UTF8'),
    substring($11::bytea FROM p.start + p.heads FOR p.bodies)
  FROM unnest($17::bigint[], $18::integer[], $19::integer[], $20::integer[], $21::integer[])
    AS p (nth, last, start, heads, bodies) JOIN judged j ON j.nth = p.nth AND j.verdict = 'ok')`

const head = `seq = j.seq + j.events, raw = j.raw + j.raws, inputs = j.inputs + j.added_inputs,
    last_at = CASE WHEN j.events > 0 THEN j.at ELSE j.last_at END`

const verdicts = `
SELECT nth, verdict, number, thread, state, head_epoch, seq, raw, last_at FROM judged ORDER BY nth`

const plain = (skips: boolean) => `WITH ${judged(skips)},
moved AS (UPDATE runs r SET ${head} FROM judged j WHERE r.number = j.number AND j.verdict = 'ok'),
${pages}${verdicts}`

/**
 * Runs are locked before threads, by the array. A thread is bumped once for each of its runs that changes it, and once more
 * for each follow-up.
 */
const full = (skips: boolean) => `WITH ${judged(skips)},
more AS MATERIALIZED (SELECT * FROM unnest($22::boolean[], $23::text[], $24::text[], $25::boolean[], $26::bigint[])
  WITH ORDINALITY AS m (rings, outcome, framing, bumps, now, nth)),
touched AS MATERIALIZED (SELECT id FROM threads WHERE id = ANY (ARRAY (
    SELECT j.thread FROM judged j JOIN more m ON m.nth = j.nth WHERE j.verdict = 'ok' AND m.bumps ORDER BY j.thread))
  ORDER BY id FOR NO KEY UPDATE),
followed AS (INSERT INTO runs (id, thread, idempotency_key, request_hash, after_run, parent_run, agent, format,
      parser_version, reader_version, attempt, state, epoch, last_at, created_at)
  SELECT f.run ->> 'id', j.thread, f.run ->> 'key', f.run ->> 'hash', f.run ->> 'afterRun', f.run ->> 'parentRun',
    f.run ->> 'agent', f.run ->> 'format', (f.run ->> 'parserVersion')::integer, (f.run ->> 'readerVersion')::integer,
    (f.run ->> 'attempt')::bigint, 'queued', 0, m.now, m.now
  FROM unnest($27::bigint[], $28::json[]) AS f (nth, run) JOIN judged j ON j.nth = f.nth AND j.verdict = 'ok'
    JOIN more m ON m.nth = f.nth ON CONFLICT DO NOTHING RETURNING thread),
bumped AS (UPDATE threads t SET version = t.version + b.count
      + (SELECT count(*) FROM followed f WHERE f.thread = t.id),
    updated_at = greatest(t.updated_at, b.now), changed_at = clock_timestamp()
  FROM touched, (SELECT j.thread, count(*) AS count, max(CASE WHEN m.outcome IS NOT NULL THEN m.now END) AS now
    FROM judged j JOIN more m ON m.nth = j.nth WHERE j.verdict = 'ok' AND m.bumps GROUP BY j.thread) b
  WHERE t.id = touched.id AND b.thread = t.id),
moved AS (UPDATE runs r SET ${head}, framing = coalesce(m.framing, r.framing),
    version = r.version + m.rings::integer, outcome = coalesce(m.outcome, r.outcome),
    state = CASE WHEN m.outcome IS NULL THEN r.state ELSE 'ended' END,
    ended_at = CASE WHEN m.outcome IS NULL THEN r.ended_at ELSE greatest(j.at, j.last_at) END,
    owner = CASE WHEN m.outcome IS NULL THEN r.owner END,
    wait_until = CASE WHEN m.outcome IS NULL THEN r.wait_until END
  FROM judged j JOIN more m ON m.nth = j.nth WHERE r.number = j.number AND j.verdict = 'ok'),
${pages},
settled AS (UPDATE commands c SET result = s.result
  FROM unnest($29::bigint[], $30::bigint[], $31::text[]) AS s (nth, number, result)
    JOIN judged j ON j.nth = s.nth AND j.verdict = 'ok'
  WHERE c.run = j.number AND c.number = s.number AND c.result IS NULL),
answered AS (INSERT INTO messages AS m (id, chat, role, content, metadata, searched, created_at)
  SELECT a.id, j.thread, 'assistant', convert_from(substring($11::bytea FROM a.start FOR a.content), 'UTF8'),
    convert_from(substring($11::bytea FROM a.start + a.content FOR a.metadata), 'UTF8'),
    convert_from(substring($11::bytea FROM a.start + a.content + a.metadata FOR a.searched), 'UTF8'), j.at
  FROM unnest($32::bigint[], $33::text[], $34::integer[], $35::integer[], $36::integer[], $37::integer[])
    AS a (nth, id, start, content, metadata, searched) JOIN judged j ON j.nth = a.nth AND j.verdict = 'ok'
  ON CONFLICT (id) DO UPDATE SET content = excluded.content, metadata = excluded.metadata, searched = excluded.searched
    WHERE m.chat = excluded.chat),
named AS (INSERT INTO files SELECT DISTINCT f.id, j.thread FROM unnest($38::bigint[], $39::text[]) AS f (nth, id)
    JOIN judged j ON j.nth = f.nth AND j.verdict = 'ok' ON CONFLICT DO NOTHING),
used AS (DELETE FROM unused_files u USING unnest($38::bigint[], $39::text[]) AS f (nth, id), judged j
  WHERE u.id = f.id AND j.nth = f.nth AND j.verdict = 'ok')${verdicts}`

const named = (name: string, text: string): Statement => ({ name, text })

/** `plain` moves only positions; `full` does the rest too. */
export const appendStatements = {
  skipping: { plain: named('append', plain(true)), full: named('append-full', full(true)) },
  waiting: { plain: named('append-wait', plain(false)), full: named('append-full-wait', full(false)) },
} as const
