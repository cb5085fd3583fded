import type { Agent } from '@millrace/core/agent'
import type { StreamEvent } from '@millrace/core/events'
import { describe, expect, it } from 'vitest'
import { type AgentEvent, callAgentTool, defineAgent, defineTool, ExecutionContext } from '../src/public/index.ts'
import { createBench, ofType } from './bench.ts'

type Call = Parameters<typeof defineAgent>[0]['call']
const agent = (title: string, call: Call): Agent => defineAgent({ title, call })

/** Calls one agent by the tool, and says what it got. */
const caller = (agentId: string) =>
  agent('caller', async function* (_memory, ctx) {
    const { output, status } = yield* ctx.callTool(callAgentTool, { agentId, task: 'When is slack water?' })
    yield { type: 'stream', content: `${status}: ${output}` }
  })

const pilot = agent('pilot', async function* ({ input }) {
  yield { type: 'thought', content: 'A tide table.' }
  yield { type: 'tool_call', toolName: 'sonar', toolArgs: '{}', callId: 's' }
  yield { type: 'tool_result', toolName: 'sonar', output: 'deep', callId: 's' }
  yield { type: 'stream', content: `${input.text} ` }
  yield { type: 'stream', content: 'At 06:40.' }
})

const textOf = (events: readonly StreamEvent[]) =>
  ofType(events, 'block-delta')
    .map(({ text }) => text)
    .slice(1)
    .join('')
const childOf = async (bench: Awaited<ReturnType<typeof createBench>>, parent: string) => {
  const child = (await bench.log.runs('thr')).find(({ parentRunId }) => parentRunId === parent)
  if (child === undefined) throw new Error('There is no child run.')
  return child
}

describe('an agent that calls another', () => {
  it('S1-27, S1-28, S1-30: gets the text of its stream as progress, and together as the output', async () => {
    const bench = await createBench(caller('pilot'), pilot)
    await bench.start('r')
    const events = await bench.ended('r')
    const said = ofType(events, 'tool-progress').map(({ text }) => text)
    expect(said).toEqual(['When is slack water? ', 'At 06:40.'])
    expect(ofType(events, 'tool-output')).toMatchObject([{ status: 'ok', output: said.join('') }])
    expect(textOf(events)).toBe(`ok: ${said.join('')}`)
  })

  it('shows it as a subagent, and keeps its run under its own in the same thread, on no branch', async () => {
    const bench = await createBench(caller('pilot'), pilot)
    await bench.start('r')
    const events = await bench.ended('r')
    const child = await childOf(bench, 'r')
    expect(child).toMatchObject({ agent: 'pilot', threadId: 'thr', outcome: 'success' })
    const [call] = ofType(events, 'tool-start')
    const { callId } = call ?? {}
    expect(ofType(events, 'subagent-start')).toEqual([
      { type: 'subagent-start', agentId: callId, name: 'pilot', task: 'When is slack water?', callId },
    ])
    const run = { millrace: { runId: child.id } }
    expect(ofType(events, 'subagent-end')).toMatchObject([{ agentId: callId, status: 'done', meta: run }])
    await bench.start('r2')
    await bench.ended('r2')
    expect(await bench.log.run('r2')).toMatchObject({ afterRunId: 'r' })
  })

  it('S1-27: gets a failed result for an agent that is unknown, fails, or cannot run now', async () => {
    const broken = agent('broken', async function* () {
      yield { type: 'stream', content: 'I begin.' }
      throw new Error('The mast broke.')
    })
    const closed = { ...pilot, name: 'closed', unavailable: () => 'The harbour is closed.' }
    for (const [name, sentence] of [
      ['nobody', 'No agent is called "nobody".'],
      ['broken', 'I begin.\n\nThe mast broke.'],
      ['closed', 'The harbour is closed.'],
    ] as const) {
      const bench = await createBench(caller(name), broken, closed)
      await bench.start('r')
      const events = await bench.ended('r')
      expect(ofType(events, 'tool-output')).toMatchObject([{ status: 'error', output: sentence }])
      expect(events.at(-1)).toEqual({ type: 'run-end', outcome: 'success' })
    }
  })

  it('S1-29: hears nothing else of it, and with `forward` everything, nested under it', async () => {
    const asking = (forward: boolean) =>
      agent('caller', async function* (_memory, ctx) {
        for await (const event of ctx.callAgent('pilot', 'Slack?', { forward })) yield ctx.adaptToolEvent(event, 'c')
      })
    for (const forward of [false, true]) {
      const bench = await createBench(asking(forward), pilot)
      await bench.start('r')
      const events = await bench.ended('r')
      const { id } = await childOf(bench, 'r')
      const nested = events.filter((event) => event.agentId === id && !event.type.startsWith('subagent'))
      if (!forward) {
        expect(nested).toEqual([])
        continue
      }
      expect(ofType(nested, 'tool-start')).toMatchObject([{ callId: `${id}/s`, name: 'sonar' }])
      expect(ofType(nested, 'tool-output')).toMatchObject([{ callId: `${id}/s`, output: 'deep' }])
      expect(ofType(nested, 'block-delta').map(({ text }) => text)).toEqual(['A tide table.', 'Slack? ', 'At 06:40.'])
      const [message] = (await bench.picture('r')).slice(-1)
      const subagent = message?.segments.find(({ type }) => type === 'subagent')
      expect(subagent).toMatchObject({
        name: 'pilot',
        state: 'done',
        segments: [{ type: 'reasoning' }, { type: 'tool', state: 'done' }, { type: 'text', text: 'Slack? At 06:40.' }],
      })
    }
  })

  it('S1-32: stops it with itself, however deep it is', async () => {
    const waiting = agent('waiting', async function* (_memory, ctx) {
      yield { type: 'stream', content: 'Waiting.' }
      await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
    })
    const between: Agent = { ...caller('waiting'), name: 'between' }
    const bench = await createBench(caller('between'), between, waiting)
    await bench.start('r')
    // Its run exists once it says something.
    await expect.poll(() => childOf(bench, 'r').catch(() => undefined)).toBeDefined()
    const child = await childOf(bench, 'r')
    await bench.seen(child.id, ({ type }) => type === 'tool-progress')
    await bench.stop('r')
    expect((await bench.ended('r')).at(-1)).toEqual({ type: 'run-end', outcome: 'cancelled' })
    const grandchild = await childOf(bench, child.id)
    for (const { id } of [child, grandchild]) {
      expect((await bench.ended(id)).at(-1), id).toEqual({ type: 'run-end', outcome: 'cancelled' })
    }
  })

  it('stops it if nobody reads on', async () => {
    const endless = agent('endless', async function* (_memory, ctx): AsyncGenerator<AgentEvent> {
      while (!ctx.signal.aborted) {
        yield { type: 'stream', content: 'on ' }
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })
    const leaving = agent('leaving', async function* (_memory, ctx) {
      for await (const _event of ctx.callAgent('endless', 'Go')) break
      yield { type: 'stream', content: 'Enough.' }
    })
    const bench = await createBench(leaving, endless)
    await bench.start('r')
    expect((await bench.ended('r')).at(-1)).toEqual({ type: 'run-end', outcome: 'success' })
    const child = await childOf(bench, 'r')
    expect((await bench.ended(child.id)).at(-1)).toEqual({ type: 'run-end', outcome: 'cancelled' })
  })

  it('asks its questions itself, at its call, and passes the answers on', async () => {
    const asking = agent('asking', async function* (_memory, ctx) {
      const { state } = await ctx.ask('May I sail?', { wind: 9 })
      yield { type: 'stream', content: `I am ${state}.` }
    })
    const bench = await createBench(caller('asking'), asking)
    await bench.start('r')
    const asked = await bench.seen('r', ({ type }) => type === 'approval')
    expect(asked).toMatchObject({ message: 'May I sail?', request: { wind: 9 }, state: 'requested' })
    await bench.answer('r', asked.type === 'approval' ? asked.approvalId : '', { state: 'denied' })
    expect(textOf(await bench.ended('r'))).toBe('ok: I am denied.')
  })

  it('is not nested without an end', async () => {
    const bench = await createBench(caller('caller'))
    await bench.start('r')
    expect(textOf(await bench.ended('r'))).toContain('nested too deep')
    expect(await bench.log.runs('thr')).toHaveLength(9)
  })

  it('gets a failed result where there is no server', async () => {
    const ctx = ExecutionContext.create('trace', new AbortController().signal)
    const events = ctx.callAgent('pilot', 'Slack?')
    expect([(await events.next()).value]).toMatchObject([{ type: 'result', toolName: 'call-agent', isError: true }])
  })

  it('separates what it says before and after a call', async () => {
    const two = agent('two', async function* (_memory, ctx) {
      yield { type: 'stream', content: 'First.' }
      yield* ctx.callTool(defineTool({ id: 'x', description: '', input: {}, call: () => 'y' }), {})
      yield { type: 'stream', content: 'Second.' }
    })
    const bench = await createBench(caller('two'), two)
    await bench.start('r')
    expect(textOf(await bench.ended('r'))).toBe('ok: First.\n\nSecond.')
  })
})
