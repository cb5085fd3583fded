import { present } from '../../data/present.ts'
import type { Out } from '../kit/voice.ts'
import { endCalls, startWaitingCall } from './calls.ts'
import { hasVisibleContent } from './delta.ts'
import { usageEvent } from './details.ts'
import type { Choice, Chunk, RawUsage } from './raw.ts'
import { newSpeaker, type Run, type Speaker } from './speaker.ts'

/** One response of the model. A stream may hold several: the turns of an agent's loop. */
export type Response = ReturnType<typeof newResponse>

/** `name` is unique in the run: it is the id of the first message. */
export function newResponse(name: string, { id, model }: Chunk, usage: RawUsage | undefined) {
  return {
    name,
    model: model || undefined,
    speakers: new Map<number, Speaker>(),
    /** The number of speakers that are not finished. */
    speaking: 0,
    /** The id of its last chunk: a few vendors give each chunk a different id. */
    id: id ?? '',
    idChanges: 0,
    usage,
    /** The last usage event that was emitted, as JSON. */
    sentUsage: '',
    reason: undefined as string | undefined,
    /** Whether the chunk with the usage of the whole response, which is the last, has arrived. */
    isCounted: false,
  }
}

/** The speaker of a choice; its message begins with the first chunk of the choice. */
export function speakerOf(out: Out, response: Response, index: number, run: Run): Speaker {
  const existing = response.speakers.get(index)
  if (existing !== undefined) return existing
  const isFirst = response.speakers.size === 0
  const speaker = newSpeaker(isFirst ? response.name : `${response.name}:choice-${index}`, run)
  const { messageId } = speaker
  response.speakers.set(index, speaker)
  response.speaking += 1
  out.push({ type: 'message-start', messageId, role: 'assistant', ...present({ model: response.model }) })
  if (isFirst) out.push({ type: 'step-start', kind: 'model' })
  return speaker
}

/**
 * Whether a chunk begins another response. Its id does not decide: Azure's first chunk has none, Perplexity's last has
 * a different one, gateways change it, Groq's agents change it with each chunk, and replayed streams share one.
 */
export function isAnother(response: Response, chunk: Chunk, choice: Choice): boolean {
  const id = chunk.id ?? ''
  const speaker = response.speakers.get(choice.index ?? 0)
  const differs = id !== response.id
  if (!choice.delta && choice.message) return differs || id === '' || speaker?.isWhole === true
  const announces = Boolean(choice.delta?.role) && speaker !== undefined && speaker.roles <= 1
  const mayBegin = announces && !choice.finish_reason
  if (response.isCounted || (speaker === undefined ? isFinished(response) : speaker.isFinished)) {
    if (hasVisibleContent(choice)) return differs || announces || (id === '' && speaker !== undefined)
    return mayBegin && !chunk.usage
  }
  const isKept = response.idChanges === 0 && id !== '' && response.id !== ''
  return differs && isKept && mayBegin && speaker.hasContent
}

/** Whether the stream has marked the response as complete. */
export function isFinished({ speaking, isCounted }: Response): boolean {
  return isCounted || speaking === 0
}

/** A choice has ended: nothing more of it is expected, though some vendors send the end twice. */
export function finish(out: Out, response: Response, speaker: Speaker, reason: string | undefined): void {
  startWaitingCall(out, speaker)
  speaker.voice.pause(out)
  endCalls(out, speaker)
  if (!speaker.isFinished) response.speaking -= 1
  speaker.isFinished = true
  response.reason = reason ?? response.reason
}

/** Usage may arrive with every chunk: it is emitted once the response is finished, so no alternative repeats it. */
export function addUsageEvent(out: Out, response: Response): void {
  const event = response.usage === undefined ? undefined : usageEvent(response.usage, response.name)
  const usageJson = JSON.stringify(event) ?? ''
  if (event === undefined || usageJson === response.sentUsage) return
  response.sentUsage = usageJson
  out.push(event)
}

/** Another response begins, or the stream ends: closes everything that is open. */
export function endResponse(out: Out, response: Response): void {
  const isDone = isFinished(response)
  for (const speaker of response.speakers.values()) {
    if (isDone) finish(out, response, speaker, undefined)
    else startWaitingCall(out, speaker)
  }
  addUsageEvent(out, response)
  out.push({ type: 'step-end', ...present({ reason: response.reason }) })
  for (const { messageId } of response.speakers.values())
    out.push({ type: 'message-end', messageId, ...(!isDone && { interrupted: true }) })
}
