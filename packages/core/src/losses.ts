/** What a framework's stream or a wire protocol may be unable to carry, and its name for people. */
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
  /** Outputs of calls that the provider does not run. */
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

/** Feature → why it cannot be carried. A declared loss that a stream does carry is a bug. */
export type Losses = { readonly [F in Feature]?: string }

/** A feature that occurs in a run and that a target cannot carry. */
export interface Loss {
  readonly feature: Feature
  readonly count: number
  readonly reason: string
}

/** The losses of a run in which these features occurred, with their counts. */
export function lossesOf(losses: Losses, seen: ReadonlyMap<Feature, number>): readonly Loss[] {
  return (Object.entries(losses) as [Feature, string][]).flatMap(([feature, reason]) => {
    const count = seen.get(feature) ?? 0
    return count > 0 ? [{ feature, count, reason }] : []
  })
}
