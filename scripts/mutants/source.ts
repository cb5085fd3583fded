import type { Stage } from './mutant.ts'

const folder = 'packages/core/src/source'

export const source: Stage = {
  name: 'source',
  tests: ['test/laws-split.test.ts', 'packages/core/src/source'],
  mutants: [
    {
      file: `${folder}/decode.ts`,
      find: '{ stream: true }',
      replace: '{ stream: false }',
      promise: 'a character that is cut in two is whole again',
    },
    {
      file: `${folder}/lines.ts`,
      find: 'if (start === text.length) skipLineFeed = true',
      replace: 'if (start === text.length) skipLineFeed = false',
      promise: 'CR and LF in two chunks are one line end',
    },
    {
      file: `${folder}/lines.ts`,
      find: 'if (length > 0) finish',
      replace: 'if (length > 1e9) finish',
      promise: 'a last line without its end is kept',
    },
    {
      file: `${folder}/sse.ts`,
      find: 'end: dispatch',
      replace: 'end() {}',
      promise: 'a last event without its blank line is kept',
    },
    {
      file: `${folder}/sse.ts`,
      find: 'line.charCodeAt(5) === 32 ? 6 : 5',
      replace: '6',
      promise: 'the space after a field name may be missing',
    },
    {
      file: `${folder}/json-array.ts`,
      find: 'else if (code === BACKSLASH) escaped = true',
      replace: '',
      promise: 'an escaped quote does not end a string',
    },
    {
      file: `${folder}/json-array.ts`,
      find: 'if (inElement) hold(text.slice(start))',
      replace: 'if (inElement && depth > 0) hold(text.slice(start))',
      promise: 'an element that is cut outside a container is whole again',
    },
    {
      file: `${folder}/sniff.ts`,
      find: 'return isAll ? framingOfOneLine(text) : undefined',
      replace: 'return framingOfOneLine(text)',
      promise: 'a framing is told by a whole line only',
    },
    {
      file: `${folder}/source.ts`,
      find: 'if (text === TERMINATOR) return',
      replace: "if (text === '') return",
      promise: 'a bare [DONE] is no problem',
    },
    {
      file: `${folder}/weight.ts`,
      find: '(problem === undefined ? text.length : lengthAsJson(text)) + lengthAsJson(name)',
      replace: 'text.length + name.length + (problem === undefined ? 0 : 0)',
      promise: 'the limit of a record counts what it becomes',
    },
  ],
}
