/** A stretch without entries. */
export interface Silence {
  readonly from: number
  readonly to: number
}

/** A silence, and the part of the axis that it has, as fractions of the whole. */
export interface ShownSilence extends Silence {
  readonly start: number
  readonly end: number
}

/** Where a time of a run is drawn, as a fraction of the whole width. */
export interface TimeAxis {
  readonly from: number
  readonly to: number
  fractionOf(time: number): number
  timeAt(fraction: number): number
  /** Those that are drawn shorter than they were; none if silence is not skipped. */
  readonly silences: readonly ShownSilence[]
}

/** A silence is longer than this. */
export const SILENCE_MS = 2_000

export function silencesIn(times: readonly number[]): readonly Silence[] {
  const silences: Silence[] = []
  for (let index = 1; index < times.length; index++) {
    const [from, to] = [times[index - 1] as number, times[index] as number]
    if (to - from > SILENCE_MS) silences.push({ from, to })
  }
  return silences
}

/** Doubling a silence makes it longer by this much: 18 s are drawn as 8 s, an hour as 24 s. */
const shownLength = ({ from, to }: Silence) => SILENCE_MS * (1 + Math.log2((to - from) / SILENCE_MS))

/** The axis of a run from its first entry to its last. Silences that are skipped are drawn short. */
export function timeAxisOf(times: readonly number[], skipped: readonly Silence[] = []): TimeAxis {
  const from = times[0] ?? 0
  const to = times.at(-1) ?? from
  /** Where each silence begins on the axis, in ms of the axis. */
  let saved = 0
  const parts = skipped.map((silence) => {
    const start = silence.from - from - saved
    const length = shownLength(silence)
    saved += silence.to - silence.from - length
    return { ...silence, start, end: start + length }
  })
  const whole = Math.max(1, to - from - saved)

  function shownAt(time: number): number {
    const part = parts[lastWith(parts, (each) => each.from <= time)]
    if (part === undefined) return time - from
    if (time >= part.to) return part.end + (time - part.to)
    return part.start + ((time - part.from) / (part.to - part.from)) * (part.end - part.start)
  }

  return {
    from,
    to,
    fractionOf: (time) => shownAt(Math.max(from, Math.min(to, time))) / whole,
    timeAt(fraction) {
      const shown = Math.max(0, Math.min(1, fraction)) * whole
      const part = parts[lastWith(parts, (each) => each.start <= shown)]
      if (part === undefined) return Math.min(to, from + shown)
      if (shown >= part.end) return Math.min(to, part.to + (shown - part.end))
      return part.from + ((shown - part.start) / (part.end - part.start)) * (part.to - part.from)
    },
    silences: parts.map((part) => ({ ...part, start: part.start / whole, end: part.end / whole })),
  }
}

/** The index of the last value for which the condition holds, in a list for whose first values it does; -1: none. */
function lastWith<Value>(values: readonly Value[], holds: (value: Value) => boolean): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(values[middle] as Value)) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The time that a player has reached `ms` later. It does not wait in silences that are skipped. */
export function timeAfter(time: number, ms: number, skipped: readonly Silence[]): number {
  const here = skipped[lastWith(skipped, (each) => each.from <= time)]
  const start = here !== undefined && time < here.to && time > here.from ? here.to : time
  let reached = start + ms
  for (let index = lastWith(skipped, (each) => each.from < start) + 1; index < skipped.length; index++) {
    const silence = skipped[index] as Silence
    if (reached <= silence.from) break
    reached += silence.to - silence.from
  }
  return reached
}
