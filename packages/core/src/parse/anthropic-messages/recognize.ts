import { isJsonObject, isText, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

interface Sign {
  readonly certainty: number
  readonly fits: (value: JsonObject) => boolean
}

const hasIndex = (value: JsonObject) => typeof value.index === 'number'

/** The certainty of each type, and the fields that it needs: other formats use `error` and `ping` too. */
const signs: { readonly [type: string]: Sign } = {
  message_start: { certainty: 1, fits: ({ message }) => isJsonObject(message) },
  content_block_start: { certainty: 0.95, fits: (value) => hasIndex(value) && isJsonObject(value.content_block) },
  content_block_delta: { certainty: 0.95, fits: (value) => hasIndex(value) && isJsonObject(value.delta) },
  content_block_stop: { certainty: 0.95, fits: hasIndex },
  message_delta: { certainty: 0.9, fits: ({ delta, usage }) => isJsonObject(delta) || isJsonObject(usage) },
  message_stop: { certainty: 0.9, fits: () => true },
  message: {
    certainty: 0.95,
    fits: ({ role, content, stop_reason }) =>
      role === 'assistant' && Array.isArray(content) && stop_reason !== undefined,
  },
  ping: { certainty: 0.3, fits: () => true },
  error: { certainty: 0.3, fits: ({ error }) => isText(isJsonObject(error) ? (error.message ?? error.type) : error) },
}

export function recognize({ value }: RawRecord): Recognition | undefined {
  if (!isJsonObject(value) || isJsonObject(value.data)) return undefined
  const { type } = value
  if (typeof type !== 'string' || !Object.hasOwn(signs, type)) return undefined
  const sign = signs[type]
  return sign?.fits(value) ? { certainty: sign.certainty, reason: `a record is an Anthropic ${type}` } : undefined
}
