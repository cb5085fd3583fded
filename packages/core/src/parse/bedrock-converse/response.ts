import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import type { Out } from '../kit/voice.ts'
import { closeBlock, type OpenBlock, type Prose } from './blocks.ts'
import type { Delta } from './raw.ts'

/** The response being read. Indices count from 0 in each response, so its blocks are kept with it. */
export type Response = ReturnType<typeof newResponse>

export function newResponse(number: number) {
  return {
    messageId: `message-${number}`,
    blocks: new Map<number, OpenBlock>(),
    /** Calls without a result that the caller must run. */
    calls: new Set<string>(),
    /** Text that stopped after one delta: Nova stops after every word, and its next block continues the sentence. */
    lingering: undefined as { readonly block: Prose; readonly index: number } | undefined,
    isOpen: number > 0,
    hasStopped: false,
    hasDetails: false,
    stopReason: undefined as string | undefined,
  }
}

export function idOf({ messageId }: Response, index: number): string {
  if (typeof index !== 'number') throw new TypeError('A block has no index.')
  return `${messageId}:${index}`
}

/** Sets the block of an index, after the end of the block that had the index before. */
export function setBlock(out: Out, response: Response, index: number, block: OpenBlock, started: Out): void {
  const before = response.blocks.get(index)
  endLingering(out, response)
  if (before !== undefined) closeBlock(out, before)
  response.blocks.set(index, block)
  trackCalls(response, started)
  out.push(...started)
}

/** Tracks the calls that the caller must answer. */
export function trackCalls({ calls }: Response, events: readonly StreamEvent[]): void {
  for (const event of events) {
    if (event.type === 'tool-start' && event.runBy === 'client') calls.add(event.callId)
    if (event.type === 'tool-output') calls.delete(event.callId)
  }
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

export function stopBlock(out: Out, response: Response, index: number, block: OpenBlock): void {
  response.blocks.delete(index)
  if (block.kind !== 'text' || block.deltas !== 1 || block.citations.length > 0) closeBlock(out, block)
  else {
    endLingering(out, response)
    response.lingering = { block, index }
  }
}

export function closeAll(out: Out, response: Response): void {
  endLingering(out, response)
  for (const block of response.blocks.values()) closeBlock(out, block)
  response.blocks.clear()
}

function endLingering(out: Out, response: Response): void {
  if (response.lingering !== undefined) closeBlock(out, response.lingering.block)
  response.lingering = undefined
}

/** Ends the step and its message, once. */
export function endResponse(out: Out, response: Response): void {
  addEnd(out, response)
  response.isOpen = false
}

export function addEnd(out: Out, { isOpen, messageId, stopReason: reason }: Response): void {
  if (isOpen) out.push({ type: 'step-end', ...present({ reason }) }, { type: 'message-end', messageId })
}

/** The warnings of responses that stopped in an unusual way. */
export const interventions: ReadonlyMap<string, string> = new Map([
  ['guardrail_intervened', 'A guardrail intervened'],
  ['content_filtered', 'Content was filtered'],
  ['malformed_model_output', 'The model gave malformed output'],
  ['malformed_tool_use', 'The model gave a malformed tool call'],
])
