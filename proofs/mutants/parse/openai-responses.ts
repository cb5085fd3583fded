import type { Mutant } from '../mutant.ts'

const responses = 'packages/core/src/parse/openai-responses'

export const mutants: readonly Mutant[] = [
  {
    file: `${responses}/state.ts`,
    find: '? byId.get(id) : undefined) ?? atIndex',
    replace: '? byId.get(id) : undefined)',
    promise: 'an item is found by its index if its id changes',
  },
  {
    file: `${responses}/prose.ts`,
    find: 'const seal = present({ encrypted: encrypted_content || undefined,',
    replace: 'const seal = present({ encrypted: undefined,',
    promise: 'encrypted content is kept for the next turn',
  },
  {
    file: `${responses}/items.ts`,
    find: '  if (slot.isDone) return true\n',
    replace: '',
    promise: 'what the end of a response repeats is not emitted again',
  },
  {
    file: `${responses}/lifecycle.ts`,
    find: '!isSameJson([run.metadata[field]], [value])',
    replace: 'value !== undefined',
    promise: 'the metadata of a response is emitted once',
  },
  {
    file: `${responses}.ts`,
    find: "cutCalls(reason === 'completed' ? [] : response.unanswered)",
    replace: 'cutCalls([])',
    promise: 'a call that was cut off awaits nothing',
  },
  {
    file: `${responses}/calls.ts`,
    find: 'const isAnnounced = run.approvalCalls.has(id)',
    replace: 'const isAnnounced = id === run.reason',
    promise: 'an approved call is the call of its approval request',
  },
  {
    file: `${responses}.ts`,
    find: '  keepalive: silent,\n',
    replace: '',
    promise: 'a record that only keeps the connection open adds no event',
  },
  {
    file: `${responses}/results.ts`,
    find: 'present({ status, sources, results, output })',
    replace: 'present({ status, sources, results })',
    promise: 'the output of a web search is kept',
  },
  {
    file: `${responses}/lifecycle.ts`,
    find: 'if (isRepeated) continueResponse(out, run, raw)',
    replace: 'if (isRepeated) beginResponse(out, run, raw)',
    promise: 'a response that is asked for again is one message',
  },
  {
    file: `${responses}/results.ts`,
    find: 'snippet: snippet ?? text })',
    replace: 'snippet })',
    promise: 'the text of a found page is its snippet',
  },
  {
    file: `${responses}/results.ts`,
    find: 'return call_id || id || undefined',
    replace: 'return call_id || undefined',
    promise: 'an output that is named by its id answers its call',
  },
  {
    file: `${responses}/lifecycle.ts`,
    find: 'if (!hasFailed || error) out.push(',
    replace: 'out.push(',
    promise: 'an empty failure does not replace the reported one',
  },
  {
    file: `${responses}/lifecycle.ts`,
    find: 'return { sentAt: time > MILLISECONDS ? time : Math.round(time * 1000) }',
    replace: 'return { sentAt: Math.round(time * 1000) }',
    promise: 'a time in milliseconds stays one',
  },
  {
    file: `${responses}/prose.ts`,
    find: '  if (!part.isOpen) addCitations(out, part)\n',
    replace: '',
    promise: 'an annotation after the end of its text is cited',
  },
  {
    file: `${responses}/inputs.ts`,
    find: 'const isNext = call.strings > 0 && (raw.command_index ?? 0) >= call.strings',
    replace: 'const isNext = call.strings > 0',
    promise: 'a fragment without an index continues the command',
  },
  {
    file: `${responses}/lifecycle.ts`,
    find: "costUsd: ['cost', ['cost', 'total_cost']]",
    replace: "costUsd: ['cost']",
    promise: 'the total cost of a gateway is read',
  },
  {
    file: `${responses}/calls.ts`,
    find: "type !== 'mcp_approval_request' && run.pendingApprovals.has(id)",
    replace: 'run.pendingApprovals.has(id)',
    promise: 'a request that is asked again does not count as approved',
  },
]
