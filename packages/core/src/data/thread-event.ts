import type { Json } from '../json.ts'

/** A call as a thread stores it, with the field names of either version. */
export type ToolCallData =
  | { readonly callId: string; readonly toolName: string; readonly input: Json }
  | { readonly id: string; readonly name: string; readonly arguments: Json }

/** A result as a thread stores it, with the field names of either version. */
export type ToolResultData =
  | { readonly callId: string; readonly output: Json; readonly success?: boolean; readonly error?: string }
  | LaterResult

interface LaterResult {
  readonly id: string
  readonly content: Json
  readonly isError?: boolean
  readonly status?: 'completed' | 'failed' | 'aborted' | 'denied'
  readonly error?: string
}

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
  const isError = data.status === undefined ? (data.isError ?? error !== undefined) : data.status !== 'completed'
  return { id: data.id, content: data.content, isError, ...errorField }
}
