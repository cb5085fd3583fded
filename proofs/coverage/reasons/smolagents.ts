import type { Reason } from '../unneeded.ts'

export const reasons: readonly Reason[] = [
  {
    file: 'parse/smolagents/step.ts',
    arm: "decide(out, 'action')",
    reason: 'A bound on memory, of a Mi of characters; smolagents.test.ts reads that many.',
  },
]
