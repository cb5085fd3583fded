import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { objectIn, objectsIn, type Sparse, textIn } from '../kit/fields.ts'
import { dataUrlOf, fileContent } from '../kit/file.ts'
import { byNames, namesIn } from '../kit/rows.ts'
import type { Out } from '../kit/voice.ts'
import { answerApproval } from './calls.ts'
import type { Annotation, RawItem } from './raw.ts'
import { openaiMeta, type Run, type Slot } from './state.ts'

/** Adds the output of a call that the provider ran, with its sources and files. */
export type AddResult = (out: Out, item: RawItem, callId: string) => void

/** `failure` is the text of a call that failed without an error. */
function addOutput(
  out: Out,
  item: RawItem,
  callId: string,
  output: unknown,
  { failure = 'The call failed', kept = {} }: { readonly failure?: string | undefined; readonly kept?: object } = {},
): void {
  const error = errorOf(item, failure)
  const status = error === undefined ? 'ok' : 'error'
  out.push({ type: 'tool-output', callId, status, output: output as Json, ...present({ error }), ...openaiMeta(kept) })
}

/** Why a call failed; undefined if it did not. */
function errorOf({ status, error }: RawItem, failure: string): string | undefined {
  if (error !== null && error !== undefined) return errorText(error as Json)
  return status === 'failed' || status === 'incomplete' ? failure : undefined
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

/** A search of the web or of files: its sources are in its action, or among its results. */
export const addSearch: AddResult = (out, item, callId) => {
  const { action, status, results, output } = item
  const { sources, url } = action ?? {}
  const found = sources ?? results ?? [{ url }]
  addOutput(out, item, callId, present({ status, sources, results, output }))
  for (const [index, source] of (Array.isArray(found) ? found : []).entries())
    addSource(out, objectIn(source), { callId }, `${callId}:source-${index}`)
}

/** Images are files; the output refers to them and does not hold them again. */
export const addInterpreted: AddResult = (out, item, callId) => {
  const { status, output } = item
  const parts = objectsIn(item.outputs)
  const outputs = parts.map(({ url, ...rest }) =>
    textIn(url) === undefined || dataUrlOf(String(url)) ? rest : { ...rest, url },
  )
  addOutput(out, item, callId, present({ status, outputs, output }))
  for (const [index, { url }] of parts.entries())
    if (typeof url === 'string')
      out.push({ type: 'file', fileId: `${callId}:file-${index}`, ...fileContent({ url }, 'image/png'), callId })
}

export const addGenerated: AddResult = (out, item, callId) => {
  const { result, output_format, status, output } = item
  const base64 = textIn(result)
  if (base64 !== undefined)
    out.push({ type: 'file', fileId: callId, ...fileContent({ base64 }, imageType(output_format)), callId })
  addOutput(out, item, callId, present({ status, output }))
}

export const imageType = (format: unknown) => `image/${textIn(format) ?? 'png'}`

/** A call that needed approval has begun as its request: its own item has another id. The error may be an object. */
export const addServed: AddResult = (out, item, callId) => {
  const { id, approval_request_id: requestId, error } = item
  const kept = { call_item_id: requestId ? id : undefined, error: isJsonObject(error) ? error : undefined }
  addOutput(out, item, callId, item.output ?? '', { kept })
}

/** Fields of an item that describe the call, not its output. */
const CALL_FIELDS = namesIn('type id call_id name namespace caller arguments input action error')

/** The output of an unknown tool: all fields of its item that do not describe the call. */
export const addUnknown: AddResult = (out, item, callId) => {
  const rest = Object.entries(item).filter(([field, value]) => !CALL_FIELDS.has(field) && value !== null)
  addOutput(out, item, callId, item.output ?? Object.fromEntries(rest))
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
export function readOutput(out: Out, run: Run, _slot: Slot, item: RawItem): boolean {
  const callId = callOf(run, item)
  if (callId === undefined || run.answeredCalls.has(callId)) return callId !== undefined
  const output = (outputs[item.type]?.(item) ?? item.output ?? '') as Json
  const isAsked = run.pendingApprovals.has(callId)
  const isDenied = isAsked && output === NOT_APPROVED
  rememberOne(run.answeredCalls, callId)
  run.response.unanswered.delete(callId)
  if (isAsked) answerApproval(out, run, callId, { state: isDenied ? 'denied' : 'approved' })
  if (isDenied) out.push({ type: 'tool-output', callId, status: 'denied', output })
  else {
    const kept = { output_id: Object.hasOwn(outputs, item.type) && item.id !== callId ? item.id : undefined }
    addOutput(out, item, callId, output, { failure: textIn(output), kept })
  }
  for (const [index, part] of objectsIn([output].flat()).entries()) addShown(out, part, callId, index)
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
const fileTypes = byNames([
  ['image/*', 'input_image computer_screenshot image'],
  ['audio/*', 'audio'],
  ['application/octet-stream', 'input_file file'],
])

/** An image or a file that the model is shown. Each field holds an address or, in base64, the file. */
function addShown(out: Out, part: JsonObject, callId: string, index: number): void {
  const { type, image_url, image, file, file_url, file_data, file_id, filename } = part
  const defaultType = fileTypes.get(textIn(type) ?? '')
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
  const { type, filename, file_id, container_id, url_citation } = annotation
  const isFile = type === 'container_file_citation' || type === 'file_path'
  if (!isFile) addSource(out, { ...annotation, ...url_citation }, { blockId }, `${blockId}:source-${index}`)
  else if (typeof file_id === 'string') {
    // A file that a tool produced: only the provider holds it, under its id.
    const file = { mediaType: 'application/octet-stream', ...present({ filename }) }
    out.push({ type: 'file', fileId: file_id, ...file, ...openaiMeta({ file_id, container_id }) })
  }
}

type Owner = { readonly blockId: string } | { readonly callId: string }

/** A source, with the field names of the different tools. */
function addSource(out: Out, found: object, owner: Owner, sourceId: string): void {
  const { url, title, filename, file_id, container_id, text, snippet } = found as Sparse<Record<string, string>>
  const name = title ?? filename ?? file_id
  const quote = present({ snippet: snippet ?? text })
  if (typeof url === 'string')
    out.push({ type: 'source', sourceId, kind: 'url', url, ...owner, ...present({ title }), ...quote })
  else if (typeof name === 'string') {
    const meta = openaiMeta({ file_id, container_id })
    out.push({ type: 'source', sourceId, kind: 'file', title: name, ...owner, ...quote, ...meta })
  }
}
