import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Sparse } from '../kit/fields.ts'
import { bySigns, sign } from '../kit/signs.ts'
import type { Recognition } from '../parser.ts'

/** The events of an interaction, as far as they are read, by their type. */
export interface RawEvents {
  readonly 'interaction.created': { readonly interaction: Interaction }
  readonly 'interaction.status_update': Sparse<{ status: string; usage: RawUsage; continuation_token: string }>
  readonly 'step.start': { readonly index: number; readonly step: Step }
  readonly 'step.delta': { readonly index: number; readonly delta: Delta }
  readonly 'step.stop': { readonly index: number } & Sparse<{ usage: RawUsage; step_usage: RawUsage }>
  readonly 'interaction.completed': { readonly interaction: Interaction }
  readonly error: Sparse<{ error: RawError }>
  /** Of the first releases, which had contents in place of steps. */
  readonly 'content.start': { readonly index: number; readonly content: Content }
}

interface Other {
  readonly [field: string]: unknown
}

export type Interaction = Other &
  Sparse<{
    id: string
    model: string
    agent: string
    status: string
    usage: RawUsage
    steps: readonly Step[]
    outputs: readonly Content[]
    error: RawError
  }>

export type RawError = Sparse<{ code: string | number; message: string }>

/** One item of a message, or of the summary of a thought. */
export type Content = { readonly type: string } & Sparse<{
  text: string
  data: string
  uri: string
  mime_type: string
  annotations: readonly Annotation[]
}>

/** Types of calls end in `_call`, types of results in `_result`. All calls, and all results, have the same fields. */
export type Step = StepFields & Sparse<{ content: readonly Content[]; summary: readonly Content[] }>

/** A delta has fields of its step, or of an item of its content. */
export type Delta = StepFields & Sparse<{ text: string; content: Content; annotations: readonly Annotation[] }>

export type StepFields = Other & { readonly type: string } & Sparse<{
    signature: string
    id: string
    name: string
    server_name: string
    arguments: Json
    call_id: string
    result: Json
    is_error: boolean
  }>

/** Indices are bytes of the UTF-8 of the text. */
export type Annotation = { readonly type: string } & Sparse<{
  start_index: number
  end_index: number
  url: string
  document_uri: string
  title: string
  name: string
  file_name: string
  source: string
}>

/** Every count is of the whole interaction so far. Output excludes thoughts. */
export type RawUsage = Other &
  Sparse<{
    total_input_tokens: number
    total_tool_use_tokens: number
    total_output_tokens: number
    total_thought_tokens: number
    total_cached_tokens: number
  }>

const aboutInteraction = sign(1, ({ interaction }) => isJsonObject(interaction))
const ofStep = sign(0.95, ({ index }) => typeof index === 'number')

const recognizeEvent = bySigns(
  {
    'interaction.created': aboutInteraction,
    'interaction.completed': aboutInteraction,
    'interaction.status_update': sign(1, ({ status }) => typeof status === 'string'),
    'step.start': ofStep,
    'step.delta': ofStep,
    'step.stop': ofStep,
    'content.start': ofStep,
    error: sign(0.6, ({ error }) => isJsonObject(error)),
  },
  (type) => `a record is a Gemini ${type} event`,
  typeOf,
)

/** The types of the first releases. */
const oldTypes: ReadonlyMap<string, string> = new Map([
  ['interaction.start', 'interaction.created'],
  ['content.delta', 'step.delta'],
  ['content.stop', 'step.stop'],
  ['interaction.complete', 'interaction.completed'],
])

export function typeOf({ event_type: type }: JsonObject): unknown {
  return typeof type === 'string' ? (oldTypes.get(type) ?? type) : undefined
}

/** Whether a value is a whole interaction, which was not streamed. */
export function isInteraction(value: JsonObject): boolean {
  return value.object === 'interaction' && typeof value.status === 'string' && value.event_type === undefined
}

export function recognize(record: RawRecord): Recognition | undefined {
  const isWhole = isJsonObject(record.value) && isInteraction(record.value)
  return isWhole ? { certainty: 0.95, reason: 'a record is a Gemini interaction' } : recognizeEvent(record)
}
