import type { FoldedApproval, ToolSegment } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import type { CountLabel, Labels } from '../labels.ts'
import { bytesText, countText } from '../numbers.ts'
import { isObject } from './argument.ts'
import { kindNameOf, type ToolKindName } from './kinds.ts'

const EXIT_KEYS = ['exit_code', 'exitCode', 'return_code', 'returncode', 'exit_status']
const EXIT_WORDS = /\bexit(?:ed)?(?: with)?(?: code| status)?:? (\d{1,3})\b/i

/** `exit 1`: from the fields of the output, else from the text of the error or the output. */
export function exitOf({ output, error }: ToolSegment, labels: Labels): string | undefined {
  if (isObject(output)) {
    const code = EXIT_KEYS.map((key) => output[key]).find((value) => typeof value === 'number')
    if (code !== undefined) return labels.exit(String(code))
  }
  const match = EXIT_WORDS.exec((error ?? (typeof output === 'string' ? output : '')).slice(-2000))
  return match === null ? undefined : labels.exit(match[1] ?? '')
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

const facts: { readonly [Kind in ToolKindName]?: (output: Json, labels: Labels) => string | undefined } = {
  read: (output, labels) => linesFact(textIn(output), labels.lines, labels),
  search: (output, labels) =>
    listFact(output, labels.results, labels) ?? linesFact(textIn(output), labels.matches, labels),
  list: (output, labels) => listFact(output, labels.entries, labels),
  web: (output, labels) => listFact(output, labels.results, labels),
  fetch: (output, labels) => sizeFact(textIn(output), labels),
}

/** The result in a word or two; undefined if it cannot be counted. */
export function resultFact(segment: ToolSegment, labels: Labels): string | undefined {
  const { name, output, state } = segment
  if (state !== 'done' || output === undefined) return undefined
  return facts[kindNameOf(name)]?.(output, labels)
}

function listFact(output: Json, label: CountLabel, labels: Labels): string | undefined {
  const list = isObject(output) ? (output.results ?? output.matches ?? output.files ?? output.entries) : output
  if (!Array.isArray(list)) return undefined
  return list.length === 1 && isTextPart(list[0]) ? undefined : countText(list.length, label, labels)
}

function linesFact(text: string | undefined, label: CountLabel, labels: Labels): string | undefined {
  if (text === undefined || text === '') return undefined
  return countText(text.replace(/\n$/, '').split('\n').length, label, labels)
}

function sizeFact(text: string | undefined, labels: Labels): string | undefined {
  return text === undefined || text === '' ? undefined : bytesText(text.length, labels)
}

function textIn(output: Json): string | undefined {
  if (typeof output === 'string') return output
  if (!Array.isArray(output) || output.length === 0 || !output.every(isTextPart)) return undefined
  return output.map((part) => (part as { readonly text: string }).text).join('\n')
}

function isTextPart(part: Json | undefined): boolean {
  return isObject(part) && part.type === 'text' && typeof part.text === 'string'
}

type Answered = Pick<FoldedApproval, 'state' | 'by' | 'input' | 'remember'>

/** The answer to a question and its source: `approved by you · changed`, `denied in the stream`. Undefined while it is open. */
export function answerText({ state, by, input, remember }: Answered, labels: Labels): string | undefined {
  if (state === 'requested') return undefined
  if (state === 'expired') return labels.expired
  const more = [
    ...(input === undefined ? [] : [labels.withChanges]),
    ...(remember === undefined ? [] : [labels.forSession]),
  ]
  return [labels.answered(state, by), ...more].join(' · ')
}
