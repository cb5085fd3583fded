import type { StreamEvent } from '@millrace/core/events'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineTool, type Tool } from '../src/tool.ts'
import { createBench, ofType } from './bench.ts'
import { apiNames, scriptedAgent, step } from './models.ts'

const input = z.object({ harbour: z.string() })
const tide = defineTool({
  id: 'get_tide',
  description: 'High water.',
  input,
  call: ({ harbour }) => `High at ${harbour}`,
})
const wind = defineTool({
  id: 'get_wind',
  description: 'Wind.',
  input,
  call: () => {
    throw new Error('The gauge is offline.')
  },
})
const dig = defineTool({
  id: 'dig',
  description: 'Digs.',
  input,
  approve: true,
  call: ({ harbour }) => ({ dug: harbour }),
})
const pick: Tool = { id: 'pick', description: 'The client picks.', input: { type: 'object' } }

const harbour = { harbour: 'Millport' }
const called = (...names: readonly string[]) => step({ calls: names.map((name) => ({ name, input: harbour })) })

/** Calls these tools in one step, then says what it has got. */
const callsThenSays =
  (...names: readonly string[]) =>
  ({ toolResults }: { readonly toolResults: readonly string[] }) =>
    toolResults.length === 0 ? called(...names) : step({ text: `Seen: ${toolResults.join(' | ')}` })

const textOf = (events: readonly StreamEvent[]) =>
  ofType(events, 'block-delta')
    .map(({ text }) => text)
    .join('')

const endOf = (events: readonly StreamEvent[]) => ofType(events, 'run-end')

describe.each(apiNames)('a loop over %s', (api) => {
  it('runs the calls of a step at once, logs their outputs as they come and sends them in the order of the calls', async () => {
    const tools = [tide, wind]
    const { agent, bodies } = await scriptedAgent(api, callsThenSays('get_tide', 'get_wind'), { tools })
    const bench = await createBench(agent)
    await bench.start('r', 'When may we leave?')
    const events = await bench.ended('r')
    expect(endOf(events)).toMatchObject([{ outcome: 'success' }])
    // The tool that throws is done first.
    expect(ofType(events, 'tool-output')).toMatchObject([
      { status: 'error', error: 'The gauge is offline.' },
      { status: 'ok', output: 'High at Millport' },
    ])
    expect(ofType(events, 'tool-start').map(({ runBy }) => runBy)).toEqual(['agent', 'agent'])
    expect(textOf(events)).toMatch(/Seen: .*High at Millport.*\|.*The gauge is offline/s)
    expect(ofType(events, 'raw')).toEqual([])
    expect(bodies.length).toBe(2)
  })

  it('keeps the messages and calls of its responses apart, over many steps and turns', async () => {
    const { agent } = await scriptedAgent(
      api,
      ({ toolResults, userTexts }) => {
        const goal = userTexts.length * 3
        return toolResults.length < goal ? called('get_tide') : step({ text: `Turn ${userTexts.length} is over.` })
      },
      { tools: [tide] },
    )
    const bench = await createBench(agent)
    await bench.start('r1', 'One')
    expect(textOf(await bench.ended('r1'))).toContain('Turn 1 is over.')
    await bench.start('r2', 'Two')
    const events = await bench.ended('r2')
    expect(textOf(events)).toContain('Turn 2 is over.')
    expect(ofType(events, 'tool-output').map(({ status }) => status)).toEqual(['ok', 'ok', 'ok'])
    expect(new Set(ofType(events, 'tool-start').map(({ callId }) => callId)).size).toBe(3)
    const messages = await bench.picture('r2')
    expect(messages.map(({ segments }) => segments.map(({ type }) => type).join())).toEqual([
      'text',
      ...['tool', 'tool', 'tool'],
      'text',
    ])
    expect(new Set(messages.map(({ id }) => id)).size).toBe(5)
    expect(ofType(events, 'raw')).toEqual([])
  })

  it('sends what a person said about a call that was denied, and runs what the person changed', async () => {
    const { agent } = await scriptedAgent(api, callsThenSays('dig', 'dig', 'dig'), { tools: [dig] })
    const bench = await createBench(agent)
    await bench.start('r')
    await bench.seen('r', (event) => event.type === 'approval' && event.meta === undefined)
    await bench.answer('r', 'approval-1', { state: 'denied', message: 'Not in winter.' })
    await bench.answer('r', 'approval-2', { state: 'approved', input: { harbour: 'Largs' } })
    await bench.answer('r', 'approval-3', { state: 'approved', input: { harbour: 7 } })
    const events = await bench.ended('r')
    const calls = ofType(events, 'tool-start').map(({ callId }) => callId)
    const outputs = ofType(events, 'tool-output')
    expect(calls.map((callId) => outputs.find((output) => output.callId === callId))).toMatchObject([
      { status: 'denied', error: 'Not in winter.' },
      { status: 'ok', output: { dug: 'Largs' } },
      { status: 'error', error: expect.stringContaining('harbour') },
    ])
    expect(textOf(events)).toMatch(/Not in winter\..*Largs/s)
  })

  it('ends awaiting the output of a tool that a client runs, and goes on with it in the next run', async () => {
    const { agent } = await scriptedAgent(api, callsThenSays('get_tide', 'pick'), { tools: [tide, pick] })
    const bench = await createBench(agent)
    await bench.start('r1')
    const events = await bench.ended('r1')
    expect(endOf(events)).toMatchObject([{ outcome: 'awaiting-input' }])
    expect(ofType(events, 'tool-output')).toMatchObject([{ output: 'High at Millport' }])
    const open = ofType(events, 'tool-start').find(({ runBy }) => runBy === 'client')
    const toolOutputs = [{ callId: open?.callId ?? '', output: 'Berth 4' }]
    await bench.runs.start({ threadId: 'thr', agent: agent.name, input: { text: '', toolOutputs }, runId: 'r2' })
    const next = await bench.ended('r2')
    expect(textOf(next)).toMatch(/Seen: .*High at Millport.*\|.*Berth 4/s)
    expect(endOf(next)).toMatchObject([{ outcome: 'success' }])
  })

  it('offers the tools of the client, which win over no tool of its own', async () => {
    const { agent, bodies } = await scriptedAgent(api, callsThenSays('map'), { tools: [tide] })
    const bench = await createBench(agent)
    const client = { tools: [{ name: 'map', description: 'A map.' }, { name: 'get_tide' }] }
    await bench.runs.start({ threadId: 'thr', agent: agent.name, input: { text: 'Go', client }, runId: 'r' })
    const events = await bench.ended('r')
    expect(endOf(events)).toMatchObject([{ outcome: 'awaiting-input' }])
    expect(ofType(events, 'tool-start')).toMatchObject([{ name: 'map', runBy: 'client' }])
    expect(JSON.stringify(bodies[0]).match(/"name":"(?:get_tide|map)"/g)).toHaveLength(2)
  })

  it('hears what a person says meanwhile before the next step, and before it ends', async () => {
    let release = () => undefined as unknown
    const held: Tool = {
      id: 'get_tide',
      description: 'd',
      input: { type: 'object' },
      call: () => new Promise((resolve) => (release = () => resolve('High'))),
    }
    const { agent } = await scriptedAgent(
      api,
      ({ toolResults, userTexts }) =>
        toolResults.length === 0 ? called('get_tide') : step({ text: `Heard ${userTexts.at(-1)}.` }),
      { tools: [held] },
    )
    const bench = await createBench(agent)
    await bench.start('r', 'Go')
    await bench.seen('r', ({ type }) => type === 'tool-input')
    await bench.steer('r', 'the wind')
    release()
    const events = await bench.ended('r')
    expect(textOf(events)).toContain('Heard the wind.')
    expect(endOf(events)).toMatchObject([{ outcome: 'success' }])
  })

  it('fails with what the provider says in the middle of an answer', async () => {
    const { agent } = await scriptedAgent(api, () => step({ text: 'I look at the', error: 'Overloaded' }))
    const bench = await createBench(agent)
    await bench.start('r')
    const events = await bench.ended('r')
    expect(endOf(events)).toMatchObject([{ outcome: 'error', error: { message: 'Overloaded' } }])
    expect(textOf(events)).toContain('I look at the')
  })
})
