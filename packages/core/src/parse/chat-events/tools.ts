import { present } from '../../data/present.ts'
import type { ToolStatus } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Ordered } from './ordered.ts'
import type { RawPiece, RawQuestion, RawTool } from './raw.ts'

const STATUS_OF: { readonly [State in RawTool['state']]?: ToolStatus } = {
  done: 'ok',
  failed: 'error',
  denied: 'denied',
  cancelled: 'cancelled',
}

/** What the view draws instead of a call: it must be there before the input is, or it would be made from it again. */
export interface Drawn {
  readonly piece: RawPiece
  readonly events: readonly StreamEvent[]
}

/** A call and all that happened to it. */
export function addTool(tool: RawTool, drawn: Drawn, agent: { readonly agentId?: string }, out: Ordered): void {
  const { callId, name, title, runBy = 'agent', server, parentCallId, meta } = tool
  out.begin(tool, {
    type: 'tool-start',
    callId,
    name,
    runBy,
    ...present({ title, server, parentCallId, meta }),
    ...agent,
  })
  const happened = [...inputEvents(tool), ...questionEvents(tool.approval, callId), ...progressEvents(tool)]
  for (const event of [...drawn.events, ...happened]) out.after(drawn.piece, { ...event, ...agent })
  const status = STATUS_OF[tool.state]
  if (status === undefined || tool.endedAt === undefined) return
  const error = tool.inputText === undefined || status === 'error' ? tool.error : undefined
  const [first = 0] = drawn.piece.seqs ?? []
  const ended = tool.seqs && { ...tool, seqs: [Math.max(first, tool.seqs[0]), tool.seqs[1]] as const }
  out.end(ended ?? tool, {
    type: 'tool-output',
    callId,
    status,
    output: tool.output ?? null,
    ...present({ error }),
    ...agent,
  })
}

/** While an input streams, what can be read of it so far stands beside its text. */
function inputEvents({ callId, state, input, inputText: text, error }: RawTool): StreamEvent[] {
  if (state === 'input') return text === undefined ? [] : [{ type: 'tool-input-delta', callId, text }]
  if (text === undefined) return [{ type: 'tool-input', callId, input: input ?? {} }]
  return [{ type: 'tool-input', callId, text, error: error ?? 'The input is not JSON.' }]
}

function progressEvents({ callId, progress = [] }: RawTool): StreamEvent[] {
  return progress.map((piece) => ({ type: 'tool-progress', callId, ...piece }))
}

/** A question, and its answer where there is one. */
export function questionEvents(question: RawQuestion | undefined, callId?: string): StreamEvent[] {
  if (question === undefined) return []
  const { approvalId, state, message, request, answer } = question
  const asked = { type: 'approval' as const, approvalId, ...present({ callId, message, request }) }
  const requested: StreamEvent = { ...asked, state: 'requested' }
  return state === 'requested' ? [requested] : [requested, { ...asked, state, ...present({ answer }) }]
}
