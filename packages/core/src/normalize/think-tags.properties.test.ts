import { holds } from '@millrace/testkit/property'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runPass } from '../../test/normalize.ts'
import { block, inputOf, joined } from '../../test/think-tags.ts'
import { createNormalizer } from './index.ts'
import { createThinkTags } from './think-tags.ts'

const fragments = [
  '<think>',
  '</think>',
  '</think><think>',
  '<thinking>',
  '</thinking>',
  '</reasoning >',
  '<THINK a="1" b=\'>\' c=2>',
  '<think a=',
  '<think\n',
  '<',
  '</',
  '>',
  'thi',
  'nk',
  ' ',
  '    ',
  '\n',
  '\n\n',
  '\r\n',
  '`',
  '``',
  '```',
  '````',
  '~~~',
  '~',
  '"',
  '\ud83e',
  '\uddf5',
  'word',
]
const input = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fragments) }, fc.string({ unit: 'binary', maxLength: 3 })),
    {
      maxLength: 24,
    },
  )
  .map((pieces) => pieces.join(''))
const cuts = fc.array(fc.nat(), { maxLength: 12 })
const passes = [createThinkTags(), createThinkTags({ startInThinking: true })]

describe('think tags, for every input', () => {
  it('S4-26: lose no byte, however the input is split', () => {
    holds(
      fc.property(input, cuts, fc.constantFrom(...passes), (text, at, pass) => {
        expect(inputOf(runPass(pass, block(split(text, at))))).toBe(text)
      }),
      3000,
    )
  })

  it('S4-27: are cut alike for every split', () => {
    holds(
      fc.property(input, cuts, fc.constantFrom(...passes), (text, at, pass) => {
        const whole = joined(runPass(pass, block([text])))
        expect(joined(runPass(pass, block(split(text, at))))).toEqual(whole)
        expect(joined(runPass(pass, block(text.split(''))))).toEqual(whole)
      }),
      3000,
    )
  })

  it('S4-26: lose no byte if the stream is cut off or the message ends first', () => {
    const message = { type: 'message-start', messageId: 'm', role: 'assistant' } as const
    holds(
      fc.property(input, cuts, fc.boolean(), (text, at, ends) => {
        const open = [message, ...block(split(text, at)).slice(0, -1)]
        const events = ends ? [...open, { type: 'message-end', messageId: 'm' } as const] : open
        expect(inputOf(runPass(createThinkTags(), events))).toBe(text)
      }),
      100,
    )
  })

  it('give the same parts for a text that replaces another as for the text itself', () => {
    holds(
      fc.property(input, cuts, input, fc.string({ maxLength: 4 }), (streamed, at, text, more) => {
        const [start, ...rest] = block(split(streamed, at))
        const end = rest.pop()
        if (start === undefined || end === undefined) throw new Error('a block has a start and an end')
        const patch = { type: 'block-patch', blockId: 'b', text } as const
        const delta = { type: 'block-delta', blockId: 'b', text: more } as const
        expect(inputOf(runPass(createThinkTags(), [start, ...rest, patch, delta, end]))).toBe(text + more)
      }),
      3000,
    )
  })

  it('S4-26: lose no byte in the whole chain of passes, wherever the stream is cut off', () => {
    holds(
      fc.property(input, cuts, fc.nat(), (text, at, kept) => {
        const events = block(split(text, at))
        const cut = events.slice(0, 1 + (kept % events.length))
        const sent = cut.map((event) => (event.type === 'block-delta' ? event.text : '')).join('')
        expect(inputOf(runPass(createNormalizer, cut))).toBe(sent)
      }),
      100,
    )
  })

  it('begin every part before its text, with some text, and end it once, before the next', () => {
    holds(
      fc.property(input, cuts, (text, at) => {
        const events = runPass(createThinkTags(), block(split(text, at)))
        const order = joined(events)
          .map(({ type }) => type)
          .filter((type, index, types) => type !== 'block-delta' || types[index - 1] !== type)
        const parts = order.join(' ').split(' block-start').length
        const whole = Array.from({ length: parts }, () => 'block-start block-delta block-end').join(' ')
        if (events.some(({ type }) => type === 'block-delta')) expect(order.join(' ')).toBe(whole)
        else expect(order).toEqual(['block-start', 'block-end'])
      }),
      100,
    )
  })
})

function split(text: string, cuts: readonly number[]): string[] {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
  return [0, ...at].map((from, index) => text.slice(from, at[index]))
}
