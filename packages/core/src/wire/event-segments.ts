import { StreamError } from '../errors.ts'
import { createBlocks } from './event-segments/blocks.ts'
import { callRows } from './event-segments/calls.ts'
import { createDrafts } from './event-segments/drafts.ts'
import { extraRows } from './event-segments/extras.ts'
import { runRows } from './event-segments/run.ts'
import { createStream, type Form } from './event-segments/stream.ts'
import { byRows, type Rows } from './rows.ts'
import type { Wire, WireOptions, WireState } from './wire.ts'

/** By profile, whether calls and texts begin as segments or as events of their own. */
const forms: { readonly [profile: string]: Form } = { default: 'segments', tools: 'tools' }

/** Events that are built from segments: one Event per message. What the protocol has no field for stands under `millrace`. */
export const eventSegments: Wire = {
  losses: { retract: 'An Event that a client has stored stays there; which are void is told under `millrace`.' },
  profiles: ['tools'],
  headers: {},
  create,
}

function create(options: WireOptions): WireState {
  const { runId, profile = 'default' } = options
  const form = Object.hasOwn(forms, profile) ? forms[profile] : undefined
  if (form === undefined) throw new StreamError('unknown-wire', `event-segments, profile ${profile}`)
  const stream = createStream(createDrafts(runId), form)
  const blocks = createBlocks(stream)
  const table: Rows = {
    ...runRows(stream, blocks, form, options),
    ...blocks.rows,
    ...callRows(stream, blocks),
    ...extraRows(stream),
    'step-end': stream.sayOwn,
    state: stream.sayOwn,
    control: stream.sayOwn,
    raw: stream.sayOwn,
  }
  const tell = byRows(table)
  return {
    push(entry) {
      stream.turn(entry)
      tell(entry.event)
      return stream.take()
    },
  }
}
