import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { recordedRun } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'
import { chunksOf, end, protocolFields, start } from '../../../test/wire/agent-event.ts'
import type { StreamEvent } from '../../events.ts'
import { langgraph } from '../../parse/langgraph.ts'
import { smolagents } from '../../parse/smolagents.ts'

const scenario: readonly StreamEvent[] = [
  start,
  { type: 'message-start', messageId: 'u', role: 'user' },
  { type: 'block-start', blockId: 'q', kind: 'text' },
  { type: 'block-delta', blockId: 'q', text: 'When?' },
  { type: 'block-end', blockId: 'q' },
  { type: 'message-end', messageId: 'u' },
  { type: 'message-start', messageId: 'm', role: 'assistant' },
  { type: 'step-start', kind: 'model' },
  { type: 'tool-start', callId: 'c', name: 'get_tide', runBy: 'agent' },
  { type: 'tool-input', callId: 'c', input: { pier: 3 } },
  { type: 'tool-output', callId: 'c', status: 'error', output: null, error: 'no such pier' },
  { type: 'block-start', blockId: 't', kind: 'text' },
  { type: 'block-delta', blockId: 't', text: 'At six.' },
  { type: 'block-end', blockId: 't' },
  ...Array.from({ length: 100 }, (): StreamEvent => ({ type: 'raw', value: 1, reason: 'unmapped' })),
  { type: 'message-end', messageId: 'm' },
  end,
]

describe('the profile `strict`', () => {
  it('has the events of the protocol as its document prints them, and none that only carries ours', () => {
    expect(chunksOf(scenario, 'strict')).toEqual([
      { type: 'tool_call', toolName: 'get_tide', toolArgs: '{"pier":3}' },
      { type: 'tool_result', toolName: 'get_tide', output: 'no such pier', isError: true },
      { type: 'stream', content: 'At six.' },
      { type: 'final' },
    ])
  })

  it.each([
    ['smolagents', smolagents],
    ['langgraph', langgraph],
  ] as const)('has for every recording of %s what the default has in those fields', (name, parser) => {
    for (const recording of fixturesOf(name)) {
      const events = recordedRun(parser, recording).entries.map(({ event }) => event)
      const shown = protocolFields(chunksOf(events)).filter(({ type, content }) => type !== 'stream' || content !== '')
      expect(chunksOf(events, 'strict')).toEqual(shown)
    }
  })
})
