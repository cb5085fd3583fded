import { describe, expect, it } from 'vitest'
import type { ChatEvent } from '../shapes.ts'
import { createWalker } from './claims.ts'
import { createItemsOf } from './items.ts'

const message = (id: string, text: string): ChatEvent => ({
  id,
  runId: 'thread',
  role: 'assistant',
  state: 'done',
  startedAt: 0,
  seqs: [1, 1],
  segments: [{ type: 'text', id: `${id}-text`, text, state: 'done', startedAt: 0, seqs: [1, 1] }],
})

const thought = (id: string, text: string): ChatEvent => ({
  ...message(id, text),
  segments: [{ type: 'reasoning', id: `${id}-thought`, text, state: 'done', startedAt: 0, seqs: [1, 1] }],
})

/** A walker that counts the chat events whose items it requests. */
function counting() {
  const itemsOf = createItemsOf()
  let walked = 0
  const walker = createWalker([], (chatEvent, claimed: ReadonlySet<string>) => {
    walked++
    return itemsOf(chatEvent, claimed)
  })
  return { walker, walked: () => walked }
}

const contents = (items: readonly object[]) => items.map((item) => ('content' in item ? item.content : undefined))

describe('a walk over growing chat events', () => {
  it('S4-15: reads each chat event once', () => {
    const { walker, walked } = counting()
    const chatEvents: ChatEvent[] = []
    for (let index = 0; index < 200; index++) {
      chatEvents.push(message(`m${index}`, String(index)))
      expect(walker(chatEvents).items).toHaveLength(index + 1)
    }
    expect(walked()).toBe(200)
  })

  it('walks again from the first chat event that has changed', () => {
    const { walker, walked } = counting()
    const [one, two, three] = [message('a', 'one'), thought('b', 'two'), message('c', 'three')]
    expect(walker([one, two]).thoughts).toEqual(['two'])
    expect(contents(walker([one, message('b', 'TWO'), three]).items)).toEqual(['one', 'TWO', 'three'])
    expect(walked()).toBe(4)
    expect(walker([one]).thoughts).toEqual([])
    expect(contents(walker([one]).items)).toEqual(['one'])
  })

  it('returns an array that a later walk does not change', () => {
    const { walker } = counting()
    const before = walker([message('a', 'one')]).items
    walker([message('b', 'two'), message('c', 'three')])
    expect(contents(before)).toEqual(['one'])
  })

  it('shows each of several thoughts once that the next message repeats, and in another message again', () => {
    const { walker } = counting()
    const tagged = (id: string, ...texts: readonly string[]): ChatEvent => ({
      ...message(id, ''),
      segments: texts.map((text, index) => ({
        type: 'reasoning',
        variant: 'think-tag',
        id: `${id}-${index}`,
        text,
        state: 'done',
        startedAt: 0,
        seqs: [1, 1],
      })),
    })
    const thoughts = [thought('a', 'one'), thought('b', 'two'), thought('c', 'three')]
    const { items } = walker([...thoughts, tagged('d', 'one', 'two', 'three', 'four'), tagged('e', 'one')])
    expect(contents(items)).toEqual(['one', 'two', 'three', 'four', 'one'])
  })
})
