import type { Role } from '../event-fields.ts'
import { codeOf } from '../meaning/code-input.ts'
import { type Pane, routeOf } from '../meaning/pane-routes.ts'
import { type Observation, observationsOf } from './panes/observations.ts'
import type { ChatEvent, Segment, ToolSegment, ToolState } from './shapes.ts'
import { toolsIn } from './subagent-walk.ts'

/** The pane of a segment itself; the observations of its tool also go to the terminal. */
export function paneOf(segment: Segment): Pane {
  return segment.type === 'tool' ? routeOf({ kind: 'tool-invocation', toolName: segment.name }) : 'chat'
}

/** A tool is a badge in the chat, whichever panes show its code and its output; `hasError` makes the badge red. */
export type ChatItem = { readonly chatEventId: string; readonly role: Role } & (
  | { readonly kind: 'segment'; readonly segment: Exclude<Segment, ToolSegment> }
  | { readonly kind: 'badge'; readonly segment: ToolSegment; readonly hasError: boolean }
)

export interface IdeCell {
  readonly callId: string
  readonly toolName: string
  readonly code: string
  readonly language: 'python'
  readonly state: ToolState
}

export interface TerminalLine extends Observation {
  readonly callId: string
  readonly toolName: string
  /** Whether the web IDE has a cell with this `callId`. */
  readonly hasCell: boolean
}

export interface Panes {
  readonly chat: readonly ChatItem[]
  readonly webide: readonly IdeCell[]
  readonly terminal: readonly TerminalLine[]
}

/** Everything that is drawn, by pane, in the order of arrival. Retracted chat events are left out. */
export function panesOf(chatEvents: readonly ChatEvent[]): Panes {
  const shown = chatEvents.filter((chatEvent) => chatEvent.state !== 'retracted')
  // The tools of subagents too: in the chat they stay inside their subagent.
  const tools = shown.flatMap(({ segments }) => toolsIn(segments)).filter((tool) => tool.shownAs === undefined)
  return {
    chat: shown.flatMap(chatItemsOf),
    webide: tools.filter((tool) => paneOf(tool) === 'webide').map(cellOf),
    terminal: tools.flatMap(terminalLinesOf),
  }
}

function chatItemsOf({ id: chatEventId, role, segments }: ChatEvent): readonly ChatItem[] {
  return segments.flatMap((segment): readonly ChatItem[] => {
    if (segment.type !== 'tool') return [{ kind: 'segment', chatEventId, role, segment }]
    if (segment.shownAs !== undefined) return []
    return [{ kind: 'badge', chatEventId, role, segment, hasError: segment.state === 'failed' }]
  })
}

function cellOf(segment: ToolSegment): IdeCell {
  const { callId, name, state } = segment
  return { callId, toolName: name, code: codeOf(segment), language: 'python', state }
}

function terminalLinesOf(segment: ToolSegment): readonly TerminalLine[] {
  const { callId, name } = segment
  const hasCell = paneOf(segment) === 'webide'
  return observationsOf(segment).map((observation) => ({ callId, toolName: name, hasCell, ...observation }))
}
