import {
  type ThreadEvent,
  type ThreadEventOf,
  type ThreadEventType,
  toolCallOf,
  toolResultOf,
} from '../../data/thread-event.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'

/** The beginning of a message with one block, both under one id. The caller adds its text and its end. */
export interface MessageHead {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system' | 'tool'
  readonly kind: 'text' | 'reasoning'
}

export function messageOpening({ id, role, kind }: MessageHead): StreamEvent[] {
  const variant = kind === 'reasoning' ? ({ variant: 'thinking' } as const) : {}
  return [
    { type: 'message-start', messageId: id, role },
    { type: 'block-start', blockId: id, messageId: id, kind, ...variant },
  ]
}

export function messageText(id: string, text: string): StreamEvent {
  return { type: 'block-delta', blockId: id, messageId: id, text }
}

export function messageClosing(id: string): StreamEvent[] {
  return [
    { type: 'block-end', blockId: id, messageId: id },
    { type: 'message-end', messageId: id },
  ]
}

function wholeMessage(role: MessageHead['role'], kind: MessageHead['kind'] = 'text') {
  return ({ id, data }: { readonly id: string; readonly data: string }): StreamEvent[] => [
    ...messageOpening({ id, role, kind }),
    messageText(id, data),
    ...messageClosing(id),
  ]
}

const rows: { readonly [Type in ThreadEventType]: (event: ThreadEventOf<Type>) => StreamEvent[] } = {
  USER_MESSAGE: wholeMessage('user'),
  AGENT_MESSAGE: wholeMessage('assistant'),
  THINKING: wholeMessage('assistant', 'reasoning'),
  LOCAL_SYSTEM_MESSAGE: wholeMessage('system'),
  SYSTEM_PROMPT: wholeMessage('system'),
  USER_SYSTEM_PROMPT: wholeMessage('system'),
  TOOL_CALL({ id, data }) {
    const call = toolCallOf(data)
    return [
      { type: 'message-start', messageId: id, role: 'assistant' },
      { type: 'tool-start', messageId: id, callId: call.id, name: call.name, runBy: 'agent' },
      { type: 'tool-input', callId: call.id, input: call.arguments },
      { type: 'message-end', messageId: id },
    ]
  },
  TOOL_RESULT({ id: eventId, data }) {
    const { id, content, isError, error } = toolResultOf(data)
    const status = isError ? 'error' : 'ok'
    const meta = { thread: { resultId: eventId } }
    return [{ type: 'tool-output', callId: id, status, output: content, meta, ...(error !== undefined && { error }) }]
  },
}

const table = new Map(Object.entries(rows)) as Map<string, (event: ThreadEvent) => StreamEvent[]>

/** The stream events of a thread's event; an event of an unknown type is kept as `raw`. */
export function streamEventsOf(event: ThreadEvent): StreamEvent[] {
  const row = table.get(event.type)
  if (row !== undefined) return row(event)
  return [
    { type: 'raw', value: { ...event, timestamp: Number(event.timestamp) } as unknown as Json, reason: 'unmapped' },
  ]
}
