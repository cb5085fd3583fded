import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineAgent, type Tool } from '../src/public/index.ts'
import { createBench, ofType } from './bench.ts'
import { outputOf, play, toolOf } from './play-tool.ts'

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
