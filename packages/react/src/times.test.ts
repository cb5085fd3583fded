import { describe, expect, it } from 'vitest'
import { englishLabels } from './labels.ts'
import { agoText, dayText, momentText } from './times.ts'

const noon = new Date(2026, 5, 17, 12).getTime()
const minutes = (count: number) => noon - count * 60_000
const hours = (count: number) => minutes(60 * count)

describe('agoText', () => {
  it('shows an age in one word', () => {
    const ages = [noon, minutes(0.9), minutes(1), minutes(59), hours(1), hours(23), hours(24), hours(24 * 6)]
    expect(ages.map((at) => agoText(at, noon, englishLabels))).toEqual([
      'now',
      'now',
      '1m',
      '59m',
      '1h',
      '23h',
      '1d',
      '6d',
    ])
  })

  it('shows the date from one week on', () => {
    expect(agoText(hours(24 * 7), noon, englishLabels)).toBe('Jun 10')
  })

  it('shows a time in the future as now', () => {
    expect(agoText(noon + 5_000, noon, englishLabels)).toBe('now')
  })
})

describe('momentText', () => {
  it('shows the time of today, and the date of any other day', () => {
    expect(momentText(new Date(2026, 5, 17, 0, 9).getTime(), noon, englishLabels)).toBe('00:09')
    expect(momentText(new Date(2026, 5, 16, 23, 9).getTime(), noon, englishLabels)).toBe('Jun 16, 23:09')
    expect(momentText(new Date(2025, 5, 1, 10, 0).getTime(), noon, englishLabels)).toBe('Jun 1, 2025, 10:00')
  })
})

describe('dayText', () => {
  it('names days by the calendar, not by 24 hours', () => {
    expect(dayText(hours(11), noon, englishLabels)).toBe('Today')
    expect(dayText(hours(13), noon, englishLabels)).toBe('Yesterday')
    expect(dayText(hours(37), noon, englishLabels)).toBe('Monday')
  })

  it('names older days by their date, with the year if it is another one', () => {
    expect(dayText(new Date(2026, 4, 3).getTime(), noon, englishLabels)).toBe('May 3')
    expect(dayText(new Date(2025, 4, 3).getTime(), noon, englishLabels)).toBe('May 3, 2025')
  })
})
