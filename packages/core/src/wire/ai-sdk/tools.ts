import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { chunkOf, type Fields, mergeMeta } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { createApprovals } from './approvals.ts'
import { callOf, metadataOf, type OpenCall } from './call.ts'
import { providerMetadata } from './chunk.ts'
import type { Messages } from './messages.ts'
import type { Response } from './response.ts'
import { createToolProgress } from './tool-progress.ts'

export type ToolRows = Pick<
  Rows,
  'tool-start' | 'tool-input-delta' | 'tool-input' | 'approval' | 'tool-progress' | 'tool-output'
>

/** Tool calls as dynamic tool parts, because the client has no types for an agent's own tools. */
export function toolRows(response: Response, { isDrawn }: Messages): ToolRows {
  const { emit, emitDelta, pauses, isContinued } = response
  const calls = new Map<string, OpenCall>()
  const approvals = createApprovals(response, calls)

  function start(event: EventOf<'tool-start'>): void {
    // A call that the client has run belongs to the client: in a continued message only its output is sent.
    const hasStartChunk = isDrawn(event)
    if (!hasStartChunk && !isContinued) return
    const call = callOf(event, hasStartChunk)
    calls.set(event.callId, call)
    if (!hasStartChunk) return
    pauses.open()
    const { name, title } = call
    emit(chunkOf('tool-input-start', { ...call.fields, toolName: name, title, providerMetadata: metadataOf(call) }))
  }

  function input(event: EventOf<'tool-input'>): void {
    const call = calls.get(event.callId)
    if (call?.hasStartChunk !== true) return
    pauses.close()
    call.meta = mergeMeta(call.meta, event.meta)
    const common = { ...call.fields, toolName: call.name, title: call.title, providerMetadata: metadataOf(call) }
    const { error, text, input: value } = event
    if (error === undefined) emit(chunkOf('tool-input-available', { ...common, input: value ?? null }))
    else emit(chunkOf('tool-input-error', { ...common, input: text ?? value ?? '', errorText: error }))
  }

  function addProgress(event: EventOf<'tool-progress'>): void {
    const call = calls.get(event.callId)
    if (call === undefined) return
    call.toolProgress ??= createToolProgress()
    const output = call.toolProgress.add(event)
    // An output, even a preliminary one, would remove the open question from the client's view.
    if (output === undefined || call.isAwaitingAnswer) return
    emit(chunkOf('tool-output-available', { ...call.fields, output, preliminary: true }))
  }

  function output(event: EventOf<'tool-output'>): void {
    const call = calls.get(event.callId)
    if (call === undefined) return
    calls.delete(event.callId)
    const { type, ...fields } = outputs[event.status](event)
    // Without the mark, the client would send a new request by itself once a call has an output.
    const executed = { ...call.fields, providerExecuted: true }
    emit(chunkOf(type, event.status === 'denied' ? { toolCallId: call.callId, ...fields } : { ...executed, ...fields }))
  }

  return {
    'tool-start': start,
    'tool-input-delta'({ callId, text }) {
      if (calls.get(callId)?.hasStartChunk !== true) return
      emitDelta({ type: 'tool-input-delta', toolCallId: callId, inputTextDelta: text })
    },
    'tool-input': input,
    approval: approvals.push,
    'tool-progress': addProgress,
    'tool-output': output,
  }
}

type OutputFields = Fields & { readonly type: string }

const outputs: {
  readonly [Status in EventOf<'tool-output'>['status']]: (event: EventOf<'tool-output'>) => OutputFields
} = {
  ok: ({ output, meta }) => ({ type: 'tool-output-available', output, providerMetadata: meta }),
  error: (event) => failure(event, event.error ?? textOf(event.output) ?? 'The tool failed.', {}),
  cancelled: (event) => failure(event, event.error ?? 'Cancelled', { status: 'cancelled' }),
  denied: ({ output, error, meta }) => ({
    type: 'tool-output-denied',
    providerMetadata: providerMetadata({ output: output ?? undefined, error }, meta),
  }),
}

/** The client keeps one sentence of a failure; an additional output goes into metadata that it keeps but does not read. */
function failure(event: EventOf<'tool-output'>, errorText: string, extra: Fields): OutputFields {
  const { output, meta } = event
  const otherOutput = output === null || output === errorText ? undefined : output
  return {
    type: 'tool-output-error',
    errorText,
    providerMetadata: providerMetadata({ ...extra, output: otherOutput }, meta),
  }
}

function textOf(output: Json): string | undefined {
  if (output === null || output === '') return undefined
  return typeof output === 'string' ? output : JSON.stringify(output)
}
