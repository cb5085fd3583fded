import { remember } from '../../data/remember.ts'
import type { EventOf } from '../../events.ts'
import { defined, type Fields } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import type { OpenCalls } from './calls.ts'
import { insteadOf, NOTHING, type Stream } from './stream.ts'
import { adaptToolEvent } from './tool-events.ts'

/** The call whose progress a subagent's words are. */
export interface Host {
  readonly callId: string
  readonly toolName: string
}

interface Agent {
  readonly name: string
  readonly task?: string | undefined
  readonly callId?: string | undefined
  readonly parent?: Agent | undefined
  /** A call that nobody made, for a subagent that has none of the main agent's to speak through. */
  own?: Host | undefined
}

/** The protocol knows one agent. Another one is a tool: what it says, however deep, is the progress of one call. */
export interface Agents {
  readonly rows: Pick<Rows, 'subagent-start' | 'subagent-end'>
  hostOf(agentId: string): Host
  /** Gives the calls that nobody made a result, so that no client waits for one. */
  close(): void
}

export function createAgents(stream: Stream, calls: OpenCalls): Agents {
  const agents = new Map<string, Agent>()
  const hosts = new Set<Agent>()
  let made = 0

  /** The call that is open for an agent: its own, that which started it, or its parent's. */
  function reach(agent: Agent): Host | undefined {
    if (agent.own !== undefined) return agent.own
    const call = agent.callId === undefined ? undefined : calls.get(agent.callId)
    if (call?.isCalled && call.agentId === undefined) return { callId: call.callId, toolName: call.name }
    return agent.parent === undefined ? undefined : reach(agent.parent)
  }

  function open(agent: Agent, marks: Fields): Host {
    const host = { callId: `millrace-subagent-${++made}`, toolName: agent.name }
    agent.own = host
    hosts.add(agent)
    const toolArgs = JSON.stringify(defined({ task: agent.task }))
    stream.say({ type: 'tool_call', toolName: host.toolName, toolArgs }, { callId: host.callId, marks })
    return host
  }

  function close(agent: Agent, host: Host, output: string, isError: boolean, marks: Fields): void {
    agent.own = undefined
    hosts.delete(agent)
    const result = { type: 'result', toolName: host.toolName, output, ...(isError && { isError }) } as const
    stream.say(adaptToolEvent(result), { callId: host.callId, marks })
  }

  function start(event: EventOf<'subagent-start'>): void {
    const { agentId, name, task, callId, parentAgentId } = event
    const call = callId === undefined ? undefined : calls.get(callId)
    const parent = agents.get(parentAgentId ?? call?.agentId ?? '')
    const agent = remember<string, Agent>(agents, agentId, { name, task, callId, parent })
    const isComing = call?.isSaid && call.agentId === undefined
    if (isComing || reach(agent) !== undefined) stream.riders.add(event)
    else open(agent, insteadOf(event))
  }

  return {
    rows: {
      'subagent-start': start,
      'subagent-end'(event) {
        const agent = agents.get(event.agentId)
        if (agent?.own === undefined) stream.riders.add(event)
        else close(agent, agent.own, event.summary ?? '', event.status !== 'done', insteadOf(event))
      },
    },
    hostOf(agentId) {
      const agent = agents.get(agentId) ?? remember<string, Agent>(agents, agentId, { name: 'subagent' })
      return reach(agent) ?? open(agent, NOTHING)
    },
    close() {
      for (const agent of hosts) if (agent.own !== undefined) close(agent, agent.own, '', false, NOTHING)
    },
  }
}
