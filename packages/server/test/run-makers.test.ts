import type { Entry } from '@millrace/core/entry'
import { describe, expect, it } from 'vitest'
import { createFanOut } from '../src/deliver/fan-out.ts'
import { EntryLines } from '../src/log/entry-lines.ts'
import type { Log, StoredRun } from '../src/log/log.ts'
import { answerApproval, stopRun } from '../src/run/ask.ts'
import { createRuns } from '../src/run/create-runs.ts'
import { chatEventsOf } from '../src/run/history.ts'
import { restore } from '../src/run/restore.ts'
import { verifyRun } from '../src/verify/verify.ts'
import {
  agentOf,
  bodyOf,
  brokenBody,
  createReports,
  createSleeper,
  entriesOf,
  isEnded,
  lineOf,
  openLog,
  textLine,
  until,
} from './run-parts.ts'

const format = 'agent-lines'

async function opened(agents = [agentOf(() => bodyOf(textLine('Line 3.'), lineOf('done')))]) {
  const log = await openLog()
  const sleeper = createSleeper()
  const { report } = createReports()
  return { log, sleeper, runs: createRuns({ log, agents, sleep: sleeper.sleep, report }) }
}

/** The type and the maker of each entry. */
const makers = (entries: readonly Entry[]) => entries.map(({ event, by }) => `${event.type} ${by ?? '-'}`)

const verified = (log: Log, run: StoredRun) => verifyRun({ log, fanOut: createFanOut(log) }, run)

/** The log, with each entry changed when it is read. */
function readingAs(log: Log, change: (entry: Entry) => Entry): Log {
  return {
    ...log,
    async *read(runId, options) {
      for await (const entries of log.read(runId, options)) yield entries.map(change)
    },
    async *lines(runId, options) {
      for await (const added of log.lines(runId, options)) {
        const lines = added.entries().map((entry) => JSON.stringify(change(entry)))
        yield new EntryLines(added.after, lines)
      }
    },
  }
}

describe('the maker of an entry', () => {
  it('is the server for a person’s message, and the producer for the agent’s events', async () => {
    const { log, runs } = await opened()
    await runs.start({ threadId: 't', agent: 'tester', input: { text: 'Which tram?' }, runId: 'r' })
    await until(isEnded(log, 'r'))
    expect(makers(await entriesOf(log, 'r'))).toEqual([
      'run-start server',
      'message-start server',
      'block-start server',
      'block-delta server',
      'block-end server',
      'message-end server',
      'message-start -',
      'block-start -',
      'block-delta -',
      'block-end -',
      'message-end -',
      'run-end -',
    ])
  })

  it('is the client for the outputs that it sent', async () => {
    const calling = agentOf(async function* ({ input }) {
      const call = {
        toolCallId: 'c',
        toolName: 'look',
        dynamic: true,
        providerMetadata: { millrace: { runBy: 'client' } },
      }
      const chunks = input.toolOutputs?.length
        ? [{ type: 'start' }, { type: 'finish', finishReason: 'stop' }]
        : [
            { type: 'start' },
            { type: 'tool-input-available', ...call, input: {} },
            { type: 'finish', finishReason: 'tool-calls' },
          ]
      yield* bodyOf(...chunks.map((chunk) => `${JSON.stringify(chunk)}\n`))
    })
    const { log, runs } = await opened([{ ...calling, format: 'ai-sdk' }])
    await runs.start({ threadId: 't', agent: 'tester', input: { text: 'Look!' }, runId: 'r' })
    await until(isEnded(log, 'r'))
    const input = { text: 'And?', toolOutputs: [{ callId: 'c', output: 'grey' }] }
    await runs.start({ threadId: 't', agent: 'tester', input, runId: 's' })
    await until(isEnded(log, 's'))
    expect(makers(await entriesOf(log, 's')).slice(0, 7)).toEqual([
      'run-start server',
      'message-start client',
      'tool-start client',
      'tool-input client',
      'tool-output client',
      'message-end client',
      'message-start server',
    ])
    expect(await verified(log, (await log.run('s')) ?? expect.fail())).toMatchObject({ ok: true, reread: 'same' })
  })

  it('is the producer for a clean end, and the server for the end of a stream that did not resume', async () => {
    const { log, runs, sleeper } = await opened()
    await runs.ingest({ format, runId: 'clean' }, bodyOf(textLine('One'), lineOf('done')))
    expect(new Set((await entriesOf(log, 'clean')).map(({ by }) => by))).toEqual(new Set([undefined]))
    await runs.ingest({ format, runId: 'cut' }, brokenBody(textLine('One'))).catch(() => undefined)
    sleeper.wakeAll()
    await until(isEnded(log, 'cut'))
    expect(makers(await entriesOf(log, 'cut'))).toEqual([
      'run-start -',
      'message-start -',
      'block-start -',
      'block-delta -',
      'block-end server',
      'message-end server',
      'run-end server',
    ])
  })
})

describe('an answer in a producer’s record', () => {
  const chunks = [
    { type: 'start', messageId: 'm1' },
    { type: 'tool-input-available', toolCallId: 'c', toolName: 'dig', input: {} },
    { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' },
    { type: 'tool-approval-response', approvalId: 'a', approved: true },
  ]
  const lines = chunks.map((chunk) => `${JSON.stringify(chunk)}\n`)
  const toolOf = async (log: Log, runId: string) =>
    (await chatEventsOf(log, runId)).flatMap(({ segments }) => segments).find(({ type }) => type === 'tool')

  it('is kept as raw in a run of a server’s agent: the question stays open, also after a restart', async () => {
    const agent = { ...agentOf(() => bodyThen(lines, new Promise(() => undefined))), format: 'ai-sdk' }
    const { log, runs } = await opened([agent])
    await runs.start({ threadId: 't', agent: 'tester', input: { text: 'Dig' }, runId: 'r' })
    await until(async () => (await log.run('r'))?.rawRecords === 4)
    expect((await entriesOf(log, 'r')).at(-1)).toMatchObject({
      event: { type: 'raw', value: chunks[3], reason: 'unmapped' },
    })
    expect(await toolOf(log, 'r')).toMatchObject({ state: 'approval', approval: { state: 'requested' } })
    expect(await verified(log, (await log.run('r')) ?? expect.fail())).toMatchObject({ ok: true, reread: 'same' })
    expect((await restore(log, (await log.run('r')) ?? expect.fail())).isReproduced).toBe(true)
    expect(await answerApproval(runs, 'r', 'a', { state: 'denied' })).toBe('answered')
    expect(await toolOf(log, 'r')).toMatchObject({ state: 'denied', approval: { state: 'denied', by: 'server' } })
  })

  it('closes the question of an ingested run', async () => {
    const { log, runs } = await opened()
    await runs.ingest({ format: 'ai-sdk', runId: 'r' }, bodyOf(...lines))
    const tool = await toolOf(log, 'r')
    expect(tool).toMatchObject({ approval: { state: 'approved' } })
    expect(JSON.stringify(tool)).not.toContain('"by"')
  })
})

describe('reading a run again', () => {
  async function stopped() {
    const { log, runs } = await opened([agentOf(({ signal }) => untilAborted(signal))])
    await runs.start({ threadId: 't', agent: 'tester', input: { text: 'Go' }, runId: 'r' })
    await until(async () => (await log.run('r'))?.rawRecords === 1)
    await stopRun(runs, 'r', 'ada')
    await until(isEnded(log, 'r'))
    return { log, run: (await log.run('r')) ?? expect.fail() }
  }

  it('gives the same makers; another maker is a difference', async () => {
    const { log, run } = await stopped()
    expect(await verified(log, run)).toMatchObject({ ok: true, reread: 'same' })
    const isStop = ({ event }: Entry) => event.type === 'control'
    const forged = readingAs(log, ({ by, ...entry }) => ({ ...entry, ...(by && !isStop(entry) && { by }) }))
    const verdict = await verified(forged, run)
    expect(verdict).toMatchObject({ ok: false, reread: 'different' })
    const stop = (await entriesOf(log, 'r')).find(isStop)
    expect(verdict.problems).toEqual([`Reading the inputs again differs from the log at entry ${stop?.seq}.`])
  })

  it('leaves no reader at the log, whether or not the events are the same', async () => {
    const { log, run } = await stopped()
    let readers = 0
    const counting = (change: (entry: Entry) => Entry): Log => ({
      ...log,
      async *read(runId, options) {
        readers++
        try {
          for await (const entries of readingAs(log, change).read(runId, options)) yield entries
        } finally {
          readers--
        }
      },
    })
    const other = counting(({ event, ...entry }) => ({ ...entry, event: { ...event, sentAt: 1 } }))
    expect([(await restore(other, run)).isReproduced, readers]).toEqual([false, 0])
    const same = counting((entry) => entry)
    expect([(await restore(same, run)).isReproduced, readers]).toEqual([true, 0])
    expect([(await restore({ ...same, inputs: async function* () {} }, run)).isReproduced, readers]).toEqual([false, 0])
  })

  it('accepts a log of an earlier version, which names no makers', async () => {
    const { log, run } = await stopped()
    const earlier = readingAs(log, ({ by: _by, ...entry }) => entry)
    expect(await verified(earlier, run)).toMatchObject({ ok: true, reread: 'same' })
  })
})

async function* bodyThen(lines: readonly string[], last: Promise<void>): AsyncGenerator<Uint8Array> {
  yield* bodyOf(...lines)
  await last
}

async function* untilAborted(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield* bodyOf(textLine('on'))
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
}
