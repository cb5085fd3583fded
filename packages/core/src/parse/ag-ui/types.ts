import { isJsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'
import type { RawEvent } from './raw.ts'

type Type = RawEvent['type']
type Kind = 'string' | 'list' | 'any'

/** Types of AG-UI: no other format writes them in capitals. */
const TYPES =
  /^(RUN_(STARTED|FINISHED|ERROR)|STEP_(STARTED|FINISHED)|TEXT_MESSAGE_(START|CONTENT|END|CHUNK)|TOOL_CALL_(START|ARGS|END|CHUNK|RESULT)|REASONING_\w+|THINKING_\w+|STATE_(SNAPSHOT|DELTA)|MESSAGES_SNAPSHOT|ACTIVITY_(SNAPSHOT|DELTA)|SUBAGENT_(STARTED|FINISHED|ERROR)|RAW|CUSTOM|USAGE_METADATA)$/

export function recognize({ value }: RawRecord): Recognition | undefined {
  const type = isJsonObject(value) ? value.type : undefined
  if (typeof type !== 'string' || !TYPES.test(type)) return undefined
  return { certainty: 0.95, reason: `a record is an AG-UI ${type}` }
}

const delta = { delta: 'string' } as const
const call = { toolCallId: 'string' } as const
const agent = { subagentRunId: 'string' } as const
const activity = { messageId: 'string', activityType: 'string' } as const

/** The fields without which an event cannot be read. */
const needs: { readonly [T in Type]?: { readonly [field: string]: Kind } } = {
  STEP_STARTED: { stepName: 'string' },
  STEP_FINISHED: { stepName: 'string' },
  TEXT_MESSAGE_CONTENT: delta,
  TOOL_CALL_START: call,
  TOOL_CALL_ARGS: { ...call, ...delta },
  TOOL_CALL_END: call,
  TOOL_CALL_RESULT: call,
  REASONING_MESSAGE_CONTENT: delta,
  REASONING_ENCRYPTED_VALUE: { entityId: 'string', encryptedValue: 'string' },
  THINKING_TEXT_MESSAGE_CONTENT: delta,
  THINKING_CONTENT: delta,
  STATE_SNAPSHOT: { snapshot: 'any' },
  STATE_DELTA: { delta: 'list' },
  MESSAGES_SNAPSHOT: { messages: 'list' },
  ACTIVITY_SNAPSHOT: { ...activity, content: 'any' },
  ACTIVITY_DELTA: { ...activity, patch: 'list' },
  SUBAGENT_STARTED: agent,
  SUBAGENT_FINISHED: agent,
  SUBAGENT_ERROR: agent,
  CUSTOM: { name: 'string' },
}

const checks: { readonly [K in Kind]: (value: unknown) => boolean } = {
  string: (value) => typeof value === 'string',
  list: (value) => Array.isArray(value),
  any: (value) => value !== undefined,
}

const neededFields = new Map(Object.entries(needs).map(([type, fields]) => [type, Object.entries(fields)]))

/** Whether an event has the fields without which it cannot be read. */
export function isComplete(raw: RawEvent): boolean {
  const fields = raw as unknown as { readonly [field: string]: unknown }
  for (const [field, kind] of neededFields.get(raw.type) ?? []) if (!checks[kind](fields[field])) return false
  return true
}

/** The types that end the chunk before them. State, activities and the like may come between two chunks. */
export const ENDS_CHUNK = /^(?:RUN|STEP|SUBAGENT)_|_(?:START|END|RESULT)$|^MESSAGES_SNAPSHOT$/

/** The types with which the agent continues: it does not wait for its calls. */
export const CONTINUES_RUN = /^(?:TEXT|REASONING)_MESSAGE_(?:START|CHUNK)$|^THINKING_(?:TEXT_MESSAGE_)?START$/
