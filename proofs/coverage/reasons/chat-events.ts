import type { Reason } from '../unneeded.ts'

export const reasons: readonly Reason[] = [
  {
    file: 'parse/chat-events/segments.ts',
    arm: ': variant',
    reason: 'Only a thought in tags has tags; an export written by hand may mark another block, whose variant is kept.',
  },
]
