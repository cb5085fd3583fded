import { StreamError } from '../errors.ts'
import type { EventType } from '../events.ts'
import { createBlocks } from './event-segments/blocks.ts'
import { callRows } from './event-segments/calls.ts'
import { createDrafts } from './event-segments/drafts.ts'
import { extraRows } from './event-segments/extras.ts'
import { createEventSegmentsHistory } from './event-segments/history.ts'
import { createRun } from './event-segments/run.ts'
import { createStream, type Form } from './event-segments/stream.ts'
import { createDispatch, type Rows } from './rows.ts'
import type { Wire, WireOptions, WireState } from './wire.ts'

/** The form of each profile: whether calls and texts begin as segments or as separate events. */
const forms: { readonly [profile: string]: Form } = { default: 'segments', tools: 'tools' }

/** What may be the last thing that was expected of an Event. */
const SETTLING: ReadonlySet<string> = new Set<EventType>(['tool-output', 'subagent-end'])

/** Events that are built from segments: one Event per message. Fields that the protocol does not have are under `millrace`. */
export const eventSegments: Wire = {
  losses: {
    retract: 'An Event that a client has stored stays there; the Events that are void are named under `millrace`.',
  },
  profiles: ['tools'],
  headers: {},
  create,
  createHistory: createEventSegmentsHistory,
}

function create(options: WireOptions): WireState {
  const { runId, profile = 'default' } = options
  const form = Object.hasOwn(forms, profile) ? forms[profile] : undefined
  if (form === undefined) throw new StreamError('unknown-wire', `event-segments, profile ${profile}`)
  const stream = createStream(createDrafts(runId), form)
  const blocks = createBlocks(stream)
  const run = createRun(stream, blocks, form, options)
  const table: Rows = {
    ...run.rows,
    ...blocks.rows,
    ...callRows(stream, blocks),
    ...extraRows(stream),
    'step-end': stream.emitMillrace,
    state: stream.emitMillrace,
    control: stream.emitMillrace,
    raw: stream.emitMillrace,
  }
  const dispatch = createDispatch(table)
  return {
    push(entry) {
      stream.beginEntry(entry)
      dispatch(entry.event)
      if (SETTLING.has(entry.event.type)) run.settle()
      return stream.take()
    },
  }
}
