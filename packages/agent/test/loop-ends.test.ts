import type { StreamEvent } from '@millrace/core/events'
import { describe, expect, it } from 'vitest'
import type { Step } from '../../../recorders/provider/script.ts'
import { type ModelAgent, modelAgent } from '../src/loop/model-agent.ts'
import type { Tool } from '../src/tool.ts'
import { createBench, eventsOf, ofType } from './bench.ts'
import { apiNames, chunk, framedModel, scriptedAgent, scriptedModel, step } from './models.ts'

const input = { type: 'object' } as const
const tide: Tool = { id: 'get_tide', description: 'd', input, call: () => 'High' }

const endOf = (events: readonly StreamEvent[]) => events.at(-1)
const outputsOf = (events: readonly StreamEvent[]) => ofType(events, 'tool-output')

/** One run of an agent whose model sends these frames of Chat Completions. */
async function framed(answers: Parameters<typeof framedModel>[1], fields: Partial<ModelAgent> = {}) {
  const { model, bodies } = await framedModel('openai-chat', answers)
  const events = await eventsOf(modelAgent({ title: 'Tester', model, tools: [tide], ...fields }))
  return { events, bodies }
}

const chatCall = (name: string, text: string, id = 'c1') => [
  chunk({ role: 'assistant', tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: text } }] }),
  chunk({}, 'tool_calls'),
]
const says = (text: string) => [chunk({ role: 'assistant', content: text }, null, 'two'), chunk({}, 'stop', 'two')]

describe('a call that cannot run', () => {
  it.each([
    ['is not JSON', 'get_tide', '{"harbour": Mill', 'The input of get_tide is not JSON.'],
    ['names no tool', 'get_moon', '{}', 'There is no tool "get_moon".'],
    ['does not fit', 'get_tide', '[]', 'The input does not fit get_tide: must be object.'],
  ])('because it %s has an error as its output, and the model goes on', async (_why, name, text, error) => {
    const { events, bodies } = await framed([chatCall(name, text), says('I see.')])
    expect(outputsOf(events)).toMatchObject([{ status: 'error', error }])
    expect(endOf(events)).toMatchObject({ type: 'run-end', outcome: 'success' })
    expect(JSON.stringify(bodies[1])).toContain(JSON.stringify(error).slice(1, -1))
  })

  it('because the answer was cut off in it ends the run as the provider says', async () => {
    const { events, bodies } = await framed([
      [...chatCall('get_tide', '{"harbour": Mi').slice(0, 1), chunk({}, 'length')],
    ])
    expect(outputsOf(events)).toMatchObject([{ status: 'cancelled' }])
    expect(endOf(events)).toMatchObject({ outcome: 'success', reason: 'length' })
    expect(bodies.length).toBe(1)
  })
})

describe('a loop ends with an error', () => {
  it('when its steps are used up', async () => {
    const calls = (nth: string) => [...chatCall('get_tide', '{}', nth)].map((frame) => ({ ...frame, id: nth }))
    const { events, bodies } = await framed([calls('a'), calls('b'), calls('c'), calls('d')], { maxSteps: 3 })
    expect(endOf(events)).toMatchObject({ outcome: 'error', error: { code: 'limit' } })
    expect([bodies.length, outputsOf(events).length]).toEqual([3, 3])
  })

  it('S3-50: when the provider refuses the request, in one line with the shape of the last messages', async () => {
    const { events } = await framed([chatCall('get_tide', '{}'), 400])
    const { error } = ofType(events, 'run-end')[0] ?? {}
    expect(error?.code).toBe('provider-refused')
    expect(error?.message).toMatch(/ answered with 400: Wrong\. Sent: user\[text\] assistant\[.*\] tool\[text\]$/)
    expect(error?.message).not.toContain('\n')
  })

  it('when an answer stops without an end: it is not asked for again', async () => {
    const { events, bodies } = await framed([[chunk({ role: 'assistant', content: 'I look at' })]])
    expect(endOf(events)).toMatchObject({ outcome: 'error', error: { code: 'broken-off' } })
    expect(ofType(events, 'block-delta').map(({ text }) => text)).toContain('I look at')
    expect(bodies.length).toBe(1)
  })

  it.each(apiNames)('when an answer over %s has no end', async (api) => {
    const { model } = await framedModel(api, [[]])
    expect(endOf(await eventsOf(modelAgent({ title: 'Tester', model })))).toMatchObject({
      error: { code: 'broken-off' },
    })
  })
})

it('goes on where a provider has paused its own work', async () => {
  const message = (id: string, stop_reason: string, content: object[]) => [
    { type: 'message_start', message: { id, role: 'assistant', model: 'claude-x', content: [], usage: {} } },
    ...content.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason }, usage: {} },
    { type: 'message_stop' },
  ]
  const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'tide' } }
  const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
  const { model, bodies } = await framedModel('anthropic', [
    message('m1', 'pause_turn', [search]),
    message('m2', 'end_turn', [found, { type: 'text', text: 'High.' }]),
  ])
  const events = await eventsOf(modelAgent({ title: 'Tester', model }))
  expect(endOf(events)).toMatchObject({ outcome: 'success' })
  expect(outputsOf(events)).toMatchObject([{ callId: 'srvtoolu_1', status: 'ok' }])
  const { messages } = bodies[1] as { readonly messages: readonly { readonly content: readonly object[] }[] }
  expect(messages.at(-1)?.content).toMatchObject([{ type: 'server_tool_use', id: 'srvtoolu_1' }])
})

describe('a permission', () => {
  const dig = (asked: string[]): Tool => ({
    id: 'dig',
    description: 'd',
    input,
    approve: () => asked.push('asked') > 0,
    call: () => 'dug',
  })
  const digsTwice = ({
    toolResults,
    userTexts,
  }: {
    toolResults: readonly string[]
    userTexts: readonly string[]
  }): Step =>
    toolResults.length < userTexts.length * 2 ? step({ calls: [{ name: 'dig', input: {} }] }) : step({ text: 'Done.' })

  it('for the session is not asked for again, in this run and the next ones', async () => {
    const { agent } = await scriptedAgent('anthropic', digsTwice, { tools: [dig([])] })
    const bench = await createBench(agent)
    await bench.start('r1')
    await bench.seen('r1', ({ type }) => type === 'approval')
    await bench.answer('r1', 'approval-1', { state: 'approved', remember: 'session' })
    expect(outputsOf(await bench.ended('r1'))).toMatchObject([{ output: 'dug' }, { output: 'dug' }])
    await bench.start('r2')
    const events = await bench.ended('r2')
    expect(ofType(events, 'approval')).toEqual([])
    expect(outputsOf(events).length).toBe(2)
  })

  it('for one call is asked for again', async () => {
    const { agent } = await scriptedAgent('anthropic', digsTwice, { tools: [dig([])] })
    const bench = await createBench(agent)
    await bench.start('r1')
    for (const id of ['approval-1', 'approval-2']) {
      await bench.seen('r1', (event) => event.type === 'approval' && event.approvalId === id)
      await bench.answer('r1', id, { state: 'approved' })
    }
    expect(ofType(await bench.ended('r1'), 'approval').length).toBe(4)
  })
})

it('shows what a tool reports while it runs', async () => {
  const digs: Tool = {
    id: 'dig',
    description: 'd',
    input,
    async *call() {
      yield { type: 'progress', toolName: 'dig', data: { percent: 40 } }
      yield { type: 'progress', toolName: 'dig', data: () => 'no JSON' }
      yield { type: 'result', toolName: 'dig', output: 'dug' }
    },
  }
  const { events } = await framed([chatCall('dig', '{}'), says('Done.')], { tools: [digs] })
  expect(ofType(events, 'tool-progress')).toMatchObject([{ channel: 'data', percent: 40 }, { data: null }])
})

it('puts the options of its definition into every request, and adds its tools to theirs', async () => {
  const search = { type: 'web_search_20250305', name: 'web_search' }
  const options = { max_tokens: 77, tools: [search] }
  const { agent, bodies } = await scriptedAgent('anthropic', () => step({ text: 'Hi' }), { tools: [tide], options })
  await eventsOf(agent)
  expect(bodies[0]).toMatchObject({ max_tokens: 77, tools: [search, { name: 'get_tide' }] })
})

it('says how a model is named, and which variable is missing', async () => {
  const title = 'Tester'
  for (const model of ['claude', 'other:x', 'anthropic:']) {
    expect(() => modelAgent({ title, model })).toThrow(/Write a model as "anthropic:NAME"/)
  }
  for (const baseUrl of ['file:///x', 'nowhere', 'http://user:secret@host']) {
    expect(() => modelAgent({ title, model: { api: 'openai', name: 'x', baseUrl } })).toThrow(
      /is no address of a model/,
    )
  }
  const { model } = await scriptedModel('openai', () => step({ text: 'Hi' }))
  const agent = modelAgent({ title, model: { ...model, keyVariable: 'NO_SUCH_KEY' } })
  expect(agent.unavailable?.()).toContain('NO_SUCH_KEY')
  expect(modelAgent({ title, model }).unavailable?.()).toBeUndefined()
  expect(() => modelAgent({ title, model, tools: [tide, tide] })).toThrow('Two tools are called "get_tide".')
})
