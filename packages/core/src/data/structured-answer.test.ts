import { describe, expect, it } from 'vitest'
import { MAX_ANSWER, mayBeAnswer, readAnswer } from './structured-answer.ts'

describe('a structured answer', () => {
  it('S2-19: has the title, the content and the sources of a text that consists of them', () => {
    const text =
      '{"title":"Tide","content":"At **six**.","sources":["https://a.example/","Book",{"url":"u","title":"t"},3]}'
    expect(readAnswer(text)).toEqual({
      title: 'Tide',
      content: 'At **six**.',
      sources: [{ url: 'https://a.example/' }, { title: 'Book' }, { url: 'u', title: 't' }, { title: '3' }],
    })
  })

  it('leaves out what the text does not name', () => {
    expect(readAnswer('{"content":"x"}')).toEqual({ content: 'x' })
    expect(readAnswer('{"title":"x"}')).toEqual({ title: 'x', content: '' })
  })

  it('is no object with a field that it would hide', () => {
    expect(readAnswer('{"title":"Tide","content":"x","depth":4}')).toBeUndefined()
  })

  it('is not read from a text that is too long', () => {
    const text = (length: number) => `{"content":"${'x'.repeat(length)}"}`
    expect(readAnswer(text(MAX_ANSWER - 14))).toBeDefined()
    expect(readAnswer(text(MAX_ANSWER))).toBeUndefined()
  })

  it('is told from other texts by how it begins, however little has arrived', () => {
    for (const whole of ['{"content"', '"{', '```json', '**Final answer:** {', 'Final Answer: {', ' \n {']) {
      for (let length = 0; length <= whole.length; length++) {
        expect(mayBeAnswer(whole.slice(0, length)), whole.slice(0, length)).toBe(true)
      }
    }
    for (const other of ['T', 'Fine', '**Final word', '- ', '[1', '**bold'])
      expect(mayBeAnswer(other), other).toBe(false)
  })
})
