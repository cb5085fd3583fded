import { describe, expect, it } from 'vitest'
import { entries } from '../../test/entries.ts'
import type { Entry } from '../entry.ts'
import type { StreamEvent } from '../events.ts'
import { createFold, fold } from './fold.ts'

const tool: StreamEvent = { type: 'tool-start', callId: 'c', name: 'ls', runBy: 'agent' }
const status = (message: string): StreamEvent => ({ type: 'status', message, level: 'info' })

describe('fold of a run', () => {
  it('ends a chat event with its message, or marks it as interrupted or retracted', () => {
    const chat = (event: StreamEvent) => fold(entries(event)).chatEvents[0]
    expect(chat({ type: 'message-end', messageId: 'm' })).toMatchObject({
      id: 'run/m',
      runId: 'run',
      role: 'assistant',
      state: 'done',
      endedAt: 3000,
    })
    expect(chat({ type: 'message-end', messageId: 'm', interrupted: true })?.state).toBe('interrupted')
    expect(chat({ type: 'message-retract', messageIds: ['m'] })?.state).toBe('retracted')
  })

  it('shows the error of a run in its last assistant chat event', () => {
    const snapshot = fold(
      entries(
        { type: 'message-end', messageId: 'm' },
        { type: 'run-end', outcome: 'error', reason: 'why', error: { message: 'boom', code: 'x' } },
      ),
    )
    expect(snapshot).toMatchObject({ outcome: 'error', error: { message: 'boom' }, metadata: { reason: 'why' } })
    expect(snapshot.chatEvents[0]?.segments).toMatchObject([{ type: 'error', message: 'boom', code: 'x' }])
  })

  it('S0-77: adds the usage of steps, replaces repeated snapshots, and lets the run replace all', () => {
    const usage = (
      mode: 'snapshot' | 'add',
      inputTokens: number,
      outputTokens: number,
      scope: 'step' | 'run' = 'step',
    ): StreamEvent => ({ type: 'usage', scope, mode, inputTokens, outputTokens })
    const step: StreamEvent = { type: 'step-start', kind: 'model' }
    const steps = [
      step,
      usage('snapshot', 10, 1),
      usage('snapshot', 10, 5),
      step,
      usage('add', 3, 2),
      usage('add', 0, 2),
    ]
    expect(fold(entries(...steps)).usage).toEqual({ inputTokens: 13, outputTokens: 9 })
    expect(fold(entries(...steps)).chatEvents[0]?.usage).toEqual({ inputTokens: 13, outputTokens: 9 })
    expect(fold(entries(...steps, usage('snapshot', 100, 50, 'run'), usage('snapshot', 101, 51, 'run'))).usage).toEqual(
      { inputTokens: 101, outputTokens: 51 },
    )
  })

  it('merges metadata and provider meta, keeps state by channel, and replaces data by name and id', () => {
    const snapshot = fold(
      entries(
        { type: 'metadata', metadata: { a: 1, model: 'x' } },
        { type: 'metadata', metadata: { b: 2 } },
        { type: 'state', channel: 's', op: 'snapshot', value: { n: 1 } },
        { type: 'state', channel: 's', op: 'patch', value: [{ op: 'replace', path: '/n', value: 2 }] },
        { type: 'data', name: 'd', id: '1', data: 'old' },
        { type: 'data', name: 'd', id: '1', data: 'new' },
        { type: 'data', name: 'd', data: 'gone', transient: true },
        { type: 'block-start', blockId: 'b', kind: 'reasoning', meta: { p: { x: 1 } } },
        { type: 'block-patch', blockId: 'b', signature: 'old', text: 'whole' },
        { type: 'block-patch', blockId: 'b', signature: 'new', encrypted: 'e', meta: { p: { y: 2 } } },
      ),
    )
    expect(snapshot).toMatchObject({ metadata: { a: 1, b: 2, model: 'x' }, state: { s: { n: 2 } } })
    expect(snapshot.chatEvents[0]).toMatchObject({
      model: 'x',
      segments: [
        { type: 'data', data: 'new' },
        { text: 'whole', signature: 'new', encrypted: 'e', meta: { p: { x: 1, y: 2 } } },
      ],
    })
    expect(snapshot.chatEvents[0]?.segments).toHaveLength(2)
  })

  it('names the maker of an answer and of a message, unless it is the stream', () => {
    const madeBy = (by: Entry['by'], ...events: readonly StreamEvent[]) => events.map((event) => ({ event, by }))
    const question: StreamEvent = { type: 'approval', approvalId: 'a', state: 'requested', callId: 'c' }
    const alone: StreamEvent = { type: 'approval', approvalId: 'b', state: 'requested' }
    const answers: readonly StreamEvent[] = [
      { ...question, state: 'approved' },
      { ...alone, state: 'denied' },
    ]
    const folded = (by: Entry['by']) => {
      const all = [
        ...madeBy(by, { type: 'run-start' }, { type: 'message-start', messageId: 'u', role: 'user' }),
        ...madeBy(undefined, { type: 'message-start', messageId: 'm', role: 'assistant' }, tool),
        // The maker of a request is not the maker of its answer.
        ...madeBy('server', question, alone),
        ...madeBy(by, ...answers),
      ]
      const stamped = all.map(({ event, by: maker }, index): Entry => {
        return { seq: index + 1, at: 0, event, rawThrough: 0, ...(maker !== undefined && { by: maker }) }
      })
      return { asked: fold(stamped.slice(0, -2)).chatEvents, answered: fold(stamped).chatEvents }
    }
    const person = folded('server')
    expect(person.answered.map(({ by }) => by)).toEqual(['server', undefined])
    expect(person.answered[1]?.segments).toMatchObject([
      { approval: { state: 'approved', by: 'server' } },
      { type: 'approval', state: 'denied', by: 'server' },
    ])
    expect(JSON.stringify(person.asked[1])).not.toContain('"by"')
    expect(JSON.stringify(folded(undefined))).not.toContain('"by"')
  })

  it('keeps the answer on a call that was cancelled afterwards', () => {
    const answer: StreamEvent = { type: 'approval', approvalId: 'a', state: 'approved', callId: 'c', message: 'Go on' }
    const cancelled: StreamEvent = { type: 'tool-output', callId: 'c', status: 'cancelled', output: null }
    const [segment] = fold(entries(tool, answer, cancelled)).chatEvents[0]?.segments ?? []
    expect(segment).toMatchObject({ state: 'cancelled', approval: { state: 'approved', message: 'Go on' } })
  })

  it('removes the maker of an answer when the stream answers again', () => {
    const answer: StreamEvent = { type: 'approval', approvalId: 'a', state: 'approved' }
    const [first, second] = entries({ ...answer, callId: 'c' }, answer).slice(2)
    if (first === undefined || second === undefined) expect.fail()
    const again = (entry: Entry, seq: number): Entry => ({ ...entry, seq })
    const all = [...entries(tool), again({ ...first, by: 'server' }, 4), again({ ...second, by: 'server' }, 5)]
    const { segments = [] } = fold([...all, again(first, 6), again(second, 7)]).chatEvents[0] ?? {}
    expect(JSON.stringify(fold(all))).toContain('"by":"server"')
    expect(JSON.stringify(segments)).not.toContain('"by"')
  })

  it.each([{ callId: 'c' }, {}])('shows a second question without what was asked and answered before: %j', (call) => {
    const asked: StreamEvent = { type: 'approval', approvalId: 'a', state: 'requested', ...call }
    const answered: StreamEvent = { ...asked, state: 'answered', answer: 1, message: 'Yes.' }
    const { segments = [] } = fold(entries(tool, { ...asked, request: 2 }, answered, asked)).chatEvents[0] ?? {}
    const shown = segments.map((segment) => (segment.type === 'tool' ? segment.approval : segment)).at(-1)
    expect(shown).toMatchObject({ approvalId: 'a', state: 'requested' })
    for (const field of ['request', 'answer', 'message', 'endedAt']) expect(shown).not.toHaveProperty(field)
  })

  it('S3-44, X40: ignores entries that it has already applied', () => {
    const all = entries(tool, { type: 'tool-input-delta', callId: 'c', text: '{}' }, status('s'))
    const twice = createFold()
    for (const entry of all) twice.push([...all.slice(0, entry.seq)])
    expect(twice.snapshot()).toEqual(fold(all))
  })

  it('shares what did not change between snapshots, and never changes a snapshot', () => {
    const all = entries(
      tool,
      { type: 'block-start', blockId: 'b', kind: 'text' },
      { type: 'block-delta', blockId: 'b', text: 'x' },
      { type: 'block-delta', blockId: 'b', text: 'y' },
    )
    const live = createFold()
    live.push(all.slice(0, -1))
    const before = live.snapshot()
    const copy = structuredClone(before)
    live.push(all.slice(-1))
    const after = live.snapshot()
    expect(before).toEqual(copy)
    expect(after.chatEvents[0]?.segments[0]).toBe(before.chatEvents[0]?.segments[0])
    expect(after.chatEvents[0]?.segments[1]).not.toBe(before.chatEvents[0]?.segments[1])
    expect(live.snapshot()).toBe(after)
  })

  it('never changes a snapshot of anything that grows', () => {
    const all = entries(
      status('one'),
      status('two'),
      { type: 'tool-start', callId: 'c', name: 'ls', runBy: 'agent' },
      { type: 'tool-input-delta', callId: 'c', text: '{"a":[1' },
      { type: 'tool-input-delta', callId: 'c', text: ',2]}' },
      { type: 'tool-input', callId: 'c', input: { a: [1, 2] } },
      { type: 'tool-progress', callId: 'c', channel: 'text', text: 'half' },
      { type: 'tool-progress', callId: 'c', channel: 'text', text: ' done' },
      { type: 'tool-progress', callId: 'c', channel: 'data', data: [1] },
      { type: 'todos', op: 'set', listId: 'l', items: [{ id: 'a', content: 'Dig', status: 'pending' }] },
      { type: 'todos', op: 'update', listId: 'l', items: [{ id: 'a', content: 'Dig', status: 'completed' }] },
      { type: 'state', op: 'snapshot', channel: 's', value: { a: [1] } },
      { type: 'state', op: 'patch', channel: 's', value: [{ op: 'add', path: '/a/-', value: 2 }] },
      { type: 'subagent-start', agentId: 'h', name: 'helper' },
      { ...status('three'), agentId: 'h' },
      { ...status('four'), agentId: 'h' },
    )
    const live = createFold()
    const taken = all.map((entry) => {
      live.push([entry])
      return { snapshot: live.snapshot(), copy: structuredClone(live.snapshot()) }
    })
    for (const [index, { snapshot, copy }] of taken.entries()) expect(snapshot, `after ${index + 1}`).toEqual(copy)
  })
})
