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
]
