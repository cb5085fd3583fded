import type { LossKind, MessageLoss } from './request.ts'

/** Collects what a request does not say. */
export interface Losses {
  add(what: LossKind, id: string, callId?: string): void
  all(): readonly MessageLoss[]
}

export function createLosses(): Losses {
  const losses: MessageLoss[] = []
  return {
    add: (what, id, callId) => void losses.push({ what, id, ...(callId !== undefined && { callId }) }),
    all: () => losses,
  }
}
