import type { Json, JsonObject } from '../../json.ts'
import { objectIn, type Sparse } from '../kit/fields.ts'
import type { RawItem, RawPart } from '../openai-responses/raw.ts'

/** The current agent; some senders write only its name. */
export type RawAgent = string | ({ readonly name?: string } & JsonObject) | null

export type RunItem = { readonly type: string; readonly output?: Json } & Sparse<{
  rawItem: ProtocolItem
  raw_item: ProtocolItem
  agent: RawAgent
  toolName: string
}>

/** An item of either language: JavaScript puts fields that only the provider understands in `providerData`. */
export type ProtocolItem = {
  readonly type: string
  readonly role?: string
  readonly providerData?: JsonObject | null
  readonly [field: string]: Json | undefined
}

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
  if (type === 'message') return { ...fields, type, content: partsOf(raw.content) ?? null } as RawItem
  return { ...fields, type, ...plainOutput(fields.output) } as RawItem
}

function callerOf({ caller }: ProtocolItem): { readonly caller?: Json } {
  const { type, callerId } = objectIn(caller)
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
  const isType = (one: Json | undefined) => typeof one === 'string' && /_(call|tools|request)$/.test(one)
  const type = [providerFields.type, name].find(isType) ?? `${name ?? 'hosted_tool'}_call`
  const result = type === 'image_generation_call' ? { result: output } : { output }
  const ownName = providerFields.name ? { name: providerFields.name } : {}
  return { ...rest, ...(output === undefined ? {} : result), ...ownName, type } as RawItem
}

/** Summaries are marked by their type. The reasoning is `rawContent`, otherwise the rest of the content. */
function reasoningOf(item: ProtocolItem): Pick<RawItem, 'summary' | 'content'> {
  const { content, rawContent, summary, providerData } = item
  if (summary !== undefined) return {}
  const parts = partsOf(content) ?? []
  const thoughts = partsOf(rawContent || providerData?.content) ?? parts.filter(({ type }) => type !== 'summary_text')
  return {
    summary: parts.filter(({ type }) => type === 'summary_text'),
    content: thoughts.map((part) => ({ ...part, type: 'reasoning_text' })),
  }
}

/** The parts of a content. The library calls every text an input; the provider's type is in `providerData`. */
function partsOf(content: Json | undefined): readonly RawPart[] | undefined {
  if (typeof content === 'string') return [{ type: 'output_text', text: content }]
  if (!Array.isArray(content)) return undefined
  const parts: readonly JsonObject[] = content
  return parts.map(({ providerData, ...part }) => ({ ...part, ...(providerData as JsonObject | undefined) }) as never)
}

/** A text that is wrapped as a part of a message. */
function plainOutput(output: Json | undefined): { readonly output?: Json } {
  const { type, text } = objectIn(output)
  return type === 'text' && typeof text === 'string' ? { output: text } : {}
}

function inSnakeCase(fields: object): JsonObject {
  const snakeCased = (name: string) => name.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`)
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [snakeCased(name), value]))
}
