import type { Reason } from '../unneeded.ts'

export const reasons: readonly Reason[] = [
  {
    file: 'parse/claude-agent-sdk/calls.ts',
    arm: 'return',
    reason: 'An input follows the start of its call; only a call that was forgotten beyond the bound has none.',
  },
  {
    file: 'parse/claude-agent-sdk/lines.ts',
    arm: '?? 1',
    reason: 'Every line that is remembered was counted; the type checker needs a number.',
  },
  {
    file: 'parse/claude-agent-sdk/streamed-blocks.ts',
    arm: 'waiting.shift()',
    reason: 'Bounds memory on a stream of more than 32 blocks that no whole line repeats.',
  },
]
