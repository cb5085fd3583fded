import type { Role } from '@millrace/core/event-fields'
import type { EventOf, StreamEvent } from '@millrace/core/events'

/** Events that belong together, in order, with empty ids: a block, a call, a subagent with its content. */
export type EventGroup = readonly StreamEvent[]

export interface Plan {
  readonly messages: readonly {
    readonly role: Role
    readonly groups: readonly EventGroup[]
    readonly picks: readonly number[]
    readonly areOutputsLate: boolean
    readonly isRetracted: boolean
  }[]
  readonly end: EventOf<'run-end'>
}

const ID_FIELDS = ['blockId', 'callId', 'approvalId', 'sourceId', 'fileId', 'agentId'] as const

/**
 * Groups interleaved into one stream, each in its own order: `picks` chooses the next group, and every group gets
 * unique ids. `change` is applied to each event.
 */
export function interleaved(
  groups: readonly EventGroup[],
  picks: readonly number[],
  change: (event: StreamEvent) => StreamEvent = (event) => event,
): EventGroup {
  const waiting = withoutNestedSteps(groups).map((group, index) => group.map((event) => numbered(event, `${index}`)))
  const woven: StreamEvent[] = []
  for (let turn = 0; waiting.some((group) => group.length > 0); turn++) {
    const ready = waiting.filter((group) => group.length > 0)
    const next = ready[(picks[turn % Math.max(1, picks.length)] ?? 0) % ready.length]?.shift()
    if (next !== undefined) woven.push(change(next))
  }
  return woven
}

/** Appends to the ids of a group, innermost first, so that no two groups share an id. */
function numbered(event: StreamEvent, suffix: string): StreamEvent {
  const ids = ID_FIELDS.filter((field) => Object.hasOwn(event, field)).map((field) => {
    const before = (event as { readonly [Field in typeof field]?: string })[field]
    return [field, `${before}${before === '' ? field[0] : '.'}${suffix}`]
  })
  return { ...event, ...Object.fromEntries(ids) }
}

/** Steps of one agent do not nest: of interleaved groups only the first may have a step. */
function withoutNestedSteps(groups: readonly EventGroup[]): readonly EventGroup[] {
  const first = groups.findIndex((group) => group.some(isOwnStep))
  return groups.map((group, index) => (index === first ? group : group.filter((event) => !isOwnStep(event))))
}

const isOwnStep = ({ type, agentId }: StreamEvent) => type.startsWith('step-') && agentId === undefined

/** The content of a user's message: text and files. */
const isUserContent = ([first]: EventGroup) =>
  first?.type === 'file' || (first?.type === 'block-start' && first.kind === 'text')

/** The stream that a plan describes. Every delta contains a unique marker, which tests search for. */
export function streamOf({ messages, end }: Plan): StreamEvent[] {
  const isWaiting = end.outcome === 'awaiting-input'
  const late: StreamEvent[] = []
  const body = messages.flatMap(({ role, groups, picks, areOutputsLate, isRetracted }, index): StreamEvent[] => {
    const messageId = `message-${index}`
    const allowedGroups = role === 'assistant' ? groups : groups.filter(isUserContent)
    const woven = interleaved(allowedGroups, picks).map((event) => numbered(event, `${index}`))
    const inside = isWaiting && index === messages.length - 1 ? unanswered(woven) : woven
    const isLate = (event: StreamEvent) => areOutputsLate && event.agentId === undefined && event.type === 'tool-output'
    const outputs = late.splice(0)
    late.push(...inside.filter(isLate))
    return [
      { type: 'message-start', messageId, role },
      ...outputs,
      ...inside.filter((event) => !isLate(event)),
      { type: 'message-end', messageId },
      ...(isRetracted ? [{ type: 'message-retract' as const, messageIds: [messageId] }] : []),
    ]
  })
  const events: StreamEvent[] = [
    { type: 'run-start', model: 'model-1' },
    ...body,
    ...(isWaiting ? [] : late),
    canShowError(end, messages) ? end : { type: 'run-end', outcome: 'cancelled' },
  ]
  return events.map(withMarker)
}

/** A run that waits for an answer: after an approval request there are no more events of that call. */
function unanswered(events: EventGroup): EventGroup {
  const askedCalls = new Set<string>()
  return events.filter((event) => {
    if (event.agentId !== undefined || !('callId' in event) || event.callId === undefined) return true
    if (askedCalls.has(event.callId)) return false
    if (event.type === 'approval') askedCalls.add(event.callId)
    return true
  })
}

/** A run's error is shown in an assistant's message. */
function canShowError(end: Plan['end'], messages: Plan['messages']): boolean {
  return end.error === undefined || messages.some(({ role }) => role === 'assistant')
}

function withMarker(event: StreamEvent, index: number): StreamEvent {
  return event.type === 'block-delta' ? { ...event, text: `${event.text}w${index}w` } : event
}
