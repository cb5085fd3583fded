import type { StreamEvent } from '@millrace/core/events'
import type { Log, Subject } from '@millrace/server/log'
import { expect } from './expectation.ts'
import { add, delta, end, type LogBench, newRun, start } from './log-bench.ts'
import { ownRun, promise, runAt, type Writer, type Writers } from './log-writers.ts'

/** Far longer than a hint takes, in ms. */
const PATIENCE = 3_000

const approval: StreamEvent = { type: 'approval', approvalId: 'a', state: 'requested', message: 'May I?' }

/** A change of the run `r` in the thread `thread`, and what it leaves behind. */
interface Change {
  act(writer: Writer): Promise<unknown>
  /** Whether the change can be read. */
  look(log: Log): Promise<boolean>
}

const append = ({ log }: Writer, epoch: number, afterSeq: number, events: readonly StreamEvent[]) =>
  log.append('r', { epoch, afterSeq }, { inputs: [], events })

/** The life of a run. Each is visible to those who watch the run. */
const ofRun: { readonly [name: string]: Change } = {
  tell: {
    act: ({ log }) => log.tell('r', { command: { type: 'stop' } }),
    look: async (log) => (await log.commands('r', { after: 0 })).length === 1,
  },
  settle: {
    act: ({ log }) => {
      const settle = [{ number: 1, result: { state: 'applied', seq: 0 } }] as const
      return log.append('r', { epoch: 1, afterSeq: 0 }, { inputs: [], events: [], settle })
    },
    look: async (log) => (await log.commands('r', { after: 0 }))[0]?.result !== undefined,
  },
  release: {
    act: ({ log }) => log.release('r', 1),
    look: async (log) => (await runAt(log, 'r')).state === 'waiting',
  },
  acquire: {
    act: ({ log, nodeId }) => log.acquire('r', nodeId),
    look: async (log) => (await runAt(log, 'r')).epoch === 2,
  },
  end: {
    act: (writer) => append(writer, 2, 0, [start, end]),
    look: async (log) => (await runAt(log, 'r')).state === 'ended',
  },
}

const versionIs = (version: number) => async (log: Log) => (await log.thread('thread'))?.version === version

/** The life of a thread. Each raises its version, by one unless two things change, and is visible to its watchers. */
const ofThread: { readonly [name: string]: Change } = {
  'its creation': { act: ({ log }) => log.createThread({ id: 'thread' }), look: versionIs(1) },
  'a new run': { act: (writer) => ownRun(writer, 'r'), look: versionIs(2) },
  'a new title': { act: ({ log }) => log.renameThread('thread', 'Title'), look: versionIs(3) },
  'a released run': { act: ({ log }) => log.release('r', 1), look: versionIs(4) },
  'an acquired run': { act: ({ log, nodeId }) => log.acquire('r', nodeId), look: versionIs(5) },
  'a question': { act: (writer) => append(writer, 2, 0, [start, approval, delta('a')]), look: versionIs(6) },
  'an end and its follow-up': {
    act: ({ log }) =>
      log.append('r', { epoch: 2, afterSeq: 3 }, { inputs: [], events: [end], followUp: newRun('next') }),
    look: versionIs(8),
  },
  'the end of the follow-up': { act: ({ log }) => add(log, 'next', end), look: versionIs(9) },
  'its deletion': {
    act: ({ log }) => log.deleteThread('thread'),
    look: async (log) => (await log.thread('thread')) === undefined,
  },
}

/** Throws unless a hint comes after which the change can be read: the listener itself looks. */
async function expectHint(watched: Subject, name: string, change: Change, { one, other }: Writers): Promise<void> {
  const { promise: seen, resolve } = Promise.withResolvers<boolean>()
  const stop = other.log.watch(watched, () => {
    change.look(other.log).then((isThere) => isThere && resolve(true))
  })
  await change.act(one)
  const timer = setTimeout(() => resolve(false), PATIENCE)
  expect(await seen, `a hint after ${name}`).toBe(true)
  clearTimeout(timer)
  stop()
}

/** Resolves when a listener that is added now has been called. */
async function hint(log: Log, watched: Subject, act: () => Promise<unknown>): Promise<void> {
  const { promise: called, resolve } = Promise.withResolvers<void>()
  const stop = log.watch(watched, resolve)
  await act()
  await called
  stop()
}

/** The promises of a log to those who watch it. */
export function watchPromises(bench: LogBench): void {
  promise(bench, 'gives a hint after each change of a run, when it can be read', async (writers) => {
    await ownRun(writers.one, 'r')
    for (const [name, change] of Object.entries(ofRun)) await expectHint({ runId: 'r' }, name, change, writers)
  })

  const threadSubjects = { 'a thread': { threadId: 'thread' }, 'all threads': 'threads' } as const
  for (const [watcher, watched] of Object.entries(threadSubjects)) {
    promise(
      bench,
      `gives those who watch ${watcher} a hint after each change, when it can be read`,
      async (writers) => {
        for (const [name, change] of Object.entries(ofThread)) await expectHint(watched, name, change, writers)
      },
    )
  }

  promise(bench, 'raises the version of a thread only if its viewers see a difference', async ({ one, other }) => {
    await ownRun(one, 'r')
    const version = async () => (await other.log.thread('thread'))?.version
    await one.log.createThread({ id: 'thread', title: 'again' })
    await one.log.createRun(newRun('r'))
    await one.log.tell('r', { command: { type: 'stop' } })
    await one.log.setFollowing('r', one.nodeId, true)
    await add(one.log, 'r', start, delta('a'))
    await one.log.renameThread('elsewhere', 'none')
    await one.log.createRun(newRun('s', { threadId: 'elsewhere' }))
    expect(await version()).toBe(1)
    const last = { inputs: [], events: [end] }
    for (const _time of [1, 2]) await one.log.append('r', { epoch: 1, afterSeq: 2 }, last)
    await one.log.acquire('r', one.nodeId)
    await one.log.release('r', 1)
    await one.log.pack('r')
    expect(await version()).toBe(2)
  })

  promise(bench, 'gives no hint to those who watch another run or thread', async ({ one, other }) => {
    await ownRun(one, 'r')
    // Its hint has arrived: that of an earlier change may still be on its way.
    await hint(other.log, { threadId: 'elsewhere' }, () => ownRun(one, 's', 'elsewhere'))
    const hints: string[] = []
    const others: { readonly [name: string]: Subject } = {
      run: { runId: 's' },
      thread: { threadId: 'elsewhere' },
      'thread of the run’s id': { threadId: 'r' },
      'run of the thread’s id': { runId: 'thread' },
      none: { runId: 'threads' },
    }
    for (const [name, watched] of Object.entries(others)) other.log.watch(watched, () => hints.push(name))
    for (const { act } of Object.values(ofRun)) await act(one)
    await hint(other.log, { threadId: 'thread' }, () => one.log.deleteThread('thread'))
    expect(hints).toEqual([])
  })

  promise(bench, 'gives no hint to a listener that has stopped', async ({ one, other }) => {
    await ownRun(one, 'r')
    const hints: string[] = []
    const listener = () => hints.push('twice')
    const watch = (of: () => void) => other.log.watch({ runId: 'r' }, of)
    const stops = [watch(listener), watch(() => hints.push('stopped')), watch(listener)]
    const tell = () => one.log.tell('r', { command: { type: 'stop' } })
    await hint(other.log, { runId: 'r' }, tell)
    expect(new Set(hints)).toEqual(new Set(['twice', 'stopped']))
    for (const stop of stops.slice(0, 2)) stop()
    // Once more: that must not stop another.
    stops[0]?.()
    hints.length = 0
    await hint(other.log, { runId: 'r' }, tell)
    expect(new Set(hints)).toEqual(new Set(['twice']))
    stops[2]?.()
    hints.length = 0
    await hint(other.log, { runId: 'r' }, tell)
    expect(hints).toEqual([])
  })

  promise(bench, 'gives no hint to a listener that another one has stopped meanwhile', async ({ one, other }) => {
    await ownRun(one, 'r')
    const hints: string[] = []
    const stops: (() => void)[] = []
    for (const name of ['first', 'second']) {
      const stopAll = () => {
        hints.push(name)
        for (const stop of stops) stop()
      }
      stops.push(other.log.watch({ runId: 'r' }, stopAll))
    }
    await hint(other.log, { runId: 'r' }, () => one.log.tell('r', { command: { type: 'stop' } }))
    expect(hints).toHaveLength(1)
  })

  promise(bench, 'is not disturbed by a listener that throws', async (writers) => {
    const { one, other } = writers
    await ownRun(one, 'r')
    const subjects = [{ runId: 'r' }, { threadId: 'thread' }, 'threads'] as const
    for (const watched of subjects) {
      other.log.watch(watched, () => {
        throw new Error('A listener’s own fault.')
      })
    }
    await expectHint({ runId: 'r' }, 'tell', ofRun.tell as Change, writers)
    const rename = () => one.log.renameThread('thread', 'Title')
    await hint(other.log, { threadId: 'thread' }, () => hint(other.log, 'threads', rename))
  })
}
