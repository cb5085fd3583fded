import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { defined, type Fields } from '../chunk-fields.ts'
import type { Chunk, WireState } from '../wire.ts'

/**
 * The profile for clients before version 1.0, which end a stream at what they do not know. It translates the chunks of
 * 1.0: only an interrupt is an outcome, results are text, and a subagent is an activity. Such a client cannot tell whose
 * words it gets, so the text of a subagent is a thought, because text is the answer.
 */
export function createProfile0(state: WireState, runId: string): WireState {
  /** The messages of subagents that are thoughts here. */
  const thoughts = new Set<Json | undefined>()
  const agents = new Map<Json | undefined, Fields>()

  const rows: { readonly [type: string]: ((chunk: Chunk) => readonly Chunk[]) | undefined } = {
    RUN_STARTED: ({ protocolVersion: _version, ...chunk }) => [chunk],
    RUN_FINISHED: ({ outcome, ...chunk }) => [
      isInterrupt(outcome) ? { ...chunk, outcome: withoutAgents(outcome) } : chunk,
    ],
    SUBAGENT_STARTED(chunk) {
      const { subagentRunId, name, description: task, parentToolCallId: toolCallId } = chunk
      if (isAgain(chunk)) return []
      const agent = { name, task, toolCallId }
      agents.set(subagentRunId, agent)
      return [activityOf(chunk, runId, { ...agent, state: 'live' })]
    },
    SUBAGENT_FINISHED(chunk) {
      const { subagentRunId, result: summary } = chunk
      if (isAgain(chunk)) return []
      return [activityOf(chunk, runId, { ...agents.get(subagentRunId), state: 'done', summary })]
    },
    SUBAGENT_ERROR(chunk) {
      const { subagentRunId, message: summary, code: state = 'failed' } = chunk
      return [activityOf(chunk, runId, { ...agents.get(subagentRunId), state, summary })]
    },
    STEP_STARTED: (chunk) => [withOwnStep(chunk)],
    STEP_FINISHED: (chunk) => [withOwnStep(chunk)],
    TEXT_MESSAGE_START(chunk) {
      const { messageId = null, subagentRunId, role } = chunk
      if (subagentRunId === undefined) return [chunk]
      thoughts.add(messageId)
      const start = { ...chunk, type: 'REASONING_MESSAGE_START', role: 'reasoning' }
      return [{ type: 'REASONING_START', messageId }, withoutAgent(start, { role })]
    },
    TEXT_MESSAGE_CONTENT: (chunk) => [
      thoughts.has(chunk.messageId) ? { ...chunk, type: 'REASONING_MESSAGE_CONTENT' } : chunk,
    ],
    TEXT_MESSAGE_END(chunk) {
      const { messageId = null } = chunk
      if (!thoughts.has(messageId)) return [chunk]
      return [
        { ...chunk, type: 'REASONING_MESSAGE_END' },
        { type: 'REASONING_END', messageId },
      ]
    },
    TOOL_CALL_START(chunk) {
      const { parentMessageId } = chunk
      const parent = thoughts.has(parentMessageId) ? { parentMessageId: `${parentMessageId}/calls` } : {}
      return [withoutAgent({ ...chunk, ...parent })]
    },
    TOOL_CALL_RESULT(chunk) {
      const { content, metadata } = chunk
      const result = isFailure(metadata) ? { ...chunk, ...MCP_FAILURE } : chunk
      const isText = typeof content === 'string'
      return [
        isText ? withoutAgent(result) : withoutAgent({ ...result, content: JSON.stringify(content) }, { json: true }),
      ]
    },
  }

  return {
    push(entry) {
      const chunks = state.push(entry)
      return chunks.flatMap((chunk) => rows[String(chunk.type)]?.(chunk) ?? [withoutAgent(chunk)])
    },
  }
}

/**
 * A failure as MCP's results have it, which is where assistant-ui looks; it reads `isError` only beside one of the other two
 * fields of such a result. The clients before 1.0 pass on what they do not know, and keep none of it.
 */
const MCP_FAILURE = { isError: true, _meta: {} } as const

const isFailure = (metadata: Json | undefined) => isJsonObject(metadata) && metadata.isError === true

/** Steps of several agents may be open at once, and such a client tells them apart by their names alone. */
function withOwnStep(chunk: Chunk): Chunk {
  const { stepName, subagentRunId } = chunk
  return subagentRunId === undefined ? chunk : withoutAgent({ ...chunk, stepName: `${stepName} of ${subagentRunId}` })
}

function isInterrupt(outcome: Json | undefined): outcome is JsonObject {
  return isJsonObject(outcome) && outcome.type === 'interrupt'
}

function withoutAgents(outcome: JsonObject): JsonObject {
  const interrupts = (outcome.interrupts ?? []) as readonly JsonObject[]
  return { ...outcome, interrupts: interrupts.map(({ subagentRunId: _agent, ...interrupt }) => interrupt) }
}

/** Whether a chunk only ends or starts a subagent that a pause interrupts. */
function isAgain({ metadata }: Chunk): boolean {
  return (metadata as { readonly millrace?: JsonObject } | undefined)?.millrace?.again === true
}

/** The chunk with its agent in our own fields, beside more of them. */
function withoutAgent({ subagentRunId, ...chunk }: Chunk, more: Fields = {}): Chunk {
  if (subagentRunId === undefined && Object.keys(more).length === 0) return chunk
  const { millrace, ...metadata } = (chunk.metadata ?? {}) as { readonly [key: string]: JsonObject }
  return { ...chunk, metadata: { ...metadata, millrace: defined({ ...millrace, subagentRunId, ...more }) } }
}

/** An activity of the subagent that a chunk of 1.0 is about. A later one replaces it. */
function activityOf({ subagentRunId, timestamp, metadata }: Chunk, runId: string, content: Fields): Chunk {
  const messageId = `${runId}/subagent/${subagentRunId}`
  const chunk = { messageId, activityType: 'SUBAGENT', content: defined(content) }
  return withoutAgent(
    { type: 'ACTIVITY_SNAPSHOT', ...defined({ ...chunk, subagentRunId, timestamp, metadata }) },
    {
      is: 'subagent',
    },
  )
}
