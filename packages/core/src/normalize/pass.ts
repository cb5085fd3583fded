import type { StreamEvent } from '../events.ts'

export type Emit = (event: StreamEvent) => void

/** Events in, events out, for any framework. It adds and relabels; it removes nothing that carries content. */
export interface Pass {
  push(event: StreamEvent): void
  /** Emits what is held back: no more events follow. */
  end(): void
}

export type CreatePass = (emit: Emit) => Pass

/** The fields that place an event in the run, for an event that a pass adds because of it. */
export interface EventScope {
  readonly messageId?: string
  readonly agentId?: string
  readonly sentAt?: number
}

export function scopeOf({ messageId, agentId, sentAt }: StreamEvent): EventScope {
  return {
    ...(messageId !== undefined && { messageId }),
    ...(agentId !== undefined && { agentId }),
    ...(sentAt !== undefined && { sentAt }),
  }
}

/** The passes as one: each feeds the next, and an end flows through them in order. */
export function pipe(passes: readonly CreatePass[], emit: Emit): Pass {
  const chain: Pass[] = []
  let next = emit
  for (const create of passes.toReversed()) {
    const pass = create(next)
    chain.unshift(pass)
    next = pass.push
  }
  return {
    push: next,
    end() {
      for (const pass of chain) pass.end()
    },
  }
}
