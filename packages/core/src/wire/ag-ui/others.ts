import type { EventOf, StreamEvent } from '../../events.ts'
import { chunkOf } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { custom, metadataOf, ownFields, placeOf } from './chunk.ts'
import { isPatch } from './patch-shape.ts'
import type { Speakers } from './speakers.ts'
import type { Stream } from './stream.ts'

export type OtherRows = Pick<
  Rows,
  'message-retract' | 'source' | 'file' | 'state' | 'metadata' | 'control' | 'error' | 'raw'
>

/** The client holds one state. Of our channels those are meant for it; the first one that speaks is it. */
const SHARED: ReadonlySet<string> = new Set(['state', 'values'])

/** What is one chunk at once. */
export function otherRows({ emit, idOf }: Stream, speakers: Speakers): OtherRows {
  let shared: string | undefined

  const say = (event: StreamEvent): void => emit(custom(event, ownFields(event, idOf)))

  const draw = (event: StreamEvent): void => {
    if (speakers.roleOf(event) !== undefined) say(event)
  }

  function state(event: EventOf<'state'>): void {
    const { channel, op, value, meta } = event
    if (SHARED.has(channel)) shared ??= channel
    const fields = { ...placeOf(event), metadata: metadataOf({ channel }, meta) }
    if (channel !== shared || (op === 'patch' && !isPatch(value))) say(event)
    else if (op === 'snapshot') emit(chunkOf('STATE_SNAPSHOT', { ...fields, snapshot: value }))
    else emit(chunkOf('STATE_DELTA', { ...fields, delta: value }))
  }

  return {
    'message-retract': say,
    source: draw,
    file: draw,
    state,
    metadata: (event) => emit(custom(event, event.metadata)),
    // A RUN_ERROR would end the run; this error did not.
    error: say,
    control() {},
    raw(event) {
      const { value, reason, meta } = event
      emit(chunkOf('RAW', { ...placeOf(event), event: value, metadata: metadataOf({ reason }, meta) }))
    },
  }
}
