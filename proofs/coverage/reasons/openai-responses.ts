import type { Reason } from '../unneeded.ts'

export const reasons: readonly Reason[] = [
  {
    file: 'parse/openai-responses/files.ts',
    arm: ': openaiMeta({ base64_length',
    reason: 'A file of more than 64 Ki characters; openai-responses.test.ts reads one.',
  },
  {
    file: 'parse/openai-responses/state.ts',
    arm: 'forget(response)',
    reason: 'Bounds memory on a response of more than 8192 items.',
  },
  {
    file: 'parse/openai-responses/state.ts',
    arm: 'function forget(',
    reason: 'Bounds memory on a response of more than 8192 items.',
  },
  {
    file: 'parse/openai-responses/prose.ts',
    arm: 'slot.parts.clear()',
    reason: 'Bounds memory on an item of more than 8192 parts.',
  },
]
