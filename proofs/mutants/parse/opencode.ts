import type { Mutant } from '../mutant.ts'

const opencode = 'packages/core/src/parse/opencode'

export const mutants: readonly Mutant[] = [
  {
    file: `${opencode}/calls.ts`,
    find: 'items.growth(`${callId} output`, output)',
    replace: 'output',
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
    file: `${opencode}/failures.ts`,
    find: 'rememberOne(openQuestions, approvalId)',
    replace: 'rememberOne(openQuestions, `${approvalId} ${openQuestions.size}`)',
    promise: 'a question that is updated is asked once',
  },
  {
    file: `${opencode}/failures.ts`,
    find: 'openQuestions.delete(approvalId)',
    replace: 'openQuestions.clear()',
    promise: 'a second question stays open when the first is answered',
  },
  {
    file: `${opencode}/bus.ts`,
    find: '(areIds ? id : undefined) ?? String(index + 1)',
    replace: 'id ?? String(index + 1)',
    promise: 'the items of a list have ids of their own',
  },
  {
    file: `${opencode}/sessions.ts`,
    find: ', ...present({ parentAgentId: agentOf(session.parent) })',
    replace: '',
    promise: 'a subagent of a subagent has its parent',
  },
  {
    file: `${opencode}/failures.ts`,
    find: 'data?.message ?? message ?? name',
    replace: 'data?.message ?? message',
    promise: 'an error without a message says its name',
  },
  {
    file: `${opencode}/calls.ts`,
    find: 'part.callID ?? part.id',
    replace: 'part.callID ?? part.tool',
    promise: 'a call without an id is named after its part',
  },
]
