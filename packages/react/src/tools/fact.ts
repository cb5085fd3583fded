import type { EntryMaker } from '@millrace/core/events'
import type { FoldedApproval, ToolSegment } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import { bytesText, plural } from '../durations.ts'
import { isObject } from './argument.ts'
import { kindNameOf, type ToolKindName } from './kinds.ts'

const EXIT_KEYS = ['exit_code', 'exitCode', 'return_code', 'returncode', 'exit_status']
const EXIT_WORDS = /\bexit(?:ed)?(?: with)?(?: code| status)?:? (\d{1,3})\b/i

/** `exit 1`: from the fields of the output, else from the text of the error or the output. */
export function exitOf({ output, error }: ToolSegment): string | undefined {
  if (isObject(output)) {
    const code = EXIT_KEYS.map((key) => output[key]).find((value) => typeof value === 'number')
    if (code !== undefined) return `exit ${code}`
  }
  const match = EXIT_WORDS.exec((error ?? (typeof output === 'string' ? output : '')).slice(-2000))
  return match === null ? undefined : `exit ${match[1]}`
}

/** The same call without what `exit 1` already says: a bare exit code, and an error that repeats it. */
export function withoutExitCode(segment: ToolSegment): ToolSegment {
  const { output, error, ...others } = segment
  const isBare = isObject(output) && Object.keys(output).every((key) => EXIT_KEYS.includes(key))
  const isRepeated =
    segment.progress !== undefined && error !== undefined && error.length < 80 && EXIT_WORDS.test(error)
  return {
    ...others,
    ...(output !== undefined && !isBare && { output }),
    ...(error !== undefined && !isRepeated && { error }),
  }
}

const facts: { readonly [Kind in ToolKindName]?: (output: Json) => string | undefined } = {
  read: (output) => linesFact(textIn(output)),
  search: (output) => listFact(output, 'result') ?? linesFact(textIn(output), 'match', 'matches'),
  list: (output) => listFact(output, 'entry', 'entries'),
  web: (output) => listFact(output, 'result'),
  fetch: (output) => sizeFact(textIn(output)),
}

/** The result in a word or two; undefined if it cannot be counted. */
export function resultFact(segment: ToolSegment): string | undefined {
  const { name, output, state } = segment
  if (state !== 'done' || output === undefined) return undefined
  return facts[kindNameOf(name)]?.(output)
}

function listFact(output: Json, one: string, many?: string): string | undefined {
  const list = isObject(output) ? (output.results ?? output.matches ?? output.files ?? output.entries) : output
  if (!Array.isArray(list)) return undefined
  return list.length === 1 && isTextPart(list[0]) ? undefined : plural(list.length, one, many)
}

function linesFact(text: string | undefined, one = 'line', many?: string): string | undefined {
  if (text === undefined || text === '') return undefined
  return plural(text.replace(/\n$/, '').split('\n').length, one, many)
}

function sizeFact(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : bytesText(text.length)
}

function textIn(output: Json): string | undefined {
  if (typeof output === 'string') return output
  if (!Array.isArray(output) || output.length === 0 || !output.every(isTextPart)) return undefined
  return output.map((part) => (part as { readonly text: string }).text).join('\n')
}

function isTextPart(part: Json | undefined): boolean {
  return isObject(part) && part.type === 'text' && typeof part.text === 'string'
}

const makers: { readonly [Maker in EntryMaker]: string } = { server: 'by you', client: 'by its client' }

/** The answer to a question and its source: `approved by you`, `denied in the stream`. Undefined while it is open. */
export function answerText({ state, by }: Pick<FoldedApproval, 'state' | 'by'>): string | undefined {
  if (state === 'requested') return undefined
  if (state === 'expired') return 'expired'
  return `${state} ${by === undefined ? 'in the stream' : makers[by]}`
}
