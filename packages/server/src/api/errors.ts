import { ApiError } from '@millrace/core/api'

/** The HTTP status for each error code of the stages behind the routes. */
const statuses: { readonly [code: string]: number } = {
  'unknown-format': 400,
  'format-not-recognised': 400,
  'unknown-wire': 400,
  'unknown-framing': 400,
  'unknown-run': 404,
  'unknown-thread': 404,
  'unknown-agent': 404,
  'agent-unavailable': 409,
  'stale-attempt': 409,
  'run-closed': 409,
  'run-live': 409,
  'wrong-position': 409,
  gap: 409,
  'other-record': 409,
  'other-request': 422,
  'wrong-thread': 409,
  'wrong-format': 409,
  'not-ingested': 409,
  'not-open': 409,
  'run-busy': 409,
  'not-asked': 409,
  'not-pending': 409,
  'nobody-listens': 409,
  'run-owned': 409,
  'stale-owner': 409,
  'foreign-message': 409,
  'broken-off': 400,
  'lease-lost': 503,
  'unknown-node': 503,
  'out-of-step': 503,
  draining: 503,
  closing: 503,
  'log-closed': 503,
  'log-failed': 503,
  'log-full': 507,
  'log-corrupt': 500,
}

export interface Refusal {
  readonly status: number
  readonly body: { readonly error: { readonly code: string; readonly message: string }; readonly rawRecords?: number }
}

/** The response for a thrown value. Internal errors are not shown to the client. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) return internal
  if (error instanceof ApiError) return refusal(error.status, error.code, error.message)
  const { code, rawRecords } = error as { readonly code?: unknown; readonly rawRecords?: unknown }
  const status = typeof code === 'string' && Object.hasOwn(statuses, code) ? statuses[code] : undefined
  if (status === undefined) return internal
  const { body } = refusal(status, String(code), error.message)
  return { status, body: typeof rawRecords === 'number' ? { ...body, rawRecords } : body }
}

/**
 * The body of a refusal at a path. The clients of sessions read `detail`, a text; those that read `error` as a text find only ours.
 */
export function bodyFor(path: string, { body }: Refusal): Refusal['body'] & { readonly detail?: string } {
  return path.startsWith('/api/v2/') ? { ...body, detail: body.error.message } : body
}

function refusal(status: number, code: string, message: string): Refusal {
  return { status, body: { error: { code, message } } }
}

const internal = refusal(500, 'internal', 'Something went wrong here; the request may be repeated.')
