import { isJsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'
import type { RawType } from './raw.ts'

type Fields = { readonly [field: string]: unknown }

interface Sign {
  readonly certainty: number
  readonly fits: (fields: Fields) => boolean
}

const EXTRA: ReadonlySet<string> = new Set(['type', 'callId', 'parentCallId', 'runId', 'seq', 'at', 'millrace'])

const hasTool = ({ toolName }: Fields) => typeof toolName === 'string'
const hasContent = ({ content }: Fields) => typeof content === 'string'
/** Other formats have events of these names with more fields. */
const isBare = (...more: readonly string[]) => {
  return (fields: Fields) => Object.keys(fields).every((field) => EXTRA.has(field) || more.includes(field))
}

const signs: { readonly [Type in RawType]?: Sign } = {
  thought: { certainty: 0.85, fits: (fields) => hasContent(fields) && isBare('content')(fields) },
  stream: { certainty: 0.85, fits: (fields) => hasContent(fields) && isBare('content')(fields) },
  text_chunk: { certainty: 0.7, fits: hasContent },
  tool_call: { certainty: 1, fits: (fields) => hasTool(fields) && 'toolArgs' in fields },
  tool_progress: { certainty: 1, fits: (fields) => hasTool(fields) && 'data' in fields },
  tool_result: { certainty: 1, fits: hasTool },
  tool_error: { certainty: 0.9, fits: hasTool },
  progress: { certainty: 0.9, fits: hasTool },
  result: { certainty: 0.9, fits: hasTool },
  final: { certainty: 0.6, fits: isBare() },
  start: { certainty: 0.3, fits: isBare() },
  cancelled: { certainty: 0.5, fits: isBare('reason') },
  error: { certainty: 0.45, fits: (fields) => typeof fields.error === 'string' && isBare('error')(fields) },
}

export function recognize({ value }: RawRecord): Recognition | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = value as Fields
  const type = fields.type as RawType
  const sign = Object.hasOwn(signs, type) ? signs[type] : undefined
  if (!sign?.fits(fields)) return undefined
  const certainty = isFromMillrace(fields) ? 1 : sign.certainty
  return { certainty, reason: `a record is the AgentEvent ${type}` }
}

/** Whether Millrace wrote the record and added events to it, as it does to the first of a stream. */
function isFromMillrace({ seq, millrace }: Fields): boolean {
  return typeof seq === 'number' && isJsonObject(millrace) && Array.isArray(millrace.before)
}
