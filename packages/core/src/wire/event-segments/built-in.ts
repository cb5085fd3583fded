import type { EventOf } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { Plain } from './stream.ts'

/** Tools that providers run and that the protocol has segments for. */
export type BuiltIn = 'web_search_call' | 'code_interpreter_call'

/** The word for being under way. */
const BUSY: { readonly [Tool in BuiltIn]: string } = {
  web_search_call: 'searching',
  code_interpreter_call: 'interpreting',
}

const NAMES: { readonly [name: string]: BuiltIn } = {
  web_search: 'web_search_call',
  code_interpreter: 'code_interpreter_call',
}

export function builtInOf({ name, runBy }: EventOf<'tool-start'>): BuiltIn | undefined {
  return runBy === 'provider' && Object.hasOwn(NAMES, name) ? NAMES[name] : undefined
}

export function isStatusOf(builtIn: BuiltIn, status: Json | undefined): status is string {
  return status === BUSY[builtIn]
}

/** The event of a tool that has reached a status. */
export function plainStatus({ type, status, id }: JsonObject): Plain {
  return { type: `${type}_${status}`, fields: { item_id: id } }
}
