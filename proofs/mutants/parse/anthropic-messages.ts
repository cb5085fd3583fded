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
  {
    file: `${anthropic}/sources.ts`,
    find: 'citation.document_title ?? (isUrl ? undefined : address)',
    replace: 'citation.document_title',
    promise: 'a cited file without a title is named by its source',
  },
  {
    file: `${anthropic}/results.ts`,
    find: 'return error_message ?? error_code ?? type',
    replace: 'return error_message ?? error_code',
    promise: 'an error of a tool that only has a type is an error',
  },
  {
    file: `${anthropic}.ts`,
    find: "typeof error === 'string' ? { type: undefined, message: error } : (error ?? {})",
    replace: "typeof error === 'string' ? { type: error, message: undefined } : (error ?? {})",
    promise: 'an error that is a text is its message',
  },
  {
    file: `${anthropic}/blocks.ts`,
    find: 'return isCompacted(data)\n',
    replace: 'return data !== undefined\n',
    promise: 'a second compaction that failed is reported as failed',
  },
  {
    file: `${anthropic}.ts`,
    find: 'const merged = mergeUsage(message.usage, usage)',
    replace: 'const merged = mergeUsage({}, usage)',
    promise: 'counts that come in parts are one snapshot',
  },
  {
    file: `${anthropic}/call-names.ts`,
    find: 'const callId = ids.claim(id)',
    replace: 'const callId = id',
    promise: 'a second call with the id of one that has no result is shown',
  },
  {
    file: `${anthropic}/call-names.ts`,
    find: 'unanswered.set(id, later)',
    replace: 'void later',
    promise: 'results of calls with one id belong to them in order',
  },
]
