import type { Mutant } from '../mutant.ts'

const gemini = 'packages/core/src/parse/gemini'

export const mutants: readonly Mutant[] = [
  {
    file: `${gemini}/candidate.ts`,
    find: "thought === true ? { signature, ...keep('google', { thought }) } :",
    replace: "thought === true ? keep('google', { thought }) :",
    promise: 'a thought keeps its signature',
  },
  {
    file: `${gemini}/google.ts`,
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
    file: `${gemini}/google.ts`,
    find: 'bytes += sizeOf(code)',
    replace: 'bytes += 1',
    promise: 'offsets of citations are in UTF-16',
  },
  {
    file: `${gemini}.ts`,
    find: 'else target.usedBefore = target.used\n',
    replace: '',
    promise: 'two answers of one response count their prompt once',
  },
  {
    file: `${gemini}.ts`,
    find: 'if (responseId && before.id) return responseId !== before.id',
    replace: 'if (responseId && before.id) return before.isFinished',
    promise: 'a response that finishes twice is one response',
  },
  {
    file: 'packages/core/src/parse/gemini.ts',
    find: 'prefix: uniqueIds.claim(messageId)',
    replace: 'prefix: messageId',
    promise: 'a second response of one id has ids of its own',
  },
  {
    file: 'packages/core/src/parse/gemini.ts',
    find: 'target.promptTokens = usageMetadata?.promptTokenCount ?? target.promptTokens',
    replace: 'target.promptTokens ??= usageMetadata?.promptTokenCount ?? undefined',
    promise: 'the prompt count of the last chunk decides',
  },
  {
    file: 'packages/core/src/parse/gemini/details.ts',
    find: "remember(sourceIds, key, mint('source'))",
    replace: "mint('source')",
    promise: 'a source that is repeated is not emitted again',
  },
  {
    file: 'packages/core/src/parse/gemini/partial-args.ts',
    find: 'if (!fits && inner !== undefined && inner !== null) return false',
    replace: '',
    promise: 'an argument whose path contradicts another is kept as raw',
  },
  {
    file: 'packages/core/src/parse/gemini/details.ts',
    find: ' || endIndex <= startIndex',
    replace: '',
    promise: 'a citation without an end has no offsets',
  },
  {
    file: 'packages/core/src/parse/gemini.ts',
    find: 'if (!unanswered.awaitsClient(response.number)) out.push(',
    replace: 'if (unanswered.awaitsClient(response.number)) out.push(',
    promise: 'calls of an earlier response are not awaited',
  },
  {
    file: 'packages/core/src/parse/gemini/candidate.ts',
    find: ', ...resultFiles(result.output, callId))',
    replace: ')',
    promise: 'an image in the result of a tool is a file',
  },
]
