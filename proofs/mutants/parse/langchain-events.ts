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
    find: 'const namespace = call === undefined ? around : namespaceIn(call, `tools:${tool}`, around)',
    replace: 'const namespace = around',
    promise: 'a model inside a tool is not the agent that called it',
  },
  {
    file: `${events}/tools.ts`,
    find: 'return sameName.find((call) => JSON.stringify(parsed(call.beginning) ?? call.wholeInput) === text) ?? sameName[0]',
    replace: 'return undefined',
    promise: 'a tool runs for the call of its name',
  },
  {
    file: `${events}/messages.ts`,
    find: 'parts.some((part) => readMessage(part) !== undefined)',
    replace: 'parts.some((part) => readMessage(part) === undefined)',
    promise: 'a question that a graph streams is emitted',
  },
  {
    file: `${events}.ts`,
    find: "if (run.root !== undefined) graph.ending = 'running'",
    replace: '',
    promise: 'a run without its end is not a success',
  },
  {
    file: 'packages/core/src/parse/langchain-events/tools.ts',
    find: 'call.name === name && !running.has(call))',
    replace: 'call.name === name)',
    promise: 'two running calls of one tool do not take the same call',
  },
  {
    file: 'packages/core/src/parse/langchain-events/tools.ts',
    find: 'run.tools.delete(runId)',
    replace: '',
    promise: 'a tool run that has ended is not inside',
  },
  {
    file: 'packages/core/src/parse/langchain-events/run.ts',
    find: 'parent_ids?.findLast((parent) => tools.has(parent))',
    replace: 'parent_ids?.find((parent) => tools.has(parent))',
    promise: 'a model in a tool in a tool belongs to the inner one',
  },
  {
    file: 'packages/core/src/parse/langchain-events/tools.ts',
    find: 'run.scopeInTool(raw) ?? entered',
    replace: 'entered',
    promise: 'a tool that an inner agent calls is the call of that agent',
  },
]
