import type { Reason } from '../unneeded.ts'

const reason = 'Bounds the patches of a text with more than 1024 citations.'

export const reasons: readonly Reason[] = [
  { file: 'parse/cohere/sources.ts', arm: 'return newCitations.map(', reason },
  { file: 'parse/cohere/sources.ts', arm: '(data): StreamEvent =>', reason },
]
