import { describe, expect, it } from 'vitest'
import type { Entry } from '../entry.ts'
import type { StreamEvent } from '../events.ts'
import { createFold, fold } from './fold.ts'
import { createJoin } from './join-runs.ts'
import type { ChatEvent, Folded, Segment } from './shapes.ts'

const IMPORT = 1_794_000_000_000
const RECORDED = 1_748_000_000_000

/** Entries with these times on the log's clock. */
const logged = (...all: readonly (readonly [at: number, event: StreamEvent])[]): Entry[] =>
  all.map(([at, event], index) => ({ seq: index + 1, at, event, rawThrough: 0 }))

const message = (messageId: string, role: 'user' | 'assistant' = 'assistant'): StreamEvent => ({
  type: 'message-start',
  messageId,
  role,
})
const messageEnd = (messageId: string): StreamEvent => ({ type: 'message-end', messageId })
const start: StreamEvent = { type: 'block-start', blockId: 'b', kind: 'text' }
const blockEnd: StreamEvent = { type: 'block-end', blockId: 'b' }

const times = ({ startedAt, endedAt }: Folded) => [startedAt, endedAt]
const piecesIn = (segments: readonly Segment[]): readonly Folded[] =>
  segments.flatMap((segment) => [segment, ...(segment.type === 'subagent' ? piecesIn(segment.segments) : [])])
const allIn = (chatEvents: readonly ChatEvent[]) => chatEvents.flatMap((chat) => [chat, ...piecesIn(chat.segments)])

describe('the clock of a run', () => {
  it('is that of the recording, from start to end, if all of it was imported at once', () => {
    const events: readonly StreamEvent[] = [
      { type: 'run-start' },
      message('u', 'user'),
      { ...start, blockId: 'q' },
      { type: 'status', message: 'Reading', level: 'info' },
      { type: 'subagent-start', agentId: 'a', name: 'scout' },
      { ...start, blockId: 'in', agentId: 'a' },
      messageEnd('u'),
      { ...message('m'), sentAt: RECORDED },
      { ...start, sentAt: RECORDED + 1000 },
      { ...blockEnd, sentAt: RECORDED + 4000 },
      { type: 'status', message: 'Writing', level: 'info' },
      messageEnd('m'),
      { type: 'run-end', outcome: 'success' },
    ]
    const { chatEvents } = fold(logged(...events.map((event) => [IMPORT, event] as const)))
    expect(chatEvents.map(times)).toEqual([
      [RECORDED, RECORDED],
      [RECORDED, RECORDED + 4000],
    ])
    for (const { startedAt, endedAt = startedAt } of allIn(chatEvents)) {
      expect([startedAt >= RECORDED, endedAt <= RECORDED + 4000]).toEqual([true, true])
    }
    expect(JSON.stringify(chatEvents)).not.toContain(`${IMPORT}`)
  })

  it('keeps the distances of a live run, also of entries before the first time of the framework', () => {
    const skew = 700
    const { chatEvents } = fold(
      logged(
        [10_000, message('u', 'user')],
        [10_000, messageEnd('u')],
        [12_000, { ...message('m'), sentAt: 12_000 - skew }],
        [13_000, { type: 'approval', approvalId: 'p', state: 'requested', sentAt: 13_000 - skew }],
        // A person answers after ten minutes.
        [613_000, { type: 'approval', approvalId: 'p', state: 'approved' }],
        [614_000, { ...messageEnd('m'), sentAt: 614_000 - skew }],
      ),
    )
    expect(chatEvents.map(times)).toEqual([
      [10_000, 10_000],
      [12_000 - skew, 614_000 - skew],
    ])
    expect(chatEvents[1]?.segments.map(times)).toEqual([[13_000 - skew, 613_000 - skew]])
  })

  it('ends nothing before it has started, whatever times the framework sends', () => {
    const sent = [500, 900, 100, undefined, 50, 2000, 1]
    const events = sent.flatMap((sentAt, index): StreamEvent[] => {
      const blockFields = { blockId: `b${index}`, ...(sentAt !== undefined && { sentAt }) }
      return [
        { ...start, ...blockFields },
        { ...blockEnd, ...blockFields, sentAt: sentAt === undefined ? 1 : sentAt - 40 },
      ]
    })
    const { chatEvents } = fold(logged([0, message('m')], ...events.map((event, at) => [at, event] as const)))
    const pieces = allIn(chatEvents)
    expect(pieces).toHaveLength(1 + sent.length)
    for (const { startedAt, endedAt = startedAt } of pieces) expect(endedAt).toBeGreaterThanOrEqual(startedAt)
  })

  it('is the same at every prefix, live and stored, also before the framework sends a time', () => {
    const all = logged(
      [IMPORT, message('u', 'user')],
      [IMPORT, { type: 'status', message: 'Reading', level: 'info' }],
      [IMPORT, { type: 'subagent-start', agentId: 'a', name: 'scout' }],
      [IMPORT, { ...start, agentId: 'a' }],
      [IMPORT + 5, { ...blockEnd, sentAt: RECORDED }],
      [IMPORT + 9, messageEnd('u')],
    )
    const live = createFold()
    const seen = all.map((entry) => {
      live.push([entry])
      return live.snapshot()
    })
    const stored = all.map((_, index) => fold(JSON.parse(JSON.stringify(all.slice(0, index + 1)))))
    expect(seen).toEqual(stored)
  })

  it('ends no call before it has started, even if another run with another clock contains its output', () => {
    const callIn = (at: number, ...events: readonly StreamEvent[]) =>
      logged([at, message('m')], ...events.map((event) => [at, event] as const))
    const call: StreamEvent = { type: 'tool-start', callId: 'c', name: 'look', runBy: 'client' }
    const again: StreamEvent = { ...call, meta: { millrace: { orphan: true } } }
    const output: StreamEvent = { type: 'tool-output', callId: 'c', status: 'ok', output: 1 }
    const joined = createJoin()([
      ...fold(callIn(IMPORT, call), { runId: 'one' }).chatEvents,
      ...fold(callIn(RECORDED, again, output), { runId: 'two' }).chatEvents,
    ])
    expect(joined[0]?.segments.map(times)).toEqual([[IMPORT, IMPORT]])
  })

  it('changes no segment whose times a late clock does not move', () => {
    const live = createFold()
    const all = logged(
      [10, message('u', 'user')],
      [20, messageEnd('u')],
      [30, message('m')],
      [40, { ...start, sentAt: 1000 }],
    )
    live.push(all.slice(0, -1))
    const [before] = live.snapshot().chatEvents
    live.push(all.slice(-1))
    expect(live.snapshot().chatEvents[0]).toBe(before)
  })
})
