import type { EventOf } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { defined, type Fields } from '../chunk-fields.ts'
import type { Rows } from '../rows.ts'
import { metadataOf, timestampOf } from './chunk.ts'
import type { Stream } from './stream.ts'

type End = EventOf<'run-end'>

/** How a run ends; `pending` are the calls that have no output. */
type Finish = (event: End, fields: Fields, stream: Stream, pending: readonly string[]) => void

const finishes: { readonly [Outcome in End['outcome']]: Finish } = {
  success: (_event, fields, { finish }) => finish({ type: 'success' }, fields),
  cancelled: (_event, fields, { finish }) => finish({ type: 'cancelled' }, fields),
  error: fail('The run failed.'),
  // The run was neither stopped nor completed: a client MUST NOT take its partial content for a result.
  interrupted: fail('The run was interrupted.', 'interrupted'),
  'awaiting-input'(_event, fields, { finish, pauses, isOpen }, pendingToolCallIds) {
    if (!isOpen()) return
    const interrupts = pauses.questions()
    if (interrupts.length > 0) finish({ type: 'interrupt', interrupts }, fields)
    else finish(pendingToolCallIds.length > 0 ? { type: 'success', pendingToolCallIds } : { type: 'success' }, fields)
  },
}

function fail(defaultMessage: string, code?: string): Finish {
  return ({ error, reason }, { result, metadata, ...fields }, stream) => {
    const { millrace = {}, ...clientFields } = (metadata ?? {}) as { readonly [key: string]: JsonObject }
    const allMetadata = { ...clientFields, millrace: defined({ ...millrace, result }) }
    stream.fail(error?.message ?? reason ?? defaultMessage, {
      ...fields,
      code: error?.code ?? code,
      metadata: allMetadata,
    })
  }
}

/** The start and end of a run. */
export function runRows(stream: Stream, pending: () => readonly string[]): Pick<Rows, 'run-start' | 'run-end'> {
  return {
    'run-start': ({ agent, model, meta }) => stream.start(defined({ agent, model, meta })),
    'run-end'(event) {
      const { outcome, reason, error, result, sentAt, meta } = event
      const extra = { outcome, reason, error: error === undefined ? undefined : defined({ ...error }) }
      // The client refuses a result that is `null`.
      const nullResult = result === null ? { result } : {}
      const fields = { timestamp: timestampOf(sentAt), metadata: metadataOf({ ...extra, ...nullResult }, meta) }
      finishes[outcome](event, { ...fields, result: result ?? undefined }, stream, pending())
    },
  }
}
