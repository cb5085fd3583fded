import type { Reason } from '../unneeded.ts'

export const reasons: readonly Reason[] = [
  {
    file: 'parse/openai-responses/state.ts',
    arm: '{ slots.length = 0',
    reason: 'Bounds memory on a response of more than 8192 items.',
  },
  {
    file: 'parse/openai-responses/prose.ts',
    arm: 'parts.clear()',
    reason: 'Bounds memory on an item of more than 8192 parts.',
  },
]
