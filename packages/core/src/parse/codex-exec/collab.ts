import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import type { SubagentStatus } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { OpenItems } from './open-items.ts'
import type { AgentState, CollabItem } from './raw.ts'
import { statusOf } from './tools.ts'

const endings: { readonly [status: string]: SubagentStatus | undefined } = {
  completed: 'done',
  errored: 'failed',
  not_found: 'failed',
  shutdown: 'cancelled',
  interrupted: 'interrupted',
}

/** Reads the calls by which one agent starts, prompts, awaits and closes others. */
export interface Collab {
  events(items: OpenItems, item: CollabItem, isLast: boolean): StreamEvent[]
}

export function createCollab(): Collab {
  /** Thread ids of the subagents that run. */
  const running = new Set<string>()

  function startEvents({ id, tool, receiver_thread_ids, prompt }: CollabItem): StreamEvent[] {
    if (tool !== 'spawn_agent') return []
    return (receiver_thread_ids ?? []).flatMap((agentId): StreamEvent[] => {
      if (running.has(agentId)) return []
      rememberOne(running, agentId)
      return [{ type: 'subagent-start', agentId, name: agentId, callId: id, ...present({ task: prompt }) }]
    })
  }

  function endEvents([agentId, { status, message }]: [string, AgentState]): StreamEvent[] {
    const ending = endings[status ?? '']
    if (ending === undefined || !running.delete(agentId)) return []
    return [{ type: 'subagent-end', agentId, status: ending, ...present({ summary: message }) }]
  }

  return {
    events(items, item, isLast) {
      const { id: callId } = item
      const name = item.tool ?? 'collab_tool_call'
      const existing = items.get(callId)
      const open = existing ?? items.open(callId)
      const hasInput = !open.hasInput
      open.hasInput = true
      if (isLast) items.close(callId)
      return [
        ...(existing === undefined ? [{ type: 'tool-start' as const, callId, name, runBy: 'agent' as const }] : []),
        // Before the input: what the stream says of an agent takes precedence over what its call implies.
        ...startEvents(item),
        ...(hasInput ? [{ type: 'tool-input' as const, callId, input: inputOf(item) }] : []),
        ...(isLast ? [outputOf(item)] : []),
        ...Object.entries(item.agents_states ?? {}).flatMap(endEvents),
      ]
    },
  }
}

function inputOf({ prompt, receiver_thread_ids, tool }: CollabItem): JsonObject {
  const receivers = tool === 'spawn_agent' || receiver_thread_ids?.length === 0 ? undefined : receiver_thread_ids
  return present({ prompt, receiver_thread_ids: receivers }) as JsonObject
}

/** The message of the agent if there is only one, else the states of all agents. */
function outputOf(item: CollabItem): StreamEvent {
  const states = Object.values(item.agents_states ?? {})
  const [only] = states
  const output: Json = states.length === 1 && only?.message ? only.message : (item.agents_states ?? {})
  const status = statusOf(item)
  const error = only?.message ?? 'The agents could not be reached'
  return { type: 'tool-output', callId: item.id, status, output, ...(status === 'error' && { error }) }
}
