import { describe, expect, it } from 'vitest'
import type { ThreadEvent } from '../../data/thread-event.ts'
import { createNormalizer } from '../../normalize/index.ts'
import { createThreadProcessor } from '../thread-processor.ts'
import { type AgentNotice, createAgentTurn } from './agent-turn.ts'
import { buildThreadMessages } from './thread-messages.ts'

const tokens = ['<th', 'ink>Look', ' first.', '</thi', 'nk>There', ' are two.']
const raw = tokens.join('')

function respond() {
  const notices: AgentNotice[] = []
  const turn = createAgentTurn({ id: 'a1', timestamp: 7, createNormalizer, emit: (notice) => notices.push(notice) })
  for (const token of tokens) turn.token(token)
  return { notices, stored: turn.complete() }
}

describe('an agent’s turn', () => {
  it('S4-5: tokens are emitted raw, with thoughts and tags', () => {
    const { notices } = respond()
    const tokenNotices = notices.flatMap((notice) => (notice.type === 'agent_token' ? [notice.token] : []))
    expect(tokenNotices).toEqual(tokens)
  })

  it('S4-4: the complete response is emitted without thoughts', () => {
    expect(respond().notices.at(-1)).toEqual({ type: 'agent_response_complete', content: 'There are two.' })
  })

  it('S4-4: text that only looks like a tag is kept', () => {
    const notices: AgentNotice[] = []
    const turn = createAgentTurn({ id: 'a1', timestamp: 7, createNormalizer, emit: (notice) => notices.push(notice) })
    turn.token('a <thin')
    turn.complete()
    expect(notices.at(-1)).toEqual({ type: 'agent_response_complete', content: 'a <thin' })
  })

  it('S4-1, S4-6: the stored event and the message for the model have the raw content, byte for byte', () => {
    const { stored } = respond()
    expect(stored).toEqual({ id: 'a1', type: 'AGENT_MESSAGE', timestamp: 7, data: raw })
    expect(buildThreadMessages([stored])).toEqual([{ role: 'assistant', content: raw }])
  })

  it('S4-6: processing a thread for people does not change it for the model', () => {
    const events: ThreadEvent[] = [respond().stored]
    const before = JSON.stringify(events)
    createThreadProcessor({ createNormalizer }).processEvents(events)
    expect(JSON.stringify(events)).toBe(before)
  })
})

describe('buildThreadMessages', () => {
  it('S4-6: puts calls into their message and their results directly after it', () => {
    const events: ThreadEvent[] = [
      { id: 's', type: 'SYSTEM_PROMPT', timestamp: 1, data: 'Be brief.' },
      { id: 'u', type: 'USER_MESSAGE', timestamp: 2, data: 'Both files, please.' },
      { id: 't', type: 'THINKING', timestamp: 3, data: 'two reads' },
      { id: 'a', type: 'AGENT_MESSAGE', timestamp: 4, data: '<think>two reads</think>Reading.' },
      { id: 'c1', type: 'TOOL_CALL', timestamp: 5, data: { callId: 'A', toolName: 'read', input: { path: 'a' } } },
      { id: 'c2', type: 'TOOL_CALL', timestamp: 5, data: { callId: 'B', toolName: 'read', input: { path: 'b' } } },
      { id: 'r2', type: 'TOOL_RESULT', timestamp: 6, data: { callId: 'B', output: 'bb' } },
      { id: 'n', type: 'LOCAL_SYSTEM_MESSAGE', timestamp: 6, data: 'for people only' },
      { id: 'r1', type: 'TOOL_RESULT', timestamp: 7, data: { callId: 'A', output: null, success: false } },
      { id: 'c3', type: 'TOOL_CALL', timestamp: 8, data: { callId: 'C', toolName: 'stop', input: {} } },
    ]
    expect(buildThreadMessages(events)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Both files, please.' },
      {
        role: 'assistant',
        content: '<think>two reads</think>Reading.',
        toolCalls: [
          { id: 'A', name: 'read', arguments: { path: 'a' } },
          { id: 'B', name: 'read', arguments: { path: 'b' } },
        ],
      },
      {
        role: 'user',
        content: '',
        toolResults: [
          { id: 'B', content: 'bb', isError: false },
          { id: 'A', content: null, isError: true },
        ],
      },
      { role: 'assistant', content: '', toolCalls: [{ id: 'C', name: 'stop', arguments: {} }] },
    ])
  })
})
