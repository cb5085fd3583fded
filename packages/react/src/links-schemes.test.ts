import { expect, it } from 'vitest'
import { eventOf, htmlOf } from '../test/html.ts'
import { at, text } from '../test/segments.ts'
import { hostOf, safeFileLink, safeImage, safeLink } from './links.ts'

/** What each place makes of a URL: a link in a text, an image, a file. */
const schemes: readonly (readonly [url: string, link: boolean, image: boolean])[] = [
  ['https://a.example/x', true, true],
  ['http://a.example', true, true],
  ['HTTPS://A.EXAMPLE', true, true],
  ['mailto:a@b.example', true, false],
  ['tel:123', false, false],
  ['ftp://a.example', false, false],
  ['file:///etc/passwd', false, false],
  ['javascript:alert(1)', false, false],
  ['java\nscript:alert(1)', false, false],
  ['data:image/png;base64,AA', false, false],
  ['blob:https://a.example/x', false, false],
  ['//a.example', false, false],
  ['/api/threads', false, false],
  ['https:a.example', false, false],
  ['#top', false, false],
  ['', false, false],
]

it.each(schemes)('%j is a link: %s, an image: %s', (url, link, image) => {
  expect([safeLink(url), safeImage(url), safeFileLink(url)].map((each) => each !== undefined)).toEqual([
    link,
    image,
    link,
  ])
  expect(safeLink(` ${url} `)).toBe(link ? url : undefined)
  const cited = { ...text(1, 'Cited.'), citations: [{ title: 'T', url }] }
  const source = { type: 'source', sourceId: 's', kind: 'url', url, title: 'T', ...at(2, 0) } as const
  const file = { type: 'file', fileId: 'f', mediaType: 'text/plain', url, ...at(3, 0) } as const
  for (const segment of [cited, source, file]) expect(htmlOf(eventOf([segment])).includes('<a ')).toBe(link)
})

it('names the host without www, and nothing if there is none', () => {
  expect(['https://www.a.example/x', 'https://a.www.example', 'mailto:a@b', 'not a url', ''].map(hostOf)).toEqual([
    'a.example',
    'a.www.example',
    '',
    '',
    '',
  ])
})

it('every external link opens another page without a referrer', () => {
  const url = 'https://a.example/x'
  const html = htmlOf(
    eventOf([
      { ...text(1, `[x](${url}) ![y](${url}) <${url}>`), citations: [{ url }] },
      { type: 'source', sourceId: 's', kind: 'url', url, ...at(2, 0) },
      { type: 'file', fileId: 'f', mediaType: 'text/plain', url, ...at(3, 0) },
    ]),
  )
  const links = html.match(/<a [^>]*>/g) ?? []
  // The source is the one that the text cites: it is named once.
  expect(links).toHaveLength(6)
  for (const link of links)
    expect(link).toMatch(/target="_blank" rel="noreferrer noopener" referrerPolicy="no-referrer"/)
})
