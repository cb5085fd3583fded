import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { endCalls } from './calls.ts'
import { hasVisibleContent } from './delta.ts'
import type { Choice, Chunk, RawUsage } from './raw.ts'
import { closeBlock, hasContent, newSpeaker, type Out, type Speaker, startWaitingCall } from './speaker.ts'
import { createUniqueIds, type UniqueIds } from './unique-ids.ts'
import { mergeUsage, usageEvent } from './usage.ts'

/** One response of the model. A stream may hold several: the turns of an agent's loop. */
export interface Response {
  /** Unique in the run; the id of its first message. */
  readonly name: string
  readonly model: string | undefined
  readonly speakers: Map<number, Speaker>
  /** The number of speakers that are not finished. */
  speaking: number
  /** The id of its last chunk: a few vendors give each chunk a different id. */
  id: string
  idChanges: number
  usage?: RawUsage | undefined
  /** The last usage event that was emitted, as JSON. */
  sentUsage: string
  reason?: string | undefined
  /** Whether the chunk with the usage of the whole response, which is the last, has arrived. */
  isCounted: boolean
}

/** The state that outlives one response. */
export interface Run {
  readonly ids: UniqueIds
  count: number
}

export function newRun(): Run {
  return { ids: createUniqueIds(), count: 0 }
}

export function startResponse(run: Run, { id, model }: Chunk): Response {
  run.count += 1
  return {
    name: run.ids.claim(id || `response-${run.count}`),
    model: model || undefined,
    speakers: new Map(),
    speaking: 0,
    id: id ?? '',
    idChanges: 0,
    sentUsage: '',
    isCounted: false,
  }
}

/** The speaker of a choice; its message begins with the first chunk of the choice. */
export function speakerOf(response: Response, index: number, ids: UniqueIds, out: Out): Speaker {
  const existing = response.speakers.get(index)
  if (existing !== undefined) return existing
  const isFirst = response.speakers.size === 0
  const speaker = newSpeaker(isFirst ? response.name : `${response.name}:choice-${index}`, ids)
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
  if (isEnded(response, speaker)) {
    if (hasVisibleContent(choice)) return differs || announces || (id === '' && speaker !== undefined)
    return mayBegin && !chunk.usage
  }
  const isKept = response.idChanges === 0 && id !== '' && response.id !== ''
  return differs && isKept && mayBegin && hasContent(speaker)
}

function isEnded(response: Response, speaker: Speaker | undefined): boolean {
  return response.isCounted || (speaker === undefined ? isFinished(response) : speaker.isFinished)
}

/** Whether the stream has marked the response as complete. */
export function isFinished({ speaking, isCounted }: Response): boolean {
  return isCounted || speaking === 0
}

/** A choice has ended: nothing more of it is expected, though some vendors send the end twice. */
export function finish(response: Response, speaker: Speaker, reason: string | undefined, out: Out): void {
  startWaitingCall(speaker, out)
  closeBlock(speaker, out)
  endCalls(speaker, out)
  if (!speaker.isFinished) response.speaking -= 1
  speaker.isFinished = true
  response.reason = reason ?? response.reason
}

export function addUsage(response: Response, usage: RawUsage): void {
  response.usage = mergeUsage(response.usage, usage)
}

/** Usage may arrive with every chunk: it is emitted once the response is finished, so no alternative repeats it. */
export function addUsageEvent(response: Response, out: Out): void {
  const event = response.usage === undefined ? undefined : usageEvent(response.usage, response.name)
  const usageJson = JSON.stringify(event) ?? ''
  if (event === undefined || usageJson === response.sentUsage) return
  response.sentUsage = usageJson
  out.push(event)
}

/** Another response begins, or the stream ends: closes everything that is open. */
export function endResponse(response: Response): StreamEvent[] {
  const out: Out = []
  const isDone = isFinished(response)
  for (const speaker of response.speakers.values()) {
    if (isDone) finish(response, speaker, undefined, out)
    else startWaitingCall(speaker, out)
  }
  addUsageEvent(response, out)
  out.push({ type: 'step-end', ...present({ reason: response.reason }) })
  for (const { messageId } of response.speakers.values())
    out.push({ type: 'message-end', messageId, ...(!isDone && { interrupted: true }) })
  return out
}

/** Starts the calls that had a name when the stream was cut off; `balance` closes them. */
export function leaveResponse(response: Response): StreamEvent[] {
  const out: Out = []
  for (const speaker of response.speakers.values()) startWaitingCall(speaker, out)
  return out
}
