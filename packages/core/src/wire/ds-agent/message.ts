import type { Json } from '../../json.ts'
import { type RoutedItem, routeOf } from '../../meaning/pane-routes.ts'
import { type Fields, withDefined } from '../chunk-fields.ts'

/** The type of a message. All are the protocol's except `message`, which is used for everything else. */
export type MessageType =
  | 'planning_header'
  | 'planning_content'
  | 'planning_footer'
  | 'action_header'
  | 'action_thought'
  | 'tool_call'
  | 'tool_invocation'
  | 'observation'
  | 'action_footer'
  | 'separator'
  | 'final_answer'
  | 'error'
  | 'message'

export type PlanningType = 'initial' | 'update'

/** The step that a message belongs to. */
export interface Step {
  readonly kind: 'planning' | 'action' | 'final'
  readonly number: number
  /** Of a planning step: whether it is the first plan. */
  readonly planningType?: PlanningType
}

/** The metadata of a message that is being written: its owner adds to it, because each copy would cost (bench/rows/wire.ts). */
export type Metadata = Record<string, Json>

/** A message without its id and time. Whoever gets it owns its metadata. */
export interface Draft {
  readonly content: string
  readonly metadata: Metadata
}

/** A message that may be streamed: the metadata of its deltas, and its last message, which contains the whole text. */
export interface MessageTemplate {
  readonly type: MessageType
  metadata(): Metadata
  /** `isStreamed` if the client already has the text from deltas. */
  whole(text: string, isStreamed: boolean): Draft
}

/** The first fields of a message's metadata: its pane, its type and its step. */
export function headOf(type: MessageType, routed: RoutedItem, step: Step | undefined): Metadata {
  const component = routeOf(routed)
  if (step === undefined) return { component, message_type: type }
  const { kind, number, planningType } = step
  const step_type = kind === 'final' ? 'final_answer' : kind
  const head: Metadata = { component, message_type: type, step_type, step_number: number }
  if (planningType !== undefined) head.planning_type = planningType
  return head
}

/** A message that is not streamed. Takes over the head. */
export function draftOf(metadata: Metadata, content: string, fields: Fields): Draft {
  withDefined(metadata, fields)
  metadata.streaming = false
  metadata.status = 'done'
  return { content, metadata }
}

/** How many characters of a thought a client shows. */
const SHOWN_CHARACTERS = 60

/** The last code point that is one UTF-16 unit. */
const LAST_OF_ONE_UNIT = 0xffff

/** The first characters of a text, without splitting a surrogate pair. */
export function shownOf(text: string): string {
  let end = 0
  for (let shown = 0; shown < SHOWN_CHARACTERS && end < text.length; shown++) {
    end += (text.codePointAt(end) ?? 0) > LAST_OF_ONE_UNIT ? 2 : 1
  }
  return text.slice(0, end)
}

/**
 * The extra fields from which a value can be restored: none if the content is the value, a mark if the content is its
 * JSON, otherwise the value itself.
 */
export function valueExtra(name: string, value: Json | undefined, content: string): Fields {
  if (value === undefined || value === content) return {}
  if (typeof value !== 'string' && JSON.stringify(value, null, 2) === content) return { json: true }
  return { [name]: value }
}
