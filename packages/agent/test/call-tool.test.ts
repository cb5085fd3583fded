import type { ApprovalAnswer } from '@millrace/core/agent'
import type { StreamEvent } from '@millrace/core/events'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AgentEvent, defineAgent, defineTool, type Tool, type ToolResult } from '../src/public/index.ts'
import { createBench, ofType } from './bench.ts'

type Call = NonNullable<Tool['call']>
type Fields = Partial<Pick<Tool, 'approve' | 'input'>> & { readonly call: Call }
const toolOf = ({ input = {}, ...fields }: Fields): Tool =>
  defineTool({ id: 'work', description: '', input, ...fields })

interface Played {
  readonly yielded: readonly AgentEvent[]
  readonly result: ToolResult | undefined
  readonly events: readonly StreamEvent[]
}

/** Calls a tool in a run; each answer is given to the next question. */
async function play(tool: Tool, input: unknown = {}, ...answers: readonly ApprovalAnswer[]): Promise<Played> {
  const yielded: AgentEvent[] = []
  let result: ToolResult | undefined
  const agent = defineAgent({
    title: 'Tester',
    async *call(_memory, ctx) {
      for (const _call of answers.length > 0 ? answers : [0]) {
        const events = ctx.callTool(tool, input)
        for (let next = await events.next(); ; next = await events.next()) {
          if (next.done) {
            result = next.value
            break
          }
          yielded.push(next.value)
          yield next.value
        }
      }
    },
  })
  const bench = await createBench(agent)
  await bench.start('r')
  let asked = 0
  for (const answer of answers) {
    const ids = new Set<string>()
    const nth = ++asked
    const question = await bench
      .seen('r', (event) => {
        if (event.type === 'approval' && event.state === 'requested') ids.add(event.approvalId)
        return ids.size === nth
      })
      .catch(() => undefined)
    if (question?.type === 'approval') await bench.answer('r', question.approvalId, answer)
  }
  const events = await bench.ended('r')
  return { yielded, result, events }
}

const outputOf = ({ events }: Played) => ofType(events, 'tool-output')

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

describe('a call that asks', () => {
  const sail = (approve: Tool['approve']) => {
    const ran: unknown[] = []
    const input = z.object({ to: z.string() })
    return { ran, tool: toolOf({ approve: approve as never, input, call: (value) => `Sailed ${ran.push(value)}.` }) }
  }

  it('runs when it is approved, with the input that the person has made of it', async () => {
    const { ran, tool } = sail(true)
    const played = await play(tool, { to: 'east' }, { state: 'approved' }, { state: 'approved', input: { to: 'west' } })
    expect(ran).toEqual([{ to: 'east' }, { to: 'west' }])
    const [question] = ofType(played.events, 'approval')
    const [start] = ofType(played.events, 'tool-start')
    expect(question).toMatchObject({ state: 'requested', callId: start?.callId, message: 'May work run?' })
  })

  it('does not run with a changed input that does not fit', async () => {
    const { ran, tool } = sail(true)
    const played = await play(tool, { to: 'east' }, { state: 'approved', input: { to: 4 } })
    expect(outputOf(played)).toMatchObject([{ status: 'error', output: expect.stringContaining('changed input') }])
    expect(ran).toEqual([])
  })

  it('does not run when it is denied, and gives the words of the person to the model', async () => {
    const { ran, tool } = sail(true)
    const answers = [
      { state: 'denied', message: 'Not in this wind.' },
      { state: 'denied' },
      { state: 'answered', answer: { no: 1 } },
    ] as const
    const played = await play(tool, { to: 'east' }, ...answers)
    expect(outputOf(played)).toMatchObject([
      { status: 'denied', output: 'Not in this wind.' },
      { status: 'denied', output: 'A person has denied the call.' },
      { status: 'denied', output: '{"no":1}' },
    ])
    expect([ran, played.result?.status]).toEqual([[], 'denied'])
  })

  it('asks once if the person allows it for the session', async () => {
    const { ran, tool } = sail(true)
    const played = await play(tool, { to: 'east' }, { state: 'approved', remember: 'session' }, { state: 'denied' })
    expect(ran).toHaveLength(2)
    expect(ofType(played.events, 'approval')).toHaveLength(2)
  })

  it('asks if its own function says so for this input', async () => {
    const { ran, tool } = sail((async (input: { to: string }) => input.to === 'west') as never)
    const east = await play(tool, { to: 'east' })
    expect([ofType(east.events, 'approval'), ran.length]).toEqual([[], 1])
    expect(ofType((await play(tool, { to: 'west' }, { state: 'approved' })).events, 'approval')).toHaveLength(2)
  })

  it('is not run, and the run ends at once, when it is stopped while it asks', async () => {
    const { ran, tool } = sail(true)
    const agent = defineAgent({
      title: 'Tester',
      async *call(_memory, ctx) {
        yield* ctx.callTool(tool, { to: 'east' })
      },
    })
    const bench = await createBench(agent)
    await bench.start('r')
    await bench.seen('r', ({ type }) => type === 'approval')
    await bench.stop('r')
    const events = await bench.ended('r')
    expect(ofType(events, 'approval').map(({ state }) => state)).toEqual(['requested', 'expired'])
    expect([events.at(-1), ran]).toEqual([{ type: 'run-end', outcome: 'cancelled' }, []])
  })
})

it('S1-32: a stopped run ends its tool, also one that does not look at the signal', async () => {
  const closed: string[] = []
  const tool = toolOf({
    async *call(_input, ctx) {
      try {
        yield { type: 'progress', toolName: 'work', data: 'Working.' }
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
      } finally {
        closed.push('work')
      }
    },
  })
  const deaf = toolOf({ call: () => new Promise(() => undefined) })
  for (const each of [tool, deaf]) {
    const agent = defineAgent({
      title: 'Tester',
      async *call(_memory, ctx) {
        const result = yield* ctx.callTool(each, {})
        closed.push(result.output)
      },
    })
    const bench = await createBench(agent)
    await bench.start('r')
    await bench.seen('r', ({ type }) => type === (each === tool ? 'tool-progress' : 'tool-input'))
    await bench.stop('r')
    expect((await bench.ended('r')).at(-1)).toEqual({ type: 'run-end', outcome: 'cancelled' })
  }
  await expect.poll(() => closed).toEqual(['work', 'The run was stopped.', 'The run was stopped.'])
})
