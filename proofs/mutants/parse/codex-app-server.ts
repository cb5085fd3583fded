import type { Mutant } from '../mutant.ts'

const member = 'packages/core/src/parse/codex-app-server'

export const mutants: readonly Mutant[] = [
  {
    file: `${member}.ts`,
    find: 'if (scope.agentId !== undefined)\n',
    replace: "if (scope.agentId === 'nobody')\n",
    promise: 'the turn of a subagent ends no run',
  },
  {
    file: `${member}.ts`,
    find: "ending === 'interrupted' ? 'cancelled' : 'success'",
    replace: "'success'",
    promise: 'an interrupted turn is cancelled',
  },
  {
    file: `${member}.ts`,
    find: 'scope.agentId !== undefined || text === lastUsage',
    replace: 'scope.agentId !== undefined',
    promise: 'usage that is repeated counts once',
  },
  {
    file: `${member}.ts`,
    find: 'willRetry === true',
    replace: 'willRetry === undefined',
    promise: 'an error that is tried again is a warning',
  },
  {
    file: `${member}/item-reader.ts`,
    find: "if (text !== '') out.push(",
    replace: 'out.push(',
    promise: 'reasoning without words draws nothing',
  },
  {
    file: `${member}/questions.ts`,
    find: 'const approvalId = `${method}#${id}`',
    replace: 'const approvalId = id',
    promise: 'a question has the id that the dialect answers',
  },
  {
    file: `${member}/items.ts`,
    find: "...(item.success === false && { status: 'failed' }),",
    replace: '',
    promise: 'a call that did not succeed has failed',
  },
]
