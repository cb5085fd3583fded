import { present } from '../../data/present.ts'
import type { ToolStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { fileAt, fileOf, isInline } from './files.ts'
import type { RawItem } from './raw.ts'
import { foundSources } from './sources.ts'

/** The output of a call that the provider ran, with its sources and files. */
export type ResultOf = (item: RawItem, callId: string) => readonly StreamEvent[]

export function outputEvent(callId: string, output: Json, error: string | undefined): EventOf<'tool-output'> {
  const status: ToolStatus = error === undefined ? 'ok' : 'error'
  return { type: 'tool-output', callId, status, output, ...(error !== undefined && { error }) }
}

/** Why a call failed; undefined if it did not. */
export function failureOf({ status, error }: RawItem): string | undefined {
  if (error !== null && error !== undefined) return errorText(error)
  return status === 'failed' || status === 'incomplete' ? 'The call failed' : undefined
}

/** The text of an error that may be a string, an object with a message, or one with a list of text blocks. */
export function errorText(error: Json): string {
  if (typeof error === 'string') return error
  const { message, content, code } = (error ?? {}) as { message?: Json; content?: Json; code?: Json }
  if (typeof message === 'string') return message
  if (typeof content === 'string') return content
  const texts = Array.isArray(content) ? (content as readonly (JsonObject | null)[]).map((block) => block?.text) : []
  return texts.filter((text) => typeof text === 'string').join('\n') || String(code ?? JSON.stringify(error))
}

export const searchedWeb: ResultOf = (item, callId) => {
  const { action, status } = item
  const { sources, url } = (action ?? {}) as { readonly sources?: Json; readonly url?: Json }
  const results = item.results as Json | undefined
  return [
    outputEvent(callId, present({ status, sources, results, output: item.output }) as JsonObject, failureOf(item)),
    ...foundSources(sources ?? results ?? (typeof url === 'string' ? [{ url }] : undefined), callId),
  ]
}

export const searchedFiles: ResultOf = (item, callId) => {
  const results = item.results as Json | undefined
  const output = present({ status: item.status, results, output: item.output }) as JsonObject
  return [outputEvent(callId, output, failureOf(item)), ...foundSources(results, callId)]
}

interface CodeOutput {
  readonly type: string
  readonly url?: string
}

/** Images are files; the output refers to them and does not hold them again. */
export const interpretedCode: ResultOf = (item, callId) => {
  const outputs = (item.outputs ?? []) as unknown as readonly CodeOutput[]
  const files = outputs.flatMap(({ url }, index) =>
    typeof url === 'string' ? [fileAt(`${callId}:file-${index}`, 'image/png', url, callId)] : [],
  )
  const references = outputs.map(({ url, ...rest }) => (url === undefined || isInline(url) ? rest : { ...rest, url }))
  const output = present({ status: item.status, outputs: references, output: item.output }) as unknown as JsonObject
  return [outputEvent(callId, output, failureOf(item)), ...files]
}

export const generatedImage: ResultOf = (item, callId) => {
  const { result, output_format, status, output } = item
  const files =
    typeof result === 'string' && result !== '' ? [fileOf(callId, imageType(output_format), result, callId)] : []
  return [...files, outputEvent(callId, present({ status, output }) as JsonObject, failureOf(item))]
}

export function imageType(format: unknown): string {
  return `image/${typeof format === 'string' && format !== '' ? format : 'png'}`
}

export const calledServer: ResultOf = (item, callId) => [outputEvent(callId, item.output ?? '', failureOf(item))]

/** Fields of an item that describe the call, not its output. */
const CALL_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'id',
  'call_id',
  'name',
  'namespace',
  'caller',
  'arguments',
  'input',
  'action',
  'error',
])

/** The output of an unknown tool: all fields of its item that do not describe the call. */
export const unknownResult: ResultOf = (item, callId) => {
  const rest = Object.entries(item).filter(([field, value]) => !CALL_FIELDS.has(field) && value !== null)
  return [outputEvent(callId, item.output ?? (Object.fromEntries(rest) as JsonObject), failureOf(item))]
}
