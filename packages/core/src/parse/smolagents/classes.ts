import { isJsonObject, isText, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import { objectIn } from '../kit/fields.ts'
import type { Recognition } from '../parser.ts'
import type { ClassName } from './raw.ts'

interface ClassMatch {
  readonly name: ClassName
  /** Lower for a dictionary, which does not name its class, than for a record of a host that does. */
  readonly certainty: number
}

const hasOnly = (value: JsonObject, ...fields: readonly string[]) =>
  Object.keys(value).every((field) => field === 'type' || fields.includes(field))
const hasAll = (value: JsonObject, ...fields: readonly string[]) => fields.every((field) => field in value)
const isExactly = (value: JsonObject, ...fields: readonly string[]) =>
  hasAll(value, ...fields) && hasOnly(value, ...fields)

/** The order matters: an earlier class may have all fields of a later one. */
const classes: readonly (readonly [ClassName, certainty: number, fits: (value: JsonObject) => boolean])[] = [
  ['ToolOutput', 0.9, (value) => hasAll(value, 'observation', 'tool_call')],
  [
    'ActionStep',
    0.9,
    (value) => typeof value.step_number === 'number' && ('observations' in value || 'model_output' in value),
  ],
  ['PlanningStep', 0.85, (value) => isText(value.plan) && 'model_output_message' in value],
  ['ActionOutput', 0.8, (value) => isExactly(value, 'output', 'is_final_answer')],
  ['FinalAnswerStep', 0.4, (value) => isExactly(value, 'output')],
  ['FinalAnswerStep', 0.6, (value) => isExactly(value, 'final_answer')],
  ['ToolCall', 0.6, (value) => isText(objectIn(value.function).name) && 'arguments' in objectIn(value.function)],
  ['ToolCall', 0.6, (value) => isText(value.name) && 'arguments' in value && hasOnly(value, 'name', 'arguments', 'id')],
  [
    'ChatMessageStreamDelta',
    0.7,
    (value) => hasAll(value, 'content', 'tool_calls') && hasOnly(value, 'content', 'tool_calls', 'token_usage'),
  ],
  ['TaskStep', 0.5, (value) => isText(value.task) && 'task_images' in value],
]

/** The class names of a host that names classes. */
const NAMES =
  /^(?:ChatMessageStreamDelta|(?:ChatMessage)?ToolCall|ToolOutput|ActionOutput|(?:Planning|Action|FinalAnswer|Task|SystemPrompt)Step)$/

/** The names of exceptions: those of agents, and those that a host may pass on. */
const AGENT_ERROR = /^Agent\w*Error$/
const ANY_ERROR = /^error$|^[A-Z]\w*(?:Error|Exception)$/

/** The class of a record, with its certainty. The dictionary of a call has the `type` `function`. */
export function classOf(value: unknown): ClassMatch | undefined {
  if (!isJsonObject(value)) return undefined
  const { type } = value
  if (typeof type === 'string' && type !== 'function') {
    if (NAMES.test(type)) return { name: type as ClassName, certainty: 0.95 }
    if (!ANY_ERROR.test(type) || !(isText(value.message) || isText(value.error))) return undefined
    return { name: 'AgentError', certainty: AGENT_ERROR.test(type) ? 0.9 : 0.2 }
  }
  const [name, certainty = 0] = classes.find(([, , fits]) => fits(value)) ?? []
  return name && { name, certainty }
}

export function recognize({ value }: RawRecord): Recognition | undefined {
  const found = classOf(value)
  return found && { certainty: found.certainty, reason: `a record is a ${found.name} of smolagents` }
}
