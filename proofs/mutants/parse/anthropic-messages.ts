import type { Mutant } from '../mutant.ts'

const anthropic = 'packages/core/src/parse/anthropic-messages'

export const mutants: readonly Mutant[] = [
  {
    file: `${anthropic}/blocks.ts`,
    find: "{ type: 'block-patch', blockId: block.id, signature, ...SIGNED }",
    replace: "{ type: 'block-patch', blockId: block.id, encrypted: signature, ...SIGNED }",
    promise: 'a signature is read as a signature',
  },
  {
    file: `${anthropic}/blocks.ts`,
    find: 'thinking_delta: (out, { thinking }, block) => addText(out, thinking, block)',
    replace: 'thinking_delta: () => true',
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
    find: 'newMessage(messageId, ids.claim(messageId), true)',
    replace: "newMessage(messageId, 'message', true)",
    promise: 'the ids of blocks differ between messages',
  },
  {
    file: `${anthropic}.ts`,
    find: "cutCalls(reason === 'tool_use' ? [] : calls)",
    replace: 'cutCalls(calls)',
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
    find: '    ping: () => {},\n',
    replace: '',
    promise: 'every raw type has a row',
    by: 'types',
  },
  {
    file: 'packages/core/src/parse/kit/citations.ts',
    find: 'title ?? (url === undefined ? address : undefined)',
    replace: 'title',
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
    file: 'packages/core/src/parse/kit/call-names.ts',
    find: 'const callId = ids.claim(id)',
    replace: 'const callId = id',
    promise: 'a second call with the id of one that has no result is shown',
  },
  {
    file: 'packages/core/src/parse/kit/call-names.ts',
    find: 'unanswered.set(id, later)',
    replace: 'void later',
    promise: 'results of calls with one id belong to them in order',
  },
]
