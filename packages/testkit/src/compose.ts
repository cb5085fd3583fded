import type { EventOf, Role, StreamEvent, SubagentStatus } from '@millrace/core/events'
import { decorated } from './streams/decorate.ts'
import { withEndedProse } from './streams/ended-prose.ts'

/** Events that belong together, in order, with empty ids: a block, a call, a subagent with its content. */
export type EventGroup = readonly StreamEvent[]

export interface Plan {
  readonly start: Pick<EventOf<'run-start'>, 'agent' | 'model'>
  readonly messages: readonly {
    readonly role: Role
    readonly model?: string
    readonly groups: readonly EventGroup[]
    readonly picks: readonly number[]
    /** Whether outputs and answers come after the message of their call. */
    readonly areAnswersLate: boolean
    /** Whether the message is inside a step, instead of steps inside the message. */
    readonly isStep: boolean
    /** Whether its events name it. */
    readonly isNamed: boolean
    readonly isInterrupted: boolean
    /** How many messages are retracted after it, itself first. */
    readonly retracts: number
  }[]
  readonly end: EventOf<'run-end'>
  /** The entries that carry a time of the framework. */
  readonly clock: 'none' | 'some' | 'all'
  /** Each how many events one carries metadata of a provider; 0 for none. */
  readonly notedEach: number
}

/** Each field that holds an id, and the first letter of a new one: a parent's id is an id of its kind. */
const LETTERS = {
  blockId: 'b',
  callId: 'c',
  parentCallId: 'c',
  approvalId: 'q',
  sourceId: 's',
  fileId: 'f',
  agentId: 'a',
  parentAgentId: 'a',
  messageId: 'm',
} as const

/**
 * Groups interleaved into one stream, each in its own order: `picks` chooses the next group, and every group gets
 * unique ids.
 */
export function interleaved(groups: readonly EventGroup[], picks: readonly number[]): EventGroup {
  const waiting = withoutNestedSteps(groups).map((group, index) => group.map((event) => numbered(event, `${index}`)))
  const woven: StreamEvent[] = []
  for (let turn = 0; waiting.some((group) => group.length > 0); turn++) {
    const ready = waiting.filter((group) => group.length > 0)
    const next = ready[(picks[turn % Math.max(1, picks.length)] ?? 0) % ready.length]?.shift()
    if (next !== undefined) woven.push(next)
  }
  return woven
}

/** Appends to the ids of a group, innermost first, so that no two groups share an id. */
function numbered(event: StreamEvent, suffix: string): StreamEvent {
  const ids = Object.entries(LETTERS).flatMap(([field, letter]) => {
    const before = (event as unknown as { readonly [field: string]: unknown })[field]
    return typeof before === 'string' ? [[field, `${before}${before === '' ? letter : '.'}${suffix}`]] : []
  })
  return { ...event, ...Object.fromEntries(ids) }
}

/** Steps of one agent do not nest: of interleaved groups only the first may have a step. */
function withoutNestedSteps(groups: readonly EventGroup[]): readonly EventGroup[] {
  const first = groups.findIndex((group) => group.some(isOwnStep))
  return groups.map((group, index) => (index === first ? group : group.filter((event) => !isOwnStep(event))))
}

const isOwnStep = ({ type, agentId }: StreamEvent) => type.startsWith('step-') && agentId === undefined

interface AboutSubagent {
  readonly name: string
  readonly status: SubagentStatus
  readonly task?: string
  readonly summary?: string
  readonly isOfCall?: boolean
  readonly hasMessage?: boolean
}

/** The content of a subagent, with its start and end, and with the call and the message that it may have. */
export function asSubagent(
  content: EventGroup,
  { name, status, task, summary, isOfCall, hasMessage }: AboutSubagent,
): EventGroup {
  const own = content.map(ofThisAgent)
  const call = { callId: 'task' }
  return [
    ...(isOfCall ? [{ type: 'tool-start' as const, ...call, name: 'delegate', runBy: 'agent' as const }] : []),
    ...(isOfCall ? [{ type: 'tool-input' as const, ...call, input: {} }] : []),
    { type: 'subagent-start', agentId: '', name, ...(task !== undefined && { task }), ...(isOfCall && call) },
    ...(hasMessage ? [{ type: 'message-start' as const, agentId: '', messageId: '', role: 'assistant' as const }] : []),
    ...own,
    ...(hasMessage ? [{ type: 'message-end' as const, agentId: '', messageId: '' }] : []),
    { type: 'subagent-end', agentId: '', status, ...(summary !== undefined && { summary }) },
    ...(isOfCall ? [{ type: 'tool-output' as const, ...call, status: 'ok' as const, output: 'done' }] : []),
  ]
}

/** The events that no subagent has are of this one, and it is the parent of those that start in it. */
function ofThisAgent(event: StreamEvent): StreamEvent {
  if (event.type === 'subagent-start' && event.parentAgentId === undefined) return { ...event, parentAgentId: '' }
  return event.agentId === undefined ? { ...event, agentId: '' } : event
}

/** The content of a message that is not the assistant's: text and files. */
const isUserContent = ([first]: EventGroup) =>
  (first?.type === 'file' && first.callId === undefined) || (first?.type === 'block-start' && first.kind === 'text')

/** The stream that a plan describes. Every delta contains a unique marker, which tests search for. */
export function streamOf({ start, messages, end, clock, notedEach }: Plan): StreamEvent[] {
  const isWaiting = end.outcome === 'awaiting-input'
  const late: StreamEvent[] = []
  const body = messages.flatMap((message, index): StreamEvent[] => {
    const { role, model, areAnswersLate, isStep, isInterrupted, retracts } = message
    const messageId = messageIdOf(index)
    const content = contentOf(message, index)
    const inside = isWaiting && index === messages.length - 1 ? unanswered(content) : content
    const isLate = (event: StreamEvent) => areAnswersLate && event.agentId === undefined && isAnswer(event)
    const answers = late.splice(0)
    late.push(...inside.filter(isLate))
    return [
      ...(isStep ? [{ type: 'step-start' as const, kind: 'node' as const }] : []),
      { type: 'message-start', messageId, role, ...(model !== undefined && { model }) },
      ...answers,
      ...inside.filter((event) => !isLate(event)),
      { type: 'message-end', messageId, ...(isInterrupted && { interrupted: true }) },
      ...(isStep ? [{ type: 'step-end' as const }] : []),
      ...retraction(index, retracts),
    ]
  })
  const events = withDecidedOutputs([...body, ...(isWaiting ? [] : late)])
  const outcome = isWaiting && isSettled(events) ? 'success' : end.outcome
  const ending = canShowError(end, messages) ? { ...end, outcome } : { type: 'run-end' as const, outcome }
  return decorated(withEndedProse([{ type: 'run-start', ...start }, ...events, ending]), clock, notedEach)
}

const messageIdOf = (index: number) => `message-${index}`

/** The events inside a message. */
function contentOf({ role, groups, picks, isStep, isNamed }: Plan['messages'][number], index: number): EventGroup {
  const allowedGroups = role === 'assistant' ? groups : groups.filter(isUserContent)
  return interleaved(allowedGroups, picks)
    .filter((event) => !(isStep && isOwnStep(event)))
    .map((event) => numbered(event, `${index}`))
    .map((event) => (isNamed && event.agentId === undefined ? { ...event, messageId: messageIdOf(index) } : event))
}

function retraction(index: number, count: number): readonly StreamEvent[] {
  const messageIds = [index, index - 1].slice(0, count).filter((each) => each >= 0)
  return count === 0 ? [] : [{ type: 'message-retract', messageIds: messageIds.map(messageIdOf) }]
}

/** An answer that may come later. A call that is asked about twice is answered before it is asked again. */
function isAnswer(event: StreamEvent): boolean {
  if (event.type !== 'approval') return event.type === 'tool-output'
  return event.state !== 'requested' && !/^(first|again)/.test(event.approvalId)
}

/**
 * A run that waits for answers: after a request, or the input of a client's tool, there are no more events of that call,
 * and no answers.
 */
function unanswered(events: EventGroup): EventGroup {
  const waitingCalls = new Set<string>()
  const clientCalls = new Set<string>()
  return events.filter((event) => {
    if (event.agentId !== undefined) return true
    if (event.type === 'approval' && event.state !== 'requested') return false
    if (!('callId' in event) || event.callId === undefined) return true
    if (waitingCalls.has(event.callId)) return false
    if (event.type === 'tool-start' && event.runBy === 'client') clientCalls.add(event.callId)
    const isWaiting = event.type === 'approval' || (event.type === 'tool-input' && clientCalls.has(event.callId))
    if (isWaiting) waitingCalls.add(event.callId)
    return true
  })
}

/** A call that a person denied does not fail otherwise, and one that a person approved is not denied. */
function withDecidedOutputs(events: EventGroup): EventGroup {
  const decisions = new Map<string, string>()
  return events.map((event) => {
    if (event.type === 'approval' && event.callId !== undefined) decisions.set(event.callId, event.state)
    if (event.type !== 'tool-output') return event
    const decision = decisions.get(event.callId)
    if (decision === 'denied' && event.status === 'error') return { ...event, status: 'denied' }
    return decision === 'approved' && event.status === 'denied' ? { ...event, status: 'cancelled' } : event
  })
}

/** Whether questions were asked, and nothing is open: such a run does not wait. */
function isSettled(events: EventGroup): boolean {
  const openCalls = new Set<string>()
  const questions = new Map<string, string | undefined>()
  let hasAsked = false
  for (const event of events) {
    if (event.type === 'tool-start') openCalls.add(event.callId)
    if (event.type === 'tool-output') openCalls.delete(event.callId)
    if (event.type !== 'approval') continue
    hasAsked = true
    if (event.state === 'requested') questions.set(event.approvalId, event.callId)
    else questions.delete(event.approvalId)
  }
  return hasAsked && openCalls.size === 0 && [...questions.values()].every((callId) => callId !== undefined)
}

/** A run's error is shown in an assistant's message. */
function canShowError(end: Plan['end'], messages: Plan['messages']): boolean {
  return end.error === undefined || messages.some(({ role }) => role === 'assistant')
}
