import type { Mutant } from '../mutant.ts'

const opencode = 'packages/core/src/parse/opencode'

export const mutants: readonly Mutant[] = [
  {
    file: `${opencode}/growing-texts.ts`,
    find: 'return text.slice(before.length)',
    replace: 'return text',
    promise: 'only what is new of a growing part is emitted',
  },
  {
    file: `${opencode}/sessions.ts`,
    find: 'return id === main ? undefined : id',
    replace: 'return undefined',
    promise: 'the messages of a subagent are not those of the main agent',
  },
  {
    file: `${opencode}/parts.ts`,
    find: 'inputTokens: sum(input, cache?.read, cache?.write)',
    replace: 'inputTokens: sum(input)',
    promise: 'cache reads and writes count as input',
  },
  {
    file: `${opencode}/failures.ts`,
    find: "if (/rejected permission|dismissed this question/i.test(error)) return 'denied'\n",
    replace: '',
    promise: 'a call that was denied did not fail',
  },
  {
    file: `${opencode}.ts`,
    find: 'dialect !== undefined && eventDialect !== dialect',
    replace: 'dialect !== undefined && eventDialect === undefined',
    promise: 'what arrives in two dialects is read once',
  },
  {
    file: `${opencode}/state.ts`,
    find: 'rememberOne(openQuestions, id)',
    replace: 'rememberOne(openQuestions, `${id} ${openQuestions.size}`)',
    promise: 'a question that is updated is asked once',
  },
  {
    file: `${opencode}/state.ts`,
    find: 'openQuestions.delete(id)',
    replace: 'openQuestions.clear()',
    promise: 'a second question stays open when the first is answered',
  },
  {
    file: `${opencode}/todos.ts`,
    find: '(areIds ? id : undefined) ?? String(index + 1)',
    replace: 'id ?? String(index + 1)',
    promise: 'the items of a list have ids of their own',
  },
  {
    file: `${opencode}/sessions.ts`,
    find: 'name: session.title ?? agentId, ...present({ parentAgentId })',
    replace: 'name: session.title ?? agentId',
    promise: 'a subagent of a subagent has its parent',
  },
  {
    file: `${opencode}/failures.ts`,
    find: 'data?.message ?? message ?? name',
    replace: 'data?.message ?? message',
    promise: 'an error without a message says its name',
  },
  {
    file: `${opencode}/tool-part.ts`,
    find: 'part.callID ?? part.id',
    replace: 'part.callID ?? part.tool',
    promise: 'a call without an id is named after its part',
  },
]
