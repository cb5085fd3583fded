import type { StreamEvent } from '@millrace/core/events'
import type { ApprovalAnswer } from './agent.ts'

/** The answers to the questions of one agent: whoever waits for one gets it, also if it came first. */
export interface Answers {
  wait(approvalId: string): Promise<ApprovalAnswer>
  /** An answer of a person that is durable. */
  give(approvalId: string, answer: ApprovalAnswer): void
  /** Takes each event of the run: a question that expires has its answer. */
  note(event: StreamEvent): void
  /** Everything that is waited for, now and later, expires. */
  close(): void
}

const EXPIRED = { state: 'expired' } as const

export function createAnswers(): Answers {
  const answers = new Map<string, PromiseWithResolvers<ApprovalAnswer>>()
  let isClosed = false

  function entryOf(approvalId: string): PromiseWithResolvers<ApprovalAnswer> {
    const entry = answers.get(approvalId) ?? Promise.withResolvers<ApprovalAnswer>()
    answers.set(approvalId, entry)
    return entry
  }

  const give = (approvalId: string, answer: ApprovalAnswer) => entryOf(approvalId).resolve(answer)
  return {
    async wait(approvalId) {
      return isClosed && !answers.has(approvalId) ? EXPIRED : entryOf(approvalId).promise
    },
    give,
    note(event) {
      if (event.type === 'approval' && event.state === 'expired') give(event.approvalId, EXPIRED)
    },
    close() {
      isClosed = true
      for (const { resolve } of answers.values()) resolve(EXPIRED)
    },
  }
}
