import type { Reason } from '../unneeded.ts'

export const reasons: readonly Reason[] = [
  {
    file: 'parse/langgraph.ts',
    arm: '?? unmapped(item.data)',
    reason: 'Every mode that `itemOf` gives has its row; only the type of a map says that a row may be absent.',
  },
  {
    file: 'parse/langchain/message-emitter.ts',
    arm: '&& other === oldest',
    reason: 'A bound on memory, of 256 messages at once; langgraph.test.ts reads that many.',
  },
]
