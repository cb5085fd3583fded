import type { StreamEvent } from '@millrace/core/events'
import type { Append, Log, NewRun } from '@millrace/server/log'
import { delta, end, inputsOf, newRun, readAll, record, start } from './log-bench.ts'

/** Operations on one thread and one run of it, as the suites combine them. */

/** The ids that an operation uses. All of them begin with the same text, so that many subjects share one log. */
export interface Subject {
  readonly threadId: string
  readonly runId: string
  readonly fileId: string
  /** Two nodes, which no other subject uses. */
  readonly nodes: readonly [string, string]
}

export const subjectOf = (name: string, nodes: Subject['nodes']): Subject => ({
  threadId: `${name} thread`,
  runId: `${name} run`,
  fileId: `${name.replaceAll(' ', '-')}-file`,
  nodes,
})

/** Two new nodes of a log. */
export const twoNodes = (log: Log): Promise<Subject['nodes']> => Promise.all([log.join(), log.join()])

export type Act = (log: Log, subject: Subject) => Promise<unknown>

const fileEvent = (fileId: string): StreamEvent => ({
  type: 'file',
  fileId: 'the stream’s own name of it',
  url: `/api/files/${fileId}`,
  mediaType: 'text/plain',
})

export const messageOf = ({ threadId, runId }: Subject, content = 'The answer') =>
  ({ id: `${runId} message`, chatId: threadId, role: 'assistant', content, metadata: { thinking: 'hm' } }) as const

/** The append of every subject's run that is open: it is repeated by `repeat`. */
export const opening = ({ fileId }: Subject): Append => ({
  inputs: [record('one'), { by: 'client', event: delta('c') }],
  events: [start, delta('one'), fileEvent(fileId)],
  by: ['server', 'client', 'producer'],
  through: [0, 1, 2],
  framing: 'json-lines',
})

const ending = (subject: Subject): Append => ({
  inputs: [record('two', 'name')],
  events: [delta('two'), end],
  message: messageOf(subject),
})

const AFTER = opening(subjectOf('', ['', ''])).events.length

/** The run with its key. */
const keyed = ({ threadId, runId }: Subject): NewRun =>
  newRun(runId, { threadId, idempotencyKey: 'key', requestHash: 'hash' })

const settlements = [1, 2].map((number) => ({ number, result: { state: 'applied', seq: AFTER } as const }))

/** Operations that change something, or are refused because of what another has changed. */
const contentWrites: { readonly [name: string]: Act } = {
  createThread: (log, { threadId }) => log.createThread({ id: threadId, title: 'Created' }),
  renameThread: (log, { threadId }) => log.renameThread(threadId, 'Renamed'),
  deleteThread: (log, { threadId }) => log.deleteThread(threadId),
  forgetFiles: (log, { fileId }) => log.forgetFiles([fileId]),
  createRun: (log, subject) => log.createRun(keyed(subject)),
  'createRun with the same key': (log, { threadId, runId }) =>
    log.createRun(newRun(`${runId} 2`, { threadId, idempotencyKey: 'key', requestHash: 'hash', agent: 'second' })),
  'createRun with another hash': (log, { threadId, runId }) =>
    log.createRun(newRun(`${runId} 2`, { threadId, idempotencyKey: 'key', requestHash: 'other' })),
  'createRun with the same id and another key': (log, { threadId, runId }) =>
    log.createRun(newRun(runId, { threadId, idempotencyKey: 'other key', requestHash: 'other' })),
  'createRun that continues': (log, { threadId, runId }) =>
    log.createRun(newRun(`${runId} 3`, { threadId, afterRunId: runId, parentRunId: runId })),
  'append the opening': (log, subject) => log.append(subject.runId, { epoch: 0, afterSeq: 0 }, opening(subject)),
  'append more': (log, { runId }) =>
    log.append(runId, { epoch: 0, afterSeq: AFTER }, { inputs: [record('more')], events: [delta('more')] }),
  'append a record without events': (log, { runId }) =>
    log.append(runId, { epoch: 0, afterSeq: AFTER, afterRaw: 1 }, { inputs: [record('ping')], events: [], at: 9e12 }),
  'append the end': (log, subject) => log.append(subject.runId, { epoch: 0, afterSeq: AFTER }, ending(subject)),
  'append at a wrong position': (log, { runId }) =>
    log.append(runId, { epoch: 0, afterSeq: 40 }, { inputs: [record('wrong')], events: [delta('wrong'), end] }),
  'append a foreign message': (log, subject) => {
    const message = { ...messageOf(subject), chatId: 'elsewhere' }
    return log.append(subject.runId, { epoch: 0, afterSeq: AFTER }, { ...ending(subject), message })
  },
  pack: (log, { runId }) => log.pack(runId),
}

/** As `contentWrites`, about owners and commands. */
const ownerWrites: { readonly [name: string]: Act } = {
  'createRun with an owner': (log, subject) => log.createRun({ ...keyed(subject), owner: subject.nodes[0] }),
  'createRun alone': (log, { threadId, runId }) => log.createRun(newRun(`${runId} 4`, { threadId, isAlone: true })),
  acquire: (log, { runId, nodes }) => log.acquire(runId, nodes[0]),
  'acquire by another': (log, { runId, nodes }) => log.acquire(runId, nodes[1]),
  'acquire with a higher attempt': (log, { runId, nodes }) => log.acquire(runId, nodes[0], 3),
  'acquire with a lower attempt': (log, { runId, nodes }) => log.acquire(runId, nodes[1], 0),
  release: (log, { runId }) => log.release(runId, 1),
  'release for a time': (log, { runId }) => log.release(runId, 1, 25),
  leave: (log, { nodes }) => log.leave(nodes[0]),
  follow: (log, { runId, nodes }) => log.setFollowing(runId, nodes[0], true),
  unfollow: (log, { runId, nodes }) => log.setFollowing(runId, nodes[0], false),
  tell: (log, { runId }) => log.tell(runId, { command: { type: 'stop' }, key: 'key', by: 'a person' }),
  'tell with the same key': (log, { runId }) =>
    log.tell(runId, { command: { type: 'take-over', attempt: 2 }, key: 'key' }),
  'tell without a key': (log, { runId }) => log.tell(runId, { command: { type: 'take-back', messageId: 'm' } }),
  'append the opening as owner': (log, subject) =>
    log.append(subject.runId, { epoch: 1, afterSeq: 0 }, opening(subject)),
  'settle as owner': (log, { runId }) => {
    const append = { inputs: [record('settled')], events: [], settle: settlements }
    return log.append(runId, { epoch: 1, afterSeq: AFTER, afterRaw: 1 }, append)
  },
  'append the end as owner': (log, subject) =>
    log.append(subject.runId, { epoch: 1, afterSeq: AFTER }, { ...ending(subject), settle: settlements.slice(1) }),
  'append the end with a follow-up': (log, subject) => {
    const { threadId, runId } = subject
    const followUp = newRun(`${runId} 5`, { threadId, afterRunId: runId, idempotencyKey: 'next' })
    return log.append(runId, { epoch: 1, afterSeq: AFTER }, { ...ending(subject), followUp })
  },
}

export const writes: { readonly [name: string]: Act } = { ...contentWrites, ...ownerWrites }

/** Operations that change nothing. Those about the whole log are in `contentsOf`. */
export const reads: { readonly [name: string]: Act } = {
  thread: (log, { threadId }) => log.thread(threadId),
  run: (log, { runId }) => log.run(runId),
  runs: (log, { threadId }) => log.runs(threadId),
  lastRuns: (log, { threadId }) => log.lastRuns([threadId, `${threadId} none`]),
  messages: (log, { threadId }) => log.messages(threadId),
  read: (log, { runId }) => readAll(log, runId, 1),
  inputs: (log, { runId }) => inputsOf(log, runId),
  commands: (log, { runId }) => log.commands(runId, { after: 0 }),
  'open commands': (log, { runId }) => log.commands(runId, { after: 1, isOpen: true }),
  isFollowed: (log, { runId }) => log.isFollowed(runId),
  trouble: (log) => log.trouble(),
}

async function threadsOf(log: Log, search = '') {
  const items = []
  let page = await log.threads({ search, limit: 200 })
  for (items.push(...page.items); page.next !== undefined; items.push(...page.items)) {
    page = await log.threads({ search, limit: 200, after: page.next })
  }
  return items
}

/** What a subject may have been through before the operations of a test. */
export const histories: { readonly [name: string]: readonly Act[] } = {
  nothing: [],
  'an open run': pick('createRun', 'append the opening'),
  'an owned run': pick('createRun with an owner', 'append the opening as owner', 'tell', 'follow'),
  'an ended run': pick('createRun', 'append the opening', 'append the end'),
  'a deleted thread': pick('createRun', 'append the opening', 'append the end', 'deleteThread'),
}

function pick(...names: readonly string[]): readonly Act[] {
  return names.map((name) => {
    const act = writes[name]
    if (act === undefined) throw new Error(`There is no operation "${name}".`)
    return act
  })
}

/** The result of an operation as a value: what it resolves with, or the code of its refusal. */
export async function outcomeOf(operation: Promise<unknown>): Promise<unknown> {
  try {
    return { value: await operation }
  } catch (error) {
    return { refused: (error as { readonly code?: string }).code ?? String(error) }
  }
}

/** All that the log says about these subjects, one value for each. */
export async function contentsOf(log: Log, subjects: readonly Subject[]): Promise<readonly unknown[]> {
  const [threads, found, open, expired, unused] = await Promise.all([
    threadsOf(log),
    threadsOf(log, 'answer'),
    log.openRuns(),
    log.expired(),
    log.unusedFiles(),
  ])
  return Promise.all(
    subjects.map(async (subject) => {
      const { threadId, runId, fileId } = subject
      const ownReads = Object.values(reads).map((read) => outcomeOf(read(log, subject)))
      return {
        own: await Promise.all(ownReads),
        others: await Promise.all([`${runId} 2`, `${runId} 3`].map((id) => outcomeOf(readAll(log, id)))),
        threads: threads.filter(({ id }) => id === threadId),
        isFound: found.some(({ id }) => id === threadId),
        open: open.flatMap((run) => (run.threadId === threadId ? [run.id] : [])),
        expired: expired.flatMap((run) => (run.threadId === threadId ? [run.id] : [])),
        isUnused: unused.includes(fileId),
      }
    }),
  )
}
