import type { Mutant } from '../mutant.ts'

const cohere = 'packages/core/src/parse/cohere'

export const mutants: readonly Mutant[] = [
  {
    file: `${cohere}.ts`,
    find: 'const isFailed = Boolean(error) || FAILURES.has(',
    replace: 'const isFailed = Boolean(error) && FAILURES.has(',
    promise: 'a response that ran out of time is no success',
  },
  {
    file: `${cohere}/message.ts`,
    find: "startBlock(message, key, 'reasoning', 'plan')",
    replace: "startBlock(message, key, 'text')",
    promise: 'a plan is no answer',
  },
  {
    file: `${cohere}/sources.ts`,
    find: 'const citations = [...before, ...added]',
    replace: 'const citations = [...added]',
    promise: 'a citation stands with those before it',
  },
  {
    file: `${cohere}/usage.ts`,
    find: 'tokens?.input_tokens ?? billed?.input_tokens',
    replace: 'billed?.input_tokens',
    promise: 'usage counts what was used, not what is billed',
  },
  {
    file: `${cohere}/first-version.ts`,
    find: '...(isCalled || !tool_calls ? [] :',
    replace: '...(!tool_calls ? [] :',
    promise: 'calls that were streamed are not read again from the end',
  },
]
