import { describe, expect, it } from 'vitest'
import { listingOf } from './listing.ts'

describe('a block that is a listing', () => {
  it('gives its code and the word behind its fence, closed or not', () => {
    expect(listingOf('```ts title\nconst a\n\nb\n```\n\n')).toEqual({ code: 'const a\n\nb', info: 'ts' })
    expect(listingOf('~~~\na\n```\n')).toEqual({ code: 'a\n```', info: '' })
    expect(listingOf('```src/a.ts')).toEqual({ code: '', info: 'src/a.ts' })
  })

  it('is not one where anything else stands in it', () => {
    expect(listingOf('```\na\n```\nafter')).toBeUndefined()
    expect(listingOf('text\n```\na\n```')).toBeUndefined()
    expect(listingOf('```a``` inline')).toBeUndefined()
  })

  it('goes on behind a shorter fence', () => {
    expect(listingOf('````\n```\na\n```\n````')).toEqual({ code: '```\na\n```', info: '' })
  })
})
