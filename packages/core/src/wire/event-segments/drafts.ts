import { remember } from '../../data/remember.ts'
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
  /** Complete segments, never changed in place because they are also sent. Empty once the Event is complete. */
  segments: JsonObject[]
  /** How many segments it has, including those that came after it was complete. */
  count: number
  isOpen: boolean
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
  /** Completes an Event and hands its segments to the caller. Returns undefined if it is not open. */
  end(messageId: string): (EventDraft & { readonly whole: readonly JsonObject[] }) | undefined
  /** The Event of an event: that of its subagent, that of its message, or the one begun last. Begins one if there is none. */
  of(event: Common): EventDraft
  /** The Event of a message, or the one begun last; undefined if there is none. */
  find(messageId: string | undefined): EventDraft | undefined
  assignAgent(agentId: string, draft: EventDraft): void
  /** Whether deltas that name no Event belong to this one: it is open and the assistant's latest. */
  isCurrent(draft: EventDraft): boolean
  /** Adds a slot after the last segment of an Event. The caller MUST put a segment there next. */
  add(draft: EventDraft): SegmentSlot
  put(slot: SegmentSlot, segment: JsonObject): void
  /** Adds fields to a segment of an Event that is not complete. */
  patch(slot: SegmentSlot, fields: JsonObject): void
}

export function createDrafts(runId: string): Drafts {
  const byId = new Map<string, EventDraft>()
  const agents = new Map<string, EventDraft>()
  const open: EventDraft[] = []
  let last: EventDraft | undefined
  let current: EventDraft | undefined

  const idOf = (messageId: string) => `${runId}/${messageId}`

  function begin({ messageId, role, model, sentAt }: EventOf<'message-start'>, at: number): EventDraft {
    const id = idOf(messageId)
    const usage = createUsageTotal()
    const startedAt = sentAt ?? at
    last = { id, role, startedAt, usage, model, segments: [], count: 0, isOpen: true }
    open.push(last)
    if (role === 'assistant') current = last
    return remember(byId, id, last)
  }

  function find(messageId: string | undefined): EventDraft | undefined {
    const named = messageId === undefined ? undefined : byId.get(idOf(messageId))
    return named ?? open.at(-1) ?? last
  }

  function put({ draft, index }: SegmentSlot, segment: JsonObject): void {
    if (draft.isOpen) draft.segments[index] = segment
  }

  return {
    idOf,
    begin,
    end(messageId) {
      const draft = byId.get(idOf(messageId))
      if (draft === undefined || !draft.isOpen) return undefined
      const whole = draft.segments
      draft.isOpen = false
      draft.segments = []
      open.splice(open.indexOf(draft), 1)
      if (current === draft) current = undefined
      return { ...draft, whole }
    },
    of({ agentId, messageId }) {
      const agent = agentId === undefined ? undefined : agents.get(agentId)
      return agent ?? find(messageId) ?? begin({ type: 'message-start', messageId: 'm0', role: 'assistant' }, 0)
    },
    find,
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
