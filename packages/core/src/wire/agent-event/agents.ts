import { remember } from '../../data/remember.ts'
import type { EventOf } from '../../events.ts'
import { defined, type Fields } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { insteadOf, NO_EVENT, type Stream } from './stream.ts'
import { adaptToolEvent, type OpenCalls } from './tool-events.ts'

/** The call whose progress contains the output of a subagent. */
export interface Host {
  readonly callId: string
  readonly toolName: string
}

interface Agent {
  readonly name: string
  readonly task?: string | undefined
  readonly callId?: string | undefined
  readonly parent?: Agent | undefined
  /** A call of this wire for a subagent that has no open call of the main agent. */
  syntheticCall?: Host | undefined
}

/** The protocol has one agent. A subagent is a tool: its output, however deeply nested, is the progress of one call. */
export interface Agents {
  readonly rows: Pick<Rows, 'subagent-start' | 'subagent-end'>
  hostOf(agentId: string): Host
  /** Sends a result for each synthetic call, so that no client waits for one. */
  closeAll(): void
}

export function createAgents(stream: Stream, calls: OpenCalls): Agents {
  const agents = new Map<string, Agent>()
  const hosts = new Set<Agent>()
  let syntheticCount = 0

  /** The open call of an agent: its synthetic call, the call that started it, or its parent's. */
  function findHost(agent: Agent): Host | undefined {
    if (agent.syntheticCall !== undefined) return agent.syntheticCall
    const call = agent.callId === undefined ? undefined : calls.get(agent.callId)
    if (call?.isEmitted && call.agentId === undefined) return { callId: call.callId, toolName: call.name }
    return agent.parent === undefined ? undefined : findHost(agent.parent)
  }

  function openHost(agent: Agent, extra: Fields): Host {
    const host = { callId: `millrace-subagent-${++syntheticCount}`, toolName: agent.name }
    agent.syntheticCall = host
    hosts.add(agent)
    const toolArgs = JSON.stringify(defined({ task: agent.task }))
    stream.emit({ type: 'tool_call', toolName: host.toolName, toolArgs }, { callId: host.callId, extra })
    return host
  }

  function closeHost(agent: Agent, host: Host, output: string, isError: boolean, extra: Fields): void {
    agent.syntheticCall = undefined
    hosts.delete(agent)
    const result = { type: 'result', toolName: host.toolName, output, ...(isError && { isError }) } as const
    stream.emit(adaptToolEvent(result), { callId: host.callId, extra })
  }

  function start(event: EventOf<'subagent-start'>): void {
    const { agentId, name, task, callId, parentAgentId } = event
    const call = callId === undefined ? undefined : calls.get(callId)
    const parent = agents.get(parentAgentId ?? call?.agentId ?? '')
    const agent = remember<string, Agent>(agents, agentId, { name, task, callId, parent })
    const isComing = call?.isVisible && call.agentId === undefined
    if (isComing || findHost(agent) !== undefined) stream.riders.add(event)
    else openHost(agent, insteadOf(event))
  }

  return {
    rows: {
      'subagent-start': start,
      'subagent-end'(event) {
        const agent = agents.get(event.agentId)
        if (agent?.syntheticCall === undefined) stream.riders.add(event)
        else closeHost(agent, agent.syntheticCall, event.summary ?? '', event.status !== 'done', insteadOf(event))
      },
    },
    hostOf(agentId) {
      const agent = agents.get(agentId) ?? remember<string, Agent>(agents, agentId, { name: 'subagent' })
      return findHost(agent) ?? openHost(agent, NO_EVENT)
    },
    closeAll() {
      for (const agent of hosts)
        if (agent.syntheticCall !== undefined) closeHost(agent, agent.syntheticCall, '', false, NO_EVENT)
    },
  }
}
