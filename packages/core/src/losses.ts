import type { EventOf, EventType, StreamEvent } from './events.ts'
import { rememberOne } from './remember.ts'

/** What a framework's stream or a wire protocol may be unable to say, and what people call it. */
export const features = {
  messages: 'where a message begins',
  'other-roles': 'messages of others',
  retract: 'withdrawn messages',
  steps: 'steps',
  reasoning: 'reasoning',
  signature: 'signatures',
  encrypted: 'encrypted reasoning',
  citations: 'citations',
  rewrite: 'rewritten text',
  'tool-calls': 'tool calls',
  'tool-input-stream': 'tool inputs as they are written',
  'tool-progress': 'progress of tools',
  'tool-output': 'outputs of tools',
  /** Of calls that are not the provider's. */
  'agent-tool-output': 'outputs of the agent’s tools',
  'tool-nesting': 'calls within calls',
  approvals: 'approvals',
  sources: 'sources',
  files: 'files',
  todos: 'plans',
  subagents: 'subagents',
  'subagent-content': 'what subagents say and do',
  status: 'status lines',
  usage: 'token counts',
  cost: 'costs',
  state: 'state',
  data: 'data of applications',
  metadata: 'metadata',
  control: 'requests to stop or steer',
  errors: 'errors that were survived',
  'run-error': 'why a run failed',
  times: 'times told by the framework',
  'provider-meta': 'what a provider wants back',
  raw: 'records that were not understood',
} as const satisfies { readonly [feature: string]: string }

export type Feature = keyof typeof features

/** Feature → why it cannot be said. A declared loss that a stream does carry is a fault. */
export type Losses = { readonly [F in Feature]?: string }

/** One thing that a run has and a target cannot carry. */
export interface Loss {
  readonly feature: Feature
  readonly count: number
  readonly reason: string
}

/** What is lost of a run in which all this was seen. */
export function lossesOf(losses: Losses, seen: ReadonlyMap<Feature, number>): readonly Loss[] {
  return (Object.entries(losses) as [Feature, string][]).flatMap(([feature, reason]) => {
    const count = seen.get(feature) ?? 0
    return count > 0 ? [{ feature, count, reason }] : []
  })
}

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
