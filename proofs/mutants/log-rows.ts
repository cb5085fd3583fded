import type { Stage } from './mutant.ts'

const folder = 'packages/server/src/log/sqlite'

/** The rows of the SQLite log: small appends together, then each run by itself; read the same either way. */
export const logRows: Stage = {
  name: 'log: rows of sqlite',
  tests: [folder, 'packages/server/src/log/sqlite.test.ts', 'packages/server/src/log/sqlite-pages.test.ts'],
  mutants: [
    {
      file: `${folder}/recent-appends.ts`,
      find: '0) <= SMALL_APPEND',
      replace: '0) < 0',
      promise: 'the appends of one commit share pages of the file',
    },
    {
      file: `${folder}/recent-appends.ts`,
      find: 'characters >= FULL',
      replace: 'characters >= 1e12',
      promise: 'recent appends are bounded',
    },
    {
      file: `${folder}/recent-appends.ts`,
      find: 'Number(size.get()?.characters)',
      replace: '0',
      promise: 'recent appends of earlier processes are merged too',
    },
    {
      file: `${folder}/recent-appends.ts`,
      find: 'row.run !== first.run || !fits',
      replace: '!fits',
      promise: 'a merged row belongs to one run',
    },
    {
      file: `${folder}/recent-appends.ts`,
      find: ' < MOST_ENTRIES && characters <= MOST_CHARACTERS',
      replace: ' < MOST_ENTRIES',
      promise: 'a merged row has no more characters than another',
    },
    {
      file: `${folder}/recent-appends.ts`,
      find: 'row.last_seq - first.first_seq < MOST_ENTRIES && ',
      replace: '',
      promise: 'a merged row has no more entries than another',
    },
    {
      file: `${folder}/recent-appends.ts`,
      find: '      removeAll.run()\n',
      replace: '',
      promise: 'what is merged is not read twice',
    },
    {
      file: `${folder}/recent-appends.ts`,
      find: "part.filter((row) => row.lines !== '')",
      replace: 'part',
      promise: 'an append without entries adds none when it is merged',
    },
    {
      file: `${folder}/append.ts`,
      find: '    recent.mergeRun(run.number)\n',
      replace: '',
      promise: 'a large append comes after the small ones before it',
    },
    {
      file: 'packages/server/src/log/sqlite.ts',
      find: "    await writer.call('mergeRun', runId)\n",
      replace: '',
      promise: 'a run is packed whole',
    },
    {
      file: `${folder}/reads.ts`,
      find: 'stored.slice(Math.max(0, last - (row.position - stored.length)))',
      replace: 'stored',
      promise: 'no input is read twice because it was merged meanwhile',
    },
    {
      file: `${folder}/reads.ts`,
      find: ' AND first_seq <= last_seq\n',
      replace: '\n',
      promise: 'an append without entries is no line',
    },
    {
      file: `${folder}/input-pages.ts`,
      find: " && !text.includes('\\0')",
      replace: '',
      promise: 'a record with a zero in it is stored whole',
    },
    {
      file: `${folder}/input-pages.ts`,
      find: 'heads.length >= MOST_INPUTS || ',
      replace: '',
      promise: 'a page of inputs holds few',
    },
    {
      file: `${folder}/rows.ts`,
      find: "kind === 'client-event' ? 'client' : 'server'",
      replace: "'server'",
      promise: 'inputs of earlier releases keep their makers',
    },
    {
      file: `${folder}/rows.ts`,
      find: "kind === 'utf-8' ? 'utf8' : 'utf16le'",
      replace: "'utf8'",
      promise: 'raw records of earlier releases are read unchanged',
    },
    {
      file: `${folder}/migrations.ts`,
      find: ' ON DELETE CASCADE,\n    last_seq INTEGER NOT NULL,\n    first_seq INTEGER NOT NULL,\n    position',
      replace: ',\n    last_seq INTEGER NOT NULL,\n    first_seq INTEGER NOT NULL,\n    position',
      promise: 'recent appends are deleted with their thread',
    },
  ],
}
