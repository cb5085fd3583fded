import type { Segment } from '@millrace/core/fold/shapes'
import { describe, expect, it } from 'vitest'
import { eventOf, htmlOf, wordsOf } from './html.ts'
import { at, error, text } from './segments.ts'

describe('the event view', () => {
  it('S1-18 S3-29: each text grows in its place', () => {
    const html = htmlOf(eventOf([text(1, 'First.'), text(2, 'Sec', 'live')], { state: 'live' }))
    expect(wordsOf(html)).toBe('First. Sec')
  })

  it('S1-19: has no caret and no spinner once it is final', () => {
    const html = htmlOf(eventOf([text(1, 'All of it.')]))
    expect(html).not.toMatch(/mr-growing|mr-caret|mr-spinner/)
    expect(htmlOf(eventOf([text(1, 'All of', 'live')], { state: 'live' }))).toContain('mr-growing')
  })

  it('draws data with content, and not an empty marker', () => {
    const data = (value: object): Segment => ({ type: 'data', name: 'weather', data: value as never, ...at(1, 0) })
    expect(wordsOf(htmlOf(eventOf([data({ sky: 'grey' })])))).toContain('weather')
    expect(wordsOf(htmlOf(eventOf([data({})])))).not.toContain('weather')
  })

  it('S3-30: does not change its style when it is final', () => {
    const styles = (html: string) => html.replace(' mr-growing', '').replace(/data-state="\w+"/, '')
    const [live, done] = [
      htmlOf(eventOf([text(1, 'Same.', 'live')], { state: 'live' })),
      htmlOf(eventOf([text(1, 'Same.')])),
    ]
    expect(styles(live)).toBe(styles(done))
  })

  it('S1-20: shows the error that ended the run as an alert, and any other as a line', () => {
    const ended = htmlOf(eventOf([text(1, 'a'), error(2, 'Rate limit')], { state: 'done' }))
    expect(ended).toContain('role="alert"')
    expect(wordsOf(ended)).toContain('Everything up to #2 is kept.')
    const goesOn = htmlOf(eventOf([error(1, 'Overloaded')], { state: 'done' }), { runGoesOn: true })
    expect(goesOn).not.toContain('role="alert"')
    expect(wordsOf(goesOn)).toContain('Overloaded')
    const survived = htmlOf(eventOf([error(1, 'Overloaded'), text(2, 'a')]))
    expect(survived).not.toContain('role="alert"')
    expect(wordsOf(survived)).toContain('Overloaded')
  })

  it('says where it was interrupted, and offers to continue if the host can', () => {
    const event = eventOf([text(1, 'a')], { state: 'interrupted' })
    expect(wordsOf(htmlOf(event))).toContain('Interrupted at #1')
    expect(wordsOf(htmlOf(event, { onContinue: () => {} }))).toContain('Continue')
  })

  it('fills the message of the user and makes it the heading of its turn', () => {
    const html = htmlOf(eventOf([text(1, 'Find out **why**.')], { role: 'user', by: 'server' }))
    expect(html).toContain('<h2>You</h2>')
    expect(htmlOf(eventOf([text(1, 'Why?')], { role: 'user' }))).toContain('<h2>User</h2>')
    expect(html).toContain('<strong>why</strong>')
  })

  it('shows a segment of unknown type as JSON', () => {
    const unknown = { type: 'hologram', depth: 3, ...at(1, 0) } as unknown as Segment
    expect(wordsOf(htmlOf(eventOf([unknown])))).toContain('hologram {"type":"hologram","depth":3')
  })
})

describe('markdown', () => {
  const drawn = (source: string) => htmlOf(eventOf([text(1, source)]))

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](data:text/html,hi)',
    '[x](vbscript:x)',
    '[x](//evil.example)',
    '[x](&#106;avascript:alert(1))',
    '<javascript:alert(1)>',
    '[x]\n\n[x]: javascript:alert(1)',
  ])('links only to the web and to mail: %s', (source) => {
    expect(drawn(source)).not.toMatch(/<a\b/)
  })

  it('opens links in a new tab without a referrer', () => {
    expect(drawn('[x](https://a.example)')).toContain(
      '<a href="https://a.example" target="_blank" rel="noreferrer noopener" referrerPolicy="no-referrer">',
    )
  })

  it.each([
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '<svg onload=alert(1)>',
    '<iframe src="//evil">',
  ])('draws HTML as text: %s', (source) => {
    expect(drawn(source)).not.toMatch(/<(?:img|script|iframe)|<svg[^>]*onload/)
    expect(drawn(source)).toContain('&lt;')
  })

  it('draws an image on another server as a link that names the server and sends it no referrer', () => {
    const html = drawn('![a chart](https://evil.example/?q=secret)')
    expect(html).not.toContain('<img')
    expect(html).toMatch(/<a [^>]*href="https:\/\/evil\.example\/\?q=secret"[^>]*>/)
    expect(html).toMatch(/rel="noreferrer noopener" referrerPolicy="no-referrer"/i)
    expect(wordsOf(html)).toBe('a chart evil.example')
  })

  it('draws an image inside a link as text: links do not nest', () => {
    const html = drawn('[![build](https://badge.example/b.svg)](https://ci.example)')
    expect(html.match(/<a /g)).toHaveLength(1)
    expect(html).toContain('href="https://ci.example"')
    expect(wordsOf(html)).toBe('build')
  })

  it('resolves links and footnotes across blocks', () => {
    const html = drawn('See [the guide] and this[^n].\n\nMore.\n\n[the guide]: https://a.example\n\n[^n]: A note.')
    expect(html).toContain('href="https://a.example"')
    expect(html).toContain('<span class="mr-cite">1</span>')
    expect(wordsOf(html)).toMatch(/More\. A note\.$/)
  })

  it('names and colours code, and keeps its text', () => {
    const html = drawn('```ts\nconst a = "x" // why\n```')
    expect(html).toContain('<span class="mr-token-keyword">const</span>')
    expect(wordsOf(html)).toBe('ts const a = "x" // why')
  })
})
