import type { EventOf, StreamEvent } from '../../events.ts'
import { chunkOf } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { customChunk, metadataOf, payloadOf, scopeOf } from './chunk.ts'
import type { Messages } from './messages.ts'
import { isPatch } from './patch-shape.ts'
import type { Stream } from './stream.ts'

export type OtherRows = Pick<
  Rows,
  'message-retract' | 'source' | 'file' | 'state' | 'metadata' | 'control' | 'error' | 'raw'
>

/** The channels that may be the one state that the client holds; the first of them that sends an event is it. */
const SHARED: ReadonlySet<string> = new Set(['state', 'values'])

/** Events that are exactly one chunk. */
export function otherRows({ emit, idOf }: Stream, messages: Messages): OtherRows {
  let sharedChannel: string | undefined

  const emitCustom = (event: StreamEvent): void => emit(customChunk(event, payloadOf(event, idOf)))

  const emitIfShown = (event: StreamEvent): void => {
    if (messages.roleOf(event) !== undefined) emitCustom(event)
  }

  function state(event: EventOf<'state'>): void {
    const { channel, op, value, meta } = event
    if (SHARED.has(channel)) sharedChannel ??= channel
    const fields = { ...scopeOf(event), metadata: metadataOf({ channel }, meta) }
    if (channel !== sharedChannel || (op === 'patch' && !isPatch(value))) emitCustom(event)
    else if (op === 'snapshot') emit(chunkOf('STATE_SNAPSHOT', { ...fields, snapshot: value }))
    else emit(chunkOf('STATE_DELTA', { ...fields, delta: value }))
  }

  return {
    'message-retract': emitCustom,
    source: emitIfShown,
    file: emitIfShown,
    state,
    metadata: (event) => emit(customChunk(event, event.metadata)),
    // A RUN_ERROR would end the run; this error did not.
    error: emitCustom,
    control() {},
    raw(event) {
      const { value, reason, meta } = event
      emit(chunkOf('RAW', { ...scopeOf(event), event: value, metadata: metadataOf({ reason }, meta) }))
    },
  }
}
