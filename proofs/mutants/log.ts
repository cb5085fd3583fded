import type { Stage } from './mutant.ts'

const folder = 'packages/server/src/log'

/** The log: once, in order, durable before it is acknowledged. */
export const log: Stage = {
  name: 'log',
  tests: ['test/log.test.ts', 'packages/server/src/log'],
  // Killing a process many times takes a minute: too long to do for each planted bug.
  only: '^(?!.* killed )',
  mutants: [
    {
      file: `${folder}/append-rules.ts`,
      find: "return head.state !== 'ended' && request.afterSeq === head.seq && isRawCountCurrent",
      replace: "return head.state !== 'ended' && isRawCountCurrent",
      promise: 'a repeated append is not stored twice',
    },
    {
      file: `${folder}/append-rules.ts`,
      find: 'at: Math.max(lastAt, at),',
      replace: 'at,',
      promise: 'time never decreases within a run',
    },
    {
      file: `${folder}/sqlite/batch.ts`,
      find: '      commit.run()\n      return answers',
      replace: '      setImmediate(() => commit.run())\n      return answers',
      promise: 'nothing is acknowledged before it is committed',
    },
    {
      file: `${folder}/sqlite/batch.ts`,
      find: 'if (database.isTransaction) rollback.run()',
      replace: 'if (database.isTransaction) commit.run()',
      promise: 'a request that failed half-way leaves nothing behind',
    },
    {
      file: `${folder}/sqlite/database.ts`,
      find: 'PRAGMA synchronous = FULL',
      replace: 'PRAGMA synchronous = OFF',
      promise: 'a commit survives a loss of power',
    },
    {
      file: `${folder}/sqlite/append.ts`,
      find: "inputs: textIn(page?.page ?? ''),",
      replace: "inputs: run.inputs < 3 ? textIn(page?.page ?? '') : '',",
      promise: 'raw records are stored with their entries',
    },
    {
      file: `${folder}/sqlite/input-pages.ts`,
      find: "text.isWellFormed() && !text.includes('\\0') ?",
      replace: "!text.includes('\\0') ?",
      promise: 'raw records are read back unchanged',
    },
    {
      file: 'packages/server/src/log/entry-lines.ts',
      find: 'makerText(by?.[index])',
      replace: 'makerText(by?.[0])',
      promise: 'each entry keeps its own maker',
    },
    {
      file: 'packages/server/src/log/sqlite/entry-rows.ts',
      find: 'event, rawThrough, by }',
      replace: 'event, rawThrough }',
      promise: 'the maker of an entry is stored with it',
    },
    {
      file: `${folder}/sqlite/input-pages.ts`,
      find: 'return { by: maker satisfies EntryMaker, event',
      replace: "return { by: 'server', event",
      promise: 'a client’s input is stored as made by the client',
    },
    {
      file: 'packages/server/src/log/sqlite/entry-rows.ts',
      find: 'seq <= after && start',
      replace: 'seq < after && start',
      promise: 'stored entries are read strictly after the position',
    },
    {
      file: 'packages/server/src/log/entry-lines.ts',
      find: 'this.lines.slice(after - this.after)',
      replace: 'this.lines.slice(after + 1 - this.after)',
      promise: 'a reader in the middle of a batch misses nothing',
    },
    {
      file: `${folder}/sqlite/batch.ts`,
      find: 'return characters > MOST_CHARACTERS',
      replace: 'return characters < 0',
      promise: 'one run’s appends do not make a message too large for the others',
    },
    {
      file: `${folder}/sqlite/channel.ts`,
      find: 'if (batch.length > 1) {',
      replace: 'if (batch.length > 1e9) {',
      promise: 'one request that cannot be sent fails alone',
    },
    {
      file: `${folder}/sqlite/append.ts`,
      find: "VALUES (?, ?, ?, '', CAST(? AS TEXT))",
      replace: "VALUES (?, ?, ?, '', ?)",
      promise: 'large events are stored as text',
    },
    {
      file: `${folder}/append-rules.ts`,
      find: '(item === undefined ? null : asStored(item))',
      replace: 'asStored(item)',
      promise: 'a writer gets the entries that a reader gets',
    },
    {
      file: `${folder}/sqlite/append.ts`,
      find: 'stamp.at === expected.at && ',
      replace: '',
      promise: 'time does not go back with the clock',
    },
    {
      file: `${folder}/sqlite/append.ts`,
      find: ' && stamp.rawRecords === expected.rawRecords',
      replace: '',
      promise: 'entries count the records before an append whose writer does not say how many there are',
    },
    {
      file: `${folder}/sqlite/append.ts`,
      find: '      heads.delete(request.runId)\n',
      replace: '',
      promise: 'an ended run takes no more',
    },
    {
      file: `${folder}/sqlite/batch.ts`,
      find: '      onRollback()\n',
      replace: '',
      promise: 'what was rolled back is not remembered',
    },
    {
      file: `${folder}/sqlite/worker.ts`,
      find: "    if (name !== 'append') forgetHeads()\n",
      replace: '',
      promise: 'a run that was acquired or deleted is looked at again',
    },
    {
      file: `${folder}/sqlite/watched-writer.ts`,
      find: '      if (isTrouble(error)) last = error\n',
      replace: '',
      promise: 'the log reports that it cannot write',
    },
    {
      file: `${folder}/sqlite/failures.ts`,
      find: "13: 'log-full'",
      replace: "13: 'log-failed'",
      promise: 'a full disk is reported as such',
    },
    {
      file: `${folder}/append-rules.ts`,
      find: 'stored.hash !== requested.hash) throw',
      replace: 'stored.hash === requested.key) throw',
      promise: 'a key identifies one request',
    },
    {
      file: `${folder}/sqlite/database.ts`,
      find: "if (found !== 'ok') throw",
      replace: "if (found === '') throw",
      promise: 'a damaged file is not opened',
    },
    {
      file: `${folder}/sqlite/database.ts`,
      find: "isBusy(cause) ? new LogError('log-taken', folder) : cause",
      replace: 'cause',
      promise: 'a folder that another process uses is reported as such',
    },
    {
      file: `${folder}/sqlite/database.ts`,
      find: ' | constants.O_NOFOLLOW',
      replace: '',
      promise: 'a link in place of the lock file is not followed',
    },
    {
      file: `${folder}/sqlite/database.ts`,
      find: 'PRAGMA secure_delete = ON',
      replace: 'PRAGMA secure_delete = OFF',
      promise: 'deleted text is overwritten',
    },
    {
      file: `${folder}/sqlite/worker.ts`,
      find: "    if (requests.some(({ name }) => name === 'deleteThread')) emptyJournal(database)\n",
      replace: '',
      promise: 'the journal keeps no deleted text',
    },
    {
      file: `${folder}/sqlite/writes.ts`,
      find: 'AND NOT EXISTS (SELECT 1 FROM files WHERE id = own.id AND thread_id <> own.thread_id)',
      replace: '',
      promise: 'a file that another thread names is not unused',
    },
  ],
}
