import type { Meta } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { chunkOf, defined, type Fields, mergeMeta } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { metadataOf, placedChunk, placeOf, timestampOf } from './chunk.ts'
import { inputText, isSaid } from './input-text.ts'
import type { Parents } from './parents.ts'
import { resultOf } from './result.ts'
import type { Speakers } from './speakers.ts'
import type { Stream } from './stream.ts'

export type ToolRows = Pick<Rows, 'tool-start' | 'tool-input-delta' | 'tool-input' | 'tool-progress' | 'tool-output'>

export interface Tools {
  readonly rows: ToolRows
  /** The calls that have no output. */
  pending(): readonly string[]
}

interface OpenCall {
  readonly id: string
  readonly own: Fields
  readonly agentId: string | undefined
  meta: Meta | undefined
  /** Its input as it was streamed; undefined once it is whole. */
  text: string | undefined
  hasProgress: boolean
}

export function createTools(stream: Stream, speakers: Speakers, parents: Parents): Tools {
  const { emit, idOf, pauses } = stream
  const calls = new Map<string, OpenCall>()

  function start(event: EventOf<'tool-start'>): void {
    // A client has the calls that it has run, with their results.
    if (speakers.roleOf(event) === undefined) return
    const { callId, name, title, runBy, server, parentCallId, agentId, meta } = event
    const id = idOf(callId)
    const parent = parentCallId === undefined ? undefined : idOf(parentCallId)
    const own = { runBy, title, server, parentCallId: parent, messageId: speakers.messageOf(event) }
    calls.set(callId, { id, own, agentId, meta, text: '', hasProgress: false })
    pauses.open()
    emit(
      placedChunk('TOOL_CALL_START', event, {
        toolCallId: id,
        toolCallName: name,
        parentMessageId: parents.of(agentId, idOf(`calls/${callId}`)),
        metadata: metadataOf(own, meta),
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
    const more = besides(event, streamed)
    const hasMore = meta !== undefined || more !== undefined
    call.meta = mergeMeta(call.meta, meta)
    const metadata = hasMore ? metadataOf({ ...call.own, ...more }, call.meta) : undefined
    const encryptedValue = meta?.['ag-ui']?.encryptedValue
    if (typeof encryptedValue === 'string') {
      emit({ type: 'REASONING_ENCRYPTED_VALUE', subtype: 'tool-call', entityId: call.id, encryptedValue })
    }
    emit(chunkOf('TOOL_CALL_END', { toolCallId: call.id, timestamp: timestampOf(event.sentAt), metadata }))
  }

  /** An activity that grows: a result is said once, for each is a message. */
  function progress(event: EventOf<'tool-progress'>): void {
    const { callId, channel, text, data, percent } = event
    const call = calls.get(callId)
    if (call === undefined) return
    const piece = defined({ channel, text, data, percent })
    const metadata = metadataOf({ is: 'progress', callId: call.id }, event.meta)
    const place = { ...placeOf(event), messageId: idOf(`progress/${callId}`) }
    const activity = { ...place, activityType: 'TOOL_PROGRESS', metadata }
    if (call.hasProgress) {
      emit(chunkOf('ACTIVITY_DELTA', { ...activity, patch: [{ op: 'add', path: '/pieces/-', value: piece }] }))
      return
    }
    call.hasProgress = true
    emit(chunkOf('ACTIVITY_SNAPSHOT', { ...activity, content: { toolCallId: call.id, pieces: [piece] } }))
  }

  function output(event: EventOf<'tool-output'>): void {
    const { callId, status, sentAt, meta } = event
    const call = calls.get(callId)
    if (call === undefined) return
    calls.delete(callId)
    parents.part(call.agentId)
    const { content, own } = resultOf(event)
    // There is no other sign of failure that clients have agreed on.
    const flag = status === 'ok' ? undefined : { isError: true }
    emit(
      placedChunk(
        'TOOL_CALL_RESULT',
        { agentId: call.agentId ?? event.agentId, sentAt },
        {
          messageId: idOf(`result/${callId}`),
          toolCallId: call.id,
          content,
          role: 'tool',
          metadata: metadataOf(own, meta, flag),
        },
      ),
    )
  }

  return {
    rows: {
      'tool-start': start,
      'tool-input-delta': inputDelta,
      'tool-input': input,
      'tool-progress': progress,
      'tool-output': output,
    },
    pending: () => [...calls.values()].map(({ id }) => id),
  }
}

/** What the text alone does not say: that it is no JSON, or that it was not the last word. */
function besides({ input, text, error }: EventOf<'tool-input'>, streamed: string): Fields | undefined {
  if (error !== undefined) return { inputText: text, error }
  return streamed === '' || isSaid(streamed, input) ? undefined : { input }
}
