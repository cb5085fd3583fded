import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import type { BlockKind, Common, Meta } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { sum, usageEvents } from '../kit/counts.ts'
import { textIn } from '../kit/fields.ts'
import { createItems } from '../kit/items.ts'
import { isEmpty, keep } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { type CallPart, createCallReader, fileEvent, type RawFile, type Times } from './calls.ts'
import { type Ending, errorOf, type RawError } from './failures.ts'
import type { Sessions } from './sessions.ts'

/** The fields of parts, as far as they are read. Each type of part has some of them. */
export interface Part extends Partial<RawFile>, CallPart {
  readonly id: string
  readonly type: string
  readonly sessionID?: string
  readonly messageID?: string
  readonly time?: Times
  readonly metadata?: JsonObject | null
  readonly text?: string
  readonly synthetic?: boolean
  readonly reason?: string | null
  readonly cost?: number | null
  readonly tokens?: Tokens | null
  readonly error?: RawError
}

/** The three kinds of input are counted apart from each other, and reasoning apart from output. */
export interface Tokens {
  readonly input?: number | null
  readonly output?: number | null
  readonly reasoning?: number | null
  readonly cache?: { readonly read?: number | null; readonly write?: number | null } | null
}

/** Parts that each record holds whole, in their current state. */
export function createParts(sessions: Sessions, ending: Ending) {
  const items = createItems()
  const endedTexts = new Set<string>()
  const pushCall = createCallReader(items, sessions)

  function pushProse(out: Out, part: Part, scope: Common, isWhole: boolean): void {
    const { id: blockId, text, time, metadata } = part
    if (typeof text !== 'string' || typeof blockId !== 'string') throw new TypeError('A part has no text.')
    const patch: StreamEvent = { ...scope, type: 'block-patch', blockId, text }
    // A part that has ended may be sent again, with other text or other metadata.
    if (endedTexts.has(blockId)) {
      out.push(patch)
      return
    }
    const kind = part.type === 'reasoning' ? 'reasoning' : 'text'
    const start: StreamEvent = {
      ...scope,
      type: 'block-start',
      blockId,
      kind,
      ...(kind === 'reasoning' && { variant: 'thinking' }),
      ...present({ sentAt: time?.start ?? scope.sentAt }),
      ...keep('opencode', { synthetic: part.synthetic || undefined }),
    }
    if (items.isNew(blockId, 'start')) out.push(start)
    if (text !== '') out.push(patch)
    if (!isWhole && typeof time?.end !== 'number') return
    items.end(blockId)
    rememberOne(endedTexts, blockId)
    pushBlockEnd(out, blockId, kind, metadata, { ...scope, ...present({ sentAt: time?.end }) })
  }

  const rows: { readonly [type: string]: (out: Out, part: Part, scope: Common, isWhole: boolean) => unknown } = {
    text: pushProse,
    reasoning: pushProse,
    tool: pushCall,
    'step-start'(out, _part, scope) {
      if (scope.agentId === undefined) ending.resume(out)
      out.push({ ...scope, type: 'step-start', kind: 'model' })
    },
    'step-finish': (out, part, scope) => pushStepEnd(out, part, part.reason, scope, ending),
    file: (out, part, scope) => out.push(fileEvent(part as RawFile, part.id, scope)),
    retry: (out, { error }, scope) =>
      out.push({ ...scope, type: 'status', message: errorOf(error).message, level: 'warn' }),
    compaction: (out, _part, scope) =>
      out.push({ ...scope, type: 'status', message: 'The conversation is compacted', level: 'info' }),
    snapshot: pushData,
    patch: pushData,
    agent: pushData,
    subtask: pushData,
  }

  return {
    /** Returns false if the type of the part is unknown. `isWhole` means that no more of it follows. */
    push(out: Out, part: Part, scope: Common, isWhole: boolean): boolean {
      if (!Object.hasOwn(rows, part.type)) return false
      rows[part.type]?.(out, part, scope, isWhole)
      return true
    },
    pushDelta(out: Out, blockId: string, text: string, scope: Common): void {
      if (items.isNew(blockId, 'start')) out.push({ ...scope, type: 'block-start', blockId, kind: 'text' })
      out.push({ ...scope, type: 'block-delta', blockId, text })
    },
  }
}

function pushData(out: Out, part: Part, scope: Common): void {
  const { id, type: name, sessionID: _session, messageID: _message, ...data } = part
  out.push({ ...scope, type: 'data', name, id, data: data as unknown as JsonObject })
}

/** Fields that the provider expects back are stored under its name. */
export function pushBlockEnd(
  out: Out,
  blockId: string,
  kind: BlockKind,
  metadata: JsonObject | null | undefined,
  scope: Common,
): void {
  const meta = Object.fromEntries(Object.entries(metadata ?? {}).filter(([, value]) => isJsonObject(value))) as Meta
  const signature = meta.anthropic?.signature
  const encrypted = meta.openai?.reasoningEncryptedContent ?? meta.anthropic?.redactedData
  const fields = present({ signature: textIn(signature), encrypted: textIn(encrypted) })
  if (kind === 'reasoning' && !isEmpty(fields)) out.push({ type: 'block-patch', blockId, ...fields })
  out.push({ ...scope, type: 'block-end', blockId, ...(!isEmpty(meta) && { meta }) })
}

export function pushStepEnd(
  out: Out,
  { tokens, cost }: Pick<Part, 'tokens' | 'cost'>,
  reason: string | null | undefined,
  scope: Common,
  ending: Ending,
): void {
  const { input, output, reasoning, cache } = tokens ?? {}
  const counts = present({
    inputTokens: sum(input, cache?.read, cache?.write),
    outputTokens: sum(output, reasoning),
    reasoningTokens: reasoning,
    cacheReadTokens: cache?.read,
    cacheWriteTokens: cache?.write,
    costUsd: cost,
  })
  if (scope.agentId === undefined) ending.endStep(reason ?? undefined)
  out.push(...usageEvents(counts, { ...scope, scope: 'step' }), { ...scope, type: 'step-end', ...present({ reason }) })
}
