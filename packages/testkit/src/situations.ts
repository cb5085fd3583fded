import type { EventOf, EventType, StreamEvent } from '@millrace/core/events'

type Stream = readonly StreamEvent[]

/** Something that only several events together show. */
export interface Situation {
  readonly name: string
  isIn(events: Stream): boolean
}

/** What a generator of streams must reach, so that the laws are not kept by luck. */
export const situations: readonly Situation[] = [
  { name: 'two approvals open at once', isIn: (events) => mostOpen(events, asks, answers) > 1 },
  { name: 'an approval left open at the end', isIn: (events) => openAtEnd(events, asks, answers) > 0 },
  {
    name: 'a question without a call',
    isIn: (events) => ofType(events, 'approval').some(({ callId }) => callId === undefined),
  },
  {
    name: 'a call that is asked about twice',
    isIn: (events) => isRepeated(ofType(events, 'approval').filter(isRequest), 'callId'),
  },
  {
    name: 'an answer after the message of its question',
    isIn: (events) => isBetween(events, isRequest, 'message-end', (event, first) => isAnswerTo(event, first)),
  },
  {
    name: 'an approval open over the start of a step',
    isIn: (events) => isBetween(events, isRequest, 'step-start', (event, first) => isAnswerTo(event, first)),
  },
  { name: 'a client’s call left open', isIn: hasOpenClientCall },
  {
    name: 'an output after the message of its call',
    isIn: (events) => isBetween(events, isType('tool-start'), 'message-end', isOutputOf),
  },
  {
    name: 'three calls at once',
    isIn: (events) => mostOpen(events, idOf('tool-start', 'callId'), idOf('tool-output', 'callId')) > 2,
  },
  {
    name: 'two blocks at once',
    isIn: (events) => mostOpen(events, idOf('block-start', 'blockId'), idOf('block-end', 'blockId')) > 1,
  },
  {
    name: 'two subagents at once',
    isIn: (events) => mostOpen(events, idOf('subagent-start', 'agentId'), idOf('subagent-end', 'agentId')) > 1,
  },
  {
    name: 'a subagent in a subagent',
    isIn: (events) => ofType(events, 'subagent-start').some(({ parentAgentId }) => parentAgentId !== undefined),
  },
  {
    name: 'a step of a subagent',
    isIn: (events) => ofType(events, 'step-start').some(({ agentId }) => agentId !== undefined),
  },
  {
    name: 'a message of a subagent',
    isIn: (events) => ofType(events, 'message-start').some(({ agentId }) => agentId !== undefined),
  },
  {
    name: 'a step with a block inside',
    isIn: (events) => isBetween(events, isType('step-start'), 'block-start', isType('step-end')),
  },
  {
    name: 'two steps in one message',
    isIn: (events) => isBetween(events, isType('step-end'), 'step-start', isType('message-end')),
  },
  {
    name: 'a message inside a step',
    isIn: (events) => isBetween(events, isType('step-start'), 'message-end', isType('step-end')),
  },
  ...(['text', 'citations', 'signature', 'encrypted', 'answer'] as const).map((field) => ({
    name: `a second patch of ${field}`,
    isIn: (events: Stream) =>
      isRepeated(
        ofType(events, 'block-patch').filter((patch) => patch[field] !== undefined),
        'blockId',
      ),
  })),
  {
    name: 'a delta after a rewrite',
    isIn: (events) =>
      events.some(
        (event, at) => event.type === 'block-patch' && event.text !== undefined && hasLater(events, at, event.blockId),
      ),
  },
  {
    name: 'a patch after the end of its block',
    isIn: (events) =>
      events.some(
        (event, at) =>
          event.type === 'block-end' &&
          events.slice(at).some((later) => later.type === 'block-patch' && later.blockId === event.blockId),
      ),
  },
  { name: 'a source reported twice', isIn: (events) => isRepeated(ofType(events, 'source'), 'sourceId') },
  {
    name: 'a list of todos that is changed three times',
    isIn: (events) => isRepeated(ofType(events, 'todos'), 'listId', 3),
  },
  {
    name: 'two lists of todos',
    isIn: (events) => new Set(ofType(events, 'todos').map(({ listId }) => listId)).size > 1,
  },
  {
    name: 'data replaced twice',
    isIn: (events) =>
      isRepeated(
        ofType(events, 'data').filter(({ id, transient }) => id === 'x' && !transient),
        'name',
        3,
      ),
  },
  {
    name: 'a state patched twice',
    isIn: (events) =>
      isRepeated(
        ofType(events, 'state').filter(({ op }) => op === 'patch'),
        'channel',
      ),
  },
  {
    name: 'three usages of steps',
    isIn: (events) => ofType(events, 'usage').filter(({ scope }) => scope === 'step').length > 2,
  },
  { name: 'progress without a percentage after one with it', isIn: hasLostPercent },
  {
    name: 'two messages retracted at once',
    isIn: (events) => ofType(events, 'message-retract').some(({ messageIds }) => messageIds.length > 1),
  },
  {
    name: 'a clock that goes back',
    isIn: (events) => events.some(({ sentAt = 0 }, at) => sentAt < (events[at - 1]?.sentAt ?? 0)),
  },
]

function ofType<Type extends EventType>(events: Stream, type: Type): readonly EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type)
}

const isType = (type: EventType) => (event: StreamEvent) => event.type === type

type IdOf = (event: StreamEvent) => string | undefined

function idOf(type: EventType, field: 'callId' | 'blockId' | 'agentId'): IdOf {
  return (event) => (event.type === type ? (event as { readonly [Field in typeof field]?: string })[field] : undefined)
}

const isRequest = (event: StreamEvent) => event.type === 'approval' && event.state === 'requested'
const asks: IdOf = (event) => (event.type === 'approval' && event.state === 'requested' ? event.approvalId : undefined)
const answers: IdOf = (event) =>
  event.type === 'approval' && event.state !== 'requested' ? event.approvalId : undefined

const isAnswerTo = (event: StreamEvent, first: StreamEvent) =>
  answers(event) !== undefined && answers(event) === (first as EventOf<'approval'>).approvalId

const isOutputOf = (event: StreamEvent, first: StreamEvent) =>
  event.type === 'tool-output' && event.callId === (first as EventOf<'tool-start'>).callId

function mostOpen(events: Stream, opens: IdOf, closes: IdOf): number {
  const open = new Set<string>()
  return events.reduce((most, event) => {
    open.add(opens(event) ?? '')
    open.delete(closes(event) ?? '')
    open.delete('')
    return Math.max(most, open.size)
  }, 0)
}

function openAtEnd(events: Stream, opens: IdOf, closes: IdOf): number {
  const closed = new Set(events.map(closes))
  return events.map(opens).filter((id) => id !== undefined && !closed.has(id)).length
}

/** Whether an event of this type is between a first event and the one that follows it. */
function isBetween(
  events: Stream,
  isFirst: (event: StreamEvent) => boolean,
  type: EventType,
  isLast: (event: StreamEvent, first: StreamEvent) => boolean,
): boolean {
  return events.some((first, at) => {
    if (!isFirst(first)) return false
    const last = events.findIndex((event, index) => index > at && isLast(event, first))
    return events.slice(at + 1, Math.max(at + 1, last)).some((event) => event.type === type)
  })
}

function isRepeated<Event extends StreamEvent>(events: readonly Event[], field: keyof Event, count = 2): boolean {
  const ids = events.map((event) => event[field]).filter((id) => id !== undefined)
  return ids.some((id) => ids.filter((other) => other === id).length >= count)
}

const hasLater = (events: Stream, at: number, blockId: string) =>
  events.slice(at).some((event) => event.type === 'block-delta' && event.blockId === blockId)

function hasOpenClientCall(events: Stream): boolean {
  const finished = new Set(ofType(events, 'tool-output').map(({ callId }) => callId))
  return ofType(events, 'tool-start').some(({ callId, runBy }) => runBy === 'client' && !finished.has(callId))
}

function hasLostPercent(events: Stream): boolean {
  const reports = ofType(events, 'tool-progress').filter(({ text, data }) => text !== undefined && data === undefined)
  return reports.some(
    ({ callId, channel, percent }, at) =>
      percent === undefined &&
      reports
        .slice(0, at)
        .some((report) => report.callId === callId && report.channel === channel && report.percent !== undefined),
  )
}
