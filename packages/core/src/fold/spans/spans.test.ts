import { describe, expect, it } from 'vitest'
import type { Entry } from '../../entry.ts'
import type { StreamEvent } from '../../events.ts'
import type { Span, Spans } from './span.ts'
import { createSpans, spansOfEntries } from './spans.ts'

/** Entries at these moments. */
const logged = (...all: readonly (readonly [at: number, event: StreamEvent])[]): Entry[] =>
  all.map(([at, event], index) => ({ seq: index + 1, at, event, rawThrough: 0 }))

const message = (messageId: string, role: 'user' | 'assistant' = 'assistant'): StreamEvent => ({
  type: 'message-start',
  messageId,
  role,
})
const ended = (messageId: string): StreamEvent => ({ type: 'message-end', messageId })
const block = (blockId: string, kind: 'text' | 'reasoning' = 'text'): StreamEvent => ({
  type: 'block-start',
  blockId,
  kind,
})
const text = (blockId: string, written: string): StreamEvent => ({ type: 'block-delta', blockId, text: written })
const blockEnd = (blockId: string): StreamEvent => ({ type: 'block-end', blockId })
const call = (callId: string, name = 'Bash'): StreamEvent => ({ type: 'tool-start', callId, name, runBy: 'agent' })
const input = (callId: string): StreamEvent => ({ type: 'tool-input', callId, input: { command: 'ls' } })
const output = (callId: string, status: 'ok' | 'error' = 'ok'): StreamEvent => ({
  type: 'tool-output',
  callId,
  status,
  output: '',
})

/** A span in one line: what it is, and how long each phase took. */
const lineOf = ({ id, state, phases }: Span) =>
  `${id} ${state}: ${phases.map(({ kind, from, to }) => `${kind} ${to - from}`).join(', ')}`
const linesOf = ({ spans }: Spans) => spans.map(lineOf)

describe('the spans of a run', () => {
  it('divide a model call into the wait for its first token and what it writes, from the moment the agent was idle', () => {
    const times = spansOfEntries(
      logged(
        [1000, { type: 'run-start', model: 'opus' }],
        [1000, message('u', 'user')],
        [1100, ended('u')],
        [1400, message('m')],
        [1500, block('t')],
        [1600, text('t', 'Hello')],
        [1900, blockEnd('t')],
        [2500, ended('m')],
        [2500, { type: 'run-end', outcome: 'success' }],
      ),
    )
    expect(linesOf(times)).toEqual(['model-5 done: first-token 400, output 400'])
    expect(times.spans[0]).toMatchObject({ name: 'opus', written: 5, startedAt: 1100, endedAt: 1900 })
    expect(times.spans[0]?.writes).toEqual([{ from: 1500, to: 1600, length: 5 }])
  })

  it('tell the writing of an input from the run of its call, and both from a person who is asked', () => {
    const times = spansOfEntries(
      logged(
        [0, { type: 'run-start' }],
        [10, call('c')],
        [30, input('c')],
        [35, { type: 'approval', approvalId: 'a', callId: 'c', state: 'requested' }],
        [95, { type: 'approval', approvalId: 'a', callId: 'c', state: 'approved' }],
        [100, output('c')],
        [120, block('t')],
        [130, { type: 'run-end', outcome: 'success' }],
      ),
    )
    expect(linesOf(times)).toEqual([
      'model-2 done: first-token 10, output 20',
      'tool-2 done: input 20, run 5, person 60, run 5',
      'model-7 done: first-token 20',
    ])
    expect(times.spans[1]).toMatchObject({ asked: 'model-2', readyAt: 30, input: { command: 'ls' } })
  })

  it('show a failed attempt within the call that was tried again', () => {
    const times = spansOfEntries(
      logged(
        [0, { type: 'run-start' }],
        [21, { type: 'error', message: 'Overloaded' }],
        [30, block('t')],
        [40, blockEnd('t')],
        [50, { type: 'error', message: 'Broken off' }],
        [60, block('again')],
        [70, blockEnd('again')],
        [80, { type: 'run-end', outcome: 'success' }],
      ),
    )
    expect(linesOf(times)).toEqual([
      'model-2 failed: failed 21, first-token 9, failed 20',
      'model-6 done: first-token 10, output 10',
    ])
    expect(times.spans[0]?.failures).toBe(2)
    expect(times.marks.map(({ kind, seq, text: words }) => [kind, seq, words])).toEqual([
      ['failure', 2, 'Overloaded'],
      ['failure', 5, 'Broken off'],
    ])
  })

  it('count a message that was taken back as a failed attempt', () => {
    const times = spansOfEntries(
      logged(
        [0, { type: 'run-start' }],
        [1, message('m')],
        [5, block('t')],
        [9, blockEnd('t')],
        [9, ended('m')],
        [10, { type: 'message-retract', messageIds: ['m'] }],
        [10, { type: 'run-end', outcome: 'error' }],
      ),
    )
    expect(linesOf(times)).toEqual(['model-3 failed: failed 9'])
  })

  it('show a subagent in place of the call that started it, and what it does inside', () => {
    const inside = { agentId: 'a' }
    const times = spansOfEntries(
      logged(
        [0, { type: 'run-start' }],
        [10, call('task', 'Task')],
        [20, input('task')],
        [21, { type: 'subagent-start', agentId: 'a', name: 'scout', callId: 'task' }],
        [40, { ...call('c'), ...inside }],
        [45, { ...input('c'), ...inside }],
        [60, { ...output('c'), ...inside }],
        [70, { ...block('t'), ...inside }],
        [80, { ...blockEnd('t'), ...inside }],
        [90, { type: 'subagent-end', agentId: 'a', status: 'done' }],
        [95, output('task')],
        [99, block('x')],
        [99, { type: 'run-end', outcome: 'success' }],
      ),
    )
    expect(times.spans.map((span) => [span.parent, lineOf(span)])).toEqual([
      [undefined, 'model-2 done: first-token 10, output 10'],
      [undefined, 'tool-2 done: input 10, run 70'],
      ['tool-2', 'model-5 done: first-token 19, output 5'],
      ['tool-2', 'tool-5 done: input 5, run 15'],
      ['tool-2', 'model-8 done: first-token 10, output 10'],
      [undefined, 'model-12 done: first-token 4'],
    ])
    expect(times.spans[1]).toMatchObject({ kind: 'subagent', name: 'scout', agentId: 'a', callId: 'task' })
  })

  it('leave a subagent open that works on after its call has returned', () => {
    const times = spansOfEntries(
      logged(
        [0, { type: 'run-start' }],
        [1, call('task')],
        [2, input('task')],
        [3, { type: 'subagent-start', agentId: 'a', name: 'scout', callId: 'task' }],
        [4, output('task')],
        [50, { type: 'subagent-end', agentId: 'a', status: 'failed' }],
      ),
    )
    expect(linesOf(times)[1]).toBe('tool-2 failed: input 1, run 48')
  })

  it('give the counts of a step to the call that wrote in it, also if they come again later', () => {
    const usage = (outputTokens: number): StreamEvent => ({
      type: 'usage',
      scope: 'step',
      mode: 'snapshot',
      outputTokens,
    })
    const times = spansOfEntries(
      logged(
        [0, { type: 'run-start' }],
        [1, message('one')],
        [2, usage(1)],
        [3, block('t')],
        [4, blockEnd('t')],
        [5, usage(40)],
        [6, ended('one')],
        [7, message('two')],
        [8, usage(2)],
        [9, { type: 'run-end', outcome: 'interrupted' }],
      ),
    )
    expect(times.spans.map(({ id, usage }) => [id, usage])).toEqual([
      ['model-3', { outputTokens: 40 }],
      ['model-9', { outputTokens: 2 }],
    ])
  })

  it('end what is open with the run, at the time of its last entry until then', () => {
    const fold = createSpans({ runId: 'r' })
    const entries = logged(
      [0, { type: 'run-start' }],
      [5, call('c')],
      [6, input('c')],
      [50, { type: 'tool-progress', callId: 'c', channel: 'stdout', text: 'x' }],
      [60, { type: 'run-end', outcome: 'interrupted' }],
    )
    fold.push(entries.slice(0, 4))
    const live = fold.snapshot()
    expect(linesOf(live)[1]).toBe('tool-2 live: input 1, run 44')
    expect(live).toMatchObject({ runId: 'r', endedAt: 50, isOver: false })
    fold.push(entries)
    expect(linesOf(fold.snapshot())[1]).toBe('tool-2 cancelled: input 1, run 54')
    expect(fold.snapshot()).toMatchObject({ endedAt: 60, isOver: true, outcome: 'interrupted' })
    expect(linesOf(live)[1]).toBe('tool-2 live: input 1, run 44')
  })

  it('keep the object of a span that has ended', () => {
    const fold = createSpans()
    const entries = logged(
      [0, { type: 'run-start' }],
      [1, call('c')],
      [2, input('c')],
      [3, output('c')],
      [4, block('t')],
    )
    fold.push(entries.slice(0, 4))
    const before = fold.snapshot().spans
    fold.push(entries)
    expect(fold.snapshot().spans[1]).toBe(before[1])
    expect(fold.snapshot().spans).toHaveLength(3)
  })

  it('mark messages, calls, failures and questions', () => {
    const { marks } = spansOfEntries(
      logged(
        [0, { type: 'run-start' }],
        [1, message('u', 'user')],
        [2, call('c', 'Read')],
        [3, input('c')],
        [4, output('c', 'error')],
        [5, { type: 'approval', approvalId: 'a', state: 'requested', message: 'May I?' }],
        [6, { type: 'run-end', outcome: 'error', error: { message: 'Gone' } }],
      ),
    )
    expect(marks.map(({ kind, seq, text: words }) => `${kind} ${seq} ${words}`)).toEqual([
      'message 2 ',
      'tool 3 Read',
      'failure 5 Read',
      'approval 6 May I?',
      'failure 7 Gone',
    ])
  })
})
