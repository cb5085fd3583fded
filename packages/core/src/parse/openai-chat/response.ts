import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { endCalls } from './calls.ts'
import { hasVisibleContent } from './delta.ts'
import type { Choice, Chunk, RawUsage } from './raw.ts'
import { closeBlock, hasContent, newSpeaker, type Out, type Speaker, startWaitingCall } from './speaker.ts'
import { createUniqueIds, type UniqueIds } from './unique-ids.ts'
import { mergeUsage, usageEvent } from './usage.ts'

/** One answer of the model. A stream may hold several: the turns of an agent's loop. */
export interface Response {
  /** Unique in the run; names its first message. */
  readonly name: string
  readonly model: string | undefined
  readonly speakers: Map<number, Speaker>
  /** How many of them are not finished. */
  speaking: number
  /** The id of its last chunk: a few vendors give each chunk another. */
  id: string
  idChanges: number
  usage: RawUsage | undefined
  /** The last count that was told, as JSON. */
  sentUsage: string
  reason: string | undefined
  /** The chunk that counts the whole was there: it is the last. */
  isCounted: boolean
}

/** What a parser remembers beyond one response. */
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
    usage: undefined,
    sentUsage: '',
    reason: undefined,
    isCounted: false,
  }
}

/** The choice's speaker; its message begins when it is first heard of. */
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
 * Whether a chunk begins another response. Its id alone does not say: Azure's first chunk has none, Perplexity's last
 * has another, gateways change it on the way, Groq's agents do with each chunk, and replayed streams have one for all.
 */
export function isAnother(response: Response, chunk: Chunk, choice: Choice): boolean {
  const id = chunk.id ?? ''
  const speaker = response.speakers.get(choice.index ?? 0)
  const differs = id !== response.id
  if (!choice.delta && choice.message) return differs || id === ''
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

/** Whether it was said that all of it is there. */
export function isFinished({ speaking, isCounted }: Response): boolean {
  return isCounted || speaking === 0
}

/** A choice is over: nothing more of it is expected, though some vendors say so twice. */
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

/** Counts may come with every chunk: they are told once the end is near, so that no alternative adds them again. */
export function addUsageEvent(response: Response, out: Out): void {
  const event = response.usage === undefined ? undefined : usageEvent(response.usage, response.name)
  const usageJson = JSON.stringify(event) ?? ''
  if (event === undefined || usageJson === response.sentUsage) return
  response.sentUsage = usageJson
  out.push(event)
}

/** Another response begins, or the stream ends: closes all that was opened. */
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

/** The calls that were named when the stream was cut off: whoever closes it closes them. */
export function leaveResponse(response: Response): StreamEvent[] {
  const out: Out = []
  for (const speaker of response.speakers.values()) startWaitingCall(speaker, out)
  return out
}
