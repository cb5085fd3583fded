import type { Reason } from '../unneeded.ts'

const TOO_LONG = 'A recording would need more than 8 Mi characters; the test of the limits sends them.'

export const reasons: readonly Reason[] = [
  {
    file: 'parse/ag-ui/millrace-stream.ts',
    arm: '? (content as JsonObject).value',
    reason: 'Data that a value replaces which is no object: only generated runs have it (test/wires-generated).',
  },
  { file: 'parse/ag-ui/seen.ts', arm: 'function forgetTexts', reason: TOO_LONG },
  { file: 'parse/ag-ui/seen.ts', arm: 'forgetTexts()', reason: TOO_LONG },
  { file: 'parse/ag-ui/seen.ts', arm: 'return', reason: TOO_LONG },
]
