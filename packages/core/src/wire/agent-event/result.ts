import type { ToolStatus } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { defined, type Fields } from '../chunk-fields.ts'

/** The output of a failure that has no output and no error. */
const DEFAULT_MESSAGES: { readonly [Status in ToolStatus]: string } = {
  ok: '',
  error: 'The tool failed.',
  denied: 'The call was denied.',
  cancelled: 'The call was cancelled.',
}

export interface Result {
  readonly output: string
  /** What the output alone does not express. */
  readonly extra: Fields | undefined
}

/** The text of a result: a string unchanged, any other output as JSON, and for a failure without output its error. */
export function resultOf({ status, output, error }: EventOf<'tool-output'>): Result {
  if (status === 'ok' && error === undefined) return plainResult(output)
  if (status === 'error' && output === error && output !== '') return { output: error, extra: undefined }
  const isEmpty = status !== 'ok' && (output === null || output === '')
  const result: Result = isEmpty
    ? { output: error || DEFAULT_MESSAGES[status], extra: { output } }
    : plainResult(output)
  return { output: result.output, extra: { ...result.extra, status, error } }
}

function plainResult(output: Json): Result {
  if (typeof output === 'string') return { output, extra: undefined }
  return { output: JSON.stringify(output), extra: { json: true } }
}

export interface ProgressData {
  readonly data: Json
  /** Whether a reader restores exactly this event from the data. */
  readonly isPlain: boolean
}

/** The data of a progress event: text unchanged, a command's output in the protocol's form, data unchanged. */
export function progressData({ channel, text, data, percent }: EventOf<'tool-progress'>): ProgressData {
  if (text !== undefined && data === undefined && percent === undefined && channel !== 'data') {
    return { data: channel === 'text' ? text : { subtype: `${channel}_chunk`, content: text }, isPlain: true }
  }
  if (channel === 'data' && text === undefined && data !== undefined && isReadBack(data, percent)) {
    return { data, isPlain: true }
  }
  const subtype = percent === undefined ? channel : 'transfer_progress'
  return { data: defined({ subtype, content: text, data, percent }), isPlain: false }
}

/** Whether data cannot be mistaken for text or a command's output, and contain the percentage themselves. */
function isReadBack(data: Json, percent: number | undefined): boolean {
  if (typeof data === 'string') return false
  const fields = (Array.isArray(data) ? {} : (data ?? {})) as { readonly [field: string]: Json }
  const { subtype, percent: statedPercent } = fields
  if (subtype === 'stdout_chunk' || subtype === 'stderr_chunk') return Object.keys(fields).length > 2
  return (typeof statedPercent === 'number' ? statedPercent : undefined) === percent
}
