import type { Reason } from '../unneeded.ts'

const tested = 'What a program does with the registry is in no recording; registry.test.ts states it.'
const unsure = 'A recording is detected; what is said of a stream that is not, registry.test.ts states.'

export const reasons: readonly Reason[] = [
  {
    file: 'parse/with-types.ts',
    arm: 'function withTypes',
    reason: 'Types that a program adds: the tests of registered parsers add some.',
  },
  { file: 'parse/index.ts', arm: 'function registerParser', reason: tested },
  { file: 'parse/index.ts', arm: 'function allParsers', reason: tested },
  { file: 'parse/index.ts', arm: 'function getParser', reason: tested },
  { file: 'parse/by-shape.ts', arm: 'function byShape', reason: tested },
  { file: 'parse/by-shape.ts', arm: 'function mostCertain', reason: tested },
  {
    file: 'parse/detect.ts',
    arm: 'function sampleSize',
    reason: 'How long a stream is read before its format is named: the tests of the command and of ingest state it.',
  },
  { file: 'parse/detect.ts', arm: 'return unsure(0, records.length === 0', reason: unsure },
  { file: 'parse/detect.ts', arm: 'return unsure(Math.max', reason: unsure },
  { file: 'parse/detect.ts', arm: '{ return unsure( best.certainty, `it could be', reason: unsure },
]
