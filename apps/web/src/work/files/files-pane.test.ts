import type { Artifact, Visit } from '@millrace/core/work'
import { describe, expect, it } from 'vitest'
import { csvRows } from './csv-rows.ts'
import { inertPage } from './inert-page.ts'
import { imageUrl, itemsOf, lookOf, shownItem, sizeOf, textOf } from './shelf-items.ts'

const artifact = (id: string, mediaType: string, seq: number, fields: Partial<Artifact> = {}): Artifact => ({
  id,
  name: id,
  mediaType,
  runId: 'r',
  seqs: [seq, seq],
  ...fields,
})

const visit: Visit = { url: 'https://example.org/', runId: 'r', callId: 'v', seqs: [9, 9], step: 1 }

describe('what the files pane shows', () => {
  const items = itemsOf(
    [artifact('a.html', 'text/html', 3, { callId: 'one' }), artifact('b.csv', 'text/csv', 7, { callId: 'two' })],
    [visit],
  )
  const shown = (file?: string, callId?: string, isFollowing = false) =>
    shownItem(items, { file, callId, isFollowing })?.id

  it('is what was opened, else what the current call made, else what was made last', () => {
    expect(shown('a.html', 'two')).toBe('a.html')
    expect(shown(undefined, 'one')).toBe('a.html')
    expect(shown(undefined, 'v')).toBe(visit.url)
    expect(shown('gone.html', 'none')).toBe('b.csv')
    expect(shown()).toBe('b.csv')
    expect(shownItem(itemsOf([], [visit]), { file: undefined, callId: undefined, isFollowing: true })?.id).toBe(
      visit.url,
    )
    expect(shownItem([], { file: undefined, callId: undefined, isFollowing: true })).toBeUndefined()
  })

  it('is the newest while the panes follow, whatever call runs', () => {
    expect(shown(undefined, 'one', true)).toBe('b.csv')
  })
})

describe('the look of a file', () => {
  const look = (mediaType: string, fields: Partial<Artifact> = {}) => lookOf(artifact('f', mediaType, 1, fields))

  it('is that of its type, if the stream holds it', () => {
    expect(look('text/html; charset=utf-8', { text: '<p>' })).toBe('page')
    expect(look('text/markdown', { text: '#' })).toBe('markdown')
    expect(look('text/csv', { bytes: btoa('a,b') })).toBe('table')
    expect(look('application/json', { bytes: btoa('{}') })).toBe('text')
    expect(look('image/png', { bytes: 'AAAA' })).toBe('image')
    expect(look('image/svg+xml', { text: '<svg/>' })).toBe('image')
    expect(look('application/pdf', { bytes: 'AAAA' })).toBe('none')
    expect(look('text/html')).toBe('none')
    expect(look('image/png', { url: 'https://example.org/a.png' })).toBe('none')
    expect(look('image/png', { url: '/api/files/f1' })).toBe('image')
  })

  it('never makes an address of what is no image', () => {
    for (const mediaType of ['text/html', 'image/png"><script>', 'application/javascript'])
      expect(imageUrl(artifact('f', mediaType, 1, { bytes: 'AAAA', text: '<p>' }))).toBeUndefined()
    expect(imageUrl(artifact('f', 'image/png', 1, { url: 'javascript:alert(1)' }))).toBeUndefined()
  })

  it('counts bytes, and reads texts as UTF-8', () => {
    expect(sizeOf(artifact('f', 'text/plain', 1, { text: 'é' }))).toBe(2)
    for (const text of ['', 'a', 'ab', 'abc'])
      expect(sizeOf(artifact('f', 'x/y', 1, { bytes: btoa(text) }))).toBe(text.length)
    expect(textOf(artifact('f', 'text/plain', 1, { bytes: btoa('\xc3\xa9') }))).toBe('é')
    expect(textOf(artifact('f', 'text/plain', 1, { bytes: 'not base64!' }))).toBeUndefined()
  })
})

describe('a page of an agent', () => {
  it('comes after the policy, whatever it begins with', () => {
    const page = inertPage('--><html><head><base href="https://example.org"><script>1</script>')
    expect(page).toMatch(/^<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy"/)
    expect(page.indexOf('base target')).toBeLessThan(page.indexOf('base href'))
  })

  it('has its styles in addresses, because nothing inline is allowed', () => {
    const page = inertPage(
      `<STYLE media=print>p > b { color: red }</style><p style="color: &quot;x&quot;" class=a>1 < 2</p><i class='b' style='top:0'>`,
    )
    expect(page).not.toMatch(/<style|\sstyle=/i)
    expect(page).toContain('<p data-inert="0" class=a>1 < 2</p>')
    expect(page).toContain(`<i class='b' data-inert="1">`)
    const sheets = [...page.matchAll(/href="data:text\/css;charset=utf-8,([^"]*)"/g)].map(([, css = '']) =>
      decodeURIComponent(css),
    )
    expect(sheets).toEqual([
      'p > b { color: red }',
      '[data-inert="0"]:not(#i#i#i#i){color: "x"}\n[data-inert="1"]:not(#i#i#i#i){top:0}',
    ])
  })

  it('is left as it is where its styles do not end', () => {
    for (const html of ['<style>p {', '<style', '<p style="', '<style>a</style', '\ud800<p>'])
      expect(inertPage(html)).toMatch(new RegExp(`<base target="_blank">${html.replace('{', '\\{')}$`))
  })
})

describe('a table', () => {
  it('has quotes that hold commas, breaks and quotes', () => {
    expect(csvRows('name,size\r\n"a, b",1\n"say ""hi""\nthere",2\n\nlast,', 9)).toEqual({
      head: ['name', 'size'],
      rows: [
        ['a, b', '1'],
        ['say "hi"\nthere', '2'],
        ['last', ''],
      ],
      count: 3,
    })
  })

  it('is read to its end, and drawn up to a limit', () => {
    const { rows, count } = csvRows(`a,b\n${'1,2\n'.repeat(9_802)}`, 200)
    expect([rows.length, count]).toEqual([200, 9_802])
    expect(csvRows('', 5)).toEqual({ head: [], rows: [], count: 0 })
    expect(csvRows('"open', 5)).toEqual({ head: ['open'], rows: [], count: 0 })
  })
})
