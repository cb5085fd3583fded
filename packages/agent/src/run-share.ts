import type { AgentHost } from '@millrace/core/agent'
import { isStreamEvent, type StreamEvent } from '@millrace/core/events'
import type { JsonObject } from '@millrace/core/json'

/** What all contexts of a run share: the context of the agent, and those of its calls. */
export interface RunShare {
  readonly host: AgentHost | undefined
  /** An id that no other run has, because models want the calls of a whole conversation apart. */
  nextId(kind: 'call' | 'file'): string
  /** Hands events to the log, in order. Throws if one of them is not valid; rejects if the run has ended. */
  add(events: readonly StreamEvent[]): Promise<void>
  /** By call, what its result says beyond the fields of an AgentEvent. */
  readonly marks: Map<string, JsonObject>
  /** The tools that a person has allowed for the rest of the run. */
  readonly allowed: Set<string>
}

const shares = new WeakMap<object, RunShare>()

export function share(context: object, shared: RunShare): void {
  shares.set(context, shared)
}

export function shareOf(context: object): RunShare {
  const found = shares.get(context)
  if (found === undefined) throw new TypeError('A context is made by ExecutionContext.create.')
  return found
}

/** As many characters of the run's id as keep the ids of runs apart. */
const TAIL = 12

export function createShare(traceId: string, host: AgentHost | undefined): RunShare {
  const tail = traceId.replaceAll(/[^a-zA-Z0-9]/g, '').slice(-TAIL)
  let count = 0
  return {
    host,
    nextId: (kind) => `${kind}-${tail}-${++count}`,
    add(events) {
      const wrong = events.find((event) => !isStreamEvent(event))
      if (wrong !== undefined) throw new TypeError(`The event ${JSON.stringify(wrong)} is not valid.`)
      return host?.add(events) ?? Promise.resolve()
    },
    marks: new Map(),
    allowed: new Set(),
  }
}
