import type { Entry } from '@millrace/core/events'

/** When a page received an entry and painted it, by its own clock. */
export interface Arrival {
  readonly receivedAt: number
  readonly paintedAt?: number
}

/** A moment on the way of an entry, from the agent to the screen. */
export interface Hop {
  readonly name: string
  /** The time of day of the first, how much later each other one was. */
  readonly text: string
  readonly title: string
}

/** Only what was measured: a record without a time has no “agent wrote”, a run that was read from the log no arrival. */
export function hopsOf({ event, at }: Entry, arrival: Arrival | undefined): readonly Hop[] {
  const times = [
    { name: 'agent wrote', time: event.sentAt, title: 'By the clock of the stream' },
    { name: 'durable', time: at, title: 'By the clock of the server: the log has it' },
    { name: 'received', time: arrival?.receivedAt, title: 'By the clock of this browser' },
    { name: 'painted', time: arrival?.paintedAt, title: 'By the clock of this browser: the next frame was drawn' },
  ]
  const measured = times.flatMap(({ time, ...hop }) => (time === undefined ? [] : [{ ...hop, time }]))
  const start = measured[0]?.time ?? 0
  return measured.map(({ name, title, time }, index) => ({
    name,
    title,
    text: index === 0 ? timeText(time) : delayText(time - start),
  }))
}

/** `17:58:47.211`, in universal time: the reader compares it with records. */
const timeText = (time: number): string => new Date(time).toISOString().slice(11, 23)

/** `+0.4 ms`, `+61 ms`, `+1.80 s`, `+2 min`. */
export function delayText(delay: number): string {
  const sign = delay < 0 ? '−' : '+'
  const size = Math.abs(delay)
  if (size < 10 && !Number.isInteger(size)) return `${sign}${size.toFixed(1)} ms`
  if (size < 1_000) return `${sign}${Math.round(size)} ms`
  if (size < 100_000) return `${sign}${(size / 1_000).toFixed(2)} s`
  return size < 7_200_000 ? `${sign}${Math.round(size / 60_000)} min` : `${sign}${Math.round(size / 3_600_000)} h`
}
