import type { Reason } from '../unneeded.ts'

export const reasons: readonly Reason[] = [
  {
    file: 'parse/gemini/partial-args.ts',
    arm: '{ Object.defineProperty(holder',
    reason: 'A hostile argument is named `__proto__`; gemini.test.ts reads one.',
  },
]
