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
    find: "const PLAN: Manner = { kind: 'reasoning', variant: 'plan' }",
    replace: "const PLAN: Manner = { kind: 'text' }",
    promise: 'a plan is not an answer',
  },
  {
    file: `${cohere}/message.ts`,
    find: 'const citations = [...before, ...newCitations]',
    replace: 'const citations = [...newCitations]',
    promise: 'a citation is added to the earlier ones',
  },
  {
    file: `${cohere}.ts`,
    find: "['tokens', 'input_tokens'],\n",
    replace: '',
    promise: 'usage counts the used tokens, not the billed units',
  },
  {
    file: `${cohere}/first-version.ts`,
    find: 'if (message.callCount === 0 && tool_calls)',
    replace: 'if (tool_calls)',
    promise: 'calls that were streamed are not read again from the end',
  },
  {
    file: `${cohere}.ts`,
    find: 'names.claim(id || `${message.messageId}:call-${index}`)',
    replace: 'names.claim(id || `${message.messageId}:call`)',
    promise: 'a call without an id is named after its index',
  },
  {
    file: `${cohere}/first-version.ts`,
    find: 'finish_reason: finish_reason ?? response?.finish_reason',
    replace: 'finish_reason: finish_reason',
    promise: 'the finish reason of the whole response is read',
  },
  {
    file: `${cohere}/message.ts`,
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
    file: `${cohere}/first-version.ts`,
    find: '{ inputTokenCount: input_tokens, outputTokenCount: output_tokens }',
    replace: '{ inputTokenCount: output_tokens, outputTokenCount: input_tokens }',
    promise: 'the counts of Bedrock are usage',
  },
  {
    file: `${cohere}/first-version.ts`,
    find: 'if (blockId !== undefined && !message.isCited(blockId)) message.cite(',
    replace: 'if (blockId !== undefined && !blockId) message.cite(',
    promise: 'citations that only the end holds belong to the text',
  },
  {
    file: `${cohere}/message.ts`,
    find: "blocks.has(index ?? '')",
    replace: "blocks.get(index ?? '')",
    promise: 'a citation belongs to the content that it names, even if that has ended and another text followed',
  },
  {
    file: `${cohere}.ts`,
    find: "callCount > 0 && reason !== 'MAX_TOKENS'",
    replace: 'callCount > 0',
    promise: 'the calls of an answer that was cut short are not awaited',
  },
]
