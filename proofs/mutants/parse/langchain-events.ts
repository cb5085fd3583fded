import type { Mutant } from '../mutant.ts'

const events = 'packages/core/src/parse/langchain-events'

export const mutants: readonly Mutant[] = [
  {
    file: `${events}/run.ts`,
    find: 'isOneMessage: true,',
    replace: 'isOneMessage: false,',
    promise: 'one run of a model says one message, whatever ids its pieces have',
  },
  {
    file: `${events}/run.ts`,
    find: 'const around = isInside ? [...graph, `tools:${tool}`] : graph',
    replace: 'const around = graph',
    promise: 'a model inside a tool does not speak for the agent',
  },
  {
    file: `${events}/tools.ts`,
    find: 'return named.find((call) => JSON.stringify(parsed(call.beginning) ?? call.given) === text) ?? named[0]',
    replace: 'return undefined',
    promise: 'a tool runs for the call of its name',
  },
  {
    file: `${events}/chains.ts`,
    find: 'parts.some((part) => readMessage(part) !== undefined)',
    replace: 'parts.some((part) => readMessage(part) === undefined)',
    promise: 'what a graph asks while it streams is asked',
  },
  {
    file: `${events}.ts`,
    find: 'if (graph.teller.isInTheMiddle() || (root !== undefined && !isEnded)) return []',
    replace: 'if (root === undefined) return []',
    promise: 'a run without its end is no success',
  },
]
