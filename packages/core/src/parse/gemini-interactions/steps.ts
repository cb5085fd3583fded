import { present } from '../../data/present.ts'
import type { BlockKind } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { fileOf, type Unanswered, utf16Offsets } from '../gemini/google.ts'
import { keep } from '../kit/keep.ts'
import { createVoice, type Manner, type Out } from '../kit/voice.ts'
import { unmapped } from '../parser.ts'
import { startCall, startResult } from './calls.ts'
import type { Annotation, Content, Delta, Step } from './raw.ts'

/** An open step. Deltas name it only by its index. */
export interface OpenStep {
  /** Returns false if the delta does not fit the step. */
  delta(out: Out, delta: Delta): boolean
  stop(out: Out): void
}

export interface StepScope {
  readonly messageId: string
  /** The prefix of the ids of everything in the step. */
  readonly prefix: string
  readonly unanswered: Unanswered
}

/** Begins a step; returns undefined if its type is unknown. */
export function startStep(out: Out, step: Step, scope: StepScope): OpenStep | undefined {
  if (step.type === 'model_output') return startProse(out, step.content, 'text', step, scope)
  if (step.type === 'user_input') return startInput(out, step, scope)
  if (step.type === 'thought') return startProse(out, step.summary, 'reasoning', step, scope)
  if (step.type.endsWith('_call')) return startCall(out, step, scope)
  if (step.type.endsWith('_result')) return startResult(step, scope)
  return undefined
}

/** The steps that a delta implies if the stream was joined after their start. */
export const impliedSteps: { readonly [type: string]: Step } = {
  text: { type: 'model_output' },
  thought_summary: { type: 'thought' },
  thought_signature: { type: 'thought' },
}

/** The input of the user is a message of its own within the interaction. */
function startInput(out: Out, step: Step, scope: StepScope): OpenStep {
  const messageId = scope.prefix
  out.push({ type: 'message-start', messageId, role: 'user' })
  const { delta, stop } = startProse(out, step.content, 'text', step, { ...scope, messageId })
  return {
    delta,
    stop(stopped) {
      stop(stopped)
      stopped.push({ type: 'message-end', messageId })
    },
  }
}

/** The most text that is held for citations, in characters, so that an endless stream does not exhaust memory. */
const MAX_HELD = 4 * 1024 * 1024

/** Text and files. A block begins with the first text, and again after a file. */
function startProse(
  started: Out,
  items: readonly Content[] | null | undefined,
  kind: BlockKind,
  { signature: firstSignature }: Step,
  { messageId, prefix }: StepScope,
): OpenStep {
  const isThought = kind === 'reasoning'
  const manner: Manner = isThought ? { kind, variant: 'thinking', messageId } : { kind, messageId }
  const voice = createVoice((_kind, number) => (number === 1 ? prefix : `${prefix}.${number - 1}`))
  let files = 0
  let sources = 0
  /** Of the last block: its text and its citations. */
  let held = { blockId: '', text: '', citations: [] as readonly JsonObject[] }

  function enter(blockId: string): string {
    if (held.blockId !== blockId) held = { blockId, text: '', citations: [] }
    return blockId
  }

  function add(out: Out, text: string): void {
    if (text === '') return
    enter(voice.say(out, manner, text))
    if (!isThought && held.text.length < MAX_HELD) held.text += text
  }

  /** The last block, open or not. */
  const lastBlock = (out: Out) => voice.lastOf(kind) ?? voice.begin(out, manner)

  function sign(out: Out, signature: string | null | undefined): void {
    if (!signature) return
    const signed = isThought
      ? { signature, ...keep('google', { thought: true }) }
      : keep('google', { thoughtSignature: signature })
    out.push({ type: 'block-patch', blockId: lastBlock(out), ...signed })
  }

  function annotate(out: Out, annotations: readonly Annotation[]): void {
    if (annotations.length === 0) return
    const blockId = enter(lastBlock(out))
    held.citations = [...held.citations, ...citationsOf(annotations, held.text)]
    out.push({ type: 'block-patch', blockId, citations: held.citations })
    for (const annotation of annotations) out.push(...sourceOf(annotation, `${prefix}:source-${++sources}`, blockId))
  }

  /** Returns false if the item is neither text nor a file. */
  function addItem(out: Out, item: Content): boolean {
    if (item.type === 'text') {
      add(out, item.text ?? '')
      annotate(out, item.annotations ?? [])
      return true
    }
    const { type, data, uri, mime_type, ...kept } = item
    const usualType = Object.hasOwn(MEDIA, type) ? MEDIA[type] : undefined
    if (usualType === undefined) return false
    const fileId = `${prefix}:file-${++files}`
    if (!isThought) voice.pause(out)
    out.push({ type: 'file', fileId, messageId, ...fileOf(data, uri, mime_type, usualType), ...keep('google', kept) })
    return true
  }

  for (const item of items ?? []) if (!addItem(started, item)) started.push(...unmapped(item))
  sign(started, firstSignature)
  return {
    delta(out, delta) {
      if (delta.type === 'thought_signature') {
        sign(out, delta.signature)
        return typeof delta.signature === 'string'
      }
      if (delta.type.startsWith('text_annotation')) {
        annotate(out, delta.annotations ?? [])
        return Boolean(delta.annotations)
      }
      const item = (isThought ? (delta.content ?? delta) : delta) as Content
      return isJsonObject(item) && !isEmptyText(item) && addItem(out, item)
    },
    stop: voice.pause,
  }
}

/** Whether a text item has neither text nor annotations. */
function isEmptyText({ type, text, annotations }: Content): boolean {
  return type === 'text' && typeof text !== 'string' && !annotations
}

/** The media type of content that does not name its own. */
const MEDIA: { readonly [type: string]: string } = {
  image: 'image/png',
  audio: 'audio/wav',
  video: 'video/mp4',
  document: 'application/pdf',
}

/** The step of a content item. The first releases had no steps. */
export function stepOf(content: Content): Step {
  const isProse = content.type === 'text' || Object.hasOwn(MEDIA, content.type)
  return isProse ? { type: 'model_output', content: [content] } : (content as Step)
}

function citationsOf(annotations: readonly Annotation[], text: string): JsonObject[] {
  const byteOffsets = annotations.flatMap(({ start_index, end_index }) => [start_index ?? 0, end_index ?? 0])
  const offsets = utf16Offsets(text, byteOffsets)
  return annotations.map(({ start_index, end_index, ...fields }) => {
    const [startIndex, endIndex] = [offsets.get(start_index ?? 0), offsets.get(end_index ?? 0)]
    const isLocated = startIndex !== undefined && endIndex !== undefined && endIndex > startIndex
    const quote = isLocated ? { startIndex, endIndex, text: text.slice(startIndex, endIndex) } : {}
    return present({ ...fields, ...quote }) as JsonObject
  })
}

function sourceOf(annotation: Annotation, sourceId: string, blockId: string): StreamEvent[] {
  const { type, url, document_uri, title, name, file_name, source } = annotation
  // In the first releases `source` is the address itself.
  const isAddress = /^https?:/i.test(source ?? '')
  const address = url ?? document_uri ?? (isAddress ? source : undefined)
  const sourceTitle = title ?? name ?? file_name
  if (!address && !sourceTitle && !source) return []
  const kind = type === 'file_citation' || !address ? 'document' : 'url'
  const fields = present({ url: address, title: sourceTitle, snippet: isAddress ? undefined : source })
  return [{ type: 'source', sourceId, kind, blockId, ...fields }]
}
