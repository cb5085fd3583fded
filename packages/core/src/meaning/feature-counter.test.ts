import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../events.ts'
import { type Feature, features, lossesOf } from '../losses.ts'
import { createFeatureCounter } from './feature-counter.ts'

function seenIn(...events: readonly StreamEvent[]): { readonly [feature: string]: number } {
  const counter = createFeatureCounter()
  for (const event of events) counter.note(event)
  return Object.fromEntries(counter.counts())
}

const call = (callId: string, runBy: 'agent' | 'provider' | 'client'): StreamEvent => ({
  type: 'tool-start',
  callId,
  name: 'look',
  runBy,
})
const output = (callId: string, status: 'ok' | 'error' | 'cancelled' = 'ok'): StreamEvent => ({
  type: 'tool-output',
  callId,
  status,
  output: 'fog',
})

/** Events for each feature, which have that feature and at most those listed with it. */
const shown: { readonly [F in Feature]: readonly StreamEvent[] } = {
  messages: [{ type: 'message-start', messageId: 'm', role: 'assistant' }],
  'other-roles': [{ type: 'message-start', messageId: 'm', role: 'user' }],
  retract: [{ type: 'message-retract', messageIds: ['m'] }],
  steps: [{ type: 'step-start', kind: 'model' }],
  reasoning: [{ type: 'block-start', blockId: 'b', kind: 'reasoning', variant: 'think-tag' }],
  signature: [{ type: 'block-patch', blockId: 'b', signature: 's' }],
  encrypted: [{ type: 'block-patch', blockId: 'b', encrypted: 'e' }],
  citations: [{ type: 'block-patch', blockId: 'b', citations: [] }],
  rewrite: [{ type: 'block-patch', blockId: 'b', text: '' }],
  'tool-calls': [call('c', 'client')],
  'tool-input-stream': [{ type: 'tool-input-delta', callId: 'c', text: '{' }],
  'tool-progress': [{ type: 'tool-progress', callId: 'c', channel: 'stdout', text: 'half' }],
  'tool-output': [output('c')],
  'agent-tool-output': [call('c', 'agent'), output('c')],
  'tool-nesting': [{ type: 'tool-start', callId: 'c', name: 'look', runBy: 'provider', parentCallId: 'p' }],
  approvals: [{ type: 'approval', approvalId: 'a', state: 'requested' }],
  sources: [{ type: 'source', sourceId: 's', kind: 'url' }],
  files: [{ type: 'file', fileId: 'f', mediaType: 'text/plain' }],
  todos: [{ type: 'todos', listId: 'l', op: 'set', items: [] }],
  subagents: [{ type: 'subagent-start', agentId: 'a', name: 'pilot' }],
  'subagent-content': [{ type: 'block-delta', blockId: 'b', text: 'Ahoy', agentId: 'a' }],
  status: [{ type: 'status', message: 'Ready', level: 'info' }],
  usage: [{ type: 'usage', scope: 'run', mode: 'snapshot', inputTokens: 1 }],
  cost: [{ type: 'usage', scope: 'run', mode: 'snapshot', costUsd: 0 }],
  state: [{ type: 'state', channel: 'c', op: 'snapshot', value: null }],
  data: [{ type: 'data', name: 'n', data: 1 }],
  metadata: [{ type: 'metadata', metadata: {} }],
  control: [{ type: 'control', action: 'stop' }],
  errors: [{ type: 'error', message: 'Again' }],
  'run-error': [{ type: 'run-end', outcome: 'error', error: { message: 'Aground' } }],
  times: [{ type: 'block-delta', blockId: 'b', text: 'Ahoy', sentAt: 0 }],
  'provider-meta': [{ type: 'block-delta', blockId: 'b', text: 'Ahoy', meta: {} }],
  raw: [{ type: 'raw', value: 'fog', reason: 'unmapped' }],
}
const beside: { readonly [F in Feature]?: readonly Feature[] } = {
  'agent-tool-output': ['tool-calls', 'tool-output'],
  'tool-nesting': ['tool-calls'],
  cost: ['usage'],
}

describe('a feature counter', () => {
  it.each(Object.keys(features) as Feature[])('counts %s for an event that has it, and nothing else', (feature) => {
    const expected = [feature, ...(beside[feature] ?? [])].map((each) => [each, 1])
    expect(seenIn(...shown[feature])).toEqual(Object.fromEntries(expected))
  })

  it('counts nothing for events that every wire can carry', () => {
    const plain: StreamEvent[] = [
      { type: 'run-start' },
      { type: 'block-start', blockId: 'b', kind: 'text' },
      { type: 'block-delta', blockId: 'b', text: 'Ahoy' },
      { type: 'block-end', blockId: 'b' },
      { type: 'subagent-end', agentId: 'a', status: 'done' },
      { type: 'run-end', outcome: 'success' },
    ]
    expect(seenIn(...plain)).toEqual({})
  })

  it('counts every occurrence', () => {
    expect(seenIn(...shown.status, ...shown.times, ...shown.status)).toEqual({ status: 2, times: 1 })
  })

  it('separates outputs of the agent’s calls from those of the provider’s, however they are interleaved', () => {
    const events = [
      call('mine', 'agent'),
      call('theirs', 'provider'),
      call('yours', 'client'),
      output('theirs'),
      output('yours', 'error'),
      output('mine'),
    ]
    expect(seenIn(...events)).toMatchObject({ 'tool-output': 3, 'agent-tool-output': 2 })
  })

  it('does not count an output without a call, or a cancelled one, as the agent’s', () => {
    expect(seenIn(output('unheard'))).toEqual({ 'tool-output': 1 })
    expect(seenIn(call('c', 'agent'), output('c', 'cancelled'))).toEqual({ 'tool-calls': 1 })
  })

  it('ignores an event of an unknown type', () => {
    for (const type of ['from-the-future', 'constructor', '__proto__']) {
      expect(seenIn({ type } as unknown as StreamEvent)).toEqual({})
    }
  })
})

describe('the losses of a run', () => {
  it('are the declared losses that occur in it, with count and reason', () => {
    const seen = new Map<Feature, number>([
      ['files', 2],
      ['raw', 1],
    ])
    expect(lossesOf({ todos: 'No plans.', raw: 'No raw.', files: 'No files.' }, seen)).toEqual([
      { feature: 'raw', count: 1, reason: 'No raw.' },
      { feature: 'files', count: 2, reason: 'No files.' },
    ])
    expect(lossesOf({}, seen)).toEqual([])
  })
})
