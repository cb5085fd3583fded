import { readFileSync } from 'node:fs'
import { holdsAsync } from '@millrace/testkit/property'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Log } from '../src/log/log.ts'
import { createRuns } from '../src/run/create-runs.ts'
import type { Runs } from '../src/run/runs.ts'
import {
  bodyOf,
  brokenBody,
  createPipe,
  createSleeper,
  openLog,
  recoverAfterCrash,
  refusalOf,
  timeless,
  until,
} from './run-parts.ts'

const fixture = (path: string) => readFileSync(new URL(`../../../fixtures/${path}`, import.meta.url))

const recordings = [
  { format: 'agent-lines', bytes: fixture('agent-lines/deepagents.jsonl') },
  { format: 'agent-lines', bytes: fixture('agent-lines/noise.jsonl') },
  { format: 'claude', bytes: fixture('agent-lines/claude-api-mixed.jsonl') },
  { format: 'anthropic-messages', bytes: fixture('anthropic-messages/interleaved.jsonl') },
  {
    format: 'agent-lines',
    bytes: Buffer.from(
      ['a <th', 'ink>b</thi', 'nk> c 🚃 <', 'b>d']
        .map((content) => `${JSON.stringify({ type: 'text', data: { content } })}\r\n`)
        .join(''),
    ),
  },
]

/** The offset of each record in a recording of lines, and of its end. */
function startsOf(bytes: Buffer): readonly number[] {
  const starts = [0]
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) starts.push(at + 1)
  return starts
}

const openRuns = (log: Log): Runs => createRuns({ log, agents: [], sleep: createSleeper().sleep })

/** One failure of a producer: where its connection breaks, how much it repeats, whether the server died too. */
interface Break {
  readonly at: number
  readonly repeats: number
  readonly isNewProcess: boolean
  readonly isNewAttempt: boolean
  readonly chunk: number
}

const anyBreak: fc.Arbitrary<Break> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  repeats: fc.nat(3),
  isNewProcess: fc.boolean(),
  isNewAttempt: fc.boolean(),
  chunk: fc.integer({ min: 1, max: 4000 }),
})

function chunksOf(bytes: Buffer, size: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}

async function whole({ format, bytes }: (typeof recordings)[number]) {
  const log = await openLog()
  await openRuns(log).ingest({ format, runId: 'r', threadId: 't' }, bodyOf(bytes))
  return { entries: await timeless(log, 'r'), message: messageOf(await log.messages('t')) }
}

const messageOf = (messages: Awaited<ReturnType<Log['messages']>>) => messages.map(({ id: _id, ...message }) => message)

describe('a producer that is interrupted at any point and resumes', () => {
  it('S3-9: leaves the same log as one that was not (200 cases)', async () => {
    const wholes = await Promise.all(recordings.map(whole))
    await holdsAsync(
      fc.asyncProperty(
        fc.nat(recordings.length - 1),
        fc.array(anyBreak, { minLength: 1, maxLength: 4 }),
        async (which, breaks) => {
          const recording = recordings[which]
          if (recording === undefined) throw new Error('The recording does not exist.')
          const { format, bytes } = recording
          const starts = startsOf(bytes)
          const log = await openLog()
          let runs = openRuns(log)
          let attempt = 1
          let durable = 0
          for (const { at, repeats, isNewProcess, isNewAttempt, chunk } of breaks) {
            const line = Math.max(0, durable - repeats)
            const rest = bytes.subarray(starts[line])
            const sent = rest.subarray(0, Math.floor(at * rest.length))
            const options = { format, runId: 'r', threadId: 't', attempt, line }
            const refused = await refusalOf(runs.ingest(options, brokenBody(...chunksOf(sent, chunk))))
            expect(refused.code).toBe('broken-off')
            durable = (await log.run('r'))?.rawRecords ?? 0
            expect(refused.rawRecords).toBe(durable)
            if (isNewProcess) {
              runs = openRuns(log)
              await recoverAfterCrash(runs)
            }
            if (isNewAttempt) attempt++
          }
          const rest = bytes.subarray(starts[durable])
          const answer = await runs.ingest({ format, runId: 'r', attempt, line: durable }, bodyOf(rest))
          const expected = wholes[which]
          expect(await timeless(log, 'r')).toEqual(expected?.entries)
          expect(messageOf(await log.messages('t'))).toEqual(expected?.message)
          expect(answer.entries).toBe(expected?.entries.length)
        },
      ),
      200,
    )
  })

  it('reads a resumed body with the framing of the first, although its first line looks like another framing', async () => {
    const lines = ['A', '[INFO] x', 'B', 'data: 5 rows', 'C', '[1, 2', 'D'].map((line) =>
      line.length === 1 ? JSON.stringify({ type: 'text', data: { content: line } }) : line,
    )
    const options = { format: 'agent-lines', threadId: 't' }
    const log = await openLog()
    const runs = openRuns(log)
    await runs.ingest({ ...options, runId: 'whole' }, bodyOf(Buffer.from(`${lines.join('\n')}\n`)))
    for (const [line, text] of lines.entries()) {
      const refused = await refusalOf(
        runs.ingest({ ...options, runId: 'r', line }, brokenBody(Buffer.from(`${text}\n`))),
      )
      expect(refused.rawRecords).toBe(line + 1)
    }
    await runs.ingest({ ...options, runId: 'r', line: lines.length }, bodyOf(Buffer.from('')))
    expect(await timeless(log, 'r')).toEqual(await timeless(log, 'whole'))
  })

  it('leaves the same log if the server dies while the body is arriving', async () => {
    const [recording] = recordings
    if (recording === undefined) throw new Error('The recording does not exist.')
    const { format, bytes } = recording
    const starts = startsOf(bytes)
    for (let cut = 1; cut < starts.length - 1; cut++) {
      const log = await openLog()
      const pipe = createPipe()
      // This one is not used any more: its process is dead.
      void openRuns(log).ingest({ format, runId: 'r', threadId: 't' }, pipe)
      pipe.write(bytes.subarray(0, starts[cut]).toString())
      await until(async () => (await log.run('r'))?.rawRecords === cut)
      const runs = openRuns(log)
      await recoverAfterCrash(runs)
      expect((await log.run('r'))?.state).toBe('waiting')
      await runs.ingest({ format, runId: 'r', line: cut }, bodyOf(bytes.subarray(starts[cut])))
      expect(await timeless(log, 'r')).toEqual((await whole(recording)).entries)
    }
  })
})
