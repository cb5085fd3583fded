import type { StreamEvent } from '@millrace/core/events'
import { getWire } from '@millrace/core/wire'
import { holdsAsync } from '@millrace/testkit/property'
import { readingOf } from '@millrace/testkit/repository/reading'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cursor, cursorText, follows } from '../src/deliver/cursor.ts'
import { createFanOut, type FanOut } from '../src/deliver/fan-out.ts'
import { ENOUGH, follow } from '../src/deliver/follow.ts'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'

const run = { id: 'r', threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1 }
const opening: StreamEvent[] = [
  { type: 'run-start' },
  { type: 'message-start', messageId: 'm', role: 'assistant' },
  { type: 'block-start', messageId: 'm', blockId: 'b', kind: 'text' },
]
const closing: StreamEvent[] = [
  { type: 'block-end', messageId: 'm', blockId: 'b' },
  { type: 'message-end', messageId: 'm' },
  { type: 'run-end', outcome: 'success' },
]
const delta = (text: string): StreamEvent => ({ type: 'block-delta', messageId: 'm', blockId: 'b', text })

async function openLog(): Promise<Log> {
  const log = await memory.open({ folder: '' })
  await log.createRun(run)
  return log
}

async function append(log: Log, events: readonly StreamEvent[]): Promise<void> {
  const { seq = 0 } = (await log.run('r')) ?? {}
  await log.append('r', { epoch: 0, afterSeq: seq }, { inputs: [], events })
}

/** The chunks after a cursor, from one wire state that starts at the first entry. */
async function expected(log: Log, { wire, after, ...how }: Pick<Plan, 'wire' | 'after' | 'messageId' | 'profile'>) {
  const { messageId, profile } = how
  const options = { ...(messageId !== undefined && { messageId }), ...(profile !== undefined && { profile }) }
  const wireState = getWire(wire).create({ runId: 'r', threadId: 't', ...options })
  const texts: string[] = []
  for await (const entries of log.read('r', { after: 0, live: false })) {
    for (const entry of entries) {
      for (const [index, chunk] of wireState.push(entry).entries()) {
        if (after !== undefined && !follows(after, entry.seq, index)) continue
        texts.push(JSON.stringify({ id: cursorText(getWire(wire))(entry.seq, index), chunk }))
      }
    }
  }
  return texts
}

interface Plan {
  readonly wire: string
  readonly after?: Cursor
  readonly profile?: string
  /** The message that the run continues. */
  readonly messageId?: string
  /** How many turns of the event loop it waits after each piece. */
  readonly rest: number
  readonly startAt: number
}

async function watched(fanOut: FanOut, { rest, startAt, ...wanted }: Plan): Promise<string[]> {
  for (let turn = 0; turn < startAt; turn++) await new Promise(setImmediate)
  const { signal } = new AbortController()
  const texts: string[] = []
  await follow(fanOut, { runId: 'r', threadId: 't', signal, ...wanted }, async (piece) => {
    for (const message of piece.messages(undefined)) texts.push(new TextDecoder().decode(message))
    for (let turn = 0; turn < rest; turn++) await new Promise(setImmediate)
  })
  return texts
}

const viewers = fc.array(
  fc.record(
    {
      wire: fc.constantFrom('native', 'ai-sdk'),
      after: fc.record({ seq: fc.integer({ min: 0, max: 90 }), index: fc.integer({ min: 0, max: 2 }) }),
      rest: fc.constantFrom(0, 0, 1, 7),
      startAt: fc.integer({ min: 0, max: 60 }),
    },
    { requiredKeys: ['wire', 'rest', 'startAt'] },
  ),
  { minLength: 1, maxLength: 12 },
)

describe('viewers of one run that share its chunks', () => {
  it('each get exactly the chunks after their cursor, whenever they connect and however slow they are', async () => {
    await holdsAsync(
      fc.asyncProperty(viewers, fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 }), async (all, batches) => {
        const log = await openLog()
        const fanOut = createFanOut(log)
        const seen = all.map((viewer) => watched(fanOut, viewer as Plan))
        await append(log, opening)
        for (const [nth, size] of batches.entries()) {
          // Some are larger than what is kept for slow viewers.
          const text = nth % 4 === 3 ? 'x'.repeat(200_000) : `${nth} `
          await append(
            log,
            Array.from({ length: size }, () => delta(text)),
          )
          for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
        }
        await append(log, closing)
        for (const [index, { after, ...viewer }] of all.entries()) {
          const cursor = after && { after: viewer.wire === 'native' ? { seq: after.seq } : after }
          expect(await seen[index]).toEqual(await expected(log, { ...viewer, ...cursor } as Plan))
        }
      }),
      60,
    )
  })

  it('share only the same chunks: not with another profile, nor with another message', async () => {
    const log = await openLog()
    const fanOut = createFanOut(log)
    const plain: Plan = { wire: 'ai-sdk', rest: 0, startAt: 0 }
    const mobox = { ...plain, profile: 'mobox' }
    const all = [plain, mobox].flatMap((plan) => [plan, { ...plan, messageId: 'earlier' }])
    const seen = all.map((plan) => watched(fanOut, plan))
    await append(log, [...opening, delta('one '), ...closing])
    for (const [index, plan] of all.entries()) expect(await seen[index]).toEqual(await expected(log, plan))
  })

  it('cost one read of the log and one encoding, for any number of viewers', async () => {
    const log = await openLog()
    let given = 0
    const counting = readingOf(log, {
      given({ lines }) {
        given += lines.length
      },
    })
    const fanOut = createFanOut(counting)
    const all = Array.from({ length: 100 }, () => watched(fanOut, { wire: 'ai-sdk', rest: 0, startAt: 0 }))
    await append(log, opening)
    for (let nth = 0; nth < 20; nth++) {
      await append(log, [delta(`${nth}`)])
      await new Promise(setImmediate)
    }
    await append(log, closing)
    const [first, ...others] = await Promise.all(all)
    for (const other of others) expect(other).toEqual(first)
    expect(given).toBe(26)
  })

  it('that reconnect together to a stateful wire share the replay', async () => {
    const log = await openLog()
    await append(log, opening)
    for (let nth = 0; nth < 50; nth++) await append(log, [delta(`${nth}`)])
    await append(log, closing)
    let reads = 0
    const counting: Log = {
      ...log,
      lines(runId, options) {
        reads++
        return log.lines(runId, options)
      },
    }
    const fanOut = createFanOut(counting)
    const cursors = [
      { seq: 40, index: 0 },
      { seq: 44, index: 0 },
      { seq: 41, index: 0 },
      { seq: 50, index: 0 },
    ]
    const seen = await Promise.all(
      cursors.map((after) => watched(fanOut, { wire: 'ai-sdk', after, rest: 0, startAt: 0 })),
    )
    for (const [index, after] of cursors.entries())
      expect(seen[index]).toEqual(await expected(log, { wire: 'ai-sdk', ...(after && { after }) }))
    expect(reads).toBe(1)
  })

  it('leave no state behind when they disconnect', async () => {
    const log = await openLog()
    await append(log, opening)
    let open = 0
    const counting = readingOf(log, { opened: () => open++, closed: () => open-- })
    const fanOut = createFanOut(counting)
    const controllers = Array.from({ length: 3 }, () => new AbortController())
    const all = controllers.map(async ({ signal }) => {
      await follow(fanOut, { runId: 'r', threadId: 't', wire: 'native', signal }, () => undefined)
    })
    await new Promise(setImmediate)
    expect(open).toBe(1)
    for (const controller of controllers) controller.abort()
    await Promise.all(all)
    const { signal } = new AbortController()
    await follow(fanOut, { runId: 'r', threadId: 't', wire: 'native', signal }, async () => ENOUGH)
    await new Promise(setImmediate)
    expect(open).toBe(0)
  })
})
