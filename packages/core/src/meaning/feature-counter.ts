import { rememberOne } from '../data/remember.ts'
import type { EventOf, EventType, StreamEvent } from '../events.ts'
import type { Feature } from '../losses.ts'

/** Counts the features that occur in one run. */
export interface FeatureCounter {
  note(event: StreamEvent): void
  /** How often each feature occurred, without those that did not. The map is live: a caller that keeps it copies it. */
  counts(): ReadonlyMap<Feature, number>
}

/** The features of an event, by its type. `openCalls` are the agent's calls that have no output yet. */
type Rows = {
  readonly [Type in EventType]?: (
    event: EventOf<Type>,
    count: (feature: Feature) => void,
    openCalls: Set<string>,
  ) => void
}

const rows: Rows = {
  'message-start': ({ role }, count) => count(role === 'assistant' ? 'messages' : 'other-roles'),
  'message-retract': (_event, count) => count('retract'),
  'step-start': (_event, count) => count('steps'),
  'block-start'({ kind }, count) {
    if (kind === 'reasoning') count('reasoning')
  },
  'block-patch'({ signature, encrypted, citations, text }, count) {
    if (signature !== undefined) count('signature')
    if (encrypted !== undefined) count('encrypted')
    if (citations !== undefined) count('citations')
    if (text !== undefined) count('rewrite')
  },
  'tool-start'({ callId, runBy, parentCallId }, count, openCalls) {
    count('tool-calls')
    if (parentCallId !== undefined) count('tool-nesting')
    if (runBy !== 'provider') rememberOne(openCalls, callId)
  },
  'tool-input-delta': (_event, count) => count('tool-input-stream'),
  'tool-progress': (_event, count) => count('tool-progress'),
  'tool-output'({ callId, status }, count, openCalls) {
    const isOfAgent = openCalls.delete(callId)
    if (status === 'cancelled') return
    count('tool-output')
    if (isOfAgent) count('agent-tool-output')
  },
  approval: (_event, count) => count('approvals'),
  source: (_event, count) => count('sources'),
  file: (_event, count) => count('files'),
  todos: (_event, count) => count('todos'),
  'subagent-start': (_event, count) => count('subagents'),
  status: (_event, count) => count('status'),
  usage({ costUsd }, count) {
    count('usage')
    if (costUsd !== undefined) count('cost')
  },
  state: (_event, count) => count('state'),
  data: (_event, count) => count('data'),
  metadata: (_event, count) => count('metadata'),
  control: (_event, count) => count('control'),
  error: (_event, count) => count('errors'),
  'run-end'({ error }, count) {
    if (error !== undefined) count('run-error')
  },
  raw: (_event, count) => count('raw'),
}
const table = new Map(Object.entries(rows)) as Map<
  string,
  (event: StreamEvent, count: (feature: Feature) => void, openCalls: Set<string>) => void
>

export function createFeatureCounter(): FeatureCounter {
  const counts = new Map<Feature, number>()
  const openCalls = new Set<string>()
  const count = (feature: Feature) => void counts.set(feature, (counts.get(feature) ?? 0) + 1)
  return {
    note(event) {
      table.get(event.type)?.(event, count, openCalls)
      if (event.sentAt !== undefined) count('times')
      if (event.meta !== undefined) count('provider-meta')
      if (event.agentId !== undefined && !event.type.startsWith('subagent-')) count('subagent-content')
    },
    counts: () => counts,
  }
}
