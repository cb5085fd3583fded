import { present } from '../../data/present.ts'
import type { RunError } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { type Chunk, type Fields, textIn } from './raw.ts'

/** The error of a chunk: in its own field, in a choice's, in Groq's, or the chunk itself. */
export function errorIn(chunk: Chunk): EventOf<'run-end'> | undefined {
  const failed = chunk.choices?.find(({ error, finish_reason }) => !isNone(error) || finish_reason === 'error')
  const error = [chunk.error, failed?.error, chunk.x_groq?.error, ownError(chunk)].find((value) => !isNone(value))
  if (error !== undefined) return failure(error)
  return failed === undefined ? undefined : failure('The provider reported an error.')
}

/** vLLM sends an error as the whole chunk, MiniMax as a status code other than 0. */
function ownError(chunk: Chunk): Fields | undefined {
  if (chunk.object === 'error') return chunk
  const { base_resp: state } = chunk
  if (!isJsonObject(state) || !state.status_code) return undefined
  return { message: state.status_msg, code: state.status_code }
}

const isNone = (value: unknown) => value === undefined || value === null || value === '' || value === false

function failure(error: unknown): EventOf<'run-end'> {
  if (!isJsonObject(error)) return end({ message: textIn(error) ?? JSON.stringify(error) })
  const { message, code, type, ...rest } = error
  const name = textIn(type)
  const text = textIn(message) ?? name ?? JSON.stringify(error)
  const ended = end({ message: text, ...present({ code: codeOf(code) ?? name, name }) })
  const more = present(rest) as { readonly [field: string]: Json }
  return Object.keys(more).length === 0 ? ended : { ...ended, meta: { openai: { error: more } } }
}

const end = (error: RunError): EventOf<'run-end'> => ({ type: 'run-end', outcome: 'error', error })

function codeOf(code: unknown): string | undefined {
  return typeof code === 'number' ? String(code) : textIn(code)
}
