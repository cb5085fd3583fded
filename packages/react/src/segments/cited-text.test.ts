import type { TextSegment } from '@millrace/core/fold'
import { describe, expect, it } from 'vitest'
import { piecesOf } from '../pieces.ts'
import { citedNumber, citedText } from './cited-text.ts'

const text = (seq: number, words: string, ...citations: readonly object[]): TextSegment => ({
  type: 'text',
  id: `b${seq}`,
  text: words,
  state: 'done',
  startedAt: 0,
  seqs: [seq, seq],
  ...(citations.length > 0 && { citations: citations as TextSegment['citations'] & object }),
})
const grass = { title: 'On grass', url: 'https://grass.example/a' }
const sky = { document_title: 'On the sky' }
const mark = (number: number) => `[${number}](#mr-cite-${number})`

describe('citedText', () => {
  it('joins the texts without a gap, with a number at the end of what is cited, and each source once', () => {
    const cited = citedText([
      text(1, 'The grass is '),
      text(2, 'green', grass),
      text(3, ' and the sky '),
      text(4, 'is blue. ', sky, grass),
    ])
    expect(cited.plain).toBe('The grass is green and the sky is blue. ')
    expect(cited.marked).toBe(`The grass is green${mark(1)} and the sky is blue.${mark(1)}${mark(2)} `)
    expect(cited.sources).toEqual([
      { title: 'On grass', url: 'https://grass.example/a' },
      { title: 'On the sky', url: undefined },
    ])
  })

  it('stands where the provider counts to, in characters', () => {
    const { marked } = citedText([text(1, '💧 water. More.', { ...grass, start_index: 0, end_index: 8 })])
    expect(marked).toBe(`💧 water.${mark(1)} More.`)
    expect(citedText([text(1, 'Short', { ...grass, end_index: 900 })]).marked).toBe(`Short${mark(1)}`)
  })

  it('changes nothing in code or in a table, and draws no address that is not safe', () => {
    for (const words of ['```\nx = 1', '`x', '| a | b |', '']) {
      expect(citedText([text(1, words, grass)]).marked).toBe(words)
    }
    expect(citedText([text(1, 'a', { title: 'x', url: 'javascript:alert(1)' })]).sources[0]?.url).toBeUndefined()
    expect(citedText([text(1, 'a', { nothing: 1 })])).toEqual({ plain: 'a', marked: 'a', sources: [] })
  })

  it('is found again in an address', () => {
    expect(['#mr-cite-12', '#mr-cite-', '#mr-cite-x', 'https://a.example'].map(citedNumber)).toEqual([
      12,
      ...[undefined, undefined, undefined],
    ])
  })
})

describe('the pieces of a message that cites', () => {
  const kinds = (...segments: readonly TextSegment[]) => piecesOf(segments).map(({ kind }) => kind)

  it('are one flow where a citation stands between the texts, and paragraphs of their own elsewhere', () => {
    expect(kinds(text(1, 'a'), text(2, 'b', grass), text(3, 'c'))).toEqual(['flow'])
    expect(kinds(text(1, 'a'), text(2, 'b'))).toEqual(['segment', 'segment'])
    expect(kinds(text(1, 'a'), text(2, 'b'), text(3, 'c', grass))).toEqual(['segment', 'flow'])
    expect(kinds(text(1, 'a', grass), { ...text(2, 'b'), variant: 'refusal' })).toEqual(['segment', 'segment'])
  })

  it('are segments of their own if the host draws them', () => {
    const own = piecesOf([text(1, 'a', grass), text(2, 'b', grass)], { isOwn: () => true })
    expect(own.map(({ kind }) => kind)).toEqual(['segment', 'segment'])
  })
})
