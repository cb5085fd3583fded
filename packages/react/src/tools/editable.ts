import type { ToolSegment } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import { isObject, mainArgument } from './argument.ts'
import { kindNameOf } from './kinds.ts'

/** The input of a call as a text that a person can change. */
export interface EditableInput {
  readonly text: string
  /** The input that a changed text stands for, or why it stands for none. */
  readonly read: (text: string) => { readonly input: Json } | { readonly problem: string }
}

/** The command of a command, and the JSON of every other call. Undefined if there is nothing to change. */
export function editableInput({ name, input, approval }: ToolSegment): EditableInput | undefined {
  if (input === undefined || hasOptions(approval?.request)) return undefined
  const command = commandField(name, input)
  if (command !== undefined && isObject(input)) {
    const { key, text } = command
    return { text, read: (changed) => ({ input: { ...input, [key]: changed } }) }
  }
  return { text: JSON.stringify(input, null, 2), read: readJson }
}

function commandField(name: string, input: Json): { readonly key: string; readonly text: string } | undefined {
  if (kindNameOf(name) !== 'command' || !isObject(input)) return undefined
  const text = mainArgument(name, input)
  const key = Object.keys(input).find((each) => input[each] === text)
  return text === undefined || key === undefined ? undefined : { key, text }
}

function readJson(text: string): { readonly input: Json } | { readonly problem: string } {
  try {
    return { input: JSON.parse(text) as Json }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/** An agent that lists its answers takes one of them, and no other input. */
const hasOptions = (request: Json | undefined) => isObject(request) && Array.isArray(request.options)

/**
 * Whether the agent offers to remember an approval for its session: by an option that allows always, by suggested
 * permissions, or in our own words.
 */
export function offersSession(request: Json | undefined): boolean {
  if (!isObject(request)) return false
  const { options, remember, permission_suggestions: suggestions } = request
  if (remember === 'session' || (Array.isArray(remember) && remember.includes('session'))) return true
  if (Array.isArray(suggestions) && suggestions.length > 0) return true
  return Array.isArray(options) && options.some((option) => isObject(option) && option.kind === 'allow_always')
}
