import { isJsonObject, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

interface Sign {
  readonly certainty: number
  readonly fits: (value: JsonObject) => boolean
}

const isItem = (value: unknown) => isJsonObject(value) && typeof (value.type ?? value.item_type) === 'string'

const item: Sign = {
  certainty: 1,
  fits: (value) => isItem(value.item) || (typeof value.item_id === 'string' && typeof value.item_type === 'string'),
}

const signs: { readonly [type: string]: Sign } = {
  'thread.started': { certainty: 1, fits: ({ thread_id }) => typeof thread_id === 'string' },
  'thread.resumed': { certainty: 0.9, fits: ({ thread_id }) => typeof thread_id === 'string' },
  'session.created': { certainty: 0.6, fits: ({ session_id }) => typeof session_id === 'string' },
  'turn.started': { certainty: 0.9, fits: () => true },
  'turn.completed': { certainty: 0.9, fits: () => true },
  'turn.failed': { certainty: 0.9, fits: () => true },
  'item.created': item,
  'item.started': item,
  'item.updated': item,
  'item.completed': item,
  'item.failed': item,
  'item.delta': item,
  'item.plan.delta': { certainty: 1, fits: ({ item_id }) => typeof item_id === 'string' },
  request_user_input: { certainty: 0.8, fits: ({ questions }) => Array.isArray(questions) },
  error: { certainty: 0.3, fits: ({ message }) => typeof message === 'string' },
}

export function recognize({ value }: RawRecord): Recognition | undefined {
  if (!isJsonObject(value) || isJsonObject(value.data)) return undefined
  const { type } = value
  if (typeof type !== 'string' || !Object.hasOwn(signs, type)) return undefined
  const sign = signs[type]
  return sign?.fits(value) ? { certainty: sign.certainty, reason: `a record is Codex's ${type}` } : undefined
}
