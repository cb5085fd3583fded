import { describe, expect, it } from 'vitest'
import { chunksBefore as run } from '../../../test/wire/agent-event.ts'
import type { StreamEvent } from '../../events.ts'

const called: readonly StreamEvent[] = [
  { type: 'tool-start', callId: 'c', name: 'call-agent', runBy: 'agent' },
  { type: 'tool-input', callId: 'c', input: {} },
]
const started: StreamEvent = { type: 'subagent-start', agentId: 'p', name: 'pilot', task: 'Look.', callId: 'c' }
const spoken = (agentId: string, blockId: string, ...texts: readonly string[]): StreamEvent[] => [
  { type: 'block-start', blockId, kind: 'text', agentId },
  ...texts.map((text): StreamEvent => ({ type: 'block-delta', blockId, text, agentId })),
  { type: 'block-end', blockId, agentId },
]
const ended: StreamEvent = { type: 'subagent-end', agentId: 'p', status: 'done', summary: 'Clear.' }

describe('subagents', () => {
  it('the text of a subagent of a subagent is the progress of the same call, whether its start names its parent or its call', () => {
    const inner: readonly StreamEvent[] = [
      { type: 'tool-start', callId: 'n', name: 'call-agent', runBy: 'agent', agentId: 'p' },
      { type: 'tool-input', callId: 'n', input: {}, agentId: 'p' },
    ]
    for (const from of [{ callId: 'n' }, { parentAgentId: 'p' }, { callId: 'n', parentAgentId: 'p' }]) {
      const second: StreamEvent = { type: 'subagent-start', agentId: 'q', name: 'diver', ...from }
      const chunks = run(...called, started, ...inner, second, ...spoken('q', 'b', 'Deep.'))
      expect(chunks.at(-1)).toMatchObject({ type: 'tool_progress', callId: 'c', data: 'Deep.' })
    }
  })

  it('S1-28: the text of a subagent is the progress of its call, chunk by chunk', () => {
    const chunks = run(...called, started, ...spoken('p', 'b', 'All ', 'clear.'))
    expect(chunks.slice(1)).toMatchObject([
      { type: 'tool_progress', toolName: 'call-agent', data: 'All ', callId: 'c', millrace: { agentId: 'p' } },
      { type: 'tool_progress', toolName: 'call-agent', data: 'clear.', callId: 'c' },
    ])
  })

  it('S1-29: its thoughts, calls and results are progress too, with their type as the subtype', () => {
    const [, thought, call, result] = run(
      ...called,
      started,
      { type: 'block-start', blockId: 'r', kind: 'reasoning', agentId: 'p' },
      { type: 'block-delta', blockId: 'r', text: 'Hm.', agentId: 'p' },
      { type: 'block-end', blockId: 'r', agentId: 'p' },
      { type: 'tool-start', callId: 'n', name: 'sonar', runBy: 'agent', agentId: 'p' },
      { type: 'tool-input', callId: 'n', input: {}, agentId: 'p' },
      { type: 'tool-output', callId: 'n', status: 'ok', output: 'Deep.', agentId: 'p' },
    )
    expect([thought, call, result].map((chunk) => [chunk?.callId, chunk?.data])).toEqual([
      ['c', { subtype: 'thought', content: 'Hm.' }],
      ['c', { subtype: 'tool_call', toolName: 'sonar', toolArgs: '{}', callId: 'n' }],
      ['c', { subtype: 'tool_result', toolName: 'sonar', output: 'Deep.', callId: 'n' }],
    ])
  })

  it('send their output in the one call of the main agent, however deeply nested they are', () => {
    const deep: StreamEvent = { type: 'subagent-start', agentId: 'd', name: 'diver', parentAgentId: 'p' }
    expect(run(...called, started, deep, ...spoken('d', 'b', 'Mud.')).at(-1)).toMatchObject({
      data: 'Mud.',
      callId: 'c',
    })
  })

  it('get a synthetic call with a result if no call has started them', () => {
    const { callId: _none, ...alone } = started
    const chunks = run(alone, ...spoken('p', 'b', 'Clear.'), ended)
    expect(chunks.map(({ type, toolName }) => [type, toolName])).toEqual([
      ['tool_call', 'pilot'],
      ['tool_progress', 'pilot'],
      ['tool_result', 'pilot'],
    ])
    expect(chunks).toMatchObject([{ toolArgs: '{"task":"Look."}' }, { data: 'Clear.' }, { output: 'Clear.' }])
    expect(new Set(chunks.map(({ callId }) => callId)).size).toBe(1)
  })

  it('continue after the end of their call, in a synthetic call that gets a result', () => {
    const done: StreamEvent = { type: 'tool-output', callId: 'c', status: 'ok', output: 'Started.' }
    const chunks = run(...called, started, done, ...spoken('p', 'b', 'Later.'))
    expect(chunks.map(({ type }) => type)).toEqual([
      'tool_call',
      'tool_result',
      'tool_call',
      'tool_progress',
      'tool_result',
    ])
    expect(chunks.slice(2).map(({ callId }) => callId)).not.toContain('c')
  })

  it('have their input marked with its role', () => {
    const userMessage: StreamEvent = { type: 'message-start', messageId: 'u', role: 'user', agentId: 'p' }
    expect(run(...called, started, userMessage, ...spoken('p', 'b', 'Look.')).at(-1)).toMatchObject({
      data: { subtype: 'stream', role: 'user', content: 'Look.' },
    })
  })
})
