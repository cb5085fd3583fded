import type { EventOf } from '../../events.ts'

/** The events of a tool: any number of progress events and one result. An agent never sends them unchanged. */
export type ToolEvent =
  | { readonly type: 'progress'; readonly toolName: string; readonly data: unknown }
  | { readonly type: 'result'; readonly toolName: string; readonly output: string; readonly isError?: boolean }

/** The whole protocol: each server-sent event is one of these. */
export type AgentEvent =
  | { readonly type: 'thought'; readonly content: string }
  | { readonly type: 'tool_call'; readonly toolName: string; readonly toolArgs: string }
  | { readonly type: 'tool_progress'; readonly toolName: string; readonly data: unknown }
  | { readonly type: 'tool_result'; readonly toolName: string; readonly output: string; readonly isError?: boolean }
  | { readonly type: 'stream'; readonly content: string }
  | { readonly type: 'final' }
  | { readonly type: 'error'; readonly error: string }

/** The agent's event for an event of its tool. Field by field: a copy of the whole would keep the tool's `type`. */
export function adaptToolEvent(event: ToolEvent): AgentEvent {
  const { toolName } = event
  if (event.type === 'progress') return { type: 'tool_progress', toolName, data: event.data }
  const { output, isError } = event
  const result = { type: 'tool_result', toolName, output } as const
  return isError === undefined ? result : { ...result, isError }
}

/** A call that has no result yet. */
export interface OpenCall {
  readonly callId: string
  readonly name: string
  readonly agentId: string | undefined
  /** Whether clients see it. A call in a message of another role is not the agent's and only travels as a rider. */
  readonly isVisible: boolean
  /** Whether its `tool_call` was sent: clients refuse progress and results without their call. */
  isEmitted: boolean
  /** Its start, until its arguments are complete. */
  start: EventOf<'tool-start'> | undefined
}

export type OpenCalls = Map<string, OpenCall>
