import { describe, expect, it } from 'vitest'
import { eventOf, htmlOf, wordsOf } from '../../test/html.ts'
import { text } from '../../test/segments.ts'
import { answerText } from './answer-text.ts'

const answer = {
  title: 'When *to* leave',
  content: 'Leave at **06:12**.',
  sources: [{ url: 'https://tides.example/millport' }, { title: 'The pilot', url: 'javascript:alert(1)' }],
}
const answered = { ...text(1, JSON.stringify(answer)), answer }

describe('a structured answer', () => {
  it('S2-19, S2-44: is drawn as a heading, Markdown and sources, and never as JSON', () => {
    const html = htmlOf(eventOf([answered]))
    expect(html).toContain('<strong>06:12</strong>')
    expect(html).toMatch(/<h\d[^>]*>When \*to\* leave</)
    expect(html).toContain('href="https://tides.example/millport"')
    expect(html).not.toContain('javascript:')
    expect(wordsOf(html)).not.toContain('{')
  })

  it('is any text that is one, and no other', () => {
    expect(answerText([text(1, '{"title":"x"}')])).toBeUndefined()
    expect(answerText([answered, text(2, 'more')])).toBeUndefined()
    expect(answerText([{ ...answered, answer: { content: 'Only this.' } }])).toMatchObject({
      plain: 'Only this.',
      sources: [],
    })
  })
})
