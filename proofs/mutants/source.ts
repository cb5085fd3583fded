import type { Stage } from './mutant.ts'

const folder = 'packages/core/src/source'

export const source: Stage = {
  name: 'source',
  tests: ['test/sources.test.ts', 'test/laws-split.test.ts', 'packages/core/src/source'],
  mutants: [
    {
      file: `${folder}/record-text.ts`,
      find: '{ stream: true }',
      replace: '{ stream: false }',
      promise: 'a character that is cut in two is joined',
    },
    {
      file: `${folder}/lines.ts`,
      find: 'if (start === text.length) skipLineFeed = true',
      replace: 'if (start === text.length) skipLineFeed = false',
      promise: 'CR and LF in two chunks are one line end',
    },
    {
      file: `${folder}/lines.ts`,
      find: 'if (unfinished.length > 0) finish',
      replace: 'if (unfinished.length > 1e9) finish',
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
      find: 'if (inElement) element.add(text.slice(start))',
      replace: 'if (inElement && depth > 0) element.add(text.slice(start))',
      promise: 'an element that is cut outside a container is joined',
    },
    {
      file: `${folder}/sniff.ts`,
      find: 'add(decoder.decode(bytes))',
      replace: 'add(decoder.decode(bytes))\n      lines.end()',
      promise: 'a framing is detected from whole lines only',
    },
    {
      file: `${folder}/sniff.ts`,
      find: 'detector.feed(bytes.subarray(0, LOOK_AHEAD - size))',
      replace: 'createDetector().feed(joined(held, size + bytes.length))',
      promise: 'each byte is inspected once to detect a framing',
    },
    {
      file: `${folder}/sniff.ts`,
      find: "else if (isFirstLine && line.trimEnd() === '{' && !isEnd) found = 'json-array'",
      replace: '',
      promise: 'a document over many lines is one record',
    },
    {
      file: `${folder}/sse.ts`,
      find: 'const LINE_COST = 64',
      replace: 'const LINE_COST = 0',
      promise: 'an empty data line is not free',
    },
    {
      file: `${folder}/sse.ts`,
      find: 'const MAX_LINES = 100_000',
      replace: 'const MAX_LINES = 1e9',
      promise: 'the lines of one event are bounded',
    },
    {
      file: `${folder}/sse.ts`,
      find: 'unpaidName = value.length',
      replace: 'unpaidName = 0',
      promise: 'the name of an event counts as a part of its record',
    },
    {
      file: `${folder}/sse.ts`,
      find: 'const records = isTooLarge ? undefined : parseApart(linesFrom(firstValue))',
      replace: 'const records = undefined as readonly RawRecord[] | undefined',
      promise: 'events without a blank line between them are kept, however many there are',
    },
    {
      file: `${folder}/sse.ts`,
      find: 'if (record.problem !== undefined) return undefined\n    records.push(record)\n  }\n  return records',
      replace:
        'records.push(record)\n  }\n  return records.every((record) => record.problem === undefined) ? records : undefined',
      promise: 'lines after the first that is not JSON are not parsed',
    },
    {
      file: `${folder}/record-text.ts`,
      find: 'Math.min(KEPT_OF_TOO_LARGE, max)',
      replace: 'KEPT_OF_TOO_LARGE',
      promise: 'what is kept of a record that is too large does not depend on the cuts',
    },
    {
      file: `${folder}/source.ts`,
      find: 'if (!isObject && !mayBeJson(text)) return notJson(text, name)',
      replace: '',
      promise: 'noise does not create error objects',
    },
    {
      file: `${folder}/source.ts`,
      find: 'if (text === TERMINATOR) return',
      replace: "if (text === '') return",
      promise: 'a bare [DONE] has no problem',
    },
    {
      file: `${folder}/weight.ts`,
      find: '(problem === undefined ? text.length : lengthAsJson(text)) + lengthAsJson(name)',
      replace: 'text.length + name.length + (problem === undefined ? 0 : 0)',
      promise: 'the limit of a record counts its stored size',
    },
  ],
}
