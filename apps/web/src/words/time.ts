import { useEffect, useState } from 'react'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago, for a list: `now`, `2m`, `3h`, `1d`, then the date. */
export function agoText(at: number, now: number): string {
  const age = Math.max(0, now - at)
  if (age < MINUTE) return 'now'
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m`
  if (age < DAY) return `${Math.floor(age / HOUR)}h`
  if (age < 7 * DAY) return `${Math.floor(age / DAY)}d`
  return new Date(at).toLocaleDateString('en', { day: 'numeric', month: 'short' })
}

/** The day of a time as a heading, in the reader's time zone. */
export function dayText(at: number, now: number): string {
  const days = Math.round((midnightOf(now) - midnightOf(at)) / DAY)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  const day = new Date(at)
  if (days < 7) return day.toLocaleDateString('en', { weekday: 'long' })
  const isThisYear = day.getFullYear() === new Date(now).getFullYear()
  return day.toLocaleDateString('en', { day: 'numeric', month: 'long', ...(!isThisYear && { year: 'numeric' }) })
}

/** `14:09` of today, else with its date: `Jun 1, 2025, 14:09`. */
export function momentText(at: number, now: number): string {
  if (midnightOf(at) === midnightOf(now)) return clockText(at)
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  const date = new Date(at).toLocaleDateString('en', {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  })
  return `${date}, ${clockText(at)}`
}

/** `14:09`. */
function clockText(at: number): string {
  return new Date(at).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}

/** The first moment of the day. Days are not all 24 hours long, so two of them are compared by rounding. */
function midnightOf(at: number): number {
  const day = new Date(at)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime()
}

/** The current time, updated every `every` milliseconds. */
export function useNow(every: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every)
    return () => clearInterval(timer)
  }, [every])
  return now
}
