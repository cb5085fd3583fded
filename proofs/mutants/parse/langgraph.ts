import type { Mutant } from '../mutant.ts'

const langgraph = 'packages/core/src/parse/langgraph'
const langchain = 'packages/core/src/parse/langchain'

export const mutants: readonly Mutant[] = [
  {
    file: 'packages/core/src/parse/langchain/tool-calls.ts',
    find: "return args === undefined || args === null || args === '' || isEmpty(args) ? [] : unmapped(present(piece))",
    replace: 'return []',
    promise: 'input of a call whose start was missed is kept',
  },
  {
    file: `${langchain}/teller.ts`,
    find: 'known.findRelated(scope, message)',
    replace: 'known.find(scope, message.id)',
    promise: 'a message is told once, though a graph hands it on to the one around it',
  },
  {
    file: `${langchain}/calls.ts`,
    find: 'return owner === undefined || owner === scope.key ? id : `${id}@${scope.key}`',
    replace: 'return id',
    promise: 'calls of agents at once are told apart though they use one id',
  },
  {
    file: `${langchain}/namespaces.ts`,
    find: 'const asked = task === undefined ? undefined : free.find((call) => mentions(call, task))',
    replace: 'const asked = undefined as Call | undefined',
    promise: 'an agent runs for the call that asked for its task',
  },
  {
    file: `${langchain}/states.ts`,
    find: 'if (before.get(field) === text) continue',
    replace: 'if (before.get(field) === undefined) continue',
    promise: 'a state is told as far as it changed',
  },
  {
    file: `${langchain}/tool-calls.ts`,
    find: 'fragment(call, piece.args.slice(call.length))',
    replace: 'fragment(call, piece.args)',
    promise: 'an input that is given from its beginning is told once',
  },
  {
    file: `${langgraph}.ts`,
    find: "if (graph.ending === 'running' || graph.teller.isInTheMiddle()) return []",
    replace: "if (graph.ending === 'running') return []",
    promise: 'a message that was cut off is no success',
  },
]
