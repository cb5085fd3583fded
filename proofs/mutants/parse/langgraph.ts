import type { Mutant } from '../mutant.ts'

const langgraph = 'packages/core/src/parse/langgraph'
const langchain = 'packages/core/src/parse/langchain'

export const mutants: readonly Mutant[] = [
  {
    file: `${langchain}/content.ts`,
    find: 'if (!isNothing) keepRaw(out, present(part))',
    replace: '',
    promise: 'input of a call whose start was missed is kept',
  },
  {
    file: `${langchain}/message-emitter.ts`,
    find: 'messages.findRelated(scope, message)',
    replace: 'messages.find(scope, message.id)',
    promise: 'a message is emitted once, though a graph passes it to its parent graph',
  },
  {
    file: `${langchain}/calls.ts`,
    find: 'return owner === undefined || owner === scope.key ? id : `${id}@${scope.key}`',
    replace: 'return id',
    promise: 'calls of parallel agents are distinct though they use one id',
  },
  {
    file: `${langchain}/namespaces.ts`,
    find: 'return mentioning(task) || mentioning(agentName)',
    replace: 'return mentioning(agentName)',
    promise: 'an agent belongs to the call that requested its task',
  },
  {
    file: `${langchain}/states.ts`,
    find: 'if (before.get(field) === text) continue',
    replace: 'if (before.get(field) === undefined) continue',
    promise: 'only the changes of a state are emitted',
  },
  {
    file: `${langchain}/content.ts`,
    find: 'isSoFar ? args.slice(call.length) : args',
    replace: 'args',
    promise: 'an input that is repeated from its beginning is emitted once',
  },
  {
    file: `${langchain}/graph.ts`,
    find: "if (ending === 'running' || emitter.isInTheMiddle()) return []",
    replace: "if (ending === 'running') return []",
    promise: 'a run whose message was cut off is not a success',
  },
  {
    file: `${langchain}/interrupts.ts`,
    find: 'const claimedCallIds = new Set(waiting.values())',
    replace: 'const claimedCallIds = new Set([...waiting.values()].slice(0, 1))',
    promise: 'three approvals of the same tool name three different calls',
  },
  {
    file: `${langchain}/interrupts.ts`,
    find: 'filter(([, callId]) => callId === undefined || callId === resumedCallId)',
    replace: 'filter(([, callId]) => callId === undefined || callId === resumedCallId).slice(0, 1)',
    promise: 'all open questions without call are answered when the graph continues',
  },
  {
    file: `${langchain}/prose.ts`,
    find: 'textIn(value.cited_text) ?? textIn(value.snippet)',
    replace: 'textIn(value.cited_text)',
    promise: 'a source of a search keeps its snippet',
  },
  {
    file: `${langgraph}/protocol.ts`,
    find: "if (data.event === 'message-finish') streamed.delete(key)",
    replace: '',
    promise: 'a finished message does not take fragments of the next one',
  },
  {
    file: `${langchain}/namespaces.ts`,
    find: 'if (call !== undefined) call.isLinked = true',
    replace: '',
    promise: 'two agents at once have two calls',
  },
  {
    file: `${langgraph}/protocol.ts`,
    find: 'held.text += more',
    replace: 'held.text = more',
    promise: 'an output in several deltas is joined',
  },
  {
    file: `${langgraph}/modes.ts`,
    find: 'graph.namespaces.scopeOf(namespace) ?? MAIN',
    replace: 'MAIN',
    promise: 'the todo list of an inner graph is its own, with or without messages',
  },
  {
    file: `${langchain}/content-parts.ts`,
    find: ' && last.variant === undefined',
    replace: '',
    promise: 'text after a refusal is no part of it',
  },
  {
    file: `${langchain}/calls.ts`,
    find: 'pushFiles(out, callId, scope, [output, artifact])',
    replace: 'pushFiles(out, callId, scope, [output])',
    promise: 'a file in the artifact of a tool is read',
  },
]
