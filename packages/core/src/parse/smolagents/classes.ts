import { isJsonObject, isText, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'
import type { ClassName } from './raw.ts'

interface ClassMatch {
  readonly name: ClassName
  /** Lower for a dictionary, which does not name its class, than for a record of a host that does. */
  readonly certainty: number
}

interface Class extends ClassMatch {
  readonly fits: (value: JsonObject) => boolean
}

const hasOnly = (value: JsonObject, ...fields: readonly string[]) =>
  Object.keys(value).every((field) => field === 'type' || fields.includes(field))

/** The order matters: an earlier class may have all fields of a later one. */
const classes: readonly Class[] = [
  { name: 'ToolOutput', certainty: 0.9, fits: (value) => 'observation' in value && 'tool_call' in value },
  {
    name: 'ActionStep',
    certainty: 0.9,
    fits: (value) => typeof value.step_number === 'number' && ('observations' in value || 'model_output' in value),
  },
  { name: 'PlanningStep', certainty: 0.85, fits: (value) => isText(value.plan) && 'model_output_message' in value },
  {
    name: 'ActionOutput',
    certainty: 0.8,
    fits: (value) => 'output' in value && 'is_final_answer' in value && hasOnly(value, 'output', 'is_final_answer'),
  },
  { name: 'FinalAnswerStep', certainty: 0.4, fits: (value) => 'output' in value && hasOnly(value, 'output') },
  {
    name: 'FinalAnswerStep',
    certainty: 0.6,
    fits: (value) => 'final_answer' in value && hasOnly(value, 'final_answer'),
  },
  {
    name: 'ToolCall',
    certainty: 0.6,
    fits: (value) => isJsonObject(value.function) && isText(value.function.name) && 'arguments' in value.function,
  },
  {
    name: 'ToolCall',
    certainty: 0.6,
    fits: (value) => isText(value.name) && 'arguments' in value && hasOnly(value, 'name', 'arguments', 'id'),
  },
  {
    name: 'ChatMessageStreamDelta',
    certainty: 0.7,
    fits: (value) =>
      'content' in value && 'tool_calls' in value && hasOnly(value, 'content', 'tool_calls', 'token_usage'),
  },
  { name: 'TaskStep', certainty: 0.5, fits: (value) => isText(value.task) && 'task_images' in value },
]

/** The class names of a host that names classes. */
const NAMES: readonly ClassName[] = [
  'ChatMessageStreamDelta',
  'ChatMessageToolCall',
  'ToolCall',
  'ToolOutput',
  'ActionOutput',
  'PlanningStep',
  'ActionStep',
  'FinalAnswerStep',
  'TaskStep',
  'SystemPromptStep',
]
const classesByName = new Map<string, ClassMatch>(NAMES.map((name) => [name, { name, certainty: 0.95 }]))

/** The names of exceptions: those of agents, and those that a host may pass on. */
const AGENT_ERROR = /^Agent\w*Error$/
const ANY_ERROR = /^error$|^[A-Z]\w*(?:Error|Exception)$/

/** The class of a record, with its certainty. The dictionary of a call has the `type` `function`. */
export function classOf(value: unknown): ClassMatch | undefined {
  if (!isJsonObject(value)) return undefined
  const { type } = value
  if (typeof type === 'string' && type !== 'function') {
    const found = classesByName.get(type)
    if (found !== undefined) return found
    if (!ANY_ERROR.test(type) || !(isText(value.message) || isText(value.error))) return undefined
    return { name: 'AgentError', certainty: AGENT_ERROR.test(type) ? 0.9 : 0.2 }
  }
  return classes.find(({ fits }) => fits(value))
}

export function recognize({ value }: RawRecord): Recognition | undefined {
  const found = classOf(value)
  return found && { certainty: found.certainty, reason: `a record is a ${found.name} of smolagents` }
}
