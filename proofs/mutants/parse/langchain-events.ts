import type { Mutant } from '../mutant.ts'

const events = 'packages/core/src/parse/langchain-events'

export const mutants: readonly Mutant[] = [
  {
    file: `${events}/run.ts`,
    find: 'isOneMessage: true,',
    replace: 'isOneMessage: false,',
    promise: 'one run of a model is one message, whatever ids its chunks have',
  },
  {
    file: `${events}/run.ts`,
    find: 'const namespace = isInside ? [...graph, `tools:${tool}`] : graph',
    replace: 'const namespace = graph',
    promise: 'a model inside a tool is not the agent that called it',
  },
  {
    file: `${events}/tools.ts`,
    find: 'return sameName.find((call) => JSON.stringify(parseObject(call.beginning) ?? call.wholeInput) === text) ?? sameName[0]',
    replace: 'return undefined',
    promise: 'a tool runs for the call of its name',
  },
  {
    file: `${events}/chains.ts`,
    find: 'parts.some((part) => readMessage(part) !== undefined)',
    replace: 'parts.some((part) => readMessage(part) === undefined)',
    promise: 'a question that a graph streams is emitted',
  },
  {
    file: `${events}.ts`,
    find: 'if (graph.emitter.isInTheMiddle() || (root !== undefined && !isEnded)) return []',
    replace: 'if (root === undefined) return []',
    promise: 'a run without its end is not a success',
  },
]
