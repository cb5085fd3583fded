import { rememberOne } from '../../data/remember.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { ToolRows } from './tools.ts'

export interface MoboxTools {
  readonly rows: ToolRows
  /** To be told of every event before its row. */
  before(event: StreamEvent): void
}

/** The tools whose calls may be lines: those that write todo lists and those that start subagents. */
const LINE_TOOLS: ReadonlySet<string> = new Set(['TodoWrite', 'write_todos', 'Task', 'Agent', 'task'])

type Held = EventOf<'tool-start'> | EventOf<'tool-input-delta'> | EventOf<'tool-input'>

interface HeldCall {
  readonly events: Held[]
  /** Whether a todo list or a subagent stands for it; without one it is shown as soon as its input is whole. */
  isLine: boolean
}

/**
 * A call that writes a todo list or starts a subagent is said as a line, and not as a tool beside it. Which calls do,
 * is known once their input is: until then those of such tools are held back. One that fails or that a person is asked
 * about is shown after all.
 */
export function moboxTools(shown: ToolRows): MoboxTools {
  const held = new Map<string, HeldCall>()
  /** Calls that were told of as a line before they came. */
  const told = new Set<string>()
  /** The call whose input came last, unless it is known what it is. */
  let undecided: string | undefined

  function reveal(callId: string): void {
    const call = held.get(callId)
    held.delete(callId)
    for (const event of call?.events ?? []) (shown[event.type] as (event: Held) => void)(event)
  }

  /** Keeps an event of a call that is held back. */
  function keep(event: Held): boolean {
    const call = held.get(event.callId)
    call?.events.push(event)
    return call !== undefined
  }

  function standsFor({ callId }: EventOf<'todos'> | EventOf<'subagent-start'>): void {
    if (callId === undefined) return
    const call = held.get(callId)
    if (call === undefined) rememberOne(told, callId)
    else call.isLine = true
  }

  return {
    before(event) {
      if (event.type === 'todos' || event.type === 'subagent-start') standsFor(event)
      if (undecided === undefined) return
      const callId = undecided
      undecided = undefined
      if (held.get(callId)?.isLine !== true) reveal(callId)
    },
    rows: {
      'tool-start'(event) {
        const { callId, name, runBy } = event
        if (!LINE_TOOLS.has(name) || runBy === 'client') shown['tool-start'](event)
        else held.set(callId, { events: [event], isLine: told.has(callId) })
      },
      'tool-input-delta'(event) {
        if (!keep(event)) shown['tool-input-delta'](event)
      },
      'tool-input'(event) {
        if (keep(event)) undecided = event.callId
        else shown['tool-input'](event)
      },
      approval(event) {
        if (event.callId !== undefined) reveal(event.callId)
        shown.approval(event)
      },
      'tool-progress'(event) {
        if (!held.has(event.callId)) shown['tool-progress'](event)
      },
      'tool-output'(event) {
        if (event.status === 'error') reveal(event.callId)
        if (!held.delete(event.callId)) shown['tool-output'](event)
      },
    },
  }
}
