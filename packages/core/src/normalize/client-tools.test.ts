import { describe, expect, it } from 'vitest'
import type { EventOf, StreamEvent } from '../events.ts'
import type { Json } from '../json.ts'
import { createNormalizer } from './index.ts'

const asked = (client: Json): StreamEvent => ({
  type: 'message-start',
  messageId: 'u',
  role: 'user',
  meta: { millrace: { client } },
})
const call = (name: string, runBy: EventOf<'tool-start'>['runBy'] = 'agent'): StreamEvent => ({
  type: 'tool-start',
  callId: `${name}-${runBy}`,
  name,
  runBy,
})

function normalized(...events: readonly StreamEvent[]): readonly StreamEvent[] {
  const emitted: StreamEvent[] = []
  const pass = createNormalizer((event) => emitted.push(event))
  for (const event of [...events, { type: 'run-end', outcome: 'success' } as const]) pass.push(event)
  pass.end()
  return emitted
}

const runnersIn = (events: readonly StreamEvent[]) =>
  events.flatMap((event) => (event.type === 'tool-start' ? [`${event.name}: ${event.runBy}`] : []))

describe('a tool that the client offers', () => {
  it('is run by the client: the run awaits its output', () => {
    const events = normalized(asked({ tools: [{ name: 'pick' }] }), call('pick'))
    expect(runnersIn(events)).toEqual(['pick: client'])
    expect(events.at(-1)).toMatchObject({ type: 'run-end', outcome: 'awaiting-input' })
  })

  it.each([
    ['a list', { tools: [{ name: 'pick' }] }],
    ['an object', { tools: { pick: { description: 'picks' } } }],
    ['a field of the body', { body: { tools: { pick: {} } } }],
  ])('may be offered in %s', (_shape, client) => {
    expect(runnersIn(normalized(asked(client), call('pick')))).toEqual(['pick: client'])
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['tools without names', { tools: [{}, null, 7, { name: 3 }, { name: '' }] }],
    ['a text', { tools: 'pick', body: 'pick' }],
    ['another name', { tools: [{ name: 'other' }], body: [] }],
    ['a prototype', JSON.parse('{"tools":{"__proto__":{"pick":{}},"constructor":null}}')],
  ])('is not offered by %s: the call stays the agent’s', (_what, client) => {
    const events = normalized(asked(client as Json), call('pick'))
    expect(runnersIn(events)).toEqual(['pick: agent'])
    expect(events.at(-1)).toMatchObject({ outcome: 'success' })
  })

  it('leaves a call alone that a provider runs, or that came before the offer', () => {
    const offer = asked({ tools: [{ name: 'pick' }] })
    expect(runnersIn(normalized(call('pick'), offer, call('pick', 'provider')))).toEqual([
      'pick: agent',
      'pick: provider',
    ])
  })
})

describe('a tool that an agent names as its own', () => {
  const own = (agentTools: Json): StreamEvent => ({ type: 'metadata', metadata: { millrace: { agentTools } } })

  it('is run by the agent, although its provider leaves it to the caller: the run does not await its output', () => {
    const events = normalized(own(['pick']), call('pick', 'client'), call('show', 'client'))
    expect(runnersIn(events)).toEqual(['pick: agent', 'show: client'])
    expect(normalized(own(['pick']), call('pick', 'client')).at(-1)).toMatchObject({ outcome: 'success' })
  })

  it('stays the agent’s if the client offers one of that name, too', () => {
    const offer = asked({ tools: [{ name: 'pick' }] })
    expect(runnersIn(normalized(own(['pick']), offer, call('pick', 'client')))).toEqual(['pick: agent'])
  })

  it('does not change who runs a call of the provider, and nothing else names tools', () => {
    expect(runnersIn(normalized(own(['pick']), call('pick', 'provider')))).toEqual(['pick: provider'])
    for (const names of ['pick', null, [7], { pick: {} }]) {
      expect(runnersIn(normalized(own(names), call('pick', 'client')))).toEqual(['pick: client'])
    }
  })
})
