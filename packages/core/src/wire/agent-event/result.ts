import type { ToolStatus } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { defined, type Fields } from '../chunk-fields.ts'

/** What a failure is called where nobody said why. */
const WORDS: { readonly [Status in ToolStatus]: string } = {
  ok: '',
  error: 'The tool failed.',
  denied: 'The call was denied.',
  cancelled: 'The call was cancelled.',
}

export interface Result {
  readonly output: string
  /** What the words alone do not say. */
  readonly marks: Fields | undefined
}

/** The words of a result: a text as it is, anything else as JSON, and of a failure that has no output its reason. */
export function resultOf({ status, output, error }: EventOf<'tool-output'>): Result {
  if (status === 'ok' && error === undefined) return wordsOf(output)
  if (status === 'error' && output === error && output !== '') return { output: error, marks: undefined }
  const isSilent = status !== 'ok' && (output === null || output === '')
  const said: Result = isSilent ? { output: error || WORDS[status], marks: { output } } : wordsOf(output)
  return { output: said.output, marks: { ...said.marks, status, error } }
}

function wordsOf(output: Json): Result {
  if (typeof output === 'string') return { output, marks: undefined }
  return { output: JSON.stringify(output), marks: { json: true } }
}

export interface Progress {
  readonly data: Json
  /** Whether the data are read as just this progress. */
  readonly isPlain: boolean
}

/** The data of a progress: words as they are, a command's output as the protocol's example has it, data themselves. */
export function progressOf({ channel, text, data, percent }: EventOf<'tool-progress'>): Progress {
  if (text !== undefined && data === undefined && percent === undefined && channel !== 'data') {
    return { data: channel === 'text' ? text : { subtype: `${channel}_chunk`, content: text }, isPlain: true }
  }
  if (channel === 'data' && text === undefined && data !== undefined && isReadBack(data, percent)) {
    return { data, isPlain: true }
  }
  const subtype = percent === undefined ? channel : 'transfer_progress'
  return { data: defined({ subtype, content: text, data, percent }), isPlain: false }
}

/** Whether data are not taken for words or a command's output, and tell the percentage themselves. */
function isReadBack(data: Json, percent: number | undefined): boolean {
  if (typeof data === 'string') return false
  const fields = (Array.isArray(data) ? {} : (data ?? {})) as { readonly [field: string]: Json }
  const { subtype, percent: told } = fields
  if (subtype === 'stdout_chunk' || subtype === 'stderr_chunk') return Object.keys(fields).length > 2
  return (typeof told === 'number' ? told : undefined) === percent
}
