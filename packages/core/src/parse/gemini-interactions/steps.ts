import type { StreamEvent } from '../../events.ts'
import { createMint, type Place } from '../gemini/place.ts'
import { createCall, createResult } from './calls.ts'
import { mediaFile } from './media.ts'
import { createProse, type Prose } from './prose.ts'
import type { Content, Delta, Step } from './raw.ts'

/** A step that is under way: deltas name it only by its index. */
export interface OpenStep {
  /** The events of a delta; nothing where it does not fit the step. */
  delta(delta: Delta): readonly StreamEvent[] | undefined
  stop(): readonly StreamEvent[]
}

export interface Started {
  readonly step: OpenStep
  readonly events: readonly StreamEvent[]
}

/** Begins a step; nothing where its type is unknown. */
export function startStep(step: Step, place: Place): Started | undefined {
  if (step.type === 'model_output') return startOutput(step, place)
  if (step.type === 'user_input') return startInput(step, place)
  if (step.type === 'thought') return startThought(step, place)
  if (step.type.endsWith('_call')) return createCall(step, place)
  if (step.type.endsWith('_result')) return createResult(step, place)
  return undefined
}

/** The steps that a delta implies where the stream was joined after their start. */
export const impliedSteps: { readonly [type: string]: Step } = {
  text: { type: 'model_output' },
  thought_summary: { type: 'thought' },
  thought_signature: { type: 'thought' },
}

function startOutput({ content, signature }: Step, { messageId, prefix }: Place): Started {
  const prose = createProse('text', prefix, messageId)
  const mint = createMint(prefix)

  function say(item: Content): StreamEvent[] | undefined {
    if (item.type === 'text') return [...prose.add(item.text ?? ''), ...prose.annotate(item.annotations ?? [])]
    const file = mediaFile(item, mint('file'), messageId)
    return file === undefined ? undefined : [...prose.close(), file]
  }

  const events = (content ?? []).flatMap((item) => say(item) ?? rawOf(item))
  return {
    events: signature ? [...events, ...prose.sign(signature)] : events,
    step: {
      delta(delta) {
        if (delta.type === 'thought_signature') return signed(prose, delta)
        if (delta.type.startsWith('text_annotation'))
          return delta.annotations ? prose.annotate(delta.annotations) : undefined
        return saysNothing(delta as Content) ? undefined : say(delta as Content)
      },
      stop: prose.close,
    },
  }
}

/** What the user has said is a message of its own within the interaction. */
function startInput(step: Step, place: Place): Started {
  const messageId = place.prefix
  const { events, step: output } = startOutput(step, { ...place, messageId })
  return {
    events: [{ type: 'message-start', messageId, role: 'user' }, ...events],
    step: { delta: output.delta, stop: () => [...output.stop(), { type: 'message-end', messageId }] },
  }
}

function startThought({ summary, signature }: Step, { messageId, prefix }: Place): Started {
  const prose = createProse('reasoning', prefix, messageId)
  const mint = createMint(prefix)

  function think(item: Content): StreamEvent[] | undefined {
    if (item.type === 'text') return prose.add(item.text ?? '')
    const file = mediaFile(item, mint('file'), messageId)
    return file === undefined ? undefined : [file]
  }

  const events = (summary ?? []).flatMap((item) => think(item) ?? rawOf(item))
  return {
    events: signature ? [...events, ...prose.sign(signature)] : events,
    step: {
      delta(delta) {
        if (delta.type === 'thought_signature') return signed(prose, delta)
        const item = delta.content ?? (delta as Content)
        return typeof item !== 'object' || saysNothing(item) ? undefined : think(item)
      },
      stop: prose.close,
    },
  }
}

function signed(prose: Prose, { signature }: Delta): StreamEvent[] | undefined {
  return typeof signature === 'string' ? prose.sign(signature) : undefined
}

/** A delta of text that holds none. */
function saysNothing({ type, text, annotations }: Content): boolean {
  return type === 'text' && typeof text !== 'string' && !annotations
}

function rawOf(item: Content): StreamEvent[] {
  return [{ type: 'raw', value: item as never, reason: 'unmapped' }]
}
