import { rememberOne } from '../../data/remember.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { ToolRows } from './tools.ts'

export interface MoboxTools {
  readonly rows: ToolRows
  /** MUST be called with every event before its row. */
  before(event: StreamEvent): void
}

/** The tools whose calls may be lines: they write todo lists or start subagents. */
const LINE_TOOLS: ReadonlySet<string> = new Set(['TodoWrite', 'write_todos', 'Task', 'Agent', 'task'])

type Held = EventOf<'tool-start'> | EventOf<'tool-input-delta'> | EventOf<'tool-input'>

interface HeldCall {
  readonly events: Held[]
  /** Whether a todo list or a subagent represents it; without one it is shown as soon as its input is complete. */
  isLine: boolean
}

/**
 * A call that writes a todo list or starts a subagent is written as a line, not also as a tool. Whether a call does so is
 * known once its input is complete: until then the calls of such tools are held back. A call that fails or needs an
 * approval is shown nevertheless.
 */
export function moboxTools(toolRows: ToolRows): MoboxTools {
  const held = new Map<string, HeldCall>()
  /** Calls whose line came before their start. */
  const lineCallIds = new Set<string>()
  /** The call whose input came last, until it is known whether it is a line. */
  let undecided: string | undefined

  function reveal(callId: string): void {
    const call = held.get(callId)
    held.delete(callId)
    for (const event of call?.events ?? []) (toolRows[event.type] as (event: Held) => void)(event)
  }

  /** Keeps an event of a call that is held back. Returns false if the call is not held back. */
  function hold(event: Held): boolean {
    const call = held.get(event.callId)
    call?.events.push(event)
    return call !== undefined
  }

  function markAsLine({ callId }: EventOf<'todos'> | EventOf<'subagent-start'>): void {
    if (callId === undefined) return
    const call = held.get(callId)
    if (call === undefined) rememberOne(lineCallIds, callId)
    else call.isLine = true
  }

  return {
    before(event) {
      if (event.type === 'todos' || event.type === 'subagent-start') markAsLine(event)
      if (undecided === undefined) return
      const callId = undecided
      undecided = undefined
      if (held.get(callId)?.isLine !== true) reveal(callId)
    },
    rows: {
      'tool-start'(event) {
        const { callId, name, runBy } = event
        if (!LINE_TOOLS.has(name) || runBy === 'client') toolRows['tool-start'](event)
        else held.set(callId, { events: [event], isLine: lineCallIds.has(callId) })
      },
      'tool-input-delta'(event) {
        if (!hold(event)) toolRows['tool-input-delta'](event)
      },
      'tool-input'(event) {
        if (hold(event)) undecided = event.callId
        else toolRows['tool-input'](event)
      },
      approval(event) {
        if (event.callId !== undefined) reveal(event.callId)
        toolRows.approval(event)
      },
      'tool-progress'(event) {
        if (!held.has(event.callId)) toolRows['tool-progress'](event)
      },
      'tool-output'(event) {
        if (event.status === 'error') reveal(event.callId)
        if (!held.delete(event.callId)) toolRows['tool-output'](event)
      },
    },
  }
}
