import type { Mutant } from '../mutant.ts'

const responses = 'packages/core/src/parse/openai-responses'

export const mutants: readonly Mutant[] = [
  {
    file: `${responses}/state.ts`,
    find: '? byId.get(item_id) : undefined) ?? atIndex',
    replace: '? byId.get(item_id) : undefined)',
    promise: 'an item is found by its index if its id changes',
  },
  {
    file: `${responses}/prose.ts`,
    find: 'const seal = present({ encrypted: encrypted || undefined,',
    replace: 'const seal = present({ encrypted: undefined,',
    promise: 'encrypted content is kept for the next turn',
  },
  {
    file: `${responses}/items.ts`,
    find: 'return before.isDone ? SILENT : closeItem(run, before, item, item)',
    replace: 'return closeItem(run, before, item, item)',
    promise: 'what the end of a response repeats is not emitted again',
  },
  {
    file: `${responses}/metadata.ts`,
    find: '!isSame(before[field], value)',
    replace: 'before[field] === undefined || value !== null',
    promise: 'the metadata of a response is emitted once',
  },
  {
    file: `${responses}/reader.ts`,
    find: "const isAwaiting = reason === 'completed' && ",
    replace: 'const isAwaiting = ',
    promise: 'a call that was cut off awaits nothing',
  },
  {
    file: `${responses}/calls.ts`,
    find: 'const isAnnounced = run.approvalCalls.has(id)',
    replace: 'const isAnnounced = id === run.reason',
    promise: 'an approved call is the call of its approval request',
  },
  {
    file: `${responses}/reader.ts`,
    find: '    keepalive: nothing,\n',
    replace: '',
    promise: 'every raw type has a row',
    by: 'types',
  },
  {
    file: `${responses}/results.ts`,
    find: 'present({ status, sources, results, output: item.output })',
    replace: 'present({ status, sources, results })',
    promise: 'the output of a web search is kept',
  },
  {
    file: `${responses}/reader.ts`,
    find: 'const start = isRepeated(run, response) ? continueResponse(run, response) : beginResponse(run, response)',
    replace: 'const start = beginResponse(run, response)',
    promise: 'a response that is asked for again is one message',
  },
  {
    file: `${responses}/sources.ts`,
    find: 'snippet: snippet ?? text })',
    replace: 'snippet })',
    promise: 'the text of a found page is its snippet',
  },
  {
    file: `${responses}/outputs.ts`,
    find: 'return call_id || id || undefined',
    replace: 'return call_id || undefined',
    promise: 'an output that is named by its id answers its call',
  },
  {
    file: `${responses}/lifecycle.ts`,
    find: 'if (hasFailed && !error) return []\n',
    replace: '',
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
    find: '...(part.isOpen ? [] : citations(part))',
    replace: '...[]',
    promise: 'an annotation after the end of its text is cited',
  },
  {
    file: `${responses}/call-rows.ts`,
    find: 'const isNext = call.strings > 0 && (raw.command_index ?? 0) >= call.strings',
    replace: 'const isNext = call.strings > 0',
    promise: 'a fragment without an index continues the command',
  },
  {
    file: `${responses}/usage.ts`,
    find: "if (typeof cost?.total_cost === 'number') return cost.total_cost\n",
    replace: '',
    promise: 'the total cost of a gateway is read',
  },
  {
    file: `${responses}/calls.ts`,
    find: "slot.type !== 'mcp_approval_request' && run.pendingApprovals.has(id)",
    replace: 'run.pendingApprovals.has(id)',
    promise: 'a request that is asked again does not count as approved',
  },
]
