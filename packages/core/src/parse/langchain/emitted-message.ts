import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
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
}

/** A message as far as it was emitted. Streams send it in chunks and then whole, more than once. */
export type EmittedMessage = ReturnType<typeof newEmittedMessage>

export function newEmittedMessage(messageId: string, scope: GraphScope, role: Role) {
  return {
    messageId,
    scope,
    role,
    /** The fields that assign an event to the message. */
    fields: { messageId, ...scope.agent },
    blocks: [] as Block[],
    byKey: new Map<string, Block>(),
    /** The open block. */
    current: undefined as Block | undefined,
    calls: [] as Call[],
    usage: {} as Counts,
    /** The names of the details that were emitted. */
    details: new Set<string>(),
    files: 0,
    reason: undefined as string | undefined,
    /** The task that runs its model. */
    task: undefined as string | undefined,
    /** Its content is complete, though it may still be open. */
    isFinished: false,
    wasOpened: false,
    /** The whole message was read. */
    isWhole: false,
  }
}

type Counts = { -readonly [Count in keyof UsageCounts]: number }

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
  if (role !== 'assistant') out.push({ type: 'message-start', ...fields, role })
  else
    out.push(
      { type: 'message-start', ...fields, role, ...present({ model }) },
      { type: 'step-start', kind: 'model', ...scope.agent, ...present({ name: node, number: step }) },
    )
}

/** Ends a message and everything open in it. */
export function closeMessage(out: Out, emitted: EmittedMessage): void {
  const { role, reason, fields, scope } = emitted
  closeBlock(out, emitted)
  for (const call of emitted.calls) completeInput(out, call)
  if (role === 'assistant') out.push({ type: 'step-end', ...scope.agent, ...present({ reason }) })
  out.push({ type: 'message-end', ...fields })
}

export function closeBlock(out: Out, emitted: EmittedMessage): void {
  const block = emitted.current
  if (block === undefined) return
  emitted.current = undefined
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
  const added: Counts = {}
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

const MAX_NAMELESS = 64

/** The emitted messages, by every id that they have. */
export function createMessageIndex() {
  const byId = new Map<string, Map<string, EmittedMessage>>()
  const nameless = new Map<string, EmittedMessage>()

  function find(scope: GraphScope, id: string | undefined): EmittedMessage | undefined {
    return id === undefined ? undefined : byId.get(id)?.get(scope.key)
  }

  return {
    find,
    /** As `find`, or the same message in an outer or inner graph, because graphs pass messages on. */
    findRelated(scope: GraphScope, message: LangMessage): EmittedMessage | undefined {
      const { id } = message
      const same = find(scope, id)
      if (same !== undefined) return same
      for (const [key, emitted] of byId.get(id ?? '') ?? []) if (areRelated(key, scope.key)) return emitted
      return nameless.size === 0 ? undefined : nameless.get(contentKey(scope, message))
    },
    add(scope: GraphScope, id: string, emitted: EmittedMessage): void {
      const scopes = byId.get(id) ?? new Map<string, EmittedMessage>()
      scopes.set(scope.key, emitted)
      remember(byId, id, scopes)
    },
    /** A message without an id is identified by its content, because a graph may assign ids later, even several. */
    addNameless(scope: GraphScope, message: LangMessage, emitted: EmittedMessage): void {
      remember(nameless, contentKey(scope, message), emitted, MAX_NAMELESS)
    },
  }
}

const contentKey = ({ key }: GraphScope, { role, content, toolCalls }: LangMessage) =>
  JSON.stringify([key, role, content, toolCalls.map(({ id }) => id)])

const areRelated = (one: string, other: string) => isInside(one, other) || isInside(other, one)

const isInside = (inner: string, outer: string) => outer === '' || inner.startsWith(`${outer}|`)
