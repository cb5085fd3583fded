import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { SubagentStatus } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Out } from '../kit/voice.ts'
import { type Call, type Calls, completeInput, inputText, mentions } from './calls.ts'
import { type GraphScope, MAIN } from './emitted-message.ts'

/** What is known of a graph when it first appears. */
export interface Hints {
  readonly agentName?: string | undefined
  /** The first message to it. */
  readonly task?: string | undefined
}

type Namespace = readonly string[]

interface InnerGraph extends GraphScope {
  readonly agent: { readonly agentId: string }
  readonly node: string
  readonly parentKey: string
}

/** The most graphs that are remembered, so that an endless stream does not exhaust memory. */
const MAX_GRAPHS = 4096

/** The graphs inside the main one, each of them an agent. A namespace does not name the call that it runs for. */
export function createNamespaces(calls: Calls) {
  const graphs = new Map<string, InnerGraph>()
  /** By the id of the call that the graph runs for. */
  const byCall = new Map<string, InnerGraph>()
  const links = new Map<string, { readonly callId: string; readonly name: string | undefined }>()

  function callFor(parent: GraphScope, part: string, { task, agentName }: Hints): Call | undefined {
    const link = links.get(part) ?? links.get(part.slice(part.indexOf(':') + 1))
    const linked = calls.find(parent, link?.callId)
    if (linked !== undefined) return linked
    if (!part.startsWith('tools:')) return undefined
    const free = calls.open(parent).filter((call) => !call.isLinked)
    const mentioning = (text: string | undefined) => text && free.find((call) => mentions(call, text))
    return mentioning(task) || mentioning(agentName) || free[0]
  }

  /** The scope of a namespace that was entered before. */
  function scopeOf(namespace: Namespace): GraphScope | undefined {
    return namespace.length === 0 ? MAIN : graphs.get(namespace.join('|'))
  }

  /** The scope of a namespace, or of the nearest outer one, that was entered before. */
  function nearestScope(namespace: Namespace): GraphScope {
    return scopeOf(namespace) ?? nearestScope(namespace.slice(0, -1))
  }

  function enter(out: Out, namespace: Namespace, hints: Hints): GraphScope {
    const part = namespace.at(-1)
    if (part === undefined) return MAIN
    const key = namespace.join('|')
    const existing = graphs.get(key)
    if (existing !== undefined) return existing
    const outer = enter(out, namespace.slice(0, -1), {})
    const call = callFor(outer, part, hints)
    if (call !== undefined) call.isLinked = true
    const node = part.replace(/:[^:]*$/, '')
    const task = hints.task ?? (call && (inputText(call, 'description') ?? inputText(call, 'prompt')))
    const agentId = call?.callId ?? key
    const scope = remember(graphs, key, { key, agent: { agentId }, call, task, node, parentKey: outer.key }, MAX_GRAPHS)
    if (call !== undefined) {
      remember(byCall, call.callId, scope, MAX_GRAPHS)
      completeInput(out, call)
    }
    const name = hints.agentName ?? links.get(part)?.name ?? (call && inputText(call, 'subagent_type')) ?? call?.name
    const parentAgentId = outer.agent.agentId
    const fields = present({ task, callId: call?.callId, parentAgentId })
    out.push({ type: 'subagent-start', agentId, name: name ?? node, ...fields })
    return scope
  }

  /** Ends a graph and those inside it. */
  function leave(out: Out, key: string, status: SubagentStatus): void {
    const leaving = [...graphs].filter(([inner]) => inner === key || inner.startsWith(`${key}|`)).reverse()
    for (const [, { agent }] of leaving) out.push({ type: 'subagent-end', ...agent, status })
  }

  return {
    enter,
    scopeOf,
    nearestScope,
    /** Links a task or a namespace to the call that it runs for. */
    link: (task: string, callId: string, name?: string) => void remember(links, task, { callId, name }, MAX_GRAPHS),
    leave,
    /** Ends the graphs that a node of this namespace ran. */
    leaveNode(out: Out, namespace: Namespace, node: string): void {
      const parentKey = namespace.join('|')
      // An agent that runs for a call ends with its output.
      for (const [key, inner] of graphs)
        if (inner.parentKey === parentKey && inner.node === node && inner.call === undefined) leave(out, key, 'done')
    },
    /** The end of the agent whose call gets its output. */
    endOf({ callId, status, output }: EventOf<'tool-output'>): EventOf<'subagent-end'> | undefined {
      const inner = byCall.get(callId)
      if (inner === undefined) return undefined
      byCall.delete(callId)
      const summary = typeof output === 'string' ? { summary: output } : {}
      return { type: 'subagent-end', ...inner.agent, status: status === 'ok' ? 'done' : 'failed', ...summary }
    },
  }
}
