import type { ToolStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { ToolResult } from './raw.ts'

/** The tools that delegate a task to another agent, by the names of old and new releases. */
const DELEGATES: ReadonlySet<string> = new Set(['invoke_agent', 'delegate_to_agent'])

/** The agent that a tool delegates to; undefined if the tool does not delegate. */
export function subagentOf(name: string, input: Json, callId: string): EventOf<'subagent-start'> | undefined {
  if (!DELEGATES.has(name) || !isJsonObject(input)) return undefined
  const { agent_name, prompt, objective } = input as JsonObject
  const task = prompt ?? objective
  return {
    type: 'subagent-start',
    agentId: callId,
    name: typeof agent_name === 'string' ? agent_name : name,
    callId,
    ...(typeof task === 'string' && { task }),
  }
}

/** The error types of tools that were not allowed to run. */
const statuses: ReadonlyMap<string, ToolStatus> = new Map<string, ToolStatus>([
  ['execution_denied', 'denied'],
  ['policy_violation', 'denied'],
])

export function outputOf({ tool_id: callId, status, output, error }: ToolResult): EventOf<'tool-output'> {
  const message = error?.message ?? undefined
  if (status === 'success') return { type: 'tool-output', callId, status: 'ok', output: output ?? '' }
  const type = error?.type ?? undefined
  return {
    type: 'tool-output',
    callId,
    status: statuses.get(type ?? '') ?? 'error',
    output: output ?? message ?? '',
    error: message ?? (typeof output === 'string' && output !== '' ? output : 'The tool failed'),
    ...(type !== undefined && { meta: { 'gemini-cli': { type } } }),
  }
}

/** A subagent ends with the call that started it. */
export function subagentEnd({ callId, status, output }: EventOf<'tool-output'>): StreamEvent {
  const summary = typeof output === 'string' && output !== '' ? { summary: output } : {}
  return { type: 'subagent-end', agentId: callId, status: status === 'ok' ? 'done' : 'failed', ...summary }
}
