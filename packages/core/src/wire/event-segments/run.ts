import type { EventOf } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { chunkOf, defined } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import type { WireOptions } from '../wire.ts'
import type { Blocks } from './blocks.ts'
import type { EventDraft } from './drafts.ts'
import type { Form, StandaloneEvent, Stream } from './stream.ts'

type RunRows = Pick<
  Rows,
  'run-start' | 'run-end' | 'message-start' | 'message-end' | 'step-start' | 'usage' | 'metadata' | 'message-retract'
>

export interface Run {
  readonly rows: RunRows
  /** A call or a subagent has ended: sends the complete Events again of which nothing more is expected. */
  settle(): void
}

const CARRIED = {
  runStart: new Set(['model']),
  runEnd: new Set(['error']),
  message: new Set(['messageId', 'role', 'model']),
} as const

/** The run, its Events, and their metadata. */
export function createRun(stream: Stream, blocks: Blocks, form: Form, { runId, threadId }: WireOptions): Run {
  const { drafts } = stream

  function begin(event: EventOf<'message-start'>): void {
    const draft = drafts.begin(event, stream.timeOf(event) ?? 0)
    if (drafts.isCurrent(draft)) blocks.stopDeltas()
    stream.emitEvent(event, CARRIED.message, 'event_start', { data: { event: eventOf(draft, [], 'partial') } })
  }

  function end(event: EventOf<'message-end'>): void {
    const draft = drafts.find(event.messageId)
    if (draft === undefined) return
    blocks.writeOpen(draft)
    if (drafts.isCurrent(draft)) blocks.stopDeltas()
    const ended = drafts.end(event.messageId, event.interrupted === true)
    if (ended === undefined) return
    const { type, fields } = completion(ended)
    stream.emitEvent(event, CARRIED.message, type, fields)
  }

  /** The chunk that has all of an Event. */
  function completion(draft: EventDraft): StandaloneEvent {
    const event = eventOf(draft, [...draft.segments], draft.isInterrupted ? 'interrupted' : 'complete')
    const isFinal = form === 'tools' && draft.role === 'assistant'
    return isFinal
      ? { type: 'message_final', fields: { event } }
      : { type: 'event_complete', fields: { data: { event } } }
  }

  /**
   * Sends the Events again that have changed since they were complete: a client may have stored them without the results of their
   * calls. Readers have read the changes themselves.
   */
  function completeAgain(isRunEnd: boolean): void {
    for (const draft of drafts.takeChanged(isRunEnd)) {
      blocks.writeOpen(draft)
      const { type, fields } = completion(draft)
      stream.emit(chunkOf(type, { ...fields, millrace: {} }))
      drafts.forget(draft)
    }
  }

  const rows: RunRows = {
    'run-start'(event) {
      const metadata = defined({ model: event.model, conversationId: threadId })
      stream.emitEvent({ ...event, ...{ runId } }, CARRIED.runStart, 'run_start', { metadata })
    },
    // A subagent's messages are not Events: their content becomes segments of the Event that started it.
    'message-start': (event) => (event.agentId === undefined ? begin(event) : stream.emitMillrace(event)),
    'message-end': (event) => (event.agentId === undefined ? end(event) : stream.emitMillrace(event)),
    'run-end'(event) {
      const { error } = event
      completeAgain(true)
      if (error !== undefined) {
        const { message, code, name } = error
        const reportedError = { code: code ?? name ?? 'error', message }
        stream.emit(chunkOf('error', { data: { error: reportedError }, millrace: { error: defined({ ...error }) } }))
      }
      stream.emitEvent(event, CARRIED.runEnd, 'complete', {})
    },
    'message-retract'(event) {
      stream.emitMillrace({ ...event, messageIds: event.messageIds.map(drafts.idOf) })
    },
    'step-start'(event) {
      if (event.agentId === undefined) drafts.find(undefined)?.usage.nextStep(undefined)
      stream.emitMillrace(event)
    },
    usage(event) {
      if (event.scope === 'step' && event.agentId === undefined) drafts.find(event.messageId)?.usage.add(event)
      stream.emitMillrace(event)
    },
    metadata(event) {
      const draft = event.agentId === undefined ? drafts.find(undefined) : undefined
      const { model } = event.metadata
      if (draft?.isOpen && typeof model === 'string') draft.model = model
      stream.emitMillrace(event)
    },
  }
  return { rows, settle: () => completeAgain(false) }
}

type Status = 'partial' | 'complete' | 'interrupted'

/** An Event in the protocol's form. */
function eventOf(draft: EventDraft, segments: readonly JsonObject[], completion_status: Status): JsonObject {
  const { id, role, startedAt: ts, model } = draft
  const usage = usageOf(draft)
  const response_metadata = defined({ model, ...(completion_status !== 'partial' && { completion_status }), usage })
  const hasDetails = role === 'assistant' && Object.keys(response_metadata).length > 0
  return { id, role, segments, ts, ...(hasDetails && { response_metadata }) }
}

function usageOf({ usage }: EventDraft): JsonObject | undefined {
  const { inputTokens, outputTokens, reasoningTokens } = usage.total() ?? {}
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  return defined({
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    reasoning_tokens: reasoningTokens,
    total_tokens: (inputTokens ?? 0) + (outputTokens ?? 0),
  })
}
