import type { Meta } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { chunkOf, defined, type Fields, mergeMeta } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { metadataOf, scopedChunk, scopeOf, timestampOf } from './chunk.ts'
import { inputText, matchesInput } from './input-text.ts'
import type { CallParents, Messages } from './messages.ts'
import { resultOf } from './result.ts'
import type { Stream } from './stream.ts'

export type ToolRows = Pick<Rows, 'tool-start' | 'tool-input-delta' | 'tool-input' | 'tool-progress' | 'tool-output'>

export interface Tools {
  readonly rows: ToolRows
  /** The calls that have no output. */
  pending(): readonly string[]
}

interface OpenCall {
  readonly id: string
  readonly extra: Fields
  readonly agentId: string | undefined
  meta: Meta | undefined
  /** Its input as streamed so far; undefined once it is complete. */
  text: string | undefined
  hasActivity: boolean
}

export function createTools(stream: Stream, messages: Messages, parents: CallParents): Tools {
  const { emit, idOf, pauses } = stream
  const calls = new Map<string, OpenCall>()

  function start(event: EventOf<'tool-start'>): void {
    // A client already has the calls that it has run, with their results.
    if (messages.roleOf(event) === undefined) return
    const { callId, name, title, runBy, server, parentCallId, agentId, meta } = event
    const id = idOf(callId)
    const parent = parentCallId === undefined ? undefined : idOf(parentCallId)
    const extra = { runBy, title, server, parentCallId: parent, messageId: messages.messageOf(event) }
    calls.set(callId, { id, extra, agentId, meta, text: '', hasActivity: false })
    pauses.open()
    emit(
      scopedChunk('TOOL_CALL_START', event, {
        toolCallId: id,
        toolCallName: name,
        parentMessageId: parents.parentOf(agentId, idOf(`calls/${callId}`)),
        metadata: metadataOf(extra, meta),
      }),
    )
  }

  function inputDelta({ callId, text, sentAt }: EventOf<'tool-input-delta'>): void {
    const call = calls.get(callId)
    if (call?.text === undefined) return
    call.text += text
    if (sentAt === undefined) emit({ type: 'TOOL_CALL_ARGS', toolCallId: call.id, delta: text })
    else emit(chunkOf('TOOL_CALL_ARGS', { toolCallId: call.id, delta: text, timestamp: timestampOf(sentAt) }))
  }

  function input(event: EventOf<'tool-input'>): void {
    const { callId, meta } = event
    const call = calls.get(callId)
    if (call?.text === undefined) return
    const { text: streamed } = call
    call.text = undefined
    pauses.close()
    const whole = streamed === '' ? inputText(event) : ''
    if (whole !== '') emit({ type: 'TOOL_CALL_ARGS', toolCallId: call.id, delta: whole })
    const inputFields = inputExtra(event, streamed)
    const hasMore = meta !== undefined || inputFields !== undefined
    call.meta = mergeMeta(call.meta, meta)
    const metadata = hasMore ? metadataOf({ ...call.extra, ...inputFields }, call.meta) : undefined
    const encryptedValue = meta?.['ag-ui']?.encryptedValue
    if (typeof encryptedValue === 'string') {
      emit({ type: 'REASONING_ENCRYPTED_VALUE', subtype: 'tool-call', entityId: call.id, encryptedValue })
    }
    emit(chunkOf('TOOL_CALL_END', { toolCallId: call.id, timestamp: timestampOf(event.sentAt), metadata }))
  }

  /** Progress is an activity that grows. A result cannot be sent repeatedly, because each one is a message. */
  function addProgress(event: EventOf<'tool-progress'>): void {
    const { callId, channel, text, data, percent } = event
    const call = calls.get(callId)
    if (call === undefined) return
    const update = defined({ channel, text, data, percent })
    const metadata = metadataOf({ is: 'progress', callId: call.id }, event.meta)
    const scope = { ...scopeOf(event), messageId: idOf(`progress/${callId}`) }
    const activity = { ...scope, activityType: 'TOOL_PROGRESS', metadata }
    if (call.hasActivity) {
      emit(chunkOf('ACTIVITY_DELTA', { ...activity, patch: [{ op: 'add', path: '/pieces/-', value: update }] }))
      return
    }
    call.hasActivity = true
    emit(chunkOf('ACTIVITY_SNAPSHOT', { ...activity, content: { toolCallId: call.id, pieces: [update] } }))
  }

  function output(event: EventOf<'tool-output'>): void {
    const { callId, status, sentAt, meta } = event
    const call = calls.get(callId)
    if (call === undefined) return
    calls.delete(callId)
    parents.endGroup(call.agentId)
    const { content, extra } = resultOf(event)
    const flag = status === 'ok' ? undefined : FAILED
    emit(
      scopedChunk(
        'TOOL_CALL_RESULT',
        { agentId: call.agentId ?? event.agentId, sentAt },
        {
          messageId: idOf(`result/${callId}`),
          toolCallId: call.id,
          content,
          role: 'tool',
          metadata: metadataOf(extra, meta, flag),
        },
      ),
    )
  }

  return {
    rows: {
      'tool-start': start,
      'tool-input-delta': inputDelta,
      'tool-input': input,
      'tool-progress': addProgress,
      'tool-output': output,
    },
    pending: () => [...calls.values()].map(({ id }) => id),
  }
}

/** The protocol has no field for a failure: the sign that most clients look for, and the one of TanStack's. */
const FAILED = { isError: true, tanstack: { state: 'output-error' } } as const

/** What the streamed text alone does not express: that it is not JSON, or that the input is another one. */
function inputExtra({ input, text, error }: EventOf<'tool-input'>, streamed: string): Fields | undefined {
  if (error !== undefined) return { inputText: text, error }
  return streamed === '' || matchesInput(streamed, input) ? undefined : { input }
}
