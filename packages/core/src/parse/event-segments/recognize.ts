import { isJsonObject, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'
import { rootOf, STORED } from './raw.ts'

interface Sign {
  readonly certainty: number
  readonly fits: (fields: JsonObject) => boolean
}

const isEvent = ({ event }: JsonObject) => isJsonObject(event) && Array.isArray(event.segments)
const isOurs = ({ millrace }: JsonObject) => isJsonObject(millrace) && typeof millrace.type === 'string'
const hasTool = ({ tool_id: id }: JsonObject) => typeof id === 'string'
const hasItem = ({ item_id: id }: JsonObject) => typeof id === 'string'

/** The certainty of each type, and the fields that it must have. Other streams have tokens, tools and errors too. */
const signs: { readonly [type: string]: Sign } = {
  run_start: { certainty: 1, fits: isOurs },
  millrace: { certainty: 1, fits: isOurs },
  event_start: { certainty: 1, fits: isEvent },
  event: { certainty: 0.95, fits: isEvent },
  event_complete: { certainty: 1, fits: isEvent },
  message_final: { certainty: 1, fits: isEvent },
  [STORED]: { certainty: 0.85, fits: isEvent },
  segment: { certainty: 0.95, fits: ({ segment }) => isJsonObject(segment) && typeof segment.type === 'string' },
  token: { certainty: 0.7, fits: ({ content }) => typeof content === 'string' },
  progress_update: { certainty: 0.6, fits: ({ activity }) => typeof activity === 'string' },
  progress_hide: { certainty: 0.5, fits: () => true },
  complete: { certainty: 0.5, fits: () => true },
  error: { certainty: 0.3, fits: ({ error }) => typeof error === 'string' || (isJsonObject(error) && 'code' in error) },
}

/** Families of types, by their beginning. */
const families: readonly (readonly [beginning: RegExp, sign: Sign])[] = [
  [/^(?:mcp_)?tool_(?:start|arguments_delta|finalized|result|complete)$/, { certainty: 0.9, fits: hasTool }],
  [/^reasoning_(?:start|complete|summary_)/, { certainty: 0.9, fits: hasItem }],
  [/^(?:web_search|code_interpreter)_call_/, { certainty: 0.9, fits: hasItem }],
  [/^mcp_(?:list_tools|approval_request)$/, { certainty: 0.7, fits: () => true }],
]

export function recognize(record: RawRecord): Recognition | undefined {
  const fields = rootOf(record.value, record)
  const type = fields?.type
  if (fields === undefined || typeof type !== 'string') return undefined
  const sign = Object.hasOwn(signs, type) ? signs[type] : families.find(([beginning]) => beginning.test(type))?.[1]
  return sign?.fits(fields)
    ? { certainty: sign.certainty, reason: `a record is a ${type} of Events and segments` }
    : undefined
}
