import type { EventOf, EventType, StreamEvent } from '../events.ts'

export type Emit = (event: StreamEvent) => void

/** Events in, events out, for any framework. It adds and relabels; it removes nothing that carries content. */
export interface Pass {
  push(event: StreamEvent): void
  /** Emits what is held back: no more events follow. */
  end(): void
}

export type CreatePass = (emit: Emit) => Pass

/** What a pass does with the types of events that concern it. */
export type PassRows = { readonly [Type in EventType]?: (event: EventOf<Type>) => void }

/** The row of an event; undefined if the event does not concern the pass. */
export function rowOf(rows: PassRows, { type }: StreamEvent): Emit | undefined {
  return rows[type] as Emit | undefined
}

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

/** A pass that only these types of events concern: it is not created before the first of them. */
export function whenNeeded(types: readonly EventType[], create: CreatePass): CreatePass {
  const needed: ReadonlySet<EventType> = new Set(types)
  return (emit) => {
    let pass: Pass | undefined
    return {
      push(event) {
        if (pass === undefined && needed.has(event.type)) pass = create(emit)
        if (pass === undefined) emit(event)
        else pass.push(event)
      },
      end: () => pass?.end(),
    }
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
