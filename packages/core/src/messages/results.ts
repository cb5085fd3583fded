import type { FileSegment, ToolSegment } from '../fold/shapes.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { type Answers, hasResult, type LateResult } from './answers.ts'
import type { Losses } from './losses.ts'

/** What a call gets as its result in the next request. */
export interface CallResult {
  readonly call: ToolSegment
  readonly isError: boolean
  /** Whether a person did not allow it; the text has the person's words. */
  readonly isDenied: boolean
  readonly text: string
  /** The output as it was, for providers that take JSON; undefined if it failed. */
  readonly value: Json | undefined
  /** Files that the output shows the model. */
  readonly files: readonly FileSegment[]
}

interface Owner {
  readonly id: string
  readonly losses: Losses
  readonly files: readonly FileSegment[]
}

/** The result of a call of the agent or the client. One without a result was interrupted. */
export function resultOf(call: ToolSegment, { late }: Answers, { id, losses, files }: Owner): CallResult {
  const result = late.get(call) ?? (hasResult(call) ? call : undefined)
  const failed = (text: string, isDenied = false): CallResult => ({
    call,
    isError: true,
    isDenied,
    text,
    value: undefined,
    files,
  })
  if (result === undefined && call.approval?.state !== 'denied') {
    losses.add(isUnreadable(call) ? 'tool-input' : 'interrupted', id, call.callId)
    return failed(isUnreadable(call) ? (call.error ?? 'The input is not JSON.') : 'interrupted')
  }
  if (result === undefined || result.state === 'denied') return failed(wordsOf(call, result), true)
  if (isUnreadable(call)) losses.add('tool-input', id, call.callId)
  const { output = null, error, state } = result
  if (state !== 'done') return failed(textOf(output, files) || error || 'interrupted')
  return { call, isError: false, isDenied: false, text: textOf(output, files), value: output, files }
}

/** Whether the input of a call is no JSON. */
const isUnreadable = ({ input, inputText }: ToolSegment) => input === undefined && inputText !== undefined

const DENIED = 'The user denied this call.'

/** What the person said who denied a call. */
function wordsOf({ approval }: ToolSegment, result: LateResult | undefined): string {
  const { reason, answer } = approval ?? {}
  const output = isJsonObject(result?.output) ? result.output.reason : result?.output
  const texts = [isJsonObject(answer) ? answer.message : answer, reason, result?.error, output, approval?.message]
  const words = texts.slice(0, 4).find((text) => typeof text === 'string' && text !== '')
  return typeof words === 'string' ? words : DENIED
}

/** The input of a call as an object, which every provider takes. */
export function inputObjectOf({ input }: ToolSegment): JsonObject {
  if (isJsonObject(input)) return input
  return input === undefined || input === null ? {} : { input }
}

/** An output as text. Of a list of content blocks, the texts; pictures among them are files of their own. */
export function textOf(output: Json, files: readonly FileSegment[] = []): string {
  if (typeof output === 'string') return output
  if (output === null) return ''
  if (Array.isArray(output) && output.length > 0 && output.every(isBlock)) {
    const texts = output.map((block) => blockText(block, files.length > 0))
    return texts.filter((text) => text !== '').join('\n')
  }
  return JSON.stringify(output)
}

const isBlock = (value: Json): value is JsonObject => isJsonObject(value) && typeof value.type === 'string'

const TEXTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text'])
const MEDIA: ReadonlySet<unknown> = new Set(['image', 'input_image', 'audio', 'document', 'input_file', 'file'])

function blockText(block: JsonObject, hasFiles: boolean): string {
  if (TEXTS.has(block.type) && typeof block.text === 'string') return block.text
  return hasFiles && MEDIA.has(block.type) ? '' : JSON.stringify(block)
}

/** One line about a call that another provider ran. What only that provider can read is left out. */
export function lineOf(call: ToolSegment, output: Json | undefined, error: string | undefined): string {
  const result = error ?? (output === undefined ? 'no result' : oneLine(textOf(readable(output))))
  return `[${call.name} ${JSON.stringify(call.input ?? {})}: ${result}]`
}

const oneLine = (text: string) =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .join(' ')

function readable(value: Json): Json {
  if (Array.isArray(value)) return value.map(readable)
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(([field]) => !field.startsWith('encrypted_'))
  return Object.fromEntries(kept.map(([field, item]) => [field, readable(item)]))
}
