import type { Reason } from '../unneeded.ts'

export const reasons: readonly Reason[] = [
  {
    file: 'parse/claude-agent-sdk/calls.ts',
    arm: 'return',
    reason: 'An input follows the start of its call; only a call that was forgotten beyond the bound has none.',
  },
]
