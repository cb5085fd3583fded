import type { Reason } from '../unneeded.ts'

export const reasons: readonly Reason[] = [
  {
    file: 'parse/cohere/message.ts',
    arm: '{ for (const data of newCitations)',
    reason: 'Bounds the patches of a text with more than 1024 citations.',
  },
]
