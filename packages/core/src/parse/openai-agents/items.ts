import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { RawItem, RawPart } from '../openai-responses/raw.ts'
import type { ProtocolItem, RunItem } from './raw.ts'

/** Item types that only the JavaScript library uses. */
const renamed: { readonly [type: string]: string } = {
  function_call_result: 'function_call_output',
  computer_call_result: 'computer_call_output',
  program_call: 'program',
  program_call_result: 'program_output',
}

/** An item with the names of the Responses API, from the library of either language. */
export function itemOf(raw: ProtocolItem): RawItem {
  const { providerData, ...ownFields } = raw
  if (raw.type === 'unknown' && typeof providerData?.type === 'string') return providerData as unknown as RawItem
  const fields: { [field: string]: Json | undefined } = { ...providerData, ...inSnakeCase(ownFields), ...callerOf(raw) }
  const type = renamed[raw.type] ?? raw.type
  if (type === 'hosted_tool_call') return hostedCall(fields, providerData ?? {})
  if (type === 'reasoning') return { ...fields, type, ...reasoningOf(raw) } as RawItem
  if (type === 'message')
    return { ...fields, type, content: isContent(raw.content) ? partsOf(raw.content) : null } as RawItem
  return { ...fields, type, ...plainOutput(fields.output) } as RawItem
}

function callerOf({ caller }: ProtocolItem): { readonly caller?: Json } {
  const { type, callerId } = (caller ?? {}) as JsonObject
  return typeof callerId === 'string' ? { caller: { type: type ?? 'program', caller_id: callerId } } : {}
}

/** The raw item of a run item, with the output that the tool itself returned. */
export function runItemOf({ rawItem, raw_item, output }: RunItem): RawItem | undefined {
  const raw = rawItem ?? raw_item
  if (raw === null || raw === undefined) return undefined
  const item = itemOf(raw)
  return output === undefined || output === null ? item : { ...item, output }
}

/** A tool of the provider: its type is in the field `name`, and an image is in the field `output`. */
function hostedCall(fields: { readonly [field: string]: Json | undefined }, providerFields: JsonObject): RawItem {
  const { name, output, ...rest } = fields
  const callType = [providerFields.type, name].find(
    (one) => typeof one === 'string' && /_(call|tools|request)$/.test(one),
  )
  const type = typeof callType === 'string' ? callType : `${name ?? 'hosted_tool'}_call`
  const result = type === 'image_generation_call' ? { result: output } : { output }
  return {
    ...rest,
    ...(output === undefined ? {} : result),
    ...(providerFields.name ? { name: providerFields.name } : {}),
    type,
  } as RawItem
}

/** Summaries are marked by their type. The reasoning is `rawContent`, otherwise the rest of the content. */
function reasoningOf({
  content,
  rawContent,
  summary,
  providerData,
}: ProtocolItem): Pick<RawItem, 'summary' | 'content'> {
  if (summary !== undefined) return {}
  const parts = partsOf(content)
  const raw = rawContent ?? providerData?.content
  const thoughts = raw ? partsOf(raw) : parts.filter(({ type }) => type !== 'summary_text')
  return {
    summary: parts.filter(({ type }) => type === 'summary_text'),
    content: thoughts.map((part) => ({ ...part, type: 'reasoning_text' })),
  }
}

function isContent(content: Json | undefined): boolean {
  return typeof content === 'string' || Array.isArray(content)
}

/** The parts of a content. The library calls every text an input; the provider's type is in `providerData`. */
function partsOf(content: Json | undefined): readonly RawPart[] {
  if (typeof content === 'string') return [{ type: 'output_text', text: content }]
  const parts = Array.isArray(content) ? (content as readonly JsonObject[]) : []
  return parts.map(({ providerData, ...part }) => ({ ...part, ...(providerData as JsonObject | undefined) }) as never)
}

/** A text that is wrapped as a part of a message. */
function plainOutput(output: Json | undefined): { readonly output?: Json } {
  if (!isJsonObject(output)) return {}
  const { type, text } = output as JsonObject
  return type === 'text' && typeof text === 'string' ? { output: text } : {}
}

function inSnakeCase(fields: { readonly [field: string]: Json | undefined }): { readonly [field: string]: Json } {
  const named = Object.entries(fields).map(([name, value]) => [
    name.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`),
    value,
  ])
  return Object.fromEntries(named)
}
