import { describe, expect, it } from 'vitest'
import { safeFileLink, safeLink } from './links.ts'

describe('safe links', () => {
  it('lead to the web or to mail', () => {
    expect([' https://a.example ', 'HTTP://a.example', 'mailto:a@b.example'].map(safeLink)).toEqual([
      'https://a.example',
      'HTTP://a.example',
      'mailto:a@b.example',
    ])
    expect(['javascript:alert(1)', 'data:text/html,x', '/api/threads', '//evil.example', 'a'].map(safeLink)).toEqual(
      Array(5).fill(undefined),
    )
  })

  it('to files lead to the web and to stored files, and to no other path of the server', () => {
    expect(safeFileLink('/api/files/0123456789abcdef0123456789abcdef')).toBe(
      '/api/files/0123456789abcdef0123456789abcdef',
    )
    expect(safeFileLink('https://a.example/x.png')).toBe('https://a.example/x.png')
    const refused = [
      '/\t/evil.example',
      '/\\evil.example',
      '//evil.example',
      '/api/threads',
      '/api/runs/r/raw',
      '/api/files/../threads',
      '/api/files/a/../../threads',
      '/api/files/%2e%2e',
      '/api/files/a?x',
      '/api/files/a\n',
      '/api/files/',
      ' /api/files/a',
    ]
    for (const url of refused) expect(safeFileLink(url), url).toBeUndefined()
  })
})
