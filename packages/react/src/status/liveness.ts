import type { Connection } from '@millrace/core/client'
import type { Labels } from '../labels.ts'
import { numberText } from '../numbers.ts'
import type { ThreadStatus } from '../threads/thread-status.ts'
import { momentText } from '../times.ts'

export type Tone = 'live' | 'quiet' | 'warn' | 'bad'

export interface Liveness {
  readonly text: string
  readonly tone: Tone
}

export interface LivenessFacts {
  readonly state: ThreadStatus
  /** The connection of the newest run's stream; undefined if none is needed. */
  readonly connection: Connection | undefined
  /** Time until the next attempt to connect. */
  readonly retryInMs: number
  /** Time since the last entry. */
  readonly silentMs: number
  readonly isToolRunning: boolean
  /** How long the run still waits for its producer; undefined if there is no limit. */
  readonly waitMs?: number | undefined
  /** When the run ended, by its own clock; 0 if it has not, or had no clock. */
  readonly endedAt: number
  readonly now: number
}

/** A silence of this length is mentioned, and one of `WARNED_AFTER` with nothing running is a warning. */
const MENTIONED_AFTER = 5_000
const WARNED_AFTER = 60_000

type Line = (facts: LivenessFacts, labels: Labels) => Liveness

const connections: { readonly [State in Connection]?: Line } = {
  connecting: (_, labels) => ({ text: labels.connecting, tone: 'quiet' }),
  waiting: ({ retryInMs }, labels) => ({ text: labels.serverUnreachable(again(retryInMs, labels)), tone: 'bad' }),
  offline: ({ retryInMs }, labels) => ({ text: labels.offline(again(retryInMs, labels)), tone: 'bad' }),
  failed: (_, labels) => ({ text: labels.disconnected, tone: 'bad' }),
}

function again(inMs: number, labels: Labels): string {
  return inMs < 500 ? labels.tryingAgain : labels.tryingAgainIn(seconds(inMs, labels))
}

const seconds = (milliseconds: number, labels: Labels) => numberText(Math.round(milliseconds / 1000), labels)

/** Whether the page receives nothing from the run, at least until the next attempt. */
export function isCutOff(connection: Connection | undefined): boolean {
  return connection === 'waiting' || connection === 'offline' || connection === 'failed'
}

/** The liveness of a run, in words: slow, silent and dead are three different states. */
export function livenessOf(facts: LivenessFacts, labels: Labels): Liveness {
  const { state, connection } = facts
  const isOpen = state === 'live' || state === 'waiting' || (state === 'needs-you' && connection !== undefined)
  if (!isOpen) return ended(facts, labels)
  const broken = connection === undefined ? undefined : connections[connection]
  if (broken !== undefined) return broken(facts, labels)
  if (state === 'needs-you') return { text: labels.waitingForAnswer, tone: 'warn' }
  if (state === 'waiting') return waiting(facts, labels)
  return streaming(facts, labels)
}

/** The producer is gone, which is neither silence nor an end: nothing arrives until it is back. */
function waiting({ waitMs }: LivenessFacts, labels: Labels): Liveness {
  const isMeasured = waitMs !== undefined && waitMs >= 500
  return {
    text: isMeasured ? labels.producerGoneFor(seconds(waitMs, labels)) : labels.threadStatus.waiting,
    tone: 'bad',
  }
}

function ended({ state, endedAt, now }: LivenessFacts, labels: Labels): Liveness {
  if (state === 'needs-you') return { text: labels.waitingForAnswer, tone: 'warn' }
  const status = labels.threadStatus[state]
  const text = endedAt === 0 ? status : labels.endedAt(status, momentText(endedAt, now, labels))
  return { text, tone: state === 'failed' ? 'bad' : 'quiet' }
}

function streaming({ silentMs, isToolRunning }: LivenessFacts, labels: Labels): Liveness {
  if (silentMs < MENTIONED_AFTER) return { text: labels.streaming, tone: 'live' }
  const silent = seconds(silentMs, labels)
  if (isToolRunning) return { text: labels.silentToolRunning(silent), tone: 'live' }
  if (silentMs < WARNED_AFTER) return { text: labels.modelSilent(silent), tone: 'live' }
  return { text: labels.silentNothingRunning(silent), tone: 'warn' }
}
