import type { Json } from '@millrace/core/json'
import type { ToolEvent } from './events.ts'
import type { ExecutionContext } from './execution-context.ts'
import type { InputSchema } from './schema/input-schema.ts'

export interface Tool<I = unknown> {
  /** 1 to 64 letters, digits, `_` and `-`. */
  readonly id: string
  readonly description: string
  readonly input: InputSchema<I>
  /** Whether a person is asked before it runs. */
  readonly approve?: boolean | Asks<I>['asks']
  /**
   * Its events, of which `result` is the last, or its output. A throw is a failed result. Absent: a client runs the tool.
   */
  call?(input: I, ctx: ExecutionContext): AsyncIterable<ToolEvent> | Promise<Json> | Json
}

/** Declared as a method, as `call` is: a list of tools holds tools of different inputs, each of which checks its own. */
interface Asks<I> {
  asks(input: I, ctx: ExecutionContext): boolean | Promise<boolean>
}

/** How a call of a tool has ended. */
export interface ToolResult {
  readonly status: 'ok' | 'error' | 'denied'
  /** What the model is given: a text, or the JSON of a value. */
  readonly output: string
  /** The value itself, if the tool gave one that is not a text. */
  readonly value?: Json
}

const ID = /^[a-zA-Z0-9_-]{1,64}$/

/** Throws if the id is none that every model takes. */
export function defineTool<I>(tool: Tool<I>): Tool<I> {
  if (!ID.test(tool.id)) {
    throw new TypeError(`The id of a tool is 1 to 64 letters, digits, _ and -, unlike ${JSON.stringify(tool.id)}.`)
  }
  return tool
}
