import type { SearchKind, SearchText } from '@millrace/core/fold'
import { present } from '@millrace/core/json'
import { LogError } from '../errors.ts'
import {
  emptyPage,
  type FoundRow,
  MOST_COUNTED,
  MOST_TEXTS,
  numberOf,
  pageOfHits,
  readQuery,
  type SearchIndex,
  titleFor,
} from '../search.ts'
import { type Phrase, wordsIn } from '../search-words.ts'
import type { Connections } from './connections.ts'
import { restored, restoredOr, searchable, storable, storableOr } from './text.ts'

/** Until all of its texts are stored, the run has no version. */
const CLEAR = {
  name: 'clear-texts',
  text: `WITH run AS MATERIALIZED (SELECT number, state, parent_run FROM runs WHERE id = $1 FOR UPDATE),
    gone AS (DELETE FROM searched WHERE run = (SELECT number FROM run WHERE state = 'ended')),
    noted AS (UPDATE runs SET searched_version = 0 WHERE number = (SELECT number FROM run WHERE state = 'ended'))
    SELECT number, state, parent_run FROM run`,
}
/** The run is locked, so that it is not deleted meanwhile. Another node may index it at the same time, with the same texts. */
const ADD = {
  name: 'add-texts',
  text: `INSERT INTO searched SELECT t.number, run.number, t.kind, t.seq, t.name, t.text, t.words::tsvector
    FROM (SELECT number FROM runs WHERE number = $1 FOR KEY SHARE) run,
      unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[])
        AS t (number, kind, seq, name, text, words)
    ON CONFLICT DO NOTHING`,
}
/** A thread without a title gets one, at the time that it has. */
const NOTE = {
  name: 'note-digest',
  text: `WITH noted AS (UPDATE runs SET searched_version = $2, digest = coalesce($3, digest) WHERE number = $1 RETURNING thread)
    UPDATE threads t SET title = CASE WHEN title = '' THEN $4 ELSE title END,
      searched = CASE WHEN title = '' THEN $5 ELSE searched END, version = version + 1, changed_at = clock_timestamp()
    FROM noted WHERE t.id = noted.thread AND $3::text IS NOT NULL RETURNING t.id`,
}
const UNINDEXED = {
  name: 'unindexed',
  text: "SELECT id FROM runs WHERE state = 'ended' AND searched_version <> $1 ORDER BY number DESC LIMIT $2",
}
const SEARCH = {
  name: 'search',
  text: `SELECT s.number, s.kind, s.seq, s.name, s.text, r.id AS run_id, r.thread
    FROM searched s JOIN runs r ON r.number = s.run
    WHERE s.words @@ $1::tsquery AND s.number < $2 AND ($3::text[] IS NULL OR s.kind = ANY ($3::text[]))
      AND ($4::text IS NULL OR r.thread = $4::text COLLATE "C")
    ORDER BY s.number DESC LIMIT $5`,
}
const COUNT = {
  name: 'count-texts',
  text: `SELECT kind, count(*) AS count FROM (
      SELECT s.kind FROM searched s JOIN runs r ON r.number = s.run
      WHERE s.words @@ $1::tsquery AND ($2::text IS NULL OR r.thread = $2::text COLLATE "C") LIMIT ${MOST_COUNTED}) found
    GROUP BY kind`,
}

interface IndexedColumns {
  readonly number: number
  readonly state: string
  readonly parent_run: string | null
}

/** How many characters of texts one statement stores. */
const BATCH = 1_000_000

interface FoundColumns {
  readonly number: number
  readonly kind: SearchKind
  readonly seq: number
  readonly name: string | null
  readonly text: string
  readonly run_id: string
  readonly thread: string
}

export interface Search extends Omit<SearchIndex, 'index' | 'recentRuns'> {
  /** Resolves with the id of the thread, if that has changed. */
  index(...values: Parameters<SearchIndex['index']>): Promise<string | undefined>
}

export function createSearch({ read, write }: Connections): Search {
  return {
    async index(runId, texts, version, digest) {
      const [run] = await write<IndexedColumns>(runId, CLEAR, [storable(runId)])
      if (run === undefined) throw new LogError('unknown-run', runId)
      if (run.state !== 'ended') throw new LogError('run-live', runId)
      let nth = 0
      for (const batch of batchesOf(texts.slice(0, MOST_TEXTS))) {
        const columns = [
          batch.map((_text, at) => numberOf(run.number, nth + at)),
          batch.map(({ kind }) => kind),
          batch.map(({ seq }) => seq),
          batch.map(({ name }) => storableOr(name)),
          batch.map(({ text }) => storable(text)),
          batch.map(({ text }) => vectorOf(text)),
        ]
        await write(runId, ADD, [run.number, ...columns])
        nth += batch.length
      }
      const title = titleFor(present({ parentRunId: run.parent_run ?? undefined, digest })) ?? ''
      const stored = digest === undefined ? null : storable(JSON.stringify(digest))
      const values = [run.number, version, stored, storable(title), searchable(title)]
      return (await write<{ id: string }>(runId, NOTE, values)).map(({ id }) => restored(id))[0]
    },
    unindexed: async (version, limit) =>
      (await read<{ id: string }>(UNINDEXED, [version, limit])).map(({ id }) => restored(id)),
    async search(asked) {
      const query = readQuery(asked)
      if (query === undefined) return emptyPage
      const { phrases, kinds = null, threadId, below, limit } = query
      const match = phrases.map(matchOf).join(' & ')
      const thread = storableOr(threadId)
      const [rows, counted] = await Promise.all([
        read<FoundColumns>(SEARCH, [match, below, kinds, thread, limit + 1]),
        read<{ kind: SearchKind; count: number }>(COUNT, [match, thread]),
      ])
      return pageOfHits(rows.map(foundOf), new Map(counted.map(({ kind, count }) => [kind, count])), query)
    },
  }
}

function* batchesOf(texts: readonly SearchText[]): Generator<readonly SearchText[]> {
  let batch: SearchText[] = []
  let size = 0
  for (const text of texts) {
    batch.push(text)
    size += text.text.length
    if (size < BATCH) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

/** Words have letters and digits only, so nothing in them is a sign. PostgreSQL's own parser would divide texts otherwise. */
function vectorOf(text: string): string {
  const positions = new Map<string, number[]>()
  let position = 0
  for (const { word } of wordsIn(text)) {
    position++
    const own = positions.get(word)
    if (own === undefined) positions.set(word, [position])
    else if (own.length < MOST_POSITIONS) own.push(position)
  }
  return Array.from(positions, ([word, own]) => `'${word}':${own.join(',')}`).join(' ')
}

/** PostgreSQL keeps no more of one word. */
const MOST_POSITIONS = 255

function matchOf({ words, isPrefix }: Phrase): string {
  const last = words.length - 1
  return `(${words.map((word, nth) => `'${word}'${nth === last && isPrefix ? ':*' : ''}`).join(' <-> ')})`
}

const foundOf = ({ name, text, run_id, thread, ...row }: FoundColumns): FoundRow =>
  present({
    ...row,
    text: restored(text),
    name: restoredOr(name),
    runId: restored(run_id),
    threadId: restored(thread),
  })
