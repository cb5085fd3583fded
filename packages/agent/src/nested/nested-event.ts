import type { EventType, StreamEvent } from '@millrace/core/events'

/** What of another run is worth a look inside this one. Its own start, end, questions and counts stay there. */
const FORWARDED: ReadonlySet<EventType> = new Set([
  'message-start',
  'message-end',
  'block-start',
  'block-delta',
  'block-patch',
  'block-end',
  'tool-start',
  'tool-input-delta',
  'tool-input',
  'tool-progress',
  'tool-output',
  'subagent-start',
  'subagent-end',
  'source',
  'file',
  'todos',
  'status',
  'data',
  'error',
])

/** The fields that hold ids of a run. */
const IDS = ['messageId', 'blockId', 'callId', 'parentCallId', 'parentAgentId', 'sourceId', 'listId'] as const

/** The events of a run without what others say in it: its task, and the outputs of a client. */
export async function* withoutOthers(events: AsyncIterable<StreamEvent>): AsyncGenerator<StreamEvent> {
  const others = new Set<string>()
  for await (const event of events) {
    if (event.type === 'message-start' && event.role !== 'assistant') others.add(event.messageId)
    if (event.messageId === undefined || !others.has(event.messageId)) yield event
  }
}

/** The event of another run as one of the subagent that the run is here; undefined for one that stays there. */
export function nestedEvent(event: StreamEvent, agentId: string): StreamEvent | undefined {
  if (!FORWARDED.has(event.type)) return undefined
  const fields = event as unknown as { readonly [field: string]: unknown }
  const ids = IDS.filter((field) => typeof fields[field] === 'string').map((field) => [
    field,
    `${agentId}/${fields[field]}`,
  ])
  const isOfSubagent = event.type === 'subagent-start' || event.type === 'subagent-end'
  const by = event.agentId === undefined ? agentId : `${agentId}/${event.agentId}`
  const parent = event.type === 'subagent-start' && event.parentAgentId === undefined ? { parentAgentId: agentId } : {}
  // A time of the other agent's clock says nothing here.
  const { sentAt: _sentAt, ...rest } = fields
  return {
    ...rest,
    ...parent,
    ...Object.fromEntries(ids),
    agentId: isOfSubagent ? `${agentId}/${event.agentId}` : by,
  } as never
}
