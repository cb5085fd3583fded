import type { Mutant } from '../mutant.ts'

const gemini = 'packages/core/src/parse/gemini'

export const mutants: readonly Mutant[] = [
  {
    file: `${gemini}/blocks.ts`,
    find: "if (kind === 'reasoning') return { type: 'block-patch', blockId, signature }",
    replace: "if (kind === 'reasoning') return { type: 'block-patch', blockId }",
    promise: 'a thought keeps its signature',
  },
  {
    file: `${gemini}/message-scope.ts`,
    find: 'if (callId !== undefined) calls.delete(callId)',
    replace: 'if (callId === undefined) calls.clear()',
    promise: 'each result belongs to the next call of its name',
  },
  {
    file: `${gemini}/partial-args.ts`,
    find: "typeof before === 'string' ? before + (value as string) : value",
    replace: "typeof before === 'string' ? value : value",
    promise: 'a text argument that arrives in parts is joined',
  },
  {
    file: `${gemini}/offsets.ts`,
    find: 'bytes += sizeOf(code)',
    replace: 'bytes += 1',
    promise: 'offsets of citations are in UTF-16',
  },
  {
    file: `${gemini}/usage.ts`,
    find: 'reportedBefore = reported\n',
    replace: '',
    promise: 'two answers of one response count their prompt once',
  },
  {
    file: `${gemini}.ts`,
    find: 'if (responseId && before.id !== undefined) return responseId !== before.id',
    replace: 'if (responseId && before.id !== undefined) return before.isFinished',
    promise: 'a response that finishes twice is one response',
  },
]
