import { isJsonObject, isText, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'
import type { ClassName } from './raw.ts'

interface Found {
  readonly name: ClassName
  /** How sure that is: a dictionary does not say what it was made of, a host may. */
  readonly certainty: number
}

interface Class extends Found {
  readonly fits: (value: JsonObject) => boolean
}

const hasOnly = (value: JsonObject, ...fields: readonly string[]) =>
  Object.keys(value).every((field) => field === 'type' || fields.includes(field))

/** In this order: the fields of a later class may be among those of an earlier one. */
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

/** What a host that names classes calls them. */
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
const named = new Map<string, Found>(NAMES.map((name) => [name, { name, certainty: 0.95 }]))

/** How exceptions are called: those of agents, and those that a host may pass on. */
const AGENT_ERROR = /^Agent\w*Error$/
const ANY_ERROR = /^error$|^[A-Z]\w*(?:Error|Exception)$/

/** The class of a record, and how sure that is. The dictionary of a call has a `type` of its own: `function`. */
export function classOf(value: unknown): Found | undefined {
  if (!isJsonObject(value)) return undefined
  const { type } = value
  if (typeof type === 'string' && type !== 'function') {
    const found = named.get(type)
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
