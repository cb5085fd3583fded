import { present } from '../../data/present.ts'
import type { BlockKind, BlockVariant, Role, UsageCounts } from '../../event-fields.ts'
import type { Json, JsonObject } from '../../json.ts'
import { countsOf } from '../kit/counts.ts'
import { textIn } from '../kit/fields.ts'
import { isEmpty, metadata } from '../kit/keep.ts'
import { namesIn } from '../kit/rows.ts'
import type { Out } from '../kit/voice.ts'
import { type Call, completeInput } from './calls.ts'
import type { LangMessage } from './message.ts'

/** The graph of a message: the main one, or one inside it. */
export interface GraphScope {
  /** Identifies the scope; empty for the main agent. */
  readonly key: string
  /** The field that assigns an event to the agent of the graph; none for the main agent. */
  readonly agent: { readonly agentId?: string }
  /** The call that the agent runs for. */
  readonly call?: Call | undefined
  /** The task of the agent, which its start holds, so that its first message need not be emitted. */
  readonly task?: string | undefined
}

export const MAIN: GraphScope = { key: '', agent: {} }

export interface Block {
  readonly id: string
  readonly kind: BlockKind
  readonly variant: BlockVariant | undefined
  readonly key: string
  /** The length of its text that was emitted. */
  length: number
  isOpen: boolean
}

/** A message as far as it was emitted. Streams send it in chunks and then whole, more than once. */
export interface EmittedMessage {
  readonly messageId: string
  readonly scope: GraphScope
  /** The fields that assign an event to the message. */
  readonly fields: { readonly messageId: string; readonly agentId?: string }
  readonly role: Role
  readonly blocks: Block[]
  readonly byKey: Map<string, Block>
  readonly calls: Call[]
  readonly usage: { -readonly [Count in keyof UsageCounts]: number }
  /** The names of the details that were emitted. */
  readonly details: Set<string>
  files: number
  /** The open block. */
  current?: Block | undefined
  reason?: string | undefined
  /** The task that runs its model. */
  task?: string | undefined
  /** Its content is complete, though it may still be open. */
  isFinished?: boolean
  isOpen?: boolean
  /** The whole message was read. */
  isWhole?: boolean
}

export function newEmittedMessage(messageId: string, scope: GraphScope, role: Role): EmittedMessage {
  const content = { blocks: [], byKey: new Map(), calls: [], usage: {}, details: new Set<string>(), files: 0 }
  return { messageId, scope, role, fields: { messageId, ...scope.agent }, ...content }
}

/** Whether nothing of the content was emitted. */
export const isBlank = ({ blocks, calls }: EmittedMessage) => blocks.length === 0 && calls.length === 0

/** Details of a message at its start. */
export interface Opening {
  readonly model?: string | undefined
  readonly node?: string | undefined
  readonly step?: number | undefined
}

/** Opens a message that is not open. */
export function openMessage(out: Out, emitted: EmittedMessage, { model, node, step }: Opening): void {
  const { role, fields, scope } = emitted
  emitted.isOpen = true
  if (role !== 'assistant') out.push({ type: 'message-start', ...fields, role })
  else
    out.push(
      { type: 'message-start', ...fields, role, ...present({ model }) },
      { type: 'step-start', kind: 'model', ...scope.agent, ...present({ name: node, number: step }) },
    )
}

/** Ends a message and everything open in it. */
export function closeMessage(out: Out, emitted: EmittedMessage): void {
  if (!emitted.isOpen) return
  const { role, reason, fields, scope } = emitted
  emitted.isOpen = false
  closeBlock(out, emitted)
  for (const call of emitted.calls) completeInput(out, call)
  if (role === 'assistant') out.push({ type: 'step-end', ...scope.agent, ...present({ reason }) })
  out.push({ type: 'message-end', ...fields })
}

export function closeBlock(out: Out, emitted: EmittedMessage): void {
  const block = emitted.current
  if (block === undefined) return
  emitted.current = undefined
  block.isOpen = false
  out.push({ type: 'block-end', blockId: block.id, ...emitted.scope.agent })
}

/** Fields beside the content that repeat what other events hold. */
const MAPPED_ELSEWHERE = namesIn(
  'tool_calls function_call reasoning_content reasoning refusal usage token_usage role type',
)

/** The name of the model, in the field of any integration. */
export function modelOf({ responseMetadata, additionalKwargs }: LangMessage): string | undefined {
  return textIn(responseMetadata.model_name) ?? textIn(responseMetadata.model) ?? textIn(additionalKwargs.model)
}

/** Records why the model stopped, and emits the details of a message that are new. */
export function addDetails(out: Out, emitted: EmittedMessage, message: LangMessage): void {
  const { responseMetadata, additionalKwargs } = message
  emitted.reason = reasonOf(responseMetadata) ?? reasonOf(additionalKwargs) ?? emitted.reason
  const details: { [name: string]: Json } = {}
  for (const fields of [additionalKwargs, responseMetadata])
    for (const name in fields) {
      const value = fields[name]
      if (value === undefined || value === null || emitted.details.has(name) || MAPPED_ELSEWHERE.has(name)) continue
      emitted.details.add(name)
      details[name] = value
    }
  if (!isEmpty(details)) out.push(...metadata(details, emitted.fields))
}

function reasonOf(fields: JsonObject): string | undefined {
  return textIn(fields.finish_reason) ?? textIn(fields.stop_reason) ?? textIn(fields.done_reason)
}

const SPELLINGS = {
  inputTokens: ['input_tokens'],
  outputTokens: ['output_tokens'],
  reasoningTokens: [['output_token_details', 'reasoning']],
  cacheReadTokens: [['input_token_details', 'cache_read']],
  cacheWriteTokens: [['input_token_details', 'cache_creation']],
} as const

/**
 * Adds counts to a message: those of a chunk, or, of counts from its beginning, what was not counted yet. Returns
 * whether there were any.
 */
export function addUsage(out: Out, emitted: EmittedMessage, usage: JsonObject, areTotals: boolean): boolean {
  const added: EmittedMessage['usage'] = {}
  for (const [count, value] of Object.entries(countsOf(usage, SPELLINGS)) as [keyof UsageCounts, number][]) {
    const before = emitted.usage[count]
    const more = areTotals ? value - (before ?? 0) : value
    if (areTotals && before !== undefined && more <= 0) continue
    added[count] = more
    emitted.usage[count] = (before ?? 0) + more
  }
  if (isEmpty(added)) return false
  out.push({ type: 'usage', scope: 'step', mode: 'add', ...added, ...emitted.fields })
  return true
}
