import type { Stage } from './mutant.ts'

const log = 'packages/server/src/log'

/** The texts of ended runs: how they are divided into words, stored, found, shown and forgotten. */
export const search: Stage = {
  name: 'search',
  tests: [
    'packages/core/src/fold/search-texts.test.ts',
    'packages/server/test/search.test.ts',
    'test/log.test.ts',
    'packages/server/src/log/postgres/migrations.test.ts',
  ],
  only: 'texts of a run|the search|query|quotation|around what|newest run first|are indexed|deleted thread',
  mutants: [
    {
      file: 'packages/core/src/fold/search-texts.ts',
      find: "if (chatEvent.state === 'retracted') continue",
      replace: '',
      promise: 'what was retracted is not found',
    },
    {
      file: 'packages/core/src/fold/search-texts.ts',
      find: "if (segment.type === 'subagent') yield* textsOf(segment.segments)",
      replace: '',
      promise: 'what a subagent says is found',
    },
    {
      file: 'packages/core/src/fold/search-texts.ts',
      find: 'return `${text.slice(0, HEAD)}\\n…\\n${text.slice(-TAIL)}`.toWellFormed()',
      replace: 'return text.slice(0, HEAD).toWellFormed()',
      promise: 'the end of a long text is found',
    },
    {
      file: `${log}/search-words.ts`,
      find: ".normalize('NFKD')",
      replace: '',
      promise: 'accents do not matter',
    },
    {
      file: `${log}/search-words.ts`,
      find: 'isPrefix: quoted === undefined',
      replace: 'isPrefix: true',
      promise: 'words in quotation marks are whole',
    },
    {
      file: `${log}/search-words.ts`,
      find: 'const shift = lead.length - from',
      replace: 'const shift = 0 - from',
      promise: 'marks are where the words are',
    },
    {
      file: `${log}/search-words.ts`,
      find: '.slice(0, left)\n',
      replace: '\n',
      promise: 'a query of any length is answered',
    },
    {
      file: `${log}/search.ts`,
      find: 'run * MOST_TEXTS + (MOST_TEXTS - 1 - nth)',
      replace: 'run * MOST_TEXTS + nth',
      promise: 'within a run the first text comes first',
    },
    {
      file: `${log}/memory/search.ts`,
      find: 'number < query.below && ',
      replace: '',
      promise: 'a page begins behind the one before (memory)',
    },
    {
      file: `${log}/memory/search.ts`,
      find: 'for (const runId of runIds) indexed.delete(runId)',
      replace: '',
      promise: 'a deleted run is forgotten (memory)',
    },
    {
      file: `${log}/sqlite/search.ts`,
      find: "INSERT INTO found (found, rowid, words) VALUES ('delete', ?, ?)",
      replace: "INSERT INTO found (found, rowid, words) SELECT 'delete', ?1, ?2 WHERE 0",
      promise: 'what was indexed before is forgotten (sqlite)',
    },
    {
      file: `${log}/sqlite/search.ts`,
      find: 'ORDER BY f.rowid DESC LIMIT ?5',
      replace: 'ORDER BY f.rowid LIMIT ?5',
      promise: 'the newest run comes first (sqlite)',
    },
    {
      file: `${log}/sqlite/writes.ts`,
      find: 'for (const { number } of runs) removeTexts(Number(number))',
      replace: '',
      promise: 'a deleted thread leaves no text (sqlite)',
    },
    {
      file: `${log}/postgres/search-migration.ts`,
      find: 'DELETE FROM searched WHERE run = ANY (numbers);',
      replace: '',
      promise: 'a deleted thread is forgotten (postgres)',
    },
    {
      file: `${log}/postgres/search.ts`,
      find: "join(' <-> ')",
      replace: "join(' & ')",
      promise: 'a phrase is found in its order (postgres)',
    },
    {
      file: `${log}/postgres/search.ts`,
      find: ' AND searched_version <> $1',
      replace: '',
      promise: 'an indexed run is not listed (postgres)',
    },
    {
      file: 'packages/server/src/run/text-index.ts',
      find: 'for (const each of found) ended.add(each)',
      replace: '',
      promise: 'runs of an earlier release are found',
    },
    {
      file: 'packages/server/src/run/create-runs.ts',
      find: 'const onPacked = textIndex.add',
      replace: 'const onPacked = () => undefined',
      promise: 'a run is found a moment after its end',
    },
  ],
}
