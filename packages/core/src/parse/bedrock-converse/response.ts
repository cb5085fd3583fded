import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { closeBlock, type OpenBlock, type Opened, type Prose } from './blocks.ts'
import type { BlockStart, Delta } from './raw.ts'

/** The response being read. Indices count from 0 in each response, so its blocks are kept with it. */
export interface Response {
  readonly messageId: string
  readonly blocks: Map<number, OpenBlock>
  /** Calls without a result that the caller must run. */
  readonly unanswered: Set<string>
  /** Text that stopped after one delta: Nova stops after every word, and its next block continues the sentence. */
  lingering: { readonly block: Prose; readonly index: number } | undefined
  isOpen: boolean
  hasStopped: boolean
  hasDetails: boolean
  stopReason: string | undefined
}

export function newResponse(number: number): Response {
  return {
    messageId: `message-${number}`,
    blocks: new Map(),
    unanswered: new Set(),
    lingering: undefined,
    isOpen: number > 0,
    hasStopped: false,
    hasDetails: false,
    stopReason: undefined,
  }
}

export function idOf({ messageId }: Response, index: number): string {
  if (typeof index !== 'number') throw new TypeError('A block has no index.')
  return `${messageId}:${index}`
}

/** Sets the block of an index and closes the block that had the index before. */
export function setBlock(response: Response, index: number, { block, events }: Opened): StreamEvent[] {
  const before = response.blocks.get(index)
  const ended = [...endLingering(response), ...(before === undefined ? [] : closeBlock(before))]
  response.blocks.set(index, block)
  for (const event of events) trackCall(response, event)
  return [...ended, ...events]
}

/** Tracks the calls that the caller must answer. */
export function trackCall({ unanswered }: Response, event: StreamEvent): void {
  if (event.type === 'tool-start' && event.runBy === 'client') unanswered.add(event.callId)
  if (event.type === 'tool-output') unanswered.delete(event.callId)
}

/** Continues the lingering text. Returns undefined if the delta does not continue it. */
export function adoptLingering(response: Response, index: number, delta: Delta): OpenBlock | undefined {
  const { lingering } = response
  if (lingering?.index !== index - 1 || typeof delta.text !== 'string') return undefined
  response.lingering = undefined
  lingering.block.deltas = 0
  response.blocks.set(index, lingering.block)
  return lingering.block
}

export function stopBlock(response: Response, index: number, block: OpenBlock): readonly StreamEvent[] {
  response.blocks.delete(index)
  if (block.kind !== 'text' || block.deltas !== 1 || block.citations.length > 0) return closeBlock(block)
  const events = endLingering(response)
  response.lingering = { block, index }
  return events
}

export function closeAll(response: Response): StreamEvent[] {
  const events = [...endLingering(response), ...[...response.blocks.values()].flatMap(closeBlock)]
  response.blocks.clear()
  return events
}

function endLingering(response: Response): readonly StreamEvent[] {
  const { lingering } = response
  response.lingering = undefined
  return lingering === undefined ? [] : closeBlock(lingering.block)
}

/** Ends the step and its message, once. */
export function endResponse(response: Response): StreamEvent[] {
  const events = endOf(response)
  response.isOpen = false
  return events
}

export function endOf({ isOpen, messageId, stopReason }: Response): StreamEvent[] {
  if (!isOpen) return []
  return [
    { type: 'step-end', ...present({ reason: stopReason }) },
    { type: 'message-end', messageId },
  ]
}

const interventions: ReadonlyMap<string, string> = new Map([
  ['guardrail_intervened', 'A guardrail intervened'],
  ['content_filtered', 'Content was filtered'],
  ['malformed_model_output', 'The model gave malformed output'],
  ['malformed_tool_use', 'The model gave a malformed tool call'],
])

/** A warning if a response stopped in an unusual way. */
export function intervention(stopReason: string | null | undefined): StreamEvent[] {
  const message = interventions.get(stopReason ?? '')
  return message === undefined ? [] : [{ type: 'status', message, level: 'warn' }]
}

/** The start of prose has no fields. */
export function isEmptyStart(start: BlockStart | null | undefined): boolean {
  return Object.keys(present(start ?? {})).length === 0
}
