import type { Connection } from '@millrace/core/client'
import { stateWords, type ThreadState } from '../threads/thread-state.ts'
import { momentText } from '../words/time.ts'

export type Tone = 'live' | 'quiet' | 'warn' | 'bad'

export interface Liveness {
  readonly words: string
  readonly tone: Tone
}

export interface LivenessFacts {
  readonly state: ThreadState
  /** Of the newest run's stream; nothing where none is needed. */
  readonly connection: Connection | undefined
  /** Until the next attempt to connect. */
  readonly retryInMs: number
  /** Since the last entry came. */
  readonly silentMs: number
  readonly isToolRunning: boolean
  /** How long an absent producer is still waited for; undefined if no time is set. */
  readonly waitMs?: number | undefined
  /** When the run ended, by its own clock; 0 if it has not, or had no clock. */
  readonly endedAt: number
  readonly now: number
}

/** A silence that is shorter is not worth a word, a longer one with nothing running is worth a look. */
const WORTH_A_WORD = 5_000
const WORTH_A_LOOK = 60_000

const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`

const again = (inMs: number) => (inMs < 500 ? 'trying again…' : `trying again in ${seconds(inMs)}`)

type Line = (facts: LivenessFacts) => Liveness

const connections: { readonly [State in Connection]?: Line } = {
  connecting: () => ({ words: 'Connecting…', tone: 'quiet' }),
  waiting: ({ retryInMs }) => ({ words: `Server gone, ${again(retryInMs)}`, tone: 'bad' }),
  offline: ({ retryInMs }) => ({ words: `Offline, ${again(retryInMs)}`, tone: 'bad' }),
  failed: () => ({ words: 'Cut off from the run', tone: 'bad' }),
}

/** Whether nothing is heard from the run, and nothing will be before the next attempt. */
export function isCutOff(connection: Connection | undefined): boolean {
  return connection === 'waiting' || connection === 'offline' || connection === 'failed'
}

/** How alive a run is, in words: slow, silent and dead are three things. */
export function livenessOf(facts: LivenessFacts): Liveness {
  const { state, connection } = facts
  const isOpen = state === 'live' || state === 'waiting' || (state === 'needs-you' && connection !== undefined)
  if (!isOpen) return ended(facts)
  const broken = connection === undefined ? undefined : connections[connection]
  if (broken !== undefined) return broken(facts)
  if (state === 'needs-you') return { words: 'Waiting for your answer', tone: 'warn' }
  if (state === 'waiting') return waiting(facts)
  return streaming(facts)
}

/** Its producer is gone, which is neither silence nor an end: nothing comes before it is back. */
function waiting({ waitMs }: LivenessFacts): Liveness {
  const left = waitMs === undefined || waitMs < 500 ? '' : `, for ${seconds(waitMs)} more`
  return { words: `${stateWords.waiting}${left}`, tone: 'bad' }
}

function ended({ state, endedAt, now }: LivenessFacts): Liveness {
  if (state === 'needs-you') return { words: 'Waiting for your answer', tone: 'warn' }
  const words = endedAt === 0 ? stateWords[state] : `${stateWords[state]} ${momentText(endedAt, now)}`
  return { words, tone: state === 'failed' ? 'bad' : 'quiet' }
}

function streaming({ silentMs, isToolRunning }: LivenessFacts): Liveness {
  if (silentMs < WORTH_A_WORD) return { words: 'Streaming', tone: 'live' }
  const silent = `Model silent ${seconds(silentMs)}`
  if (isToolRunning) return { words: `${silent} · tool running`, tone: 'live' }
  if (silentMs < WORTH_A_LOOK) return { words: silent, tone: 'live' }
  return { words: `${silent} · nothing running`, tone: 'warn' }
}
