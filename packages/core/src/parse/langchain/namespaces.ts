import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { SubagentStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { type Call, type Calls, inputText, mentions } from './calls.ts'
import { type GraphScope, inputEvents, MAIN } from './emitted-message.ts'

/** What is known of a graph when it first appears. */
export interface Hints {
  readonly agentName?: string | undefined
  /** The first message to it. */
  readonly task?: string | undefined
}

/** The graphs inside the main one, each of them an agent. A namespace does not name the call that it runs for. */
export interface Namespaces {
  enter(namespace: readonly string[], hints: Hints): { readonly scope: GraphScope; readonly events: StreamEvent[] }
  /** The agent of a namespace, or of the nearest outer one, that was entered before. */
  nearestAgent(namespace: readonly string[]): string | undefined
  /** The scope of a namespace that was entered before. */
  scopeOf(namespace: readonly string[]): GraphScope | undefined
  /** Links a task or a namespace to the call that it runs for. */
  link(task: string, callId: string, name?: string): void
  leave(namespace: readonly string[], status: SubagentStatus): StreamEvent[]
  /** Ends the graphs that a node of this namespace ran. */
  leaveNode(namespace: readonly string[], node: string): StreamEvent[]
  /** Adds the ends of the agents whose calls get their output. */
  withEnds(events: StreamEvent[]): StreamEvent[]
}

interface Agent {
  readonly scope: GraphScope
  readonly node: string
  readonly parentKey: string
}

/** The most graphs that are remembered, so that an endless stream does not exhaust memory. */
const MAX_GRAPHS = 4096

export function createNamespaces(calls: Calls): Namespaces {
  const agents = new Map<string, Agent>()
  /** By the id of the call that the agent runs for. */
  const byCall = new Map<string, Agent>()
  const links = new Map<string, { readonly callId: string; readonly name: string | undefined }>()

  function callFor(parent: GraphScope, part: string, { task, agentName }: Hints): Call | undefined {
    const link = links.get(part) ?? links.get(part.slice(part.indexOf(':') + 1))
    const linked = calls.find(parent, link?.callId)
    if (linked !== undefined) return linked
    if (!part.startsWith('tools:')) return undefined
    const free = calls.open(parent).filter((call) => !call.isLinked)
    const byTask = task === undefined ? undefined : free.find((call) => mentions(call, task))
    const byName = agentName === undefined ? undefined : free.find((call) => mentions(call, agentName))
    return byTask ?? byName ?? free[0]
  }

  function enter(namespace: readonly string[], hints: Hints): { scope: GraphScope; events: StreamEvent[] } {
    const part = namespace.at(-1)
    if (part === undefined) return { scope: MAIN, events: [] }
    const key = namespace.join('|')
    const existing = agents.get(key)
    if (existing !== undefined) return { scope: existing.scope, events: [] }
    const outer = enter(namespace.slice(0, -1), {})
    const call = callFor(outer.scope, part, hints)
    if (call !== undefined) call.isLinked = true
    const node = part.replace(/:[^:]*$/, '')
    const task = hints.task ?? (call && (inputText(call, 'description') ?? inputText(call, 'prompt')))
    const agentId = call?.callId ?? key
    const agent: Agent = { scope: { key, agentId, call, task }, node, parentKey: outer.scope.key }
    remember(agents, key, agent, MAX_GRAPHS)
    if (call !== undefined) remember(byCall, call.callId, agent, MAX_GRAPHS)
    const name = hints.agentName ?? links.get(part)?.name ?? (call && inputText(call, 'subagent_type')) ?? call?.name
    const start: EventOf<'subagent-start'> = {
      type: 'subagent-start',
      agentId,
      name: name ?? node,
      ...present({ task, callId: call?.callId, parentAgentId: outer.scope.agentId }),
    }
    return { scope: agent.scope, events: [...outer.events, ...(call === undefined ? [] : inputEvents(call)), start] }
  }

  /** Ends a graph and those inside it. */
  function leave(key: string, status: SubagentStatus): StreamEvent[] {
    const leaving = [...agents].filter(([inner]) => inner === key || inner.startsWith(`${key}|`)).reverse()
    return leaving.flatMap(([, { scope }]) =>
      scope.agentId === undefined ? [] : [{ type: 'subagent-end', agentId: scope.agentId, status }],
    )
  }

  function endOf({ callId, status, output }: EventOf<'tool-output'>): StreamEvent[] {
    const agentId = byCall.get(callId)?.scope.agentId
    byCall.delete(callId)
    if (agentId === undefined) return []
    const summary = typeof output === 'string' ? output : undefined
    const ending = status === 'ok' ? 'done' : 'failed'
    return [{ type: 'subagent-end', agentId, status: ending, ...present({ summary }) }]
  }

  return {
    enter,
    nearestAgent(namespace) {
      for (let length = namespace.length; length > 0; length--) {
        const agent = agents.get(namespace.slice(0, length).join('|'))
        if (agent !== undefined) return agent.scope.agentId
      }
      return undefined
    },
    scopeOf: (namespace) => (namespace.length === 0 ? MAIN : agents.get(namespace.join('|'))?.scope),
    link(task, callId, name) {
      remember(links, task, { callId, name }, MAX_GRAPHS)
    },
    leave: (namespace, status) => leave(namespace.join('|'), status),
    leaveNode(namespace, node) {
      const parentKey = namespace.join('|')
      const leaving = [...agents].filter(([, agent]) => agent.parentKey === parentKey && agent.node === node)
      // An agent that runs for a call ends with its output.
      return leaving.filter(([, agent]) => agent.scope.call === undefined).flatMap(([key]) => leave(key, 'done'))
    },
    withEnds(events) {
      if (byCall.size === 0 || !events.some(({ type }) => type === 'tool-output')) return events
      return events.flatMap((event) => (event.type === 'tool-output' ? [event, ...endOf(event)] : [event]))
    },
  }
}

/** The namespace of the graph of a task. A model inside a task of tools belongs to an inner graph. */
export function graphOf(task: string, isModel: boolean): readonly string[] {
  const parts = task.split('|')
  return isModel && parts.at(-1)?.startsWith('tools:') ? parts : parts.slice(0, -1)
}
