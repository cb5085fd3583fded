import type { Mutant } from '../mutant.ts'

const lines = 'packages/core/src/parse/agent-lines'

export const mutants: readonly Mutant[] = [
  {
    file: `${lines}.ts`,
    find: 'function createParser(): ParserState {\n  const seen = createSeen()',
    replace: 'const seen = createSeen()\nfunction createParser(): ParserState {',
    promise: 'a second instance changes nothing',
  },
  {
    file: `${lines}/tool-lines.ts`,
    find: 'idOf(data) ?? seen.oldestCall(...spellings(name))?.callId',
    replace: 'seen.oldestCall(...spellings(name))?.callId',
    promise: 'a result is assigned to its call by id',
  },
  {
    file: `${lines}/prose-lines.ts`,
    find: 'if (isContinued) continue',
    replace: '',
    promise: 'text that continues stays in its block',
  },
  {
    file: `${lines}/tool-lines.ts`,
    find: "typeof input === 'string' ? inputOf(input) : { input }",
    replace: '{ input }',
    promise: 'arguments that are JSON in a string are parsed',
  },
  {
    file: `${lines}.ts`,
    find: 'sentAt === undefined ? joined : joined.map((event) => ({ sentAt, ...event }))',
    replace: 'sentAt === undefined ? joined : joined.map((event) => ({ sentAt: Date.now(), ...event }))',
    promise: 'no clock, no randomness',
  },
  {
    file: `${lines}/plan-lines.ts`,
    find: `byIndex?.content === itemText ? byIndex : (sameText ?? byIndex)`,
    replace: `byIndex ?? sameText`,
    promise: 'the text of a done item wins over its index',
  },
  {
    file: `${lines}/tool-lines.ts`,
    find: `?? data.output ?? rest`,
    replace: `?? rest`,
    promise: 'the output of a result is its output',
  },
  {
    file: `${lines}/tool-lines.ts`,
    find: 'return [...answered, ...files, ',
    replace: 'return [...answered, ',
    promise: 'an image in a result is a file',
  },
  {
    file: `${lines}/run-lines.ts`,
    find: "state: 'requested', ...present({ callId, message, request })",
    replace: "state: 'requested', ...present({ message, request })",
    promise: 'a question names its call',
  },
  {
    file: `${lines}/run-lines.ts`,
    find: 'metadata({ sessionId, sessionPosition })',
    replace: 'metadata({ sessionId })',
    promise: 'a session has its position',
  },
]
