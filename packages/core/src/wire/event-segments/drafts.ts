import { remember, rememberOne } from '../../data/remember.ts'
import type { Common, Role } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { createUsageTotal, type UsageTotal } from '../../meaning/usage-total.ts'

/** One Event of the wire while it is built. */
export interface EventDraft {
  readonly id: string
  readonly role: Role
  readonly startedAt: number
  readonly usage: UsageTotal
  model: string | undefined
  /** Complete segments, never changed in place because they are also sent. Empty once nothing more is expected of the Event. */
  segments: JsonObject[]
  /** How many segments it has, including those that came after it was complete. */
  count: number
  isOpen: boolean
  isInterrupted: boolean
  /** How many of its calls and subagents have not ended: what they say may come after the Event is complete. */
  pending: number
  /** How many segments it had when it was last sent as a whole. */
  sentCount: number
}

/** The position of a segment. */
export interface SegmentSlot {
  readonly draft: EventDraft
  readonly index: number
}

/** The Events of a run: one per message of the main agent. */
export interface Drafts {
  /** A message's id on the wire, which no other run uses. */
  idOf(messageId: string): string
  begin(event: EventOf<'message-start'>, at: number): EventDraft
  /** Completes an Event. Returns undefined if it is not open. The caller MUST send it before anything else changes. */
  end(messageId: string, isInterrupted: boolean): EventDraft | undefined
  /** A call or a subagent of the Event begins; or ends, when `change` is -1. */
  expect(draft: EventDraft, change: 1 | -1): void
  /**
   * The Events that have changed since they were sent as a whole: those of which nothing more is expected, or at the end of the run
   * all of them. The caller MUST send them.
   */
  takeChanged(isRunEnd: boolean): readonly EventDraft[]
  /** The Event of an event: that of its subagent, that of its message, or the one begun last. Begins one if there is none. */
  of(event: Common): EventDraft
  /** The Event of a message, or the one begun last; undefined if there is none. */
  find(messageId: string | undefined): EventDraft | undefined
  assignAgent(agentId: string, draft: EventDraft): void
  /** Lets go of the segments of a complete Event, unless it may still change. */
  forget(draft: EventDraft): void
  /** Whether deltas that name no Event belong to this one: it is open and the assistant's latest. */
  isCurrent(draft: EventDraft): boolean
  /** Adds a slot after the last segment of an Event. The caller MUST put a segment there next. */
  add(draft: EventDraft): SegmentSlot
  put(slot: SegmentSlot, segment: JsonObject): void
  /** Adds fields to a segment of an Event that is not complete. */
  patch(slot: SegmentSlot, fields: JsonObject): void
}

/** An Event of so many segments is always worth sending again; a larger one once it has grown by a quarter, or at the end. */
const SMALL = 64
const GROWTH = 5 / 4

export function createDrafts(runId: string): Drafts {
  const byId = new Map<string, EventDraft>()
  const agents = new Map<string, EventDraft>()
  const open: EventDraft[] = []
  /** Complete Events that have changed since they were sent. */
  const changed = new Set<EventDraft>()
  let last: EventDraft | undefined
  let current: EventDraft | undefined

  const idOf = (messageId: string) => `${runId}/${messageId}`

  function begin({ messageId, role, model, sentAt }: EventOf<'message-start'>, at: number): EventDraft {
    const id = idOf(messageId)
    const usage = createUsageTotal()
    const startedAt = sentAt ?? at
    const before = last
    const empty = { segments: [], count: 0, isOpen: true, isInterrupted: false, pending: 0, sentCount: 0 }
    last = { id, role, startedAt, usage, model, ...empty }
    if (before !== undefined) forget(before)
    open.push(last)
    if (role === 'assistant') current = last
    return remember(byId, id, last)
  }

  function find(messageId: string | undefined): EventDraft | undefined {
    const named = messageId === undefined ? undefined : byId.get(idOf(messageId))
    return named ?? open.at(-1) ?? last
  }

  const isKept = (draft: EventDraft) => draft.isOpen || draft.pending > 0 || draft === last || changed.has(draft)

  /** Lets go of the segments of a complete Event, unless it may still change. */
  function forget(draft: EventDraft): void {
    if (!isKept(draft)) draft.segments = []
  }

  function put({ draft, index }: SegmentSlot, segment: JsonObject): void {
    if (!isKept(draft)) return
    draft.segments[index] = segment
    if (!draft.isOpen) rememberOne(changed, draft)
  }

  /** Sending a large Event again for each small change would cost the square of its size. */
  const isWorthIt = ({ segments, sentCount }: EventDraft) =>
    segments.length <= SMALL || segments.length >= sentCount * GROWTH

  return {
    idOf,
    begin,
    end(messageId, isInterrupted) {
      const draft = byId.get(idOf(messageId))
      if (draft === undefined || !draft.isOpen) return undefined
      draft.isOpen = false
      draft.isInterrupted = isInterrupted
      draft.sentCount = draft.segments.length
      open.splice(open.indexOf(draft), 1)
      if (current === draft) current = undefined
      return draft
    },
    expect(draft, change) {
      draft.pending += change
    },
    takeChanged(isRunEnd) {
      const due = [...changed].filter((draft) => isRunEnd || (draft.pending <= 0 && isWorthIt(draft)))
      for (const draft of due) {
        changed.delete(draft)
        draft.sentCount = draft.segments.length
      }
      return due
    },
    of({ agentId, messageId }) {
      const agent = agentId === undefined ? undefined : agents.get(agentId)
      return agent ?? find(messageId) ?? begin({ type: 'message-start', messageId: 'm0', role: 'assistant' }, 0)
    },
    find,
    forget,
    assignAgent: (agentId, draft) => void remember(agents, agentId, draft),
    isCurrent: (draft) => draft === current,
    add: (draft) => ({ draft, index: draft.count++ }),
    put,
    patch(slot, fields) {
      const before = slot.draft.segments[slot.index]
      if (before !== undefined) put(slot, { ...before, ...fields })
    },
  }
}
