import type { Mutant } from '../mutant.ts'

const cohere = 'packages/core/src/parse/cohere'

export const mutants: readonly Mutant[] = [
  {
    file: `${cohere}.ts`,
    find: 'const isFailed = Boolean(error) || FAILURES.has(',
    replace: 'const isFailed = Boolean(error) && FAILURES.has(',
    promise: 'a response that timed out is not a success',
  },
  {
    file: `${cohere}/message.ts`,
    find: "startBlock(message, key, 'reasoning', 'plan')",
    replace: "startBlock(message, key, 'text')",
    promise: 'a plan is not an answer',
  },
  {
    file: `${cohere}/sources.ts`,
    find: 'const citations = [...before, ...newCitations]',
    replace: 'const citations = [...newCitations]',
    promise: 'a citation is added to the earlier ones',
  },
  {
    file: `${cohere}/message.ts`,
    find: 'tokens?.input_tokens ?? billed?.input_tokens',
    replace: 'billed?.input_tokens',
    promise: 'usage counts the used tokens, not the billed units',
  },
  {
    file: `${cohere}/first-version.ts`,
    find: 'const calls = message.callCount > 0 || !tool_calls ?',
    replace: 'const calls = !tool_calls ?',
    promise: 'calls that were streamed are not read again from the end',
  },
  {
    file: `${cohere}.ts`,
    find: 'names.claim(id || `${message.messageId}:call-${index}`)',
    replace: 'names.claim(id || `${message.messageId}:call`)',
    promise: 'a call without an id is named after its index',
  },
  {
    file: `${cohere}.ts`,
    find: 'end.finish_reason ?? response?.finish_reason',
    replace: 'end.finish_reason',
    promise: 'the finish reason of the whole response is read',
  },
  {
    file: `${cohere}/sources.ts`,
    find: 'textIn(document.id) ?? url ?? title',
    replace: 'textIn(document.id)',
    promise: 'a document without an id is a source',
  },
  {
    file: `${cohere}/first-version.ts`,
    find: 'call.index ?? 0',
    replace: 'call.index ?? message.callCount',
    promise: 'a call without an index is continued',
  },
  {
    file: `${cohere}.ts`,
    find: 'return { tokens: { input_tokens: input, output_tokens: output } }',
    replace: 'return { tokens: { input_tokens: output, output_tokens: input } }',
    promise: 'the counts of Bedrock are usage',
  },
  {
    file: `${cohere}/first-version.ts`,
    find: 'blockId === undefined || message.citations.has(blockId) ?',
    replace: 'blockId === undefined || blockId !== undefined ?',
    promise: 'citations that only the end holds belong to the text',
  },
  {
    file: `${cohere}/sources.ts`,
    find: 'message.begunKeys.has(String(index))',
    replace: 'message.blocks.has(String(index))',
    promise: 'a citation belongs to the content that it names, even if that has ended and another text followed',
  },
]
