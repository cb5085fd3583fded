import type { StreamEvent } from '../../events.ts'
import { createIds, createRecent } from './recent.ts'

/** The emitted ids of subagents. One that starts again after its end is another subagent, with another id. */
export interface AgentIds {
  /** The event with the emitted ids of its agent and its parent agent. */
  withAgentIds(event: StreamEvent): StreamEvent
}

export function createAgentIds(): AgentIds {
  const ids = createIds()
  /** Both by incoming id. */
  const open = new Map<string, string>()
  const ended = createRecent<string>()

  function begin(incomingId: string): string {
    const id = ids.claim(incomingId)
    open.set(incomingId, id)
    return id
  }

  /** A late event of an agent that has ended still belongs to it; a start does not. */
  function idOf(incomingId: string, isStart: boolean): string {
    return open.get(incomingId) ?? (isStart ? undefined : ended.get(incomingId)) ?? begin(incomingId)
  }

  function parentOf(event: StreamEvent): string | undefined {
    if (event.type !== 'subagent-start' || event.parentAgentId === undefined) return undefined
    return open.get(event.parentAgentId) ?? ended.get(event.parentAgentId)
  }

  return {
    withAgentIds(event) {
      if (event.agentId === undefined) return event
      const parentAgentId = parentOf(event)
      const agentId = idOf(event.agentId, event.type === 'subagent-start')
      if (event.type === 'subagent-end') {
        open.delete(event.agentId)
        ended.add(event.agentId, agentId)
      }
      const named = agentId === event.agentId ? event : { ...event, agentId }
      return parentAgentId === undefined ? named : ({ ...named, parentAgentId } as StreamEvent)
    },
  }
}
