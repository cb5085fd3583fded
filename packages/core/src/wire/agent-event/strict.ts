import type { Losses } from '../../losses.ts'
import type { Chunk } from '../wire.ts'
import type { AgentEvent } from './tool-events.ts'

const ONLY_FIELDS = 'In the profile `strict` chunks have the fields of the protocol and no other.'

/** What is under other fields than the protocol's. */
export const strictLosses: Losses = {
  messages: 'The client shows one bubble.',
  'other-roles': 'The client has the messages of people and would show them as the answer.',
  retract: 'Text that was sent stays.',
  rewrite: 'Text that was sent can only be appended to.',
  'tool-input-stream': 'Arguments are sent once, when they are complete.',
  'tool-nesting': 'A call does not say within which other it was made.',
  todos: 'A list is a thought.',
  subagents: 'A subagent is a tool.',
  'subagent-content': 'What a subagent says is the progress of a tool.',
  status: 'A status is a thought.',
  errors: 'An error that was survived is a thought.',
  approvals: 'A question is the progress of its call, or a thought.',
  steps: ONLY_FIELDS,
  signature: ONLY_FIELDS,
  encrypted: ONLY_FIELDS,
  citations: ONLY_FIELDS,
  sources: ONLY_FIELDS,
  files: ONLY_FIELDS,
  usage: ONLY_FIELDS,
  cost: ONLY_FIELDS,
  state: ONLY_FIELDS,
  data: ONLY_FIELDS,
  metadata: ONLY_FIELDS,
  control: ONLY_FIELDS,
  times: ONLY_FIELDS,
  'provider-meta': ONLY_FIELDS,
  raw: ONLY_FIELDS,
}

const FIELDS: { readonly [Type in AgentEvent['type']]: readonly string[] } = {
  thought: ['content'],
  tool_call: ['toolName', 'toolArgs'],
  tool_progress: ['toolName', 'data'],
  tool_result: ['toolName', 'output', 'isError'],
  stream: ['content'],
  final: [],
  error: ['error'],
}

/** The same chunks with the protocol's fields only, without those that add nothing to it. */
export function strictly(chunks: readonly Chunk[]): readonly Chunk[] {
  return chunks.flatMap((chunk) => {
    if (chunk.type === 'stream' && chunk.content === '') return []
    const names = FIELDS[chunk.type as AgentEvent['type']]
    const fields = names.flatMap((name) => (chunk[name] === undefined ? [] : [[name, chunk[name]] as const]))
    return [{ type: chunk.type, ...Object.fromEntries(fields) }]
  })
}
