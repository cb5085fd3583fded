import type { StreamEvent } from '../../events.ts'
import { inlineFile, linkedFile } from '../gemini/files.ts'
import { createMint, type MessageScope } from '../gemini/message-scope.ts'
import { createCall, createResult } from './calls.ts'
import { createProse, type Prose } from './prose.ts'
import type { Content, Delta, Step } from './raw.ts'

/** An open step. Deltas name it only by its index. */
export interface OpenStep {
  /** The events of a delta; undefined if it does not fit the step. */
  delta(delta: Delta): readonly StreamEvent[] | undefined
  stop(): readonly StreamEvent[]
}

export interface Started {
  readonly step: OpenStep
  readonly events: readonly StreamEvent[]
}

/** Begins a step; returns undefined if its type is unknown. */
export function startStep(step: Step, scope: MessageScope): Started | undefined {
  if (step.type === 'model_output') return startOutput(step, scope)
  if (step.type === 'user_input') return startInput(step, scope)
  if (step.type === 'thought') return startThought(step, scope)
  if (step.type.endsWith('_call')) return createCall(step, scope)
  if (step.type.endsWith('_result')) return createResult(step, scope)
  return undefined
}

/** The steps that a delta implies if the stream was joined after their start. */
export const impliedSteps: { readonly [type: string]: Step } = {
  text: { type: 'model_output' },
  thought_summary: { type: 'thought' },
  thought_signature: { type: 'thought' },
}

function startOutput({ content, signature }: Step, { messageId, prefix }: MessageScope): Started {
  const prose = createProse('text', prefix, messageId)
  const mint = createMint(prefix)

  function addContent(item: Content): StreamEvent[] | undefined {
    if (item.type === 'text') return [...prose.add(item.text ?? ''), ...prose.annotate(item.annotations ?? [])]
    const file = mediaFile(item, mint('file'), messageId)
    return file === undefined ? undefined : [...prose.close(), file]
  }

  const events = (content ?? []).flatMap((item) => addContent(item) ?? rawOf(item))
  return {
    events: signature ? [...events, ...prose.sign(signature)] : events,
    step: {
      delta(delta) {
        if (delta.type === 'thought_signature') return signatureEvents(prose, delta)
        if (delta.type.startsWith('text_annotation'))
          return delta.annotations ? prose.annotate(delta.annotations) : undefined
        return isEmptyText(delta as Content) ? undefined : addContent(delta as Content)
      },
      stop: prose.close,
    },
  }
}

/** The input of the user is a message of its own within the interaction. */
function startInput(step: Step, scope: MessageScope): Started {
  const messageId = scope.prefix
  const { events, step: output } = startOutput(step, { ...scope, messageId })
  return {
    events: [{ type: 'message-start', messageId, role: 'user' }, ...events],
    step: { delta: output.delta, stop: () => [...output.stop(), { type: 'message-end', messageId }] },
  }
}

function startThought({ summary, signature }: Step, { messageId, prefix }: MessageScope): Started {
  const prose = createProse('reasoning', prefix, messageId)
  const mint = createMint(prefix)

  function addThought(item: Content): StreamEvent[] | undefined {
    if (item.type === 'text') return prose.add(item.text ?? '')
    const file = mediaFile(item, mint('file'), messageId)
    return file === undefined ? undefined : [file]
  }

  const events = (summary ?? []).flatMap((item) => addThought(item) ?? rawOf(item))
  return {
    events: signature ? [...events, ...prose.sign(signature)] : events,
    step: {
      delta(delta) {
        if (delta.type === 'thought_signature') return signatureEvents(prose, delta)
        const item = delta.content ?? (delta as Content)
        return typeof item !== 'object' || isEmptyText(item) ? undefined : addThought(item)
      },
      stop: prose.close,
    },
  }
}

function signatureEvents(prose: Prose, { signature }: Delta): StreamEvent[] | undefined {
  return typeof signature === 'string' ? prose.sign(signature) : undefined
}

/** Whether a text item has neither text nor annotations. */
function isEmptyText({ type, text, annotations }: Content): boolean {
  return type === 'text' && typeof text !== 'string' && !annotations
}

function rawOf(item: Content): StreamEvent[] {
  return [{ type: 'raw', value: item as never, reason: 'unmapped' }]
}

/** The media type of content that does not name its own. */
const MEDIA: { readonly [type: string]: string } = {
  image: 'image/png',
  audio: 'audio/wav',
  video: 'video/mp4',
  document: 'application/pdf',
}

/** The file of a content item; undefined if it is not a file. */
function mediaFile(content: Content, fileId: string, messageId: string): StreamEvent | undefined {
  const usual = Object.hasOwn(MEDIA, content.type) ? MEDIA[content.type] : undefined
  if (usual === undefined) return undefined
  const { type: _type, data, uri, mime_type, ...kept } = content
  const mimeType = mime_type ?? usual
  const context = { messageId, kept }
  if (typeof uri === 'string') return linkedFile({ mimeType, fileUri: uri }, fileId, context)
  return inlineFile({ mimeType, data }, fileId, context)
}

const SPOKEN: ReadonlySet<string> = new Set(['text', 'image', 'audio', 'video', 'document'])

/** The step of a content item. The first releases had no steps. */
export function stepOf(content: Content): Step {
  return SPOKEN.has(content.type) ? { type: 'model_output', content: [content] } : (content as Step)
}
