import { toModelMessages, withFiles } from '@millrace/core/messages'
import { memory } from '@millrace/server/log/memory'
import { createRuns } from '@millrace/server/run/create-runs'
import { describe, expect, it } from 'vitest'
import { type AgentEvent, defineAgent, type Memory } from '../src/public/index.ts'
import { createBench, eventsOf, ofType } from './bench.ts'

type Call = Parameters<typeof defineAgent>[0]['call']
const agentOf = (call: Call) => defineAgent({ title: 'Harbour Pilot', call })
const script = (...events: readonly AgentEvent[]) =>
  agentOf(async function* () {
    yield* events
  })
const endsOf = async (call: Call) => ofType(await eventsOf(agentOf(call)), 'run-end')

describe('an agent of own code', () => {
  it('S1-5, S1-6, S1-7, S1-8, S1-9: shows each of the events as what it is', async () => {
    const bench = await createBench(
      script(
        { type: 'thought', content: 'The tide decides.' },
        { type: 'tool_call', toolName: 'sonar', toolArgs: '{"beam":2}' },
        { type: 'tool_progress', toolName: 'sonar', data: null },
        { type: 'tool_progress', toolName: 'sonar', data: { percent: 40 } },
        { type: 'tool_result', toolName: 'sonar', output: 'too shallow', isError: true },
        { type: 'stream', content: 'Wait ' },
        { type: 'stream', content: 'for high water.' },
      ),
    )
    await bench.start('r')
    const [, message] = await bench.picture('r')
    expect(message?.segments).toMatchObject([
      { type: 'reasoning', text: 'The tide decides.' },
      {
        type: 'tool',
        name: 'sonar',
        input: { beam: 2 },
        state: 'failed',
        error: 'too shallow',
        progress: [{ data: null }, { data: { percent: 40 }, percent: 40 }],
      },
      { type: 'text', text: 'Wait for high water.', state: 'done' },
    ])
  })

  it('S1-10: ends once: by `final`, by its return, and without what follows', async () => {
    const success = [{ type: 'run-end', outcome: 'success' }]
    const final = { type: 'final' } as const
    for (const events of [[final], [final, final], []]) {
      expect(
        await endsOf(async function* () {
          yield* events
        }),
      ).toEqual(success)
    }
    const events = await eventsOf(script(final, { type: 'stream', content: 'one more' }))
    expect(ofType(events, 'block-delta').map(({ text }) => text)).toEqual(['Go'])
  })

  it('S1-11: fails with the sentence of `error`, and nothing follows', async () => {
    const events = await eventsOf(script({ type: 'error', error: 'No wind.' }, { type: 'final' }))
    expect(ofType(events, 'run-end')).toEqual([{ type: 'run-end', outcome: 'error', error: { message: 'No wind.' } }])
  })

  it('S1-11: fails with what it throws, and keeps what it has said', async () => {
    const events = await eventsOf(
      agentOf(async function* () {
        yield { type: 'stream', content: 'Casting off.' }
        throw new RangeError('The rope is too short.')
      }),
    )
    expect(ofType(events, 'block-delta').at(-1)).toMatchObject({ text: 'Casting off.' })
    const error = { message: 'The rope is too short.', name: 'RangeError' }
    expect(ofType(events, 'run-end')).toEqual([{ type: 'run-end', outcome: 'error', error }])
  })

  it('runs its `finally` before the run ends, also behind its own end', async () => {
    const order: string[] = []
    const bench = await createBench(
      agentOf(async function* () {
        try {
          yield { type: 'final' }
        } finally {
          await new Promise((resolve) => setTimeout(resolve, 20))
          order.push('finally')
        }
      }),
    )
    await bench.start('r')
    await bench.ended('r')
    expect(order).toEqual(['finally'])
  })

  it.each([
    ['an event of a tool', { type: 'progress', toolName: 't', data: 1 }, 'ctx.adaptToolEvent'],
    ['a result of a tool', { type: 'result', toolName: 't', output: 'x' }, 'ctx.adaptToolEvent'],
    ['an unknown type', { type: 'constructor' }, '"constructor" is not the type'],
    ['arguments that are no text', { type: 'tool_call', toolName: 't', toolArgs: {} }, 'is missing or no text'],
    ['no content', { type: 'stream' }, 'is missing or no text'],
    ['nothing', undefined, 'is not the type'],
    ['a text', 'Hello', 'is not the type'],
  ])('S1-37: fails with a sentence for its author if it yields %s', async (_what, event, sentence) => {
    const [end] = await endsOf(async function* () {
      yield event as never
    })
    expect(end).toMatchObject({ outcome: 'error', error: { message: expect.stringContaining(sentence) } })
  })

  it('S1-32: is cancelled when it is stopped, and what it still says is kept', async () => {
    const bench = await createBench(
      agentOf(async function* (_memory, { signal }) {
        yield { type: 'stream', content: 'Sailing.' }
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        yield { type: 'stream', content: ' Sails down.' }
      }),
    )
    await bench.start('r')
    await bench.seen('r', (event) => event.type === 'block-delta' && event.text === 'Sailing.')
    await bench.stop('r')
    const events = await bench.ended('r')
    expect(ofType(events, 'block-delta').at(-1)).toMatchObject({ text: ' Sails down.' })
    expect(ofType(events, 'run-end')).toEqual([{ type: 'run-end', outcome: 'cancelled' }])
  })

  it('gets the history, the input with its files, its session, and what the client sent beside them', async () => {
    const seen: [Memory, unknown][] = []
    const agent = defineAgent({
      title: 'Pilot',
      can: { session: 'resume' },
      async *call(memory, ctx, config) {
        seen.push([memory, config])
        ctx.session('logbook-1')
        yield { type: 'stream', content: 'Noted.' }
      },
    })
    const bench = await createBench(agent)
    const start = async (runId: string, input: object) => {
      await bench.runs.start({ threadId: 'thr', agent: 'pilot', input: { text: 'Go', ...input }, runId })
      await bench.ended(runId)
    }
    const files = [{ id: 'f', mediaType: 'text/plain' }]
    await start('r1', {})
    await start('r2', { files, client: { state: { knots: 4 } } })
    const load = expect.any(Function)
    expect(seen[0]).toEqual([{ history: [], input: { messageId: 'input-1', text: 'Go', files: [] }, load }, {}])
    expect(seen[1]).toMatchObject([{ input: { text: 'Go', files }, session: 'logbook-1' }, { state: { knots: 4 } }])
    expect(seen[1]?.[0].history.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('loads the files that were uploaded, those of earlier runs too, and knows one that is gone', async () => {
    const loaded: unknown[] = []
    const agent = defineAgent({
      title: 'Pilot',
      async *call({ history, input, load }) {
        const { messages } = await withFiles(toModelMessages(history, { input }), load)
        loaded.push(messages.map(({ content }) => content))
        yield { type: 'stream', content: 'Noted.' }
      },
    })
    const log = await memory.open({ folder: '' })
    const readFile = async (id: string) => {
      if (id === 'gone') throw new Error('Not there.')
      return new TextEncoder().encode('depth')
    }
    const runs = createRuns({ log, agents: [agent], readFile, report: () => undefined })
    const file = (id: string) => ({ id, mediaType: 'application/pdf', filename: `${id}.pdf` })
    for (const [runId, id] of [
      ['r1', 'chart'],
      ['r2', 'gone'],
    ] as const) {
      await runs.start({ threadId: 't', agent: 'pilot', input: { text: 'See', files: [file(id)] }, runId })
      for await (const _ of log.read(runId, { after: 0, live: true }));
    }
    await runs.close()
    const chart = { type: 'file', mediaType: 'application/pdf', data: btoa('depth'), filename: 'chart.pdf' }
    const see = { type: 'text', text: 'See' }
    expect(loaded).toEqual([
      [[see, chart]],
      [
        [see, chart],
        [{ type: 'text', text: 'Noted.' }],
        [see, { type: 'text', text: '[file gone.pdf, application/pdf]' }],
      ],
    ])
  })

  it('has a name of its own, or that of its title', () => {
    const call: Call = async function* () {}
    expect(defineAgent({ title: 'Harbour Pilot, 2nd', call }).name).toBe('harbour-pilot-2nd')
    expect(defineAgent({ title: '港', call }).name).toBe('agent')
    expect(defineAgent({ name: 'pilot', title: 'Harbour', call }).name).toBe('pilot')
  })

  it('cannot run while it says why', async () => {
    let reason: string | undefined = 'The harbour is closed.'
    const bench = await createBench(defineAgent({ title: 'Pilot', unavailable: () => reason, async *call() {} }))
    await expect(bench.start('r')).rejects.toThrow('The harbour is closed.')
    reason = undefined
    await bench.start('r')
    expect((await bench.ended('r')).at(-1)).toMatchObject({ outcome: 'success' })
  })

  it('survives lone surrogates, line breaks and keys of objects in what it says', async () => {
    const content = '\ud83d|\u2028|\n|\0|"__proto__"'
    const agent = script(
      { type: 'tool_call', toolName: '__proto__', toolArgs: '{"__proto__":{"x":1}}', callId: '__proto__' },
      { type: 'tool_result', toolName: '__proto__', output: content, callId: '__proto__' },
      { type: 'stream', content },
    )
    const events = await eventsOf(agent)
    expect(ofType(events, 'tool-output')).toMatchObject([{ callId: '__proto__', status: 'ok' }])
    expect(ofType(events, 'block-delta').at(-1)?.text).toHaveLength(content.length)
    expect(events.at(-1)).toEqual({ type: 'run-end', outcome: 'success' })
  })
})
