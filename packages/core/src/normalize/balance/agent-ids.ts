import type { StreamEvent } from '../../events.ts'
import { createIds, createRecent } from './recent.ts'

/** The emitted ids of subagents. One that starts again after its end is another subagent, with another id. */
export interface AgentIds {
  /** The event with the emitted ids of its agent and its parent agent. */
  withAgentIds(event: StreamEvent): StreamEvent
}

interface SentAgent {
  readonly id: string
  isEnded: boolean
}

export function createAgentIds(): AgentIds {
  const ids = createIds()
  /** By their incoming ids. */
  const agents = createRecent<SentAgent>()

  function open(incomingId: string): SentAgent {
    const agent = { id: ids.claim(incomingId), isEnded: false }
    agents.add(incomingId, agent)
    return agent
  }

  return {
    withAgentIds(event) {
      if (event.agentId === undefined) return event
      const parentId = event.type === 'subagent-start' ? event.parentAgentId : undefined
      const parent = parentId === undefined ? undefined : (agents.get(parentId)?.id ?? parentId)
      const before = agents.get(event.agentId)
      const isAgain = event.type === 'subagent-start' && before?.isEnded === true
      const agent = before === undefined || isAgain ? open(event.agentId) : before
      if (event.type === 'subagent-end') agent.isEnded = true
      if (agent.id === event.agentId && parent === parentId) return event
      return { ...event, agentId: agent.id, ...(parent !== undefined && { parentAgentId: parent }) } as StreamEvent
    },
  }
}
