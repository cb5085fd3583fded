import type { Json, JsonObject } from '../../json.ts'
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

/** A message without its id and time. */
export interface Draft {
  readonly content: string
  readonly metadata: JsonObject
}

/** A message that may be streamed: the metadata of its deltas, and its last message, which contains the whole text. */
export interface MessageTemplate {
  readonly type: MessageType
  readonly metadata: JsonObject
  /** `isStreamed` if the client already has the text from deltas. */
  whole(text: string, isStreamed: boolean): Draft
}

/** The first fields of a message's metadata: its pane, its type and its step. */
export function headOf(type: MessageType, routed: RoutedItem, step: Step | undefined): JsonObject {
  const component = routeOf(routed)
  if (step === undefined) return { component, message_type: type }
  const { kind, number, planningType } = step
  const step_type = kind === 'final' ? 'final_answer' : kind
  const head = { component, message_type: type, step_type, step_number: number }
  return planningType === undefined ? head : { ...head, planning_type: planningType }
}

/** A message that is not streamed. */
export function draftOf(head: JsonObject, content: string, fields: Fields): Draft {
  const metadata: Record<string, Json> = { ...head }
  withDefined(metadata, fields)
  metadata.streaming = false
  metadata.status = 'done'
  return { content, metadata }
}

/** How many characters of a thought a client shows. */
const SHOWN_CHARACTERS = 60

/** The first characters of a text, without splitting a surrogate pair. */
export function shownOf(text: string): string {
  return [...text.slice(0, 2 * SHOWN_CHARACTERS)].slice(0, SHOWN_CHARACTERS).join('')
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
