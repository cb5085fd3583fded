import { describe, expect, it } from 'vitest'
import { eventOf, htmlOf, wordsOf } from './html.ts'
import { at, status, text, thought } from './segments.ts'

const live = { state: 'live' } as const
const expanded = (html: string) => [...html.matchAll(/aria-expanded="(true|false)"/g)].map(([, value]) => value)

describe('processing and thinking blocks', () => {
  it('S0-107: mount closed from history', () => {
    const html = htmlOf(
      eventOf([status(1, ['Indexing', 'Ready'], 4000), thought(2, 'Hm. It is a timer.', 12_000), text(3, 'Done.')]),
    )
    expect(expanded(html)).toEqual(['false', 'false'])
    expect(html).not.toMatch(/Indexing|timer/)
  })

  it('keep a fact while they are closed: the last status, the first sentence of the thought', () => {
    const segments = [status(1, ['Indexing', 'Ready'], 4000), thought(2, '**Hm.** It is a timer.', 12_000)]
    expect(wordsOf(htmlOf(eventOf(segments)))).toBe('Processed in 4s Ready Thought for 12s Hm.')
    const live = wordsOf(htmlOf(eventOf([thought(1, 'Hm. It is a timer.')], { state: 'live' })))
    expect(live).toBe('Thinking… Hm. It is a timer.')
  })

  it('S0-108: a blank reasoning part is not drawn', () => {
    const html = htmlOf(eventOf([thought(1, '  \n', 1000), text(2, 'Done.')]))
    expect(html).not.toContain('mr-thinking')
  })

  it('S0-109 S0-110: each kind has its own view and fill', () => {
    const html = htmlOf(eventOf([status(1, ['a'], 1000), thought(2, 'b', 1000)]))
    expect(html.indexOf('mr-processing')).toBeGreaterThan(0)
    expect(html.indexOf('mr-thinking')).toBeGreaterThan(html.indexOf('mr-processing'))
  })

  it('S0-111: says “Processing…” while live and “Processed in 5s” with a check after', () => {
    expect(wordsOf(htmlOf(eventOf([status(1, ['a'])], live)))).toContain('Processing…')
    expect(wordsOf(htmlOf(eventOf([status(1, ['a'], 5000)])))).toBe('Processed in 5s a')
  })

  it('S0-112 S0-117: says “Thinking…” while live and the duration of the data after, “1m 4s” from a minute on', () => {
    expect(wordsOf(htmlOf(eventOf([thought(1, 'a')], live)))).toContain('Thinking…')
    expect(wordsOf(htmlOf(eventOf([thought(1, 'a', 5000)])))).toBe('Thought for 5s a')
    expect(wordsOf(htmlOf(eventOf([thought(1, 'a', 64_000)])))).toBe('Thought for 1m 4s a')
  })

  it('S0-62 S0-113 S3-26: a live thought is open and shows its text below its trigger', () => {
    const html = htmlOf(eventOf([thought(1, 'So it is a timer.')], live))
    expect(expanded(html)).toEqual(['true'])
    expect(html.indexOf('So it is a timer.')).toBeGreaterThan(html.indexOf('Thinking…'))
  })

  it('S0-115: closes at once when a newer block opens, although it is still live', () => {
    expect(expanded(htmlOf(eventOf([thought(1, 'a'), status(2, ['b'])], live)))).toEqual(['false', 'true'])
    expect(expanded(htmlOf(eventOf([thought(1, 'a'), text(2, 'b', 'live')], live)))).toEqual(['false'])
  })

  it('are in an element that names their entries', () => {
    const segments = [status(1, ['a'], 1000), status(2, ['b'], 1000), thought(3, 'c', 1000), text(4, 'd')]
    const named = [...htmlOf(eventOf(segments)).matchAll(/data-seqs="([^"]+)"><\w+ class="(?:mr-card )?([\w-]+)/g)]
    expect(named.map(([, seqs, look]) => [seqs, look])).toEqual([
      ['1-2', 'mr-processing'],
      ['3-3', 'mr-thinking'],
      ['4-4', 'mr-prose'],
    ])
  })

  it('S0-118: text has no trigger', () => {
    expect(htmlOf(eventOf([text(1, 'Plain words.')]))).not.toContain('<button')
  })

  it('says that the provider hides a thought, and offers nothing to open', () => {
    const hidden = { ...thought(1, '', 9000), encrypted: 'x' }
    const html = htmlOf(eventOf([hidden]))
    expect(wordsOf(html)).toBe('Thought for 9s kept hidden by the provider')
    expect(html).not.toContain('<button')
  })

  it('S1-14: hides all thoughts with hidesThoughts', () => {
    const event = eventOf([thought(1, 'a', 1000), text(2, 'b'), thought(3, 'c', 1000)])
    expect(htmlOf(event)).toContain('mr-thinking')
    expect(htmlOf(event, { hidesThoughts: true })).not.toContain('mr-thinking')
  })

  it('gives the level of a status line in words too', () => {
    const warned = { ...status(1, []), lines: [{ message: 'old lock file', level: 'warn' as const, at: 1 }], ...at(1) }
    expect(wordsOf(htmlOf(eventOf([warned], live)))).toContain('Warning: old lock file')
  })
})
