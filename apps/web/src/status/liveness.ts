import type { Connection } from '@millrace/core/client'
import { statusTexts, type ThreadStatus } from '../threads/thread-status.ts'
import { momentText } from '../words/time.ts'

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

const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`

const again = (inMs: number) => (inMs < 500 ? 'trying again…' : `trying again in ${seconds(inMs)}`)

type Line = (facts: LivenessFacts) => Liveness

const connections: { readonly [State in Connection]?: Line } = {
  connecting: () => ({ text: 'Connecting…', tone: 'quiet' }),
  waiting: ({ retryInMs }) => ({ text: `Server unreachable, ${again(retryInMs)}`, tone: 'bad' }),
  offline: ({ retryInMs }) => ({ text: `Offline, ${again(retryInMs)}`, tone: 'bad' }),
  failed: () => ({ text: 'Disconnected from the run', tone: 'bad' }),
}

/** Whether the page receives nothing from the run, at least until the next attempt. */
export function isCutOff(connection: Connection | undefined): boolean {
  return connection === 'waiting' || connection === 'offline' || connection === 'failed'
}

/** The liveness of a run, in words: slow, silent and dead are three different states. */
export function livenessOf(facts: LivenessFacts): Liveness {
  const { state, connection } = facts
  const isOpen = state === 'live' || state === 'waiting' || (state === 'needs-you' && connection !== undefined)
  if (!isOpen) return ended(facts)
  const broken = connection === undefined ? undefined : connections[connection]
  if (broken !== undefined) return broken(facts)
  if (state === 'needs-you') return { text: 'Waiting for your answer', tone: 'warn' }
  if (state === 'waiting') return waiting(facts)
  return streaming(facts)
}

/** The producer is gone, which is neither silence nor an end: nothing arrives until it is back. */
function waiting({ waitMs }: LivenessFacts): Liveness {
  const remaining = waitMs === undefined || waitMs < 500 ? '' : `, for ${seconds(waitMs)} more`
  return { text: `${statusTexts.waiting}${remaining}`, tone: 'bad' }
}

function ended({ state, endedAt, now }: LivenessFacts): Liveness {
  if (state === 'needs-you') return { text: 'Waiting for your answer', tone: 'warn' }
  const text = endedAt === 0 ? statusTexts[state] : `${statusTexts[state]} ${momentText(endedAt, now)}`
  return { text, tone: state === 'failed' ? 'bad' : 'quiet' }
}

function streaming({ silentMs, isToolRunning }: LivenessFacts): Liveness {
  if (silentMs < MENTIONED_AFTER) return { text: 'Streaming', tone: 'live' }
  const silent = `Model silent ${seconds(silentMs)}`
  if (isToolRunning) return { text: `${silent} · tool running`, tone: 'live' }
  if (silentMs < WARNED_AFTER) return { text: silent, tone: 'live' }
  return { text: `${silent} · nothing running`, tone: 'warn' }
}
