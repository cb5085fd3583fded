import type { Connection } from '@millrace/core/client'
import { durationText, secondsText } from '../durations.ts'
import type { Labels } from '../labels.ts'
import { countText, numberText } from '../numbers.ts'
import type { ThreadStatus } from '../threads/thread-status.ts'
import { momentText } from '../times.ts'

export type Tone = 'live' | 'quiet' | 'warn' | 'bad'

/** What can be done about it, in the line itself. */
export type LivenessAction = 'stop' | 'continue'

export interface Liveness {
  readonly text: string
  readonly tone: Tone
  /** More about it, the most important first. */
  readonly facts?: readonly string[]
  readonly action?: LivenessAction
}

export interface LivenessFacts {
  readonly state: ThreadStatus
  /** The connection of the newest run's stream; undefined if none is needed. */
  readonly connection: Connection | undefined
  /** Time until the next attempt to connect. */
  readonly retryInMs: number
  /** Time since the last entry. */
  readonly silentMs: number
  /** How long the model has been silent before, mostly; undefined until it was more than once. */
  readonly usualMs?: number | undefined
  /** How long the running tool has been running; undefined if none runs. */
  readonly toolMs: number | undefined
  /** The open questions: how many, and since when the first waits. */
  readonly questions: number
  readonly askedMs: number
  /** How long the run still waits for its producer; undefined if there is no limit. */
  readonly waitMs?: number | undefined
  /** When the run ended, by its own clock; 0 if it has not, or had no clock. */
  readonly endedAt: number
  /** How long it took; undefined if that is not known. */
  readonly durationMs?: number | undefined
  /** The number of its last entry. */
  readonly seq: number
  readonly now: number
}

/** A silence of this length is mentioned, and one of `WARNED_AFTER` with nothing running is a warning. */
const MENTIONED_AFTER = 5_000
const WARNED_AFTER = 60_000

type Line = (facts: LivenessFacts, labels: Labels) => Liveness

const connections: { readonly [State in Connection]?: Line } = {
  connecting: (_, labels) => ({ text: labels.connecting, tone: 'quiet' }),
  waiting: ({ retryInMs }, labels) => cut(labels.serverUnreachable(again(retryInMs, labels)), labels),
  offline: ({ retryInMs }, labels) => cut(labels.offline(again(retryInMs, labels)), labels),
  failed: (_, labels) => ({ text: labels.disconnected, tone: 'bad' }),
}

const cut = (text: string, labels: Labels): Liveness => ({ text, tone: 'bad', facts: [labels.nothingLost] })

function again(inMs: number, labels: Labels): string {
  return inMs < 500 ? labels.tryingAgain : labels.tryingAgainIn(seconds(inMs, labels))
}

const seconds = (milliseconds: number, labels: Labels) => numberText(Math.round(milliseconds / 1000), labels)

/** Whether the page receives nothing from the run, at least until the next attempt. */
export function isCutOff(connection: Connection | undefined): boolean {
  return connection === 'waiting' || connection === 'offline' || connection === 'failed'
}

/** The liveness of a run, in words: slow, silent, dead and waiting for a person are different states. */
export function livenessOf(facts: LivenessFacts, labels: Labels): Liveness {
  const { state, connection } = facts
  const isOpen = state === 'live' || state === 'waiting' || (state === 'needs-you' && connection !== undefined)
  if (!isOpen) return ended(facts, labels)
  const broken = connection === undefined ? undefined : connections[connection]
  if (broken !== undefined) return broken(facts, labels)
  if (state === 'needs-you') return asking(facts, labels)
  if (state === 'waiting') return waiting(facts, labels)
  return streaming(facts, labels)
}

function asking({ questions, askedMs }: LivenessFacts, labels: Labels): Liveness {
  const isMeasured = askedMs >= 1_000
  return {
    text: isMeasured ? labels.waitingForYouFor(secondsText(askedMs, labels)) : labels.waitingForAnswer,
    tone: 'warn',
    ...(questions > 0 && { facts: [countText(questions, labels.questionsOpen, labels)] }),
  }
}

/** The producer is gone, which is neither silence nor an end: nothing arrives until it is back. */
function waiting({ waitMs, seq }: LivenessFacts, labels: Labels): Liveness {
  const isMeasured = waitMs !== undefined && waitMs >= 500
  return {
    text: isMeasured ? labels.producerGoneFor(seconds(waitMs, labels)) : labels.threadStatus.waiting,
    tone: 'bad',
    facts: [labels.lastEntry(numberText(seq, labels))],
  }
}

type End = (facts: LivenessFacts, labels: Labels) => Omit<Liveness, 'text'>

/** How a run has ended says what is left of it, and what can be done. */
const ends: { readonly [State in ThreadStatus]?: End } = {
  done: ({ seq, durationMs }, labels) => ({
    tone: 'quiet',
    facts: [
      ...(seq === 0 ? [] : [countText(seq, labels.entries, labels)]),
      ...(durationMs === undefined ? [] : [durationText(durationMs, labels)]),
    ],
  }),
  stopped: ({ seq }, labels) => ({
    tone: 'quiet',
    facts: [labels.atEntry(numberText(seq, labels)), labels.answerKept],
  }),
  failed: brokenOff,
  interrupted: brokenOff,
}

function brokenOff({ seq }: LivenessFacts, labels: Labels): Omit<Liveness, 'text'> {
  return { tone: 'bad', facts: [labels.lastEntry(numberText(seq, labels))], action: 'continue' }
}

function ended(facts: LivenessFacts, labels: Labels): Liveness {
  const { state, endedAt, now } = facts
  if (state === 'needs-you') return asking(facts, labels)
  const status = labels.threadStatus[state]
  const text = endedAt === 0 ? status : labels.endedAt(status, momentText(endedAt, now, labels))
  return { text, tone: 'quiet', ...ends[state]?.(facts, labels) }
}

function streaming({ silentMs, toolMs, usualMs }: LivenessFacts, labels: Labels): Liveness {
  if (silentMs < MENTIONED_AFTER) return { text: labels.streaming, tone: 'live' }
  const text = labels.modelSilent(secondsText(silentMs, labels))
  if (toolMs !== undefined) return { text, tone: 'live', facts: [labels.toolRunning(secondsText(toolMs, labels))] }
  if (silentMs >= WARNED_AFTER) return { text, tone: 'warn', facts: [labels.nothingRunning], action: 'stop' }
  return { text, tone: 'live', ...(usualMs !== undefined && { facts: [labels.usually(secondsText(usualMs, labels))] }) }
}
