import { isJsonObject } from '../../json.ts'
import { type RawRecord, TERMINATOR } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'
import type { Fields } from './raw.ts'

/** The certainty of each `object` value. */
const OBJECTS: { readonly [object: string]: number } = {
  'chat.completion.chunk': 1,
  'chat.completion': 0.95,
  'chat.completion.done': 0.95,
  'chat.reasoning': 0.9,
  'chat.reasoning.done': 0.9,
  text_completion: 0.9,
  'text_completion.chunk': 0.9,
}

export function recognize({ value }: RawRecord): Recognition | undefined {
  if (value === TERMINATOR) return { certainty: 0.3, reason: `the stream says ${TERMINATOR}` }
  if (!isJsonObject(value)) return undefined
  if (!Array.isArray(value.choices)) return recognizeFailure(value)
  const certainty = typeof value.object === 'string' ? OBJECTS[value.object] : undefined
  if (certainty !== undefined) return { certainty, reason: `a record is an OpenAI ${value.object}` }
  if (
    value.choices.some((choice) => isJsonObject(choice) && (isJsonObject(choice.delta) || isJsonObject(choice.message)))
  )
    return { certainty: 0.85, reason: 'a record has choices with deltas' }
  const isBeside = isJsonObject(value.usage) || Array.isArray(value.prompt_filter_results) || 'model' in value
  return isBeside ? { certainty: 0.6, reason: 'a record has choices, if empty ones' } : undefined
}

/** An error whose record has no type. */
function recognizeFailure(value: Fields): Recognition | undefined {
  const { error } = value
  if ('type' in value || !isJsonObject(error) || typeof error.message !== 'string') return undefined
  const isOpenAi = 'type' in error && ('code' in error || 'param' in error)
  return { certainty: isOpenAi ? 0.6 : 0.3, reason: 'a record is an error as OpenAI says it' }
}
