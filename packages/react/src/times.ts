import { useEffect, useState } from 'react'
import type { Labels } from './labels.ts'

/** The part of the labels that decides how times are written. */
export type TimeLabels = Pick<
  Labels,
  'locale' | 'justNow' | 'minutesAgo' | 'hoursAgo' | 'daysAgo' | 'today' | 'yesterday' | 'dayAndTime'
>

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago, for a list: `now`, `2m`, `3h`, `1d`, then the date. */
export function agoText(at: number, now: number, labels: TimeLabels): string {
  const age = Math.max(0, now - at)
  if (age < MINUTE) return labels.justNow
  if (age < HOUR) return labels.minutesAgo(String(Math.floor(age / MINUTE)))
  if (age < DAY) return labels.hoursAgo(String(Math.floor(age / HOUR)))
  if (age < 7 * DAY) return labels.daysAgo(String(Math.floor(age / DAY)))
  return dateText(at, { day: 'numeric', month: 'short' }, labels)
}

/** The day of a time as a heading, in the reader's time zone. */
export function dayText(at: number, now: number, labels: TimeLabels): string {
  const days = Math.round((midnightOf(now) - midnightOf(at)) / DAY)
  if (days <= 0) return labels.today
  if (days === 1) return labels.yesterday
  if (days < 7) return dateText(at, { weekday: 'long' }, labels)
  return dateText(at, { day: 'numeric', month: 'long', ...otherYear(at, now) }, labels)
}

/** `14:09` of today, else with its date: `Jun 1, 2025, 14:09`. */
export function momentText(at: number, now: number, labels: TimeLabels): string {
  const time = dateText(at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, labels)
  if (midnightOf(at) === midnightOf(now)) return time
  return labels.dayAndTime(dateText(at, { day: 'numeric', month: 'short', ...otherYear(at, now) }, labels), time)
}

function dateText(at: number, parts: Intl.DateTimeFormatOptions, { locale = 'en' }: TimeLabels): string {
  return new Date(at).toLocaleString(locale, parts)
}

/** The year is named if it is another one. */
function otherYear(at: number, now: number): Intl.DateTimeFormatOptions {
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' }
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
