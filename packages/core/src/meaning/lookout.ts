import { rememberOne } from '../data/remember.ts'
import type { EventOf, EventType, StreamEvent } from '../events.ts'
import type { Feature } from '../losses.ts'

/** Watches one run go by. */
export interface Lookout {
  note(event: StreamEvent): void
  /** How often each feature occurred; what did not is left out. It goes on counting: copy what has to stay. */
  seen(): ReadonlyMap<Feature, number>
}

/** Which features an event shows, by its type. `openCalls` are those of the agent that have no output yet. */
type Rows = {
  readonly [Type in EventType]?: (event: EventOf<Type>, see: (feature: Feature) => void, openCalls: Set<string>) => void
}

const rows: Rows = {
  'message-start': ({ role }, see) => see(role === 'assistant' ? 'messages' : 'other-roles'),
  'message-retract': (_event, see) => see('retract'),
  'step-start': (_event, see) => see('steps'),
  'block-start'({ kind }, see) {
    if (kind === 'reasoning') see('reasoning')
  },
  'block-patch'({ signature, encrypted, citations, text }, see) {
    if (signature !== undefined) see('signature')
    if (encrypted !== undefined) see('encrypted')
    if (citations !== undefined) see('citations')
    if (text !== undefined) see('rewrite')
  },
  'tool-start'({ callId, runBy, parentCallId }, see, openCalls) {
    see('tool-calls')
    if (parentCallId !== undefined) see('tool-nesting')
    if (runBy !== 'provider') rememberOne(openCalls, callId)
  },
  'tool-input-delta': (_event, see) => see('tool-input-stream'),
  'tool-progress': (_event, see) => see('tool-progress'),
  'tool-output'({ callId, status }, see, openCalls) {
    const isOfAgent = openCalls.delete(callId)
    if (status === 'cancelled') return
    see('tool-output')
    if (isOfAgent) see('agent-tool-output')
  },
  approval: (_event, see) => see('approvals'),
  source: (_event, see) => see('sources'),
  file: (_event, see) => see('files'),
  todos: (_event, see) => see('todos'),
  'subagent-start': (_event, see) => see('subagents'),
  status: (_event, see) => see('status'),
  usage({ costUsd }, see) {
    see('usage')
    if (costUsd !== undefined) see('cost')
  },
  state: (_event, see) => see('state'),
  data: (_event, see) => see('data'),
  metadata: (_event, see) => see('metadata'),
  control: (_event, see) => see('control'),
  error: (_event, see) => see('errors'),
  'run-end'({ error }, see) {
    if (error !== undefined) see('run-error')
  },
  raw: (_event, see) => see('raw'),
}
const table = new Map(Object.entries(rows)) as Map<
  string,
  (event: StreamEvent, see: (feature: Feature) => void, openCalls: Set<string>) => void
>

export function createLookout(): Lookout {
  const counts = new Map<Feature, number>()
  const openCalls = new Set<string>()
  const see = (feature: Feature) => void counts.set(feature, (counts.get(feature) ?? 0) + 1)
  return {
    note(event) {
      table.get(event.type)?.(event, see, openCalls)
      if (event.sentAt !== undefined) see('times')
      if (event.meta !== undefined) see('provider-meta')
      if (event.agentId !== undefined && !event.type.startsWith('subagent-')) see('subagent-content')
    },
    seen: () => counts,
  }
}
