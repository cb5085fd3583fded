import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { Chunk } from '../wire.ts'
import { createToolParts, type Part } from './tool-parts.ts'

/** A message of the client while its chunks are read. */
export interface UiMessage {
  /** Takes the next chunk. Types that the client makes no part of are skipped. */
  push(chunk: Chunk): void
  value(): JsonObject
}

type Row = (chunk: Chunk) => void

/** With these the client changes no part; with `finish` only if it has metadata. */
const UNSHOWN: ReadonlySet<string> = new Set(['finish-step', 'finish', 'error'])

/**
 * One assistant message of the AI SDK, made from its chunks by the client's own rules: law 11 compares the two. The input of
 * a call that is still streaming is only its text, `rawInput`, from which the client goes on.
 */
export function createUiMessage(id: string): UiMessage {
  const parts: Part[] = []
  const tools = createToolParts(parts)
  const data = new Map<string, Part>()
  let metadata: JsonObject | undefined
  let steps = 0

  function learn({ messageMetadata }: Chunk): void {
    if (!isJsonObject(messageMetadata)) return
    metadata = metadata === undefined ? messageMetadata : merged(metadata, messageMetadata)
  }

  function addData(part: Chunk): void {
    const key = part.id === undefined ? undefined : `${part.type}\n${part.id}`
    const existing = key === undefined ? undefined : data.get(key)
    if (existing !== undefined) existing.data = part.data
    else {
      const added: Part = { ...part }
      parts.push(added)
      if (key !== undefined) data.set(key, added)
    }
  }

  const add: Row = (chunk) => void parts.push({ ...chunk })
  const rows: { readonly [type: string]: Row } = {
    ...proseRows(parts, 'text'),
    ...proseRows(parts, 'reasoning'),
    ...tools.rows,
    file: add,
    'source-url': add,
    'source-document': add,
    start: learn,
    finish: learn,
    'message-metadata': learn,
    'start-step': tools.nextStep,
  }

  /** The client shows a step with the next chunk that changes something. */
  function showSteps({ type, messageMetadata }: Chunk): void {
    if (type === 'start-step') steps++
    else if (!UNSHOWN.has(String(type)) || (type === 'finish' && messageMetadata !== undefined)) {
      for (; steps > 0; steps--) parts.push({ type: 'step-start' })
    }
  }

  return {
    push({ transient, ...chunk }) {
      const type = String(chunk.type)
      // The client hands such a part on and does not even show the step in which it came.
      if (transient) return
      showSteps(chunk)
      if (Object.hasOwn(rows, type)) rows[type]?.(chunk)
      else if (type.startsWith('data-')) addData(chunk)
    },
    value: () => ({ id, ...(metadata !== undefined && { metadata }), role: 'assistant', parts: parts as JsonObject[] }),
  }
}

/** Text and reasoning. Only a part of reasoning carries its id. */
function proseRows(parts: Part[], kind: 'text' | 'reasoning'): { readonly [type: string]: Row } {
  const open = new Map<string, Part & { text: string }>()

  function start({ id, providerMetadata }: Chunk): void {
    const ids = kind === 'reasoning' ? { id } : {}
    const part = {
      type: kind,
      ...ids,
      text: '',
      ...(providerMetadata !== undefined && { providerMetadata }),
      state: 'streaming',
    }
    open.set(String(id), part)
    parts.push(part)
  }

  function change({ id, delta = '', providerMetadata }: Chunk): void {
    const part = open.get(String(id))
    if (part === undefined) return
    part.text += String(delta)
    if (providerMetadata !== undefined) part.providerMetadata = providerMetadata
  }

  function end(chunk: Chunk): void {
    change(chunk)
    const part = open.get(String(chunk.id))
    if (part === undefined) return
    part.state = 'done'
    if (chunk.citations !== undefined) part.citations = chunk.citations
    open.delete(String(chunk.id))
  }

  return { [`${kind}-start`]: start, [`${kind}-delta`]: change, [`${kind}-end`]: end }
}

/** Keys that the client does not merge. */
const UNMERGED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Objects are merged key by key, at every depth; any other value replaces the earlier one. */
function merged(earlier: JsonObject, later: JsonObject): JsonObject {
  const result: Record<string, Json> = { ...earlier }
  for (const [key, value] of Object.entries(later)) {
    if (UNMERGED.has(key)) continue
    const before = Object.hasOwn(earlier, key) ? earlier[key] : undefined
    result[key] = isJsonObject(value) && isJsonObject(before) ? merged(before, value) : value
  }
  return result
}
