import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import type { Json, JsonObject } from '../../json.ts'
import { objectIn, objectsIn, textIn } from '../kit/fields.ts'
import { dataUrlOf, fileContent } from '../kit/file.ts'
import type { Out } from '../kit/voice.ts'
import { answerApproval } from './calls.ts'
import type { Annotation, RawItem } from './raw.ts'
import { openaiMeta, type Run } from './state.ts'

/** Adds the output of a call that the provider ran, with its sources and files. */
export type AddResult = (out: Out, item: RawItem, callId: string) => void

function addOutput(out: Out, callId: string, output: unknown, error: string | undefined): void {
  const status = error === undefined ? 'ok' : 'error'
  out.push({ type: 'tool-output', callId, status, output: output as Json, ...present({ error }) })
}

/** Why a call failed; undefined if it did not. */
function failureOf({ status, error }: RawItem, text: unknown): string | undefined {
  if (error !== null && error !== undefined) return errorText(error)
  return status === 'failed' || status === 'incomplete' ? (textIn(text) ?? 'The call failed') : undefined
}

/** The text of an error that may be a string, an object with a message, or one with a list of text blocks. */
export function errorText(error: Json): string {
  if (typeof error === 'string') return error
  const { message, content, code } = objectIn(error)
  if (typeof message === 'string') return message
  if (typeof content === 'string') return content
  const texts = objectsIn(content).map(({ text }) => text)
  return texts.filter((text) => typeof text === 'string').join('\n') || String(code ?? JSON.stringify(error))
}

export const addWebSearch: AddResult = (out, item, callId) => {
  const { action, status, results, output } = item
  const { sources, url } = action ?? {}
  addOutput(out, callId, present({ status, sources, results, output }), failureOf(item, undefined))
  addFound(out, sources ?? results ?? (typeof url === 'string' ? [{ url }] : undefined), callId)
}

export const addFileSearch: AddResult = (out, item, callId) => {
  const { status, results, output } = item
  addOutput(out, callId, present({ status, results, output }), failureOf(item, undefined))
  addFound(out, results, callId)
}

/** Images are files; the output refers to them and does not hold them again. */
export const addInterpreted: AddResult = (out, item, callId) => {
  const { status, output } = item
  const parts = objectsIn(item.outputs)
  const outputs = parts.map(({ url, ...rest }) =>
    textIn(url) === undefined || dataUrlOf(String(url)) ? rest : { ...rest, url },
  )
  addOutput(out, callId, present({ status, outputs, output }), failureOf(item, undefined))
  for (const [index, { url }] of parts.entries())
    if (typeof url === 'string')
      out.push({ type: 'file', fileId: `${callId}:file-${index}`, ...fileContent({ url }, 'image/png'), callId })
}

export const addGenerated: AddResult = (out, item, callId) => {
  const { result, output_format, status, output } = item
  const base64 = textIn(result)
  if (base64 !== undefined)
    out.push({ type: 'file', fileId: callId, ...fileContent({ base64 }, imageType(output_format)), callId })
  addOutput(out, callId, present({ status, output }), failureOf(item, undefined))
}

export function imageType(format: unknown): string {
  return `image/${textIn(format) ?? 'png'}`
}

export const addServed: AddResult = (out, item, callId) =>
  addOutput(out, callId, item.output ?? '', failureOf(item, undefined))

/** Fields of an item that describe the call, not its output. */
const CALL_FIELDS: ReadonlySet<string> = new Set([
  ...['type', 'id', 'call_id', 'name', 'namespace', 'caller', 'arguments', 'input', 'action', 'error'],
])

/** The output of an unknown tool: all fields of its item that do not describe the call. */
export const addUnknown: AddResult = (out, item, callId) => {
  const rest = Object.entries(item).filter(([field, value]) => !CALL_FIELDS.has(field) && value !== null)
  addOutput(out, callId, item.output ?? Object.fromEntries(rest), failureOf(item, undefined))
}

/** Items that answer a call of another item and hold their outputs elsewhere. */
const outputs: { readonly [type: string]: (item: RawItem) => unknown } = {
  tool_search_output: ({ tools, output }) => tools ?? output ?? [],
  program_output: ({ result, output }) => result ?? output ?? '',
}

export function isOutput(type: string): boolean {
  return Object.hasOwn(outputs, type) || type.endsWith('_call_output')
}

/** The output of an agent's loop for a call that was denied. */
const NOT_APPROVED = 'Tool execution was not approved.'

/** An item that answers a call. A call gets one output, however often the stream repeats it. */
export function readOutput(out: Out, run: Run, item: RawItem): true {
  const callId = callOf(run, item)
  if (callId === undefined) throw new TypeError('An output names no call.')
  if (run.answeredCalls.has(callId)) return true
  const output = (outputs[item.type]?.(item) ?? item.output ?? '') as Json
  const isAsked = run.pendingApprovals.has(callId)
  const isDenied = isAsked && output === NOT_APPROVED
  rememberOne(run.answeredCalls, callId)
  run.response.unanswered.delete(callId)
  if (isAsked) answerApproval(out, run, callId, { state: isDenied ? 'denied' : 'approved' })
  if (isDenied) out.push({ type: 'tool-output', callId, status: 'denied', output })
  else addOutput(out, callId, output, failureOf(item, output))
  for (const [index, part] of objectsIn(Array.isArray(output) ? output : [output]).entries())
    addShown(out, part, callId, index)
  return true
}

/** The call that an output answers: a tool search may be unnamed, and a local shell call is named by `id`. */
function callOf({ response }: Run, { type, call_id, id }: RawItem): string | undefined {
  if (type !== 'tool_search_output' || call_id) return call_id || id || undefined
  const [first] = response.searches
  if (first !== undefined) response.searches.delete(first)
  return first
}

/** The default type of parts that are files: of the API, a computer's screenshot, of the Agents SDK, and of MCP. */
const fileTypes: ReadonlyMap<unknown, string> = new Map([
  ['input_image', 'image/*'],
  ['computer_screenshot', 'image/*'],
  ['image', 'image/*'],
  ['audio', 'audio/*'],
  ['input_file', 'application/octet-stream'],
  ['file', 'application/octet-stream'],
])

/** An image or a file that the model is shown. Each field holds an address or, in base64, the file. */
function addShown(out: Out, part: JsonObject, callId: string, index: number): void {
  const { type, image_url, image, file, file_url, file_data, file_id, filename } = part
  const defaultType = fileTypes.get(type)
  const { url, data, mediaType, mimeType }: JsonObject = { ...part, ...objectIn(image), ...objectIn(file) }
  const sent = [image_url, image, file_url, url, data, file_data].map(textIn).find((text) => text !== undefined)
  if (sent === undefined || defaultType === undefined) return
  const typed = { mediaType: textIn(mediaType) ?? textIn(mimeType) }
  const content = fileContent(
    /^[a-z]+:/i.test(sent) ? { url: sent, ...typed } : { base64: sent, ...typed },
    defaultType,
  )
  const fields = { ...present({ filename: textIn(filename) }), ...openaiMeta({ file_id }) }
  out.push({ type: 'file', fileId: `${callId}:file-${index}`, ...content, callId, ...fields })
}

/** The source or file that an annotation refers to, if it has a URL or a name. */
export function addAnnotated(out: Out, annotation: Annotation, blockId: string, index: number): void {
  const { type, filename, file_id, container_id } = annotation
  const { url, title } = annotation.url_citation ?? annotation
  const meta = openaiMeta({ file_id, container_id })
  const sourceId = `${blockId}:source-${index}`
  const name = title ?? filename ?? file_id
  if (type === 'container_file_citation' || type === 'file_path') {
    // A file that a tool produced: only the provider holds it, under its id.
    const file = { mediaType: 'application/octet-stream', ...present({ filename }), ...meta }
    if (typeof file_id === 'string') out.push({ type: 'file', fileId: file_id, ...file })
  } else if (typeof url === 'string')
    out.push({ type: 'source', sourceId, kind: 'url', url, blockId, ...present({ title }) })
  else if (typeof name === 'string') out.push({ type: 'source', sourceId, kind: 'file', title: name, blockId, ...meta })
}

/** Search results, with the field names of the different tools. */
function addFound(out: Out, found: unknown, callId: string): void {
  for (const [index, item] of (Array.isArray(found) ? found : []).entries()) {
    const { url, title, filename, file_id, text, snippet } = objectIn(item) as {
      readonly [field: string]: string | null
    }
    const sourceId = `${callId}:source-${index}`
    const name = title ?? filename ?? file_id
    if (typeof url === 'string') {
      const fields = present({ title, snippet: snippet ?? text })
      out.push({ type: 'source', sourceId, kind: 'url', url, callId, ...fields })
    } else if (typeof name === 'string') {
      const fields = { ...present({ snippet: text ?? snippet }), ...openaiMeta({ file_id }) }
      out.push({ type: 'source', sourceId, kind: 'file', title: name, callId, ...fields })
    }
  }
}
