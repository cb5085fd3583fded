import type { Json, JsonObject } from '../../json.ts'
import { type RoutedItem, routeOf } from '../../meaning/pane-routes.ts'
import { defined, type Fields, withDefined } from '../chunk-fields.ts'

/** What a message is. All but `message`, which is said of whatever has no name of its own, are the protocol's. */
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
  /** Of a plan: whether there was one before it. */
  readonly planningType?: PlanningType
}

/** A message that has neither an id nor a time yet. */
export interface Draft {
  readonly content: string
  readonly metadata: JsonObject
}

/** What is said piece by piece: what each of its messages tells, and what the one that has all of it tells. */
export interface Speech {
  readonly type: MessageType
  readonly metadata: JsonObject
  /** `isStreamed` where the client has the text already, in pieces. */
  whole(text: string, isStreamed: boolean): Draft
}

/** What a message says of itself before anything else: the pane it belongs to, what it is, and its step. */
export function headOf(type: MessageType, routed: RoutedItem, step: Step | undefined): JsonObject {
  const component = routeOf(routed)
  if (step === undefined) return { component, message_type: type }
  const { kind, number, planningType } = step
  const step_type = kind === 'final' ? 'final_answer' : kind
  const head = { component, message_type: type, step_type, step_number: number }
  return planningType === undefined ? head : { ...head, planning_type: planningType }
}

/** A message that is whole as soon as it is said. */
export function draftOf(head: JsonObject, content: string, fields: Fields): Draft {
  const metadata: Record<string, Json> = { ...head }
  withDefined(metadata, fields)
  metadata.streaming = false
  metadata.status = 'done'
  return { content, metadata }
}

/** Ours, under the one key that is ours; nothing where there is nothing to say. */
export function ownOf(fields: Fields): { readonly millrace?: JsonObject } {
  const millrace = defined(fields)
  return Object.keys(millrace).length === 0 ? {} : { millrace }
}

/** How much of a thought a client is shown. */
const SHOWN = 60

/** The first characters of a text, no half ones among them. */
export function shownOf(text: string): string {
  return [...text.slice(0, 2 * SHOWN)].slice(0, SHOWN).join('')
}

/**
 * How a message tells a value beside its words: not at all where they are it, by a mark where they are its JSON, else by
 * the value itself.
 */
export function valueBeside(name: string, value: Json | undefined, content: string): Fields {
  if (value === undefined || value === content) return {}
  if (typeof value !== 'string' && JSON.stringify(value, null, 2) === content) return { json: true }
  return { [name]: value }
}
