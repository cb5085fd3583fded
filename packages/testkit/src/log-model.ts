import type { LoggedInput } from '@millrace/server/log'
import fc from 'fast-check'
import { anyEvent } from './any-event.ts'
import { expect } from './expectation.ts'
import { twoNodes } from './log-acts.ts'
import type { LogBench } from './log-bench.ts'
import { type Model, type Operation, operations } from './log-model-operations.ts'
import { holdsAsync } from './property.ts'
import { it } from './runner.ts'

const RUNS = 100

const input: fc.Arbitrary<LoggedInput> = fc.oneof(
  fc.record({
    by: fc.constant('producer' as const),
    text: fc.string({ unit: 'binary' }),
    name: fc.constant(undefined),
  }),
  fc.record({ by: fc.constantFrom('server' as const, 'client' as const), event: anyEvent }, { noNullPrototype: true }),
)

const operation: fc.Arbitrary<Omit<Operation, 'prefix'>> = fc.record({
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant('append' as const) },
    { weight: 2, arbitrary: fc.constant('create' as const) },
    { weight: 5, arbitrary: fc.constantFrom(...(Object.keys(operations) as (keyof typeof operations)[])) },
  ),
  runId: fc.constantFrom('a', 'b'),
  shift: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1) }),
  epochShift: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1) }),
  node: fc.constantFrom(0, 1),
  isLast: fc.nat(7).map((n) => n === 0),
  events: fc.array(anyEvent, { maxLength: 4 }),
  inputs: fc.array(input, { maxLength: 3 }),
  makers: fc.array(fc.constantFrom('producer' as const, 'server' as const, 'client' as const), { maxLength: 4 }),
  time: fc.nat(1000),
})

/** Compares the member with the model for any operations in any order. */
export function modelPromise(bench: LogBench): void {
  const restartsAt =
    bench.member.volatile === undefined ? fc.constantFrom(5, 12, 99, 99, 99, 99, 99, 99) : fc.constant(99)
  it('does what the model does for any operations', async () => {
    let time = 0
    let log = await bench.open(() => time)
    let models = 0
    const property = fc.asyncProperty(fc.array(operation, { maxLength: 40 }), restartsAt, async (steps, restartAt) => {
      const model: Model = { runs: new Map(), nodes: [...(await twoNodes(log))] }
      // One log for all models: each has its own runs in it.
      const prefix = `${++models}/`
      for (const [index, step] of steps.entries()) {
        if (index === restartAt) {
          log = await bench.reopen(log, () => time)
          // The leases of all nodes have ended.
          model.nodes = [...(await twoNodes(log))]
        }
        time = step.time
        const [result, expected] = operations[step.kind](log, model, { ...step, prefix, runId: prefix + step.runId })
        const actual = await result.catch((error: { readonly code?: string }) => error.code ?? error)
        expect(actual, `step ${index}: ${step.kind}`).toEqual(expected)
      }
    })
    await holdsAsync(property, RUNS)
  }, 120_000)
}
