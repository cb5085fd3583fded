import { present } from '../../data/present.ts'
import type { ToolStatus } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { OrderedEvents } from './ordered.ts'
import type { RawQuestion, RawSpan, RawTool } from './raw.ts'

const STATUS_OF: { readonly [State in RawTool['state']]?: ToolStatus } = {
  done: 'ok',
  failed: 'error',
  denied: 'denied',
  cancelled: 'cancelled',
}

/** What the view draws in place of a call. Its events MUST precede the input, or it would be derived from the input. */
export interface Replacement {
  readonly span: RawSpan
  readonly events: readonly StreamEvent[]
}

/** Adds a call and everything that happened to it. */
export function addTool(
  tool: RawTool,
  replacement: Replacement,
  agent: { readonly agentId?: string },
  out: OrderedEvents,
): void {
  const { callId, name, title, runBy = 'agent', server, parentCallId, meta } = tool
  const fields = present({ title, server, parentCallId, meta })
  out.begin(tool, { type: 'tool-start', callId, name, runBy, ...fields, ...agent })
  const callEvents = [...inputEvents(tool), ...questionEvents(tool.approval, callId), ...progressEvents(tool)]
  for (const event of [...replacement.events, ...callEvents]) out.after(replacement.span, { ...event, ...agent })
  const status = STATUS_OF[tool.state]
  if (status === undefined || tool.endedAt === undefined) return
  const error = tool.inputText === undefined || status === 'error' ? tool.error : undefined
  const [first = 0] = replacement.span.seqs ?? []
  const endedSpan = tool.seqs && { ...tool, seqs: [Math.max(first, tool.seqs[0]), tool.seqs[1]] as const }
  const output = tool.output ?? null
  out.end(endedSpan ?? tool, { type: 'tool-output', callId, status, output, ...present({ error }), ...agent })
}

/** While an input streams, the export holds its text and the value that is readable so far. */
function inputEvents({ callId, state, input, inputText: text, error }: RawTool): StreamEvent[] {
  if (state === 'input') return text === undefined ? [] : [{ type: 'tool-input-delta', callId, text }]
  if (text === undefined) return [{ type: 'tool-input', callId, input: input ?? {} }]
  return [{ type: 'tool-input', callId, text, error: error ?? 'The input is not JSON.' }]
}

function progressEvents({ callId, progress: progressLines = [] }: RawTool): StreamEvent[] {
  return progressLines.map((line) => ({ type: 'tool-progress', callId, ...line }))
}

/** A question, followed by its answer if there is one. */
export function questionEvents(question: RawQuestion | undefined, callId?: string): StreamEvent[] {
  if (question === undefined) return []
  const { approvalId, state, message, request, answer } = question
  const approval = { type: 'approval' as const, approvalId, ...present({ callId, message, request }) }
  const requested: StreamEvent = { ...approval, state: 'requested' }
  return state === 'requested' ? [requested] : [requested, { ...approval, state, ...present({ answer }) }]
}
