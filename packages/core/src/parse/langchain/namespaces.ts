import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { SubagentStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { type Call, type Calls, inputWord, mentions } from './calls.ts'
import { inputEvents, MAIN, type Scope } from './told.ts'

/** What is known of a graph when it is first heard of. */
export interface Hints {
  readonly agentName?: string | undefined
  /** The first thing that was said to it. */
  readonly task?: string | undefined
}

/** The graphs that run inside the main one, each of them an agent. A namespace does not say which call it runs for. */
export interface Namespaces {
  enter(namespace: readonly string[], hints: Hints): { readonly scope: Scope; readonly events: StreamEvent[] }
  /** The agent of a namespace, or of the nearest one around it, that was heard of before. */
  known(namespace: readonly string[]): string | undefined
  /** The scope of a namespace that was heard of before. */
  scopeOf(namespace: readonly string[]): Scope | undefined
  /** Notes which call a task, or a namespace, runs for. */
  link(task: string, callId: string, name?: string): void
  leave(namespace: readonly string[], status: SubagentStatus): StreamEvent[]
  /** Ends the graphs that a node of this namespace ran. */
  leaveNode(namespace: readonly string[], node: string): StreamEvent[]
  /** Adds the ends of the agents whose calls have their output now. */
  withEnds(events: StreamEvent[]): StreamEvent[]
}

interface Agent {
  readonly scope: Scope
  readonly node: string
  readonly parentKey: string
}

/** How many graphs are remembered: an endless stream must not grow. */
const MAX_GRAPHS = 4096

export function createNamespaces(calls: Calls): Namespaces {
  const agents = new Map<string, Agent>()
  /** By the id of the call that each runs for. */
  const byCall = new Map<string, Agent>()
  const links = new Map<string, { readonly callId: string; readonly name: string | undefined }>()

  function callFor(parent: Scope, part: string, { task, agentName }: Hints): Call | undefined {
    const link = links.get(part) ?? links.get(part.slice(part.indexOf(':') + 1))
    const linked = calls.find(parent, link?.callId)
    if (linked !== undefined) return linked
    if (!part.startsWith('tools:')) return undefined
    const free = calls.open(parent).filter((call) => !call.isLinked)
    const asked = task === undefined ? undefined : free.find((call) => mentions(call, task))
    const meant = agentName === undefined ? undefined : free.find((call) => mentions(call, agentName))
    return asked ?? meant ?? free[0]
  }

  function enter(namespace: readonly string[], hints: Hints): { scope: Scope; events: StreamEvent[] } {
    const part = namespace.at(-1)
    if (part === undefined) return { scope: MAIN, events: [] }
    const key = namespace.join('|')
    const known = agents.get(key)
    if (known !== undefined) return { scope: known.scope, events: [] }
    const outer = enter(namespace.slice(0, -1), {})
    const call = callFor(outer.scope, part, hints)
    if (call !== undefined) call.isLinked = true
    const node = part.replace(/:[^:]*$/, '')
    const task = hints.task ?? (call && (inputWord(call, 'description') ?? inputWord(call, 'prompt')))
    const agentId = call?.callId ?? key
    const agent: Agent = { scope: { key, agentId, call, task }, node, parentKey: outer.scope.key }
    remember(agents, key, agent, MAX_GRAPHS)
    if (call !== undefined) remember(byCall, call.callId, agent, MAX_GRAPHS)
    const name = hints.agentName ?? links.get(part)?.name ?? (call && inputWord(call, 'subagent_type')) ?? call?.name
    const start: EventOf<'subagent-start'> = {
      type: 'subagent-start',
      agentId,
      name: name ?? node,
      ...present({ task, callId: call?.callId, parentAgentId: outer.scope.agentId }),
    }
    return { scope: agent.scope, events: [...outer.events, ...(call === undefined ? [] : inputEvents(call)), start] }
  }

  /** A graph that ends has ended those inside it. */
  function leave(key: string, status: SubagentStatus): StreamEvent[] {
    const left = [...agents].filter(([inner]) => inner === key || inner.startsWith(`${key}|`)).reverse()
    return left.flatMap(([, { scope }]) =>
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
    known(namespace) {
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
      const left = [...agents].filter(([, agent]) => agent.parentKey === parentKey && agent.node === node)
      // An agent that runs for a call ends with its output.
      return left.filter(([, agent]) => agent.scope.call === undefined).flatMap(([key]) => leave(key, 'done'))
    },
    withEnds(events) {
      if (byCall.size === 0 || !events.some(({ type }) => type === 'tool-output')) return events
      return events.flatMap((event) => (event.type === 'tool-output' ? [event, ...endOf(event)] : [event]))
    },
  }
}

/** The namespace of the graph that a task belongs to. A task of tools says nothing itself: a model inside it is another's. */
export function graphOf(task: string, isModel: boolean): readonly string[] {
  const parts = task.split('|')
  return isModel && parts.at(-1)?.startsWith('tools:') ? parts : parts.slice(0, -1)
}
