import type { StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'

/** A call as a thread stores it, with the field names of either version. */
export type ToolCallData =
  | { readonly callId: string; readonly toolName: string; readonly input: Json }
  | { readonly id: string; readonly name: string; readonly arguments: Json }

/** A result as a thread stores it, with the field names of either version. */
export type ToolResultData =
  | { readonly callId: string; readonly output: Json; readonly success?: boolean; readonly error?: string }
  | { readonly id: string; readonly content: Json; readonly isError?: boolean; readonly error?: string }

interface Stored<Type extends string, Data> {
  readonly id: string
  readonly type: Type
  readonly timestamp: Date | number
  readonly data: Data
}

/** A stored event of a thread. An agent's message is raw, with think tags: the model gets it back unchanged. */
export type ThreadEvent =
  | Stored<'USER_MESSAGE', string>
  | Stored<'AGENT_MESSAGE', string>
  | Stored<'THINKING', string>
  | Stored<'LOCAL_SYSTEM_MESSAGE', string>
  | Stored<'SYSTEM_PROMPT', string>
  | Stored<'USER_SYSTEM_PROMPT', string>
  | Stored<'TOOL_CALL', ToolCallData>
  | Stored<'TOOL_RESULT', ToolResultData>

export type ThreadEventType = ThreadEvent['type']
export type ThreadEventOf<Type extends ThreadEventType> = Extract<ThreadEvent, { type: Type }>

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: Json
}

export interface ToolResult {
  readonly id: string
  readonly content: Json
  readonly isError: boolean
  readonly error?: string
}

export function toolCallOf(data: ToolCallData): ToolCall {
  return 'callId' in data
    ? { id: data.callId, name: data.toolName, arguments: data.input }
    : { id: data.id, name: data.name, arguments: data.arguments }
}

export function toolResultOf(data: ToolResultData): ToolResult {
  const { error } = data
  const errorField = error === undefined ? {} : { error }
  if ('callId' in data) {
    const isError = data.success === false || error !== undefined
    return { id: data.callId, content: data.output, isError, ...errorField }
  }
  return { id: data.id, content: data.content, isError: data.isError ?? error !== undefined, ...errorField }
}

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
  TOOL_RESULT({ data }) {
    const { id, content, isError, error } = toolResultOf(data)
    const status = isError ? 'error' : 'ok'
    return [{ type: 'tool-output', callId: id, status, output: content, ...(error !== undefined && { error }) }]
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
