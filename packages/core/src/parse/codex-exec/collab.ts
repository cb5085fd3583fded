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

/** Reads the calls by which one agent starts, asks, awaits and closes others. */
export interface Collab {
  events(items: OpenItems, item: CollabItem, isLast: boolean): StreamEvent[]
}

export function createCollab(): Collab {
  /** Subagents that run, by the ids of their threads. */
  const running = new Set<string>()

  function started({ id, tool, receiver_thread_ids, prompt }: CollabItem): StreamEvent[] {
    if (tool !== 'spawn_agent') return []
    return (receiver_thread_ids ?? []).flatMap((agentId): StreamEvent[] => {
      if (running.has(agentId)) return []
      rememberOne(running, agentId)
      return [{ type: 'subagent-start', agentId, name: agentId, callId: id, ...present({ task: prompt }) }]
    })
  }

  function ended([agentId, { status, message }]: [string, AgentState]): StreamEvent[] {
    const ending = endings[status ?? '']
    if (ending === undefined || !running.delete(agentId)) return []
    return [{ type: 'subagent-end', agentId, status: ending, ...present({ summary: message }) }]
  }

  return {
    events(items, item, isLast) {
      const { id: callId } = item
      const name = item.tool ?? 'collab_tool_call'
      const known = items.get(callId)
      const open = known ?? items.open(callId)
      const hasInput = !open.hasInput
      open.hasInput = true
      if (isLast) items.close(callId)
      return [
        ...(known === undefined ? [{ type: 'tool-start' as const, callId, name, runBy: 'agent' as const }] : []),
        // Before the input: what the stream tells of an agent itself goes before what its call implies.
        ...started(item),
        ...(hasInput ? [{ type: 'tool-input' as const, callId, input: inputOf(item) }] : []),
        ...(isLast ? [outputOf(item)] : []),
        ...Object.entries(item.agents_states ?? {}).flatMap(ended),
      ]
    },
  }
}

function inputOf({ prompt, receiver_thread_ids, tool }: CollabItem): JsonObject {
  const to = tool === 'spawn_agent' || receiver_thread_ids?.length === 0 ? undefined : receiver_thread_ids
  return present({ prompt, receiver_thread_ids: to }) as JsonObject
}

/** The word of the one agent that answered, or how all of them stand. */
function outputOf(item: CollabItem): StreamEvent {
  const states = Object.values(item.agents_states ?? {})
  const [only] = states
  const output: Json = states.length === 1 && only?.message ? only.message : (item.agents_states ?? {})
  const status = statusOf(item)
  const error = only?.message ?? 'The agents could not be reached'
  return { type: 'tool-output', callId: item.id, status, output, ...(status === 'error' && { error }) }
}
