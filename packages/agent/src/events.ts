/** What a tool yields. After `result` nothing follows. */
export type ToolEvent =
  | { readonly type: 'progress'; readonly toolName: string; readonly data: unknown }
  | { readonly type: 'result'; readonly toolName: string; readonly output: string; readonly isError?: boolean }

/** What an agent yields. `final` or `error` is the last. */
export type AgentEvent = { readonly callId?: string } & (
  | { readonly type: 'thought'; readonly content: string }
  | { readonly type: 'stream'; readonly content: string }
  | { readonly type: 'tool_call'; readonly toolName: string; readonly toolArgs: string }
  | { readonly type: 'tool_progress'; readonly toolName: string; readonly data: unknown }
  | { readonly type: 'tool_result'; readonly toolName: string; readonly output: string; readonly isError?: boolean }
  | { readonly type: 'final' }
  | { readonly type: 'error'; readonly error: string }
)

type Check = (event: { readonly [field: string]: unknown }) => boolean

const hasTexts =
  (...fields: readonly string[]): Check =>
  (event) =>
    fields.every((field) => typeof event[field] === 'string')

/** What each type must have. */
const checks: { readonly [Type in AgentEvent['type']]: Check } = {
  thought: hasTexts('content'),
  stream: hasTexts('content'),
  tool_call: hasTexts('toolName', 'toolArgs'),
  tool_progress: hasTexts('toolName'),
  tool_result: hasTexts('toolName', 'output'),
  final: () => true,
  error: hasTexts('error'),
}

/** Why a value is not an AgentEvent; undefined if it is one. */
export function agentEventProblem(value: unknown): string | undefined {
  const event = (typeof value === 'object' && value !== null ? value : {}) as { readonly [field: string]: unknown }
  const type = String(event.type)
  if (type === 'progress' || type === 'result') {
    return `An agent yields AgentEvents: "${type}" is the event of a tool, and becomes one by ctx.adaptToolEvent(event).`
  }
  if (!Object.hasOwn(checks, type)) return `"${type}" is not the type of an AgentEvent.`
  return checks[type as AgentEvent['type']](event)
    ? undefined
    : `A field of an AgentEvent "${type}" is missing or no text.`
}
