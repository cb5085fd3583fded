import type { ChatEvent, ToolSegment } from '../fold/shapes.ts'
import type { MessageOptions } from './request.ts'
import { isToolSegment } from './segments.ts'

/** The results of the calls of a history. */
export interface Answers {
  /** By call: a result that is no field of the call itself. */
  readonly late: ReadonlyMap<ToolSegment, LateResult>
  /** The segments that hold such results. */
  readonly used: ReadonlySet<ToolSegment>
  /** By message: the results of the provider's calls that arrived in it, in order. */
  readonly arrivals: ReadonlyMap<ChatEvent, readonly Arrival[]>
  /** Calls of the provider that it has not finished: the next response holds their results. */
  readonly pending: ReadonlySet<ToolSegment>
}

export type LateResult = Pick<ToolSegment, 'state' | 'output' | 'error' | 'meta'>

interface Arrival {
  readonly seq: number
  readonly call: ToolSegment
  readonly answer: ToolSegment
}

/** Whether a segment repeats a call only to hold its result, which came in a later run. */
export const isOrphan = ({ meta }: ToolSegment) => meta?.millrace?.orphan === true

/** Whether a call has a result. One that was closed when its run ended has none. */
export function hasResult({ state, endedAt, output, error, meta }: ToolSegment): boolean {
  if (endedAt === undefined) return false
  return (
    state !== 'cancelled' ||
    (output !== undefined && output !== null) ||
    error !== undefined ||
    meta?.anthropic?.result_type !== undefined
  )
}

export function answersIn(chatEvents: readonly ChatEvent[], { outputs = [], input }: MessageOptions): Answers {
  const late = new Map<ToolSegment, LateResult>()
  const used = new Set<ToolSegment>()
  const arrivals = new Map<ChatEvent, Arrival[]>()
  const open = new Map<string, ToolSegment>()
  const addArrival = (chatEvent: ChatEvent, arrival: Arrival) => {
    const list = arrivals.get(chatEvent) ?? []
    arrivals.set(
      chatEvent,
      [...list, arrival].sort((a, b) => a.seq - b.seq),
    )
  }
  for (const [index, chatEvent] of chatEvents.entries()) {
    for (const segment of chatEvent.segments.filter(isToolSegment)) {
      const { callId } = segment
      if (isOrphan(segment)) {
        const call = open.get(callId)
        if (call === undefined || segment.endedAt === undefined) continue
        open.delete(callId)
        used.add(segment)
        late.set(call, segment)
        if (call.runBy === 'provider') addArrival(chatEvent, { seq: segment.seqs[0], call, answer: segment })
      } else if (!hasResult(segment)) open.set(callId, segment)
      else if (segment.runBy === 'provider') {
        const seq = segment.seqs[1]
        addArrival(arrivedIn(chatEvents, index, seq), { seq, call: segment, answer: segment })
      }
    }
  }
  for (const { callId, output, error } of outputs) {
    const call = open.get(callId)
    if (call === undefined) continue
    open.delete(callId)
    late.set(call, {
      state: error === undefined ? 'done' : 'failed',
      output: output ?? error ?? null,
      ...(error !== undefined && { error }),
    })
  }
  return { late, used, arrivals, pending: input === undefined ? pendingIn(chatEvents, open) : new Set() }
}

/** The message of the run that was the last to begin when an entry came. */
function arrivedIn(chatEvents: readonly ChatEvent[], own: number, seq: number): ChatEvent {
  let found = chatEvents[own] as ChatEvent
  for (const next of chatEvents.slice(own + 1)) {
    if (next.runId !== found.runId || next.seqs[0] > seq) break
    if (next.role === 'assistant') found = next
  }
  return found
}

/**
 * A provider goes on with a call only if the next request ends with it: no other answer, and no message of the user,
 * stands behind it. The response that made it was not cut off.
 */
function pendingIn(chatEvents: readonly ChatEvent[], open: ReadonlyMap<string, ToolSegment>): ReadonlySet<ToolSegment> {
  const last = chatEvents.findLast(({ role }) => role !== 'tool')
  if (last?.role !== 'assistant' || last.state !== 'done') return new Set()
  return new Set(
    last.segments.filter(isToolSegment).filter((call) => call.runBy === 'provider' && open.get(call.callId) === call),
  )
}
