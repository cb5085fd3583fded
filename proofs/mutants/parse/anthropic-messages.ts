import type { Mutant } from '../mutant.ts'

const anthropic = 'packages/core/src/parse/anthropic-messages'

export const mutants: readonly Mutant[] = [
  {
    file: `${anthropic}/deltas.ts`,
    find: "[{ type: 'block-patch', blockId: block.id, signature }]",
    replace: "[{ type: 'block-patch', blockId: block.id, encrypted: signature }]",
    promise: 'a signature is read as a signature',
  },
  {
    file: `${anthropic}/deltas.ts`,
    find: "return thinking === '' ? SILENT : [{ type: 'block-delta', blockId: block.id, text: thinking }]",
    replace: 'return SILENT',
    promise: 'no text of a record is lost',
  },
  {
    file: `${anthropic}/details.ts`,
    find: '{ ...before, ...present(later) }',
    replace: '{ ...present(later) }',
    promise: 'a count that is absent keeps its value',
  },
  {
    file: `${anthropic}.ts`,
    find: 'prefix: timesSeen === 0 ? messageId :',
    replace: "prefix: timesSeen === 0 ? 'message' :",
    promise: 'the ids of blocks differ between messages',
  },
  {
    file: `${anthropic}.ts`,
    find: "reason === 'tool_use' && unanswered.size > 0 ? 'awaiting-input' : 'success'",
    replace: "reason === 'tool_use' ? 'success' : 'success'",
    promise: 'a response whose caller runs the tools awaits input',
  },
  {
    file: `${anthropic}.ts`,
    find: "if (message.isOpen || ending !== 'stopped') return []",
    replace: "if (ending === 'failed') return []",
    promise: 'a message that was cut off is not a success',
  },
  {
    file: `${anthropic}.ts`,
    find: '    ping: () => SILENT,\n',
    replace: '',
    promise: 'every raw type has a row',
    by: 'types',
  },
]
