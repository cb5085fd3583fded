import type { Json } from '../../json.ts'
import type { RawEvent } from './raw.ts'

type Kind = 'string' | 'list' | 'any'

interface Facts {
  /** The fields without which an event cannot be read. */
  readonly needs?: { readonly [field: string]: Kind }
  /** Ends the chunk before it; state, activities and the like may come between two chunks. */
  readonly endsChunk?: true
  /** The agent continues: it does not wait for its calls. */
  readonly continuesRun?: true
}

const delta = { delta: 'string' } as const
const call = { toolCallId: 'string' } as const
const agent = { subagentRunId: 'string' } as const
const activity = { messageId: 'string', activityType: 'string' } as const

/** The facts of each type that are needed before it is read. A missing row does not compile. */
const table: { readonly [Type in RawEvent['type']]: Facts } = {
  RUN_STARTED: { endsChunk: true },
  RUN_FINISHED: { endsChunk: true },
  RUN_ERROR: { endsChunk: true },
  STEP_STARTED: { needs: { stepName: 'string' }, endsChunk: true },
  STEP_FINISHED: { needs: { stepName: 'string' }, endsChunk: true },
  TEXT_MESSAGE_START: { endsChunk: true, continuesRun: true },
  TEXT_MESSAGE_CONTENT: { needs: delta },
  TEXT_MESSAGE_END: { endsChunk: true },
  TEXT_MESSAGE_CHUNK: { continuesRun: true },
  TOOL_CALL_START: { needs: call, endsChunk: true },
  TOOL_CALL_ARGS: { needs: { ...call, ...delta } },
  TOOL_CALL_END: { needs: call, endsChunk: true },
  TOOL_CALL_CHUNK: {},
  TOOL_CALL_RESULT: { needs: call, endsChunk: true },
  REASONING_START: { endsChunk: true },
  REASONING_MESSAGE_START: { endsChunk: true, continuesRun: true },
  REASONING_MESSAGE_CONTENT: { needs: delta },
  REASONING_MESSAGE_END: { endsChunk: true },
  REASONING_MESSAGE_CHUNK: { continuesRun: true },
  REASONING_END: { endsChunk: true },
  REASONING_ENCRYPTED_VALUE: { needs: { entityId: 'string', encryptedValue: 'string' } },
  THINKING_START: { endsChunk: true, continuesRun: true },
  THINKING_END: { endsChunk: true },
  THINKING_TEXT_MESSAGE_START: { endsChunk: true, continuesRun: true },
  THINKING_TEXT_MESSAGE_CONTENT: { needs: delta },
  THINKING_TEXT_MESSAGE_END: { endsChunk: true },
  THINKING_CONTENT: { needs: delta },
  STATE_SNAPSHOT: { needs: { snapshot: 'any' } },
  STATE_DELTA: { needs: { delta: 'list' } },
  MESSAGES_SNAPSHOT: { needs: { messages: 'list' }, endsChunk: true },
  ACTIVITY_SNAPSHOT: { needs: { ...activity, content: 'any' } },
  ACTIVITY_DELTA: { needs: { ...activity, patch: 'list' } },
  SUBAGENT_STARTED: { needs: agent, endsChunk: true },
  SUBAGENT_FINISHED: { needs: agent, endsChunk: true },
  SUBAGENT_ERROR: { needs: agent, endsChunk: true },
  RAW: {},
  CUSTOM: { needs: { name: 'string' } },
  USAGE_METADATA: {},
}

const rows = new Map(
  Object.entries<Facts>(table).map(([type, { needs = {}, ...facts }]) => [
    type,
    { ...facts, needs: [...Object.entries({ ...needs })] },
  ]),
)

const checks: { readonly [K in Kind]: (value: unknown) => boolean } = {
  string: (value) => typeof value === 'string',
  list: (value) => Array.isArray(value),
  any: (value) => value !== undefined,
}

/** Returns undefined if the type of the event is unknown or if a required field is missing. */
export function factsOf(raw: RawEvent): Pick<Facts, 'endsChunk' | 'continuesRun'> | undefined {
  const row = rows.get(raw.type)
  if (row === undefined) return undefined
  const fields = raw as unknown as { readonly [field: string]: unknown }
  for (const [field, kind] of row.needs) if (!checks[kind](fields[field])) return undefined
  return row
}

/** A string unchanged, any other value as JSON. */
export function textOrJson(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
