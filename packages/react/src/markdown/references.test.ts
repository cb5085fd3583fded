import { describe, expect, it } from 'vitest'
import { resolveReferences } from './references.ts'

describe('blocks that reference each other', () => {
  it('get the link definitions that they mention, the first one of each label', () => {
    const { blocks } = resolveReferences([
      'See [the guide].\n\n',
      '[The Guide]: https://a.example\n\n',
      '[the guide]: https://b.example',
    ])
    expect(blocks[0]).toBe('[The Guide]: https://a.example\n\nSee [the guide].\n\n')
  })

  it('are unchanged if nothing is defined', () => {
    const blocks = ['See [the guide].', 'More.']
    expect(resolveReferences(blocks).blocks).toBe(blocks)
  })

  it('number their footnotes across the whole text, by first mention', () => {
    const { blocks, footnotes } = resolveReferences([
      'One[^b] two[^a].\n\n',
      'Three[^c].\n\n',
      '[^a]: About a.\n[^b]: About b.\n',
    ])
    expect(footnotes.map(({ label, number }) => [label, number])).toEqual([
      ['b', 1],
      ['a', 2],
    ])
    expect(footnotes[0]?.text).toBe('About b.')
    expect(blocks[2]).toBe('')
  })

  it('take the first of two footnotes or definitions of one name, in whatever case it is written', () => {
    const { footnotes } = resolveReferences(['One[^a].\n\n', '[^a]: First.\n[^A]: Second.\n', '[^a]: Third.\n'])
    expect(footnotes).toEqual([{ label: 'a', number: 1, text: 'First.' }])
    const { blocks } = resolveReferences(['See [x].\n\n', '[x]: https://a.example\n[X]: https://b.example\n'])
    expect(blocks[0]).toContain('https://a.example')
    expect(blocks[0]).not.toContain('https://b.example')
  })

  it('find no definition inside code', () => {
    const blocks = ['See [x].\n\n', '```\n[x]: https://a.example\n```']
    expect(resolveReferences(blocks).blocks).toEqual(blocks)
  })

  it('are empty if they hold only definitions: there is nothing to parse', () => {
    const { blocks } = resolveReferences(['[a]: https://a.example\n[b]: https://b.example\n\n', 'See [a].\n\n[c]: not'])
    expect(blocks[0]).toBe('')
    expect(blocks[1]).toMatch(/^\[a\]: https:\/\/a\.example\n\n/)
  })
})
