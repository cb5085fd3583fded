import type { StreamEvent } from '@millrace/core/events'
import type { Append, Log } from '@millrace/server/log'
import { delta, end, inputsOf, newRun, readAll, record, start } from './log-bench.ts'

/** Operations on one thread and one run of it, as the suites combine them. */

/** The ids that an operation uses. All of them begin with the same text, so that many subjects share one log. */
export interface Subject {
  readonly threadId: string
  readonly runId: string
  readonly fileId: string
}

export const subjectOf = (name: string): Subject => ({
  threadId: `${name} thread`,
  runId: `${name} run`,
  fileId: `${name.replaceAll(' ', '-')}-file`,
})

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

const AFTER = opening(subjectOf('')).events.length

const createRun: Act = (log, { threadId, runId }) =>
  log.createRun(newRun(runId, { threadId, idempotencyKey: 'key', requestHash: 'hash' }))

/** Operations that change something, or are refused because of what another has changed. */
export const writes: { readonly [name: string]: Act } = {
  createThread: (log, { threadId }) => log.createThread({ id: threadId, title: 'Created' }),
  renameThread: (log, { threadId }) => log.renameThread(threadId, 'Renamed'),
  deleteThread: (log, { threadId }) => log.deleteThread(threadId),
  forgetFiles: (log, { fileId }) => log.forgetFiles([fileId]),
  createRun,
  'createRun with the same key': (log, { threadId, runId }) =>
    log.createRun(newRun(`${runId} 2`, { threadId, idempotencyKey: 'key', requestHash: 'hash', agent: 'second' })),
  'createRun with another hash': (log, { threadId, runId }) =>
    log.createRun(newRun(`${runId} 2`, { threadId, idempotencyKey: 'key', requestHash: 'other' })),
  'createRun with the same id and another key': (log, { threadId, runId }) =>
    log.createRun(newRun(runId, { threadId, idempotencyKey: 'other key', requestHash: 'other' })),
  'createRun that continues': (log, { threadId, runId }) =>
    log.createRun(newRun(`${runId} 3`, { threadId, afterRunId: runId, parentRunId: runId })),
  claim: (log, { runId }) => log.claim(runId, 2),
  'claim with a lower attempt': (log, { runId }) => log.claim(runId, 0),
  'setState waiting': (log, { runId }) => log.setState(runId, 'waiting'),
  'setState live': (log, { runId }) => log.setState(runId, 'live'),
  'append the opening': (log, subject) => log.append(subject.runId, { attempt: 1, afterSeq: 0 }, opening(subject)),
  'append more': (log, { runId }) =>
    log.append(runId, { attempt: 1, afterSeq: AFTER }, { inputs: [record('more')], events: [delta('more')] }),
  'append a record without events': (log, { runId }) =>
    log.append(runId, { attempt: 1, afterSeq: AFTER, afterRaw: 1 }, { inputs: [record('ping')], events: [], at: 9e12 }),
  'append the end': (log, subject) => log.append(subject.runId, { attempt: 1, afterSeq: AFTER }, ending(subject)),
  'append with a higher attempt': (log, { runId }) =>
    log.append(runId, { attempt: 3, afterSeq: AFTER }, { inputs: [], events: [delta('higher')] }),
  'append at a wrong position': (log, { runId }) =>
    log.append(runId, { attempt: 1, afterSeq: 40 }, { inputs: [record('wrong')], events: [delta('wrong'), end] }),
  'append a foreign message': (log, subject) => {
    const message = { ...messageOf(subject), chatId: 'elsewhere' }
    return log.append(subject.runId, { attempt: 1, afterSeq: AFTER }, { ...ending(subject), message })
  },
  pack: (log, { runId }) => log.pack(runId),
}

/** Operations that change nothing. Those about the whole log are in `contentsOf`. */
export const reads: { readonly [name: string]: Act } = {
  thread: (log, { threadId }) => log.thread(threadId),
  run: (log, { runId }) => log.run(runId),
  runs: (log, { threadId }) => log.runs(threadId),
  lastRuns: (log, { threadId }) => log.lastRuns([threadId, `${threadId} none`]),
  messages: (log, { threadId }) => log.messages(threadId),
  read: (log, { runId }) => readAll(log, runId, 1),
  inputs: (log, { runId }) => inputsOf(log, runId),
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
  'an open run': [createRun, pick('append the opening')],
  'an ended run': [createRun, pick('append the opening'), pick('append the end')],
  'a deleted thread': [createRun, pick('append the opening'), pick('append the end'), pick('deleteThread')],
}

function pick(name: string): Act {
  const act = writes[name]
  if (act === undefined) throw new Error(`There is no operation "${name}".`)
  return act
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
  const [threads, found, open, unused] = await Promise.all([
    threadsOf(log),
    threadsOf(log, 'answer'),
    log.openRuns(),
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
        isUnused: unused.includes(fileId),
      }
    }),
  )
}
