import type { AgentHost } from '@millrace/core/agent'
import type { StreamEvent } from '@millrace/core/events'
import { describe, expect, it } from 'vitest'
import { defineAgent, defineTool, ExecutionContext } from '../src/public/index.ts'
import { createBench, eventsOf, ofType } from './bench.ts'

const signal = new AbortController().signal

describe('the context of an execution', () => {
  const ctx = ExecutionContext.create('trace-1', signal)

  it('S1-31, S1-36: is made by `create`, with a trace id and a signal that cannot be changed', () => {
    expect(ctx).toBeInstanceOf(ExecutionContext)
    expect([ctx.traceId, ctx.signal]).toEqual(['trace-1', signal])
    expect(Object.isFrozen(ctx)).toBe(true)
    expect(() => Object.assign(ctx, { traceId: 'other' })).toThrow(TypeError)
    expect(Object.isFrozen(ctx.forCall('c'))).toBe(true)
  })

  it('S1-31: has the id of the run as its trace id', async () => {
    const agent = defineAgent({
      title: 'Tester',
      async *call(_memory, { traceId }) {
        yield { type: 'stream', content: traceId }
      },
    })
    expect(ofType(await eventsOf(agent), 'block-delta').at(-1)).toMatchObject({ text: 'r' })
  })

  it('S1-33, S1-34: gives events back as they are, with their own types', () => {
    const event = { type: 'stream', content: 'x' } as const
    const toolEvent = { type: 'progress', toolName: 't', data: null } as const
    expect(ctx.agentEvent(event)).toBe(event)
    expect(ctx.toolEvent(toolEvent)).toBe(toolEvent)
    const { content }: { content: 'x' } = ctx.agentEvent(event)
    expect(content).toBe('x')
  })

  it('S1-21, S1-35: makes progress to `tool_progress`, with no field that does not belong to it', () => {
    for (const data of ['text', { percent: 5 }, null, undefined, [1]]) {
      const event = { type: 'progress', toolName: 't', data, stray: 1 } as const
      expect(ctx.adaptToolEvent(event)).toStrictEqual({ type: 'tool_progress', toolName: 't', data })
    }
    expect(ctx.adaptToolEvent({ type: 'progress', toolName: 't', data: 1 }, 'c')).toStrictEqual({
      type: 'tool_progress',
      callId: 'c',
      toolName: 't',
      data: 1,
    })
  })

  it('S1-22, S1-35: makes a result to `tool_result`, with no field that does not belong to it', () => {
    const event = { type: 'result', toolName: 't', output: 'o', stray: 1 } as const
    expect(ctx.adaptToolEvent(event)).toStrictEqual({ type: 'tool_result', toolName: 't', output: 'o' })
    expect(ctx.adaptToolEvent({ ...event, isError: true }, 'c')).toStrictEqual({
      type: 'tool_result',
      callId: 'c',
      toolName: 't',
      output: 'o',
      isError: true,
    })
  })

  it('works without a host: nobody answers, and what is reported is dropped', async () => {
    expect(await ctx.ask('May I?')).toEqual({ state: 'expired' })
    ctx.status('x')
    ctx.todos([])
    ctx.data('n', 1)
    ctx.session('s')
    await ctx.file({ mediaType: 'text/plain', bytes: new Uint8Array() })
    expect(ctx.takeMessages()).toEqual([])
  })
})

describe('what a context reports', () => {
  it('stands behind what was yielded before, and before what follows', async () => {
    const agent = defineAgent({
      title: 'Tester',
      async *call(_memory, ctx) {
        yield { type: 'stream', content: 'one' }
        ctx.status('Casting off', 'warn')
        ctx.todos([{ id: '1', content: 'Sail', status: 'in_progress' }])
        ctx.data('wind', { knots: 9 }, 'w')
        await ctx.file({ mediaType: 'text/plain', filename: 'log.txt', bytes: new TextEncoder().encode('log') })
        yield { type: 'stream', content: 'two' }
      },
    })
    const events = (await eventsOf(agent))
      .filter(({ type }) => !/^(run|message|block-start|block-end)/.test(type))
      .slice(1)
    expect(events).toMatchObject([
      { type: 'block-delta', text: 'one' },
      { type: 'status', message: 'Casting off', level: 'warn' },
      { type: 'todos', op: 'set', items: [{ id: '1', content: 'Sail', status: 'in_progress' }] },
      { type: 'data', name: 'wind', data: { knots: 9 }, id: 'w' },
      { type: 'file', mediaType: 'text/plain', filename: 'log.txt', bytes: 'bG9n' },
      { type: 'block-delta', text: 'two' },
    ])
  })

  it('belongs to the call of the tool that reports it', async () => {
    const questions: unknown[] = []
    const added: StreamEvent[] = []
    const host = {
      ask: async (question: unknown) => {
        questions.push(question)
        return { state: 'answered', answer: 7 }
      },
      add: async (events: readonly StreamEvent[]) => void added.push(...events),
    } as unknown as AgentHost
    const ctx = ExecutionContext.create('t', signal, host).forCall('c')
    expect(await ctx.ask('How deep?', { unit: 'm' })).toEqual({ state: 'answered', answer: 7 })
    expect(questions).toEqual([{ message: 'How deep?', callId: 'c', request: { unit: 'm' } }])
    await ctx.file({ mediaType: 'a/b', bytes: new Uint8Array([1]) })
    expect(added).toMatchObject([{ type: 'file', callId: 'c' }])
  })

  it('is refused at once if it is not valid, because the log could not store it', () => {
    const host = { add: async () => undefined } as unknown as AgentHost
    const ctx = ExecutionContext.create('t', signal, host)
    expect(() => ctx.data('n', 1n as never)).toThrow(TypeError)
    expect(() => ctx.data('n', undefined as never)).toThrow('not JSON')
    expect(() => ctx.todos([{ content: 'x' }] as never)).toThrow('not valid')
  })

  it('after the end of the run disturbs nothing', async () => {
    let late: () => void = () => undefined
    const agent = defineAgent({
      title: 'Tester',
      async *call(_memory, ctx) {
        late = () => ctx.status('too late')
        yield { type: 'final' }
      },
    })
    const bench = await createBench(agent)
    await bench.start('r')
    await bench.ended('r')
    late()
    expect((await bench.ended('r')).at(-1)).toMatchObject({ type: 'run-end' })
  })
})

it('takes what persons say, once, and leaves the rest to the next run', async () => {
  const gate = Promise.withResolvers<void>()
  const agent = defineAgent({
    title: 'Tester',
    can: { steer: true },
    async *call({ input }, ctx) {
      yield { type: 'stream', content: `${input.text}: ${ctx.takeMessages().length}.` }
      if (input.text !== 'Go') return
      await gate.promise
      yield {
        type: 'stream',
        content: ctx
          .takeMessages()
          .map(({ text }) => text)
          .join(' and '),
      }
      yield { type: 'stream', content: ` then ${ctx.takeMessages().length}` }
    },
  })
  const bench = await createBench(agent)
  await bench.start('r')
  await bench.seen('r', (event) => event.type === 'block-delta' && event.text === 'Go: 0.')
  await bench.steer('r', 'faster')
  await bench.runs.tell('r', { command: { type: 'steer', messageId: 'm2', text: 'and east', when: 'now' } })
  gate.resolve()
  const texts = ofType(await bench.ended('r'), 'block-delta').map(({ text }) => text)
  expect(texts).toEqual(['Go', 'Go: 0.', 'faster', 'and east', 'faster and and east', ' then 0'])
})

it('defineTool refuses an id that models do not take', () => {
  const tool = (id: string) => () => defineTool({ id, description: '', input: {}, call: () => '' })
  expect(tool('get_tide-2')).not.toThrow()
  for (const id of ['', 'get tide', 'a'.repeat(65), 'münze']) expect(tool(id)).toThrow('The id of a tool')
})
