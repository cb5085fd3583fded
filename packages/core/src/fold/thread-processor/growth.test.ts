import { describe, expect, it } from 'vitest'
import { createNormalizer } from '../../normalize/index.ts'
import { createThreadProcessor } from '../thread-processor.ts'
import type { GrowingContent } from './growth.ts'

/** A processor of one streaming message that counts the characters that it processes. */
function counting() {
  let characters = 0
  const processor = createThreadProcessor({
    createNormalizer(emit) {
      const normalizer = createNormalizer(emit)
      return {
        push(event) {
          if (event.type === 'block-delta') characters += event.text.length
          normalizer.push(event)
        },
        end: normalizer.end,
      }
    },
  })
  function show(content: GrowingContent): string[] {
    const { items } = processor.processEphemeralEvents([{ messageType: 'assistant', timestamp: 1, ...content }])
    return items.map((item) => ('content' in item ? item.content : ''))
  }
  return { show, characters: () => characters }
}

describe('a growing message', () => {
  it('S4-13: ten thousand tokens are processed with each character read once', () => {
    const { show, characters } = counting()
    const tokens = ['<think>']
    for (let count = 0; count < 10_000; count++) {
      tokens.push(count === 5_000 ? '</think>' : 'word ')
      show({ tokens })
    }
    expect(characters()).toBe(tokens.join('').length)
  })

  it('S4-13: a thousand growing strings are, too', () => {
    const { show, characters } = counting()
    let content = ''
    for (let count = 0; count < 1_000; count++) {
      content += 'word '
      show({ content })
    }
    expect(characters()).toBe(content.length)
  })

  it('tokens may be in a new array every time', () => {
    const { show, characters } = counting()
    show({ tokens: ['<think>a'] })
    show({ tokens: ['<think>a', 'b</think>'] })
    expect(show({ tokens: ['<think>a', 'b</think>', 'c'] })).toEqual(['ab', 'c'])
    expect(characters()).toBe('<think>ab</think>c'.length)
  })

  it('other tokens, fewer tokens and another form are read again', () => {
    const { show } = counting()
    const tokens = ['one', 'two']
    show({ tokens })
    tokens.pop()
    expect(show({ tokens })).toEqual(['one'])
    expect(show({ tokens: ['one', '2', '3'] })).toEqual(['one23'])
    expect(show({ tokens: ['one', 'two', 'three'] })).toEqual(['onetwothree'])
    expect(show({ content: 'one and' })).toEqual(['one and'])
    expect(show({ tokens: [] })).toEqual([])
  })

  it('blank text is not shown until it is no longer blank', () => {
    const { show } = counting()
    expect([show({ content: ' ' }), show({ content: ' \n' }), show({ content: ' \nnow' })]).toEqual([
      [],
      [],
      [' \nnow'],
    ])
  })
})
