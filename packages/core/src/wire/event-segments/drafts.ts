import { remember } from '../../data/remember.ts'
import type { Common, Role } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { createUsageTotal, type UsageTotal } from '../../meaning/usage-total.ts'

/** One Event of the wire, as long as it is built. */
export interface EventDraft {
  readonly id: string
  readonly role: Role
  readonly startedAt: number
  readonly usage: UsageTotal
  model: string | undefined
  /** Whole and never changed in place, for they are on the wire too. Empty once the Event is complete. */
  segments: JsonObject[]
  /** How many segments it has, those that came after it was complete among them. */
  count: number
  isOpen: boolean
}

/** Where a segment stands. */
export interface Place {
  readonly draft: EventDraft
  readonly index: number
}

/** The Events of a run: one per message of the main agent. */
export interface Drafts {
  /** A message's id on the wire: no other run has it. */
  idOf(messageId: string): string
  begin(event: EventOf<'message-start'>, at: number): EventDraft
  /** Completes an Event; its segments are the caller's. */
  end(messageId: string): (EventDraft & { readonly whole: readonly JsonObject[] }) | undefined
  /** The Event that something is drawn in: its subagent's, the one of its message, or the one begun last. */
  of(event: Common): EventDraft
  /** The same, where it may be that nothing has begun. */
  find(messageId: string | undefined): EventDraft | undefined
  placeAgent(agentId: string, draft: EventDraft): void
  /** Whether pieces that name no Event are meant for this one: it is the assistant's latest, and open. */
  isCurrent(draft: EventDraft): boolean
  /** The place behind all that an Event has; what stands there is put there next. */
  add(draft: EventDraft): Place
  put(place: Place, segment: JsonObject): void
  /** Adds to a segment of an Event that is not complete. */
  patch(place: Place, fields: JsonObject): void
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

  function put({ draft, index }: Place, segment: JsonObject): void {
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
    placeAgent: (agentId, draft) => void remember(agents, agentId, draft),
    isCurrent: (draft) => draft === current,
    add: (draft) => ({ draft, index: draft.count++ }),
    put,
    patch(place, fields) {
      const before = place.draft.segments[place.index]
      if (before !== undefined) put(place, { ...before, ...fields })
    },
  }
}
