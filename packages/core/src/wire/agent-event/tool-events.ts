/** What a tool tells while it works, as often as it likes, and once when it is done. It never leaves its agent as it is. */
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

/** What an agent makes of its tool's event. Field by field: a copy of the whole would bring the tool's `type` along. */
export function adaptToolEvent(event: ToolEvent): AgentEvent {
  const { toolName } = event
  if (event.type === 'progress') return { type: 'tool_progress', toolName, data: event.data }
  const { output, isError } = event
  const result = { type: 'tool_result', toolName, output } as const
  return isError === undefined ? result : { ...result, isError }
}
