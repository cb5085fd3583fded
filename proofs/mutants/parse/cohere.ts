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
    find: '...(isCalled || !tool_calls ? [] :',
    replace: '...(!tool_calls ? [] :',
    promise: 'calls that were streamed are not read again from the end',
  },
]
