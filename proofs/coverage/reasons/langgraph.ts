import type { Reason } from '../unneeded.ts'

export const reasons: readonly Reason[] = [
  {
    file: 'parse/langchain/message-emitter.ts',
    arm: '&& other === oldest',
    reason: 'A bound on memory, of 256 messages at once; langgraph.test.ts reads that many.',
  },
]
