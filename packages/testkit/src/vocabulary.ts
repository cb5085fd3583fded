import type { EventOf, EventType, TodoStatus } from '@millrace/core/events'

/** The fields of an event whose type is a union of strings. */
type EnumField<Event> = {
  [Field in keyof Event]-?: Field extends 'type'
    ? never
    : string extends Event[Field]
      ? never
      : NonNullable<Event[Field]> extends string
        ? string extends NonNullable<Event[Field]>
          ? never
          : Field
        : never
}[keyof Event]

/** A set of all values of a union: one that is missing or too many does not compile. */
type AllOf<Union extends string> = { readonly [Value in Union]: true }

type EnumsOf<Type extends EventType> = {
  readonly [Field in EnumField<EventOf<Type>>]: AllOf<NonNullable<EventOf<Type>[Field]> & string>
}

type TypesWithEnums = { [Type in EventType]: EnumField<EventOf<Type>> extends never ? never : Type }[EventType]

/** Every value of every field that is a union of strings. A new field or value does not compile until it is here. */
export const enums: { readonly [Type in TypesWithEnums]: EnumsOf<Type> } = {
  'run-end': {
    outcome: { success: true, error: true, interrupted: true, cancelled: true, 'awaiting-input': true },
  },
  'message-start': { role: { user: true, assistant: true, system: true, tool: true } },
  'step-start': { kind: { model: true, planning: true, action: true, final: true, node: true } },
  'block-start': {
    kind: { text: true, reasoning: true },
    variant: {
      thinking: true,
      plan: true,
      summary: true,
      commentary: true,
      refusal: true,
      redacted: true,
      'think-tool': true,
      'think-tag': true,
    },
  },
  'tool-start': { runBy: { agent: true, provider: true, client: true } },
  approval: {
    state: { requested: true, approved: true, denied: true, answered: true, expired: true },
    remember: { session: true },
  },
  'tool-progress': { channel: { stdout: true, stderr: true, text: true, data: true } },
  'tool-output': { status: { ok: true, error: true, denied: true, cancelled: true } },
  source: { kind: { url: true, document: true, file: true } },
  todos: { op: { set: true, update: true } },
  'subagent-end': { status: { done: true, failed: true, cancelled: true, interrupted: true } },
  status: { level: { info: true, warn: true, error: true } },
  usage: { scope: { step: true, run: true }, mode: { snapshot: true, add: true } },
  state: { op: { snapshot: true, patch: true } },
  control: { action: { stop: true, steer: true, resume: true } },
  raw: { reason: { unmapped: true, unparsable: true } },
}

/** The statuses of an item of a todo list. */
export const todoStatuses: AllOf<TodoStatus> = { pending: true, in_progress: true, completed: true, cancelled: true }

/** The values of such a set. */
export function valuesOf<Union extends string>(all: AllOf<Union>): readonly Union[] {
  return Object.keys(all) as Union[]
}
