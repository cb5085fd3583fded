import { describe, expect, it } from 'vitest'
import { parserOf, recordsOf, through } from '../../../test/parse.ts'
import { agentEvent } from '../agent-event.ts'

const read = (...values: readonly object[]) => through(parserOf(agentEvent), recordsOf(values))

const first = { type: 'stream', content: 'Hi', runId: 'r', seq: 1 }
const text = { type: 'block-start', blockId: 'b', kind: 'text' }

describe('the key `millrace`', () => {
  it('adds events before those of the chunk, and names the block that continues', () => {
    const events = read(
      { ...first, millrace: { before: [{ type: 'run-start', model: 'm' }, text] } },
      { ...first, seq: 2 },
    )
    expect(events).toEqual([
      { type: 'run-start', model: 'm' },
      text,
      { type: 'block-delta', blockId: 'b', text: 'Hi' },
      { type: 'block-delta', blockId: 'b', text: 'Hi' },
    ])
  })

  it('replaces the events of the chunk by `instead`', () => {
    const status = { type: 'status', message: 'Casting off.', level: 'info' }
    expect(read({ type: 'thought', content: 'Casting off.', millrace: { instead: [status] } })).toEqual([status])
  })

  it('names the subagent in the progress of a call', () => {
    const rawProgress = {
      type: 'tool_progress',
      toolName: 'call-agent',
      callId: 'c',
      millrace: { agentId: 'p', blockId: 'b' },
    }
    const call = { subtype: 'tool_call', toolName: 'sonar', toolArgs: '{}', callId: 'n' }
    expect(read({ ...rawProgress, data: 'All ' }, { ...rawProgress, data: call, millrace: { agentId: 'p' } })).toEqual([
      { type: 'block-delta', blockId: 'b', text: 'All ', agentId: 'p' },
      { type: 'tool-start', callId: 'n', name: 'sonar', runBy: 'agent', agentId: 'p' },
      { type: 'tool-input', callId: 'n', input: {}, agentId: 'p' },
    ])
  })

  it('does not start a call again that was announced before its arguments', () => {
    const start = { type: 'tool-start', callId: 'c', name: 't', runBy: 'provider' }
    const call = { type: 'tool_call', toolName: 't', toolArgs: '{}', callId: 'c', millrace: { before: [start] } }
    expect(read(call)).toEqual([start, { type: 'tool-input', callId: 'c', input: {} }])
  })

  it('holds the exact result and end', () => {
    const call = { type: 'tool_call', toolName: 't', toolArgs: '{}', callId: 'c' }
    const result = { type: 'tool_result', toolName: 't', output: 'Denied.', isError: true, callId: 'c' }
    const events = read(
      call,
      { ...result, millrace: { status: 'denied', output: null } },
      { type: 'error', error: 'Stopped.', millrace: { outcome: 'cancelled', reason: 'Stopped.' } },
    )
    expect(events.slice(2)).toEqual([
      { type: 'tool-output', callId: 'c', status: 'denied', output: null },
      { type: 'run-end', outcome: 'cancelled', reason: 'Stopped.' },
    ])
  })

  it.each([
    ['a value that is not a list', { before: 'x' }],
    ['values that are not events', { before: [{ type: 'block-start' }] }],
    ['an agent but no chunk of it', { agentId: 'p' }],
  ])('is refused if it holds %s', (_what, millrace) => {
    expect(() => read({ type: 'tool_progress', toolName: 't', data: 7, millrace })).toThrow()
  })
})
