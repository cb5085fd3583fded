import { isJsonObject, isText, type Json, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

/** The fields of any event. Before it is read, its nulls are removed and its names are in camel case. */
export interface Base {
  /** Milliseconds; some servers send seconds. */
  readonly timestamp?: number
  readonly metadata?: JsonObject
  readonly subagentRunId?: string
}

type Event<Type extends string, Fields = object> = Type extends string
  ? Base & { readonly type: Type } & Readonly<Fields>
  : never

type Texts<Field extends string> = { readonly [F in Field]?: string }
type SubagentParent = 'parentSubagentRunId' | 'parentToolCallId'

type OfMessage = Texts<'messageId'>

export type TextStart = Base & Texts<'messageId' | 'role' | 'name' | 'title'>

export type CallStart = Base & Texts<'toolCallName' | 'parentMessageId'> & { readonly toolCallId: string }

/** The events of AG-UI: version 1.0, the drafts before it, and what servers of that time added. */
export type RawEvent =
  | Event<
      'RUN_STARTED',
      Texts<'threadId' | 'runId' | 'parentRunId' | 'protocolVersion' | 'model'> & { input?: RunInput }
    >
  /** The outcome is a string in the drafts, with `interrupt` beside it. */
  | Event<'RUN_FINISHED', Usage & { result?: Json; outcome?: Outcome | string; interrupt?: Interrupt }>
  /** Before 1.0 some servers sent `error` instead of `message`. */
  | Event<'RUN_ERROR', Usage & Texts<'message' | 'code'> & { error?: Json }>
  | Event<'STEP_STARTED' | 'STEP_FINISHED', { stepName: string }>
  | Event<'TEXT_MESSAGE_START', TextStart>
  | Event<'TEXT_MESSAGE_CONTENT' | 'REASONING_MESSAGE_CONTENT', OfMessage & { delta: string }>
  | Event<'TEXT_MESSAGE_END', OfMessage>
  | Event<'TEXT_MESSAGE_CHUNK', TextStart & { delta?: string }>
  | Event<'TOOL_CALL_START', CallStart>
  | Event<'TOOL_CALL_ARGS', { toolCallId: string; delta: string }>
  | Event<'TOOL_CALL_END', { toolCallId: string }>
  | Event<'TOOL_CALL_CHUNK', Partial<CallStart> & { delta?: string }>
  | Event<'TOOL_CALL_RESULT', OfMessage & Result & { toolCallId: string }>
  | Event<'REASONING_START' | 'REASONING_END' | 'REASONING_MESSAGE_START' | 'REASONING_MESSAGE_END', OfMessage>
  | Event<'REASONING_MESSAGE_CHUNK', OfMessage & { delta?: string }>
  | Event<'REASONING_ENCRYPTED_VALUE', { subtype?: string; entityId: string; encryptedValue: string }>
  | Event<'THINKING_START', { title?: string }>
  | Event<'THINKING_END' | 'THINKING_TEXT_MESSAGE_START' | 'THINKING_TEXT_MESSAGE_END'>
  | Event<'THINKING_TEXT_MESSAGE_CONTENT' | 'THINKING_CONTENT', { delta: string }>
  | Event<'STATE_SNAPSHOT', { snapshot: Json }>
  | Event<'STATE_DELTA', { delta: Json }>
  | Event<'MESSAGES_SNAPSHOT', { messages: readonly RawMessage[] }>
  | Event<'ACTIVITY_SNAPSHOT', Activity & { replace?: boolean }>
  | Event<'ACTIVITY_DELTA', Omit<Activity, 'content'> & { patch: Json }>
  | Event<'SUBAGENT_STARTED', { subagentRunId: string } & Texts<'name' | 'description' | SubagentParent>>
  | Event<'SUBAGENT_FINISHED', { result?: Json; outcome?: { readonly type?: string } }>
  | Event<'SUBAGENT_ERROR', { message?: string; code?: string }>
  | Event<'RAW', { event: Json }>
  | Event<'CUSTOM', { name: string; value?: Json }>
  | Event<'USAGE_METADATA'>

export interface Activity {
  readonly messageId: string
  readonly activityType: string
  readonly content: Json
}

/** `result` and `error` are not part of the protocol; servers that follow no version send them. */
export interface Result {
  readonly content?: Json
  readonly result?: Json
  readonly error?: Json
}

/** The event of a type. */
export type RawOf<Type extends RawEvent['type']> = Extract<RawEvent, { readonly type: Type }>

type RunInput = JsonObject & { readonly messages?: readonly RawMessage[]; readonly resume?: readonly Resumption[] }

/** Usage per model. */
export type Usage = { readonly usage?: readonly JsonObject[] }

/** The answer to an interrupt of the run before. */
export type Resumption = { readonly interruptId: string; readonly status?: string; readonly payload?: Json }

export type Interrupt = JsonObject & { readonly id?: string; readonly toolCallId?: string; readonly message?: string }

export type Outcome = {
  readonly type?: string
  readonly interrupts?: readonly Interrupt[]
  readonly pendingToolCallIds?: readonly string[]
}

/** A message of a snapshot or of a run's input, with its names in camel case and without its nulls. */
export type RawMessage = Texts<'id' | 'role' | 'name' | 'toolCallId' | 'error' | 'activityType' | 'encryptedValue'> & {
  readonly content?: Json
  readonly toolCalls?: readonly RawCall[]
  readonly metadata?: JsonObject
  readonly subagentRunId?: string
}

export type RawCall = Texts<'id' | 'encryptedValue'> & {
  readonly function?: { readonly name?: string; readonly arguments?: Json }
}

/** Types of AG-UI: no other format writes them in capitals. */
const TYPES =
  /^(RUN_(STARTED|FINISHED|ERROR)|STEP_(STARTED|FINISHED)|TEXT_MESSAGE_(START|CONTENT|END|CHUNK)|TOOL_CALL_(START|ARGS|END|CHUNK|RESULT)|REASONING_\w+|THINKING_\w+|STATE_(SNAPSHOT|DELTA)|MESSAGES_SNAPSHOT|ACTIVITY_(SNAPSHOT|DELTA)|SUBAGENT_(STARTED|FINISHED|ERROR)|RAW|CUSTOM|USAGE_METADATA)$/

export function recognize({ value }: RawRecord): Recognition | undefined {
  const type = isJsonObject(value) ? value.type : undefined
  if (typeof type !== 'string' || !TYPES.test(type)) return undefined
  return { certainty: 0.95, reason: `a record is an AG-UI ${type}` }
}

type Check = (value: unknown) => boolean

const isList: Check = Array.isArray
const isPresent: Check = (value) => value !== undefined

/** The fields without which an event of these types cannot be read. */
const NEEDS: readonly (readonly [field: string, isValid: Check, types: readonly RawEvent['type'][]])[] = [
  ['stepName', isText, ['STEP_STARTED', 'STEP_FINISHED']],
  ['delta', isText, ['TEXT_MESSAGE_CONTENT', 'REASONING_MESSAGE_CONTENT', 'TOOL_CALL_ARGS']],
  ['delta', isText, ['THINKING_TEXT_MESSAGE_CONTENT', 'THINKING_CONTENT']],
  ['toolCallId', isText, ['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END', 'TOOL_CALL_RESULT']],
  ['entityId', isText, ['REASONING_ENCRYPTED_VALUE']],
  ['encryptedValue', isText, ['REASONING_ENCRYPTED_VALUE']],
  ['snapshot', isPresent, ['STATE_SNAPSHOT']],
  ['delta', isList, ['STATE_DELTA']],
  ['messages', isList, ['MESSAGES_SNAPSHOT']],
  ['messageId', isText, ['ACTIVITY_SNAPSHOT', 'ACTIVITY_DELTA']],
  ['activityType', isText, ['ACTIVITY_SNAPSHOT', 'ACTIVITY_DELTA']],
  ['content', isPresent, ['ACTIVITY_SNAPSHOT']],
  ['patch', isList, ['ACTIVITY_DELTA']],
  ['subagentRunId', isText, ['SUBAGENT_STARTED', 'SUBAGENT_FINISHED', 'SUBAGENT_ERROR']],
  ['name', isText, ['CUSTOM']],
]

const needsByType = new Map<string, (typeof NEEDS)[number][]>()
for (const need of NEEDS) for (const type of need[2]) needsByType.set(type, [...(needsByType.get(type) ?? []), need])

/** Whether an event has the fields without which it cannot be read. */
export function isComplete(raw: RawEvent): boolean {
  const fields = raw as unknown as { readonly [field: string]: unknown }
  for (const [field, isValid] of needsByType.get(raw.type) ?? []) if (!isValid(fields[field])) return false
  return true
}

/** The types that end the chunk before them. State, activities and the like may come between two chunks. */
export const ENDS_CHUNK = /^(?:RUN|STEP|SUBAGENT)_|_(?:START|END|RESULT)$|^MESSAGES_SNAPSHOT$/

/** The types with which the agent continues: it does not wait for its calls. */
export const CONTINUES_RUN = /^(?:TEXT|REASONING)_MESSAGE_(?:START|CHUNK)$|^THINKING_(?:TEXT_MESSAGE_)?START$/
