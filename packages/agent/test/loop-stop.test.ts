import type { StreamEvent } from '@millrace/core/events'
import { describe, expect, it } from 'vitest'
import { modelAgent } from '../src/loop/model-agent.ts'
import type { Tool } from '../src/tool.ts'
import { type Bench, createBench, ofType } from './bench.ts'
import { apiNames, scriptedModel, step } from './models.ts'

const input = { type: 'object' } as const

interface Phase {
  /** The model's first answer. */
  readonly first: Parameters<typeof step>[0]
  /** Resolves when the run is in the phase. */
  readonly reached: (bench: Bench, requests: () => number) => Promise<unknown>
}

const call = (name: string) => ({ calls: [{ name, input: {} }] })
const sees = (fits: (event: StreamEvent) => boolean) => (bench: Bench) => bench.seen('r', fits)

const phases: { readonly [phase: string]: Phase } = {
  'while the model is asked': {
    first: { text: 'Late.', pause: 20_000 },
    async reached(_bench, requests) {
      while (requests() === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    },
  },
  'while it answers': {
    first: { text: 'A long answer that is cut into many pieces, one after the other. '.repeat(20), pause: 30 },
    reached: sees((event) => event.type === 'block-delta' && event.text.startsWith('A long')),
  },
  'while a person is asked': { first: call('dig'), reached: sees(({ type }) => type === 'approval') },
  'while a tool runs': { first: call('wait'), reached: sees(({ type }) => type === 'tool-progress') },
  'while a tool runs that does not hear it': {
    first: call('deaf'),
    reached: sees(({ type }) => type === 'tool-progress'),
  },
}

describe.each(apiNames)('a loop over %s that is stopped', (api) => {
  it.each(Object.entries(phases))(
    '%s ends once, as cancelled, with nothing left open or running',
    async (_name, phase) => {
      let running = 0
      const tools: readonly Tool[] = [
        { id: 'dig', description: 'd', input, approve: true, call: () => 'dug' },
        {
          id: 'wait',
          description: 'd',
          input,
          async *call(_value, ctx) {
            running++
            yield { type: 'progress', toolName: 'wait', data: 'Waiting.' }
            await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
            running--
            yield { type: 'result', toolName: 'wait', output: 'late' }
          },
        },
        {
          id: 'deaf',
          description: 'd',
          input,
          async *call() {
            yield { type: 'progress', toolName: 'deaf', data: 'Waiting.' }
            await new Promise(() => undefined)
          },
        },
      ]
      const { model, bodies } = await scriptedModel(api, ({ toolResults }) =>
        toolResults.length === 0 ? step(phase.first) : step({ text: 'Done.' }),
      )
      const bench = await createBench(modelAgent({ title: 'Tester', model, tools }))
      await bench.start('r')
      await phase.reached(bench, () => bodies.length)
      const before = performance.now()
      await bench.stop('r')
      const events = await bench.ended('r')
      expect(performance.now() - before).toBeLessThan(400)
      expect(ofType(events, 'run-end')).toEqual([{ type: 'run-end', outcome: 'cancelled' }])
      expect(ofType(events, 'tool-output').map(({ status }) => status)).toEqual(
        ofType(events, 'tool-start').map(() => 'cancelled'),
      )
      expect(ofType(events, 'approval').map(({ state }) => state)).toEqual(
        ofType(events, 'approval').length === 0 ? [] : ['requested', 'expired'],
      )
      expect([running, bodies.length]).toEqual([0, 1])
    },
  )
})
