import type { Mutant, Stage } from './mutant.ts'

const log = 'packages/server/src/log'
const folder = `${log}/postgres`

const rules: readonly Mutant[] = [
  {
    file: `${folder}/append-statement.ts`,
    find: 'OR a.epoch <> h.epoch OR',
    replace: 'OR a.epoch < h.epoch OR',
    promise: 'an epoch that was never given out is refused',
  },
  {
    file: `${folder}/append-statement.ts`,
    find: " OR h.state = 'ended' OR",
    replace: ' OR',
    promise: 'nothing is added after the end',
  },
  {
    file: `${folder}/append-statement.ts`,
    find: 'OR a.after_seq <> h.seq OR',
    replace: 'OR a.after_seq > h.seq OR',
    promise: 'a writer that is behind is refused',
  },
  {
    file: `${folder}/append-statement.ts`,
    find: 'OR a.after_raw <> h.raw\n',
    replace: '\n',
    promise: 'a repeated record without events is recognised',
  },
  {
    file: `${folder}/append-statement.ts`,
    find: 'WHEN a.chat <> h.thread OR',
    replace: 'WHEN false OR',
    promise: 'the message of another thread is refused',
  },
  {
    file: `${folder}/append-statement.ts`,
    find: 'OR a.at < h.last_at) THEN',
    replace: ') THEN',
    promise: 'time never goes back within a run',
  },
  {
    file: `${folder}/append-statement.ts`,
    find: '(a.stamp_raw <> h.raw OR',
    replace: '(false OR',
    promise: 'each entry says how many records were read',
  },
  {
    file: `${folder}/append-statement.ts`,
    find: ' AND c.result IS NULL)',
    replace: ')',
    promise: 'a command keeps its first result',
  },
  {
    file: `${folder}/append-batch.ts`,
    find: 'settle: settle.filter(({ number }, index) => numbers.indexOf(number) === index),',
    replace: 'settle: settle.filter(({ number }, index) => numbers.lastIndexOf(number) === index),',
    promise: 'of two results of one command the first counts',
  },
  {
    file: `${folder}/append-statement.ts`,
    find: '\n      + (SELECT count(*) FROM followed f WHERE f.thread = t.id)',
    replace: '',
    promise: 'a follow-up raises the version of its thread',
  },
  {
    file: `${folder}/runs.ts`,
    find: ' AND coalesce($3, attempt) >= attempt',
    replace: '',
    promise: 'a lower attempt does not get the run',
  },
  {
    file: `${folder}/runs.ts`,
    find: ' AND EXISTS (SELECT FROM node) AND',
    replace: ' AND',
    promise: 'a node without a lease gets no run',
  },
  {
    file: `${folder}/runs.ts`,
    find: 'wait_until <= ${CLOCK',
    replace: 'wait_until < ${CLOCK',
    promise: 'a wait has ended when its time has come',
  },
  {
    file: `${folder}/runs.ts`,
    find: '      WHERE r.id = $1 AND epoch = $2 AND state',
    replace: '      WHERE r.id = $1 AND state',
    promise: 'only the owner releases a run',
  },
  {
    file: `${folder}/commands.ts`,
    find: 'const keyText = key === undefined ? `${KEYLESS}${randomUUID()}` : JSON.stringify(key)',
    replace: 'const keyText = `${KEYLESS}${randomUUID()}${key}`',
    promise: 'a command is stored once for each key',
  },
  {
    file: `${folder}/text.ts`,
    find: '[\\0\\u0001\\p{Surrogate}]',
    replace: '[\\0\\p{Surrogate}]',
    promise: 'different texts stay different',
  },
]

const expiry: readonly Mutant[] = [
  {
    file: `${folder}/lease.ts`,
    find: ' AND NOT ended AND until > clock_timestamp() RETURNING id',
    replace: ' RETURNING id',
    promise: 'an expired node is never revived',
  },
  {
    file: `${folder}/lease.ts`,
    find: 'WHERE NOT ended AND until <= clock_timestamp() AND',
    replace: 'WHERE NOT ended AND',
    promise: 'a node with a lease is not buried',
  },
  {
    file: `${folder}/lease.ts`,
    find: 'const fencedAfter = ttl - ttl / 6',
    replace: 'const fencedAfter = ttl + ttl / 6',
    promise: 'a node stops before others may bury it',
  },
  {
    file: `${folder}/lease.ts`,
    find: 'Math.max(performance.now() - then.monotonic, Date.now() - then.wall)',
    replace: 'performance.now() - then.monotonic',
    promise: 'a machine that slept has lost its lease',
  },
  {
    file: `${folder}/lease.ts`,
    find: '    node.onLost()\n',
    replace: '',
    promise: 'a node hears that it has lost its lease',
  },
  {
    file: `${folder}/lease.ts`,
    find: 'node === undefined ? lost.has(nodeId) :',
    replace: 'node === undefined ? false :',
    promise: 'a node that has lost its lease writes nothing',
  },
  {
    file: `${folder}/lease.ts`,
    find: 'if (names.length > 0) await',
    replace: 'if (names.length > 1) await',
    promise: 'the connections of a buried node are ended',
  },
  {
    file: `${folder}/poll.ts`,
    find: '    await leases.bury()\n',
    replace: '',
    promise: 'the runs of a killed node are decided about',
  },
  {
    file: `${folder}/wakes.ts`,
    find: 'const isSame = numbers.get(runId) === run',
    replace: 'const isSame = true',
    promise: 'a message about another run with the same id is not trusted',
  },
  {
    file: `${folder}/poll.ts`,
    find: 'Math.min(EVERY * (0.75 + Math.random() / 2), afterEnd())',
    replace: 'EVERY * (0.75 + Math.random() / 2)',
    promise: 'the end of a lease is looked at when it comes',
  },
  {
    file: `${folder}/poll.ts`,
    find: '    if (closing.signal.aborted) return\n',
    replace: '',
    promise: 'a log is closed without waiting for the next look',
  },
  {
    file: `${folder}/poll.ts`,
    find: ' + AFTER_END * (0.5 + Math.random() / 2)',
    replace: '',
    promise: 'a lease that is about to end is not asked for without a pause',
  },
  {
    file: `${log}/tail.ts`,
    find: 'const isNext = tail.isHeadRead && lines !== undefined && lines.after <= tail.seq',
    replace: 'const isNext = tail.isHeadRead && lines !== undefined',
    promise: 'lines that do not follow are not taken',
  },
  {
    file: `${log}/tail.ts`,
    find: '        tail.isHeadRead = false\n',
    replace: '        tail.seq = seq\n        tail.isEnded ||= isEnd\n',
    promise: 'a hint is not trusted',
  },
  {
    file: `${log}/tail-reader.ts`,
    find: 'this.#mustLook = source.isShared && !options.live',
    replace: 'this.#mustLook = false',
    promise: 'a reader that does not wait reads all that is stored',
  },
  {
    file: `${log}/tail.ts`,
    find: '      if (isMore) wakeSoon(tail)\n',
    replace: '',
    promise: 'what one reader finds in the store, those that wait hear of',
  },
  {
    file: `${log}/tail.ts`,
    find: '    tail?.unfollow?.()\n',
    replace: '',
    promise: 'a run without readers is not followed',
  },
]

/** What every log promises, of the one in a database. */
export const postgresRules: Stage = {
  name: 'postgres, rules',
  tests: [`${folder}/text.test.ts`, 'test/log.test.ts'],
  only:
    'texts in a database|log: postgres .*(another epoch|time go back|response was lost, |how many raw|first result|follow-up run with|' +
    'higher attempt|never revives|must acquire|released run wait|once for each key|S0-97|returns the stored|raises the version)',
  mutants: rules,
}

/** Leases that end by time, and hints of other processes. */
export const postgresLeases: Stage = {
  name: 'postgres, leases',
  tests: [
    `${log}/tail-hints.test.ts`,
    `${folder}/lease.test.ts`,
    `${folder}/poll.test.ts`,
    `${folder}/wakes.test.ts`,
    'packages/server/test/postgres-nodes.test.ts',
  ],
  mutants: expiry,
}

/** A database that is cut, crashes, locks and is upgraded. */
