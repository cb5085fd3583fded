import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AgentEvent, defineAgent, defineTool, type Tool } from '../src/public/index.ts'
import { createBench, ofType } from './bench.ts'
import { type Call, outputOf, play, toolOf } from './play-tool.ts'

describe('a call of a tool', () => {
  it('S1-12, S1-13: is the call, any number of progress, and exactly one result, which is the last', async () => {
    async function* call() {
      yield { type: 'progress', toolName: 'work', data: 1 } as const
      yield { type: 'progress', toolName: 'work', data: 'two' } as const
      yield { type: 'result', toolName: 'work', output: 'first' } as const
      yield { type: 'result', toolName: 'work', output: 'second' } as const
      yield { type: 'progress', toolName: 'work', data: 3 } as const
    }
    const { yielded, events } = await play(toolOf({ call }), { depth: 3 })
    expect(yielded.map(({ type }) => type)).toEqual(['tool_call', 'tool_progress', 'tool_progress', 'tool_result'])
    expect(new Set(yielded.map(({ callId }) => callId)).size).toBe(1)
    expect(yielded[0]).toMatchObject({ toolName: 'work', toolArgs: '{"depth":3}' })
    expect(ofType(events, 'tool-output')).toMatchObject([{ status: 'ok', output: 'first' }])
  })

  it('S1-13: fails if the tool throws, ends without a result, or yields something else', async () => {
    const broken: { readonly [sentence: string]: Call } = {
      'The mast broke.': () => {
        throw new Error('The mast broke.')
      },
      'It sank.': async () => {
        throw new Error('It sank.')
      },
      'a stone': () => Promise.reject('a stone'),
      'work ended without a result.': async function* () {},
      'work yields what is not the event of a tool.': async function* () {
        yield { type: 'stream', content: 'x' } as never
      },
    }
    for (const [sentence, call] of Object.entries(broken)) {
      const played = await play(toolOf({ call }))
      expect(outputOf(played)).toMatchObject([{ status: 'error', output: sentence }])
      expect(played.result).toEqual({ status: 'error', output: sentence })
      expect(played.events.at(-1)).toEqual({ type: 'run-end', outcome: 'success' })
    }
  })

  it('gives a value back: text as it is, other JSON as a value in the log and as JSON to a model', async () => {
    expect((await play(toolOf({ call: () => 'plain' }))).result).toEqual({ status: 'ok', output: 'plain' })
    const played = await play(toolOf({ call: async () => ({ metres: [3, 4] }) }))
    expect(played.result).toMatchObject({ output: '{"metres":[3,4]}' })
    expect(outputOf(played)).toMatchObject([{ status: 'ok', output: { metres: [3, 4] } }])
    expect((await play(toolOf({ call: () => undefined as never }))).result).toMatchObject({ status: 'ok', output: '' })
  })

  it('keeps parallel calls of one tool apart', async () => {
    const tool = toolOf({
      call: async (input) => {
        const { wait } = input as { wait: number }
        await new Promise((resolve) => setTimeout(resolve, wait))
        return `after ${wait}`
      },
    })
    const agent = defineAgent({
      title: 'Tester',
      async *call(_memory, ctx) {
        const [slow, fast] = [ctx.callTool(tool, { wait: 60 }), ctx.callTool(tool, { wait: 1 })]
        for (const events of [slow, fast]) yield (await events.next()).value as AgentEvent
        const ends = [slow.next(), fast.next()]
        yield (await ends[1])?.value as AgentEvent
        yield (await ends[0])?.value as AgentEvent
      },
    })
    const bench = await createBench(agent)
    await bench.start('r')
    const events = await bench.ended('r')
    const inputs = new Map(ofType(events, 'tool-input').map(({ callId, input }) => [callId, input]))
    const pairs = ofType(events, 'tool-output').map(({ callId, output }) => [inputs.get(callId), output])
    expect(pairs).toEqual([
      [{ wait: 1 }, 'after 1'],
      [{ wait: 60 }, 'after 60'],
    ])
  })

  it('does not run with an input that does not fit, and says what does not', async () => {
    const inputs: readonly Tool['input'][] = [
      z.object({ harbour: z.string(), days: z.number().max(3).optional() }),
      {
        type: 'object',
        properties: { harbour: { type: 'string' }, days: { type: 'number', maximum: 3 } },
        required: ['harbour'],
      },
    ]
    for (const input of inputs) {
      const ran: unknown[] = []
      const tool = toolOf({ input, call: (value) => String(ran.push(value)) })
      expect(outputOf(await play(tool, { days: 9 }))).toMatchObject([
        { status: 'error', output: expect.stringMatching(/^The input does not fit work: (?=.*harbour: )(?=.*days: )/) },
      ])
      expect(outputOf(await play(tool, { harbour: 'Millport', days: 2 }))).toMatchObject([{ status: 'ok' }])
      expect(ran).toEqual([{ harbour: 'Millport', days: 2 }])
    }
  })

  it('gets the input as its schema makes it', async () => {
    const tool = defineTool({
      id: 'work',
      description: '',
      input: z.object({ at: z.string().transform((text) => text.length), to: z.string().default('east') }),
      call: ({ at, to }) => `${at + 1} ${to.toUpperCase()}`,
    })
    expect((await play(tool as Tool, { at: 'four' })).result).toMatchObject({ output: '5 EAST' })
  })
})
