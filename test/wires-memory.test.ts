import type { Entry } from '@millrace/core/entry'
import type { StreamEvent } from '@millrace/core/events'
import { getWire } from '@millrace/core/wire'
import type { Chunk } from '@millrace/core/wire/wire'
import { entriesOf } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'
import { createClient } from '../proofs/wires/readers/event-segments.ts'

/** The chunks of a run of the main agent's one message `m` with these events inside. */
function sent(wire: string, inside: readonly StreamEvent[], timesOf?: (entry: Entry) => number): readonly Chunk[] {
  const events: readonly StreamEvent[] = [
    { type: 'run-start' },
    { type: 'message-start', messageId: 'm', role: 'assistant' },
    ...inside,
    { type: 'message-end', messageId: 'm' },
    { type: 'run-end', outcome: 'success' },
  ]
  const state = getWire(wire).create({ runId: 'run', threadId: 'thread' })
  return entriesOf(events).flatMap((entry) => state.push({ ...entry, at: timesOf?.(entry) ?? entry.at }))
}

const text = (blockId: string, words: string, scope: object = {}): readonly StreamEvent[] => [
  { type: 'block-start', blockId, kind: 'text', ...scope },
  { type: 'block-delta', blockId, text: words },
  { type: 'block-end', blockId },
]

describe('AG-UI', () => {
  it('keeps the citations of a block through later patches without citations', () => {
    const cited = { citations: [{ url: 'https://mill.example/race' }] }
    const patches: readonly StreamEvent[] = [
      { type: 'block-start', blockId: 'b', kind: 'text' },
      { type: 'block-delta', blockId: 'b', text: 'Deep.' },
      { type: 'block-patch', blockId: 'b', ...cited },
      { type: 'block-patch', blockId: 'b', meta: { mill: { a: 1 } } },
      { type: 'block-patch', blockId: 'b', meta: { mill: { b: 2 } } },
      { type: 'block-end', blockId: 'b' },
    ]
    expect(sent('ag-ui', patches).find(({ type }) => type === 'TEXT_MESSAGE_END')).toMatchObject({
      metadata: { millrace: { ...cited, meta: { mill: { a: 1, b: 2 } } } },
    })
  })
})

describe('AgentEvent', () => {
  it('knows whose message has ended, if two agents have messages of one id', () => {
    const asked: readonly StreamEvent[] = [
      { type: 'subagent-start', agentId: 'a', name: 'helper' },
      { type: 'message-start', messageId: 'q', agentId: 'a', role: 'assistant' },
      { type: 'message-start', messageId: 'q', role: 'user' },
      { type: 'message-end', messageId: 'q', agentId: 'a' },
      ...text('u', 'How deep is it?', { messageId: 'q' }),
      { type: 'message-end', messageId: 'q' },
      { type: 'subagent-end', agentId: 'a', status: 'done' },
      ...text('t', 'Three metres.', { messageId: 'm' }),
    ]
    const streamed = sent('agent-event', asked).flatMap(({ type, content }) => (type === 'stream' ? [content] : []))
    expect(streamed).toEqual(['Three metres.'])
  })
})

describe('Event and segments', () => {
  it('puts what names no message into the message that is open, not into a later one that has ended', () => {
    const between: readonly StreamEvent[] = [
      ...text('one', 'One.'),
      { type: 'message-start', messageId: 'steer', role: 'user' },
      ...text('u', 'Faster!', { messageId: 'steer' }),
      { type: 'message-end', messageId: 'steer' },
      ...text('two', 'Two.'),
      { type: 'tool-start', callId: 'c', name: 'dig', runBy: 'agent' },
      { type: 'tool-input', callId: 'c', input: {} },
      { type: 'tool-output', callId: 'c', status: 'ok', output: 'dug' },
    ]
    const client = createClient()
    for (const chunk of sent('event-segments', between)) client.push(chunk)
    client.end()
    const texts = client
      .events()
      .map(({ role, segments }) => [role, ...segments.map((each) => (each.type === 'text' ? each.text : each.type))])
    expect(texts).toEqual([
      ['user', 'Faster!'],
      ['assistant', 'One.', 'Two.', 'tool'],
    ])
  })
})

describe('the ds agent', () => {
  it('counts the calls of a step that ended before them, step after step', () => {
    const step = (callId: string): readonly StreamEvent[] => [
      { type: 'step-start', kind: 'model' },
      { type: 'tool-start', callId, name: 'dig', runBy: 'agent' },
      { type: 'tool-input', callId, input: {} },
      { type: 'step-end' },
      { type: 'tool-output', callId, status: 'ok', output: 'dug' },
    ]
    const footers = sent('ds-agent', [...step('a'), ...step('b')], ({ seq }) => seq * 1_000).filter(({ metadata }) =>
      JSON.stringify(metadata).includes('action_footer'),
    )
    expect(footers).toHaveLength(2)
    for (const { metadata } of footers) expect(metadata).toMatchObject({ timing: { duration: 4 } })
  })
})
