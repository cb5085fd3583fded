import type { StreamEvent } from './events.ts'

/**
 * What a framework's stream or a wire protocol may be unable to say. Each feature is a question about an event, so that
 * a declared loss can be checked against the streams themselves.
 */
export const features = {
  messages: (event) => event.type === 'message-start' && event.role === 'assistant',
  'other-roles': (event) => event.type === 'message-start' && event.role !== 'assistant',
  retract: (event) => event.type === 'message-retract',
  steps: (event) => event.type === 'step-start',
  reasoning: (event) => event.type === 'block-start' && event.kind === 'reasoning' && event.variant !== 'think-tag',
  signature: (event) => event.type === 'block-patch' && event.signature !== undefined,
  encrypted: (event) => event.type === 'block-patch' && event.encrypted !== undefined,
  citations: (event) => event.type === 'block-patch' && event.citations !== undefined,
  rewrite: (event) => event.type === 'block-patch' && event.text !== undefined,
  'tool-calls': (event) => event.type === 'tool-start',
  'tool-input-stream': (event) => event.type === 'tool-input-delta',
  'tool-progress': (event) => event.type === 'tool-progress',
  'tool-output': (event) => event.type === 'tool-output' && event.status !== 'cancelled',
  /** Of calls that are not the provider's: which those are, their starts say; `parser-laws` looks. */
  'agent-tool-output': () => false,
  'tool-nesting': (event) => event.type === 'tool-start' && event.parentCallId !== undefined,
  approvals: (event) => event.type === 'approval',
  sources: (event) => event.type === 'source',
  files: (event) => event.type === 'file',
  todos: (event) => event.type === 'todos',
  subagents: (event) => event.type === 'subagent-start',
  'subagent-content': (event) => event.agentId !== undefined && !event.type.startsWith('subagent-'),
  status: (event) => event.type === 'status',
  usage: (event) => event.type === 'usage',
  cost: (event) => event.type === 'usage' && event.costUsd !== undefined,
  state: (event) => event.type === 'state',
  data: (event) => event.type === 'data',
  metadata: (event) => event.type === 'metadata',
  control: (event) => event.type === 'control',
  errors: (event) => event.type === 'error',
  'run-error': (event) => event.type === 'run-end' && event.error !== undefined,
  times: (event) => event.sentAt !== undefined,
  'provider-meta': (event) => event.meta !== undefined,
  raw: (event) => event.type === 'raw',
} as const satisfies { readonly [feature: string]: (event: StreamEvent) => boolean }

export type Feature = keyof typeof features

/** Feature → why it cannot be said. A declared loss that a stream does carry is a fault. */
export type Losses = { readonly [F in Feature]?: string }
