import { describe, expect, it } from 'vitest'
import type { ThreadEvent } from '../../data/thread-event.ts'
import { createNormalizer } from '../../normalize/index.ts'
import { createThreadProcessor } from '../thread-processor.ts'
import type { TimelineItem } from '../timeline.ts'
import type { StreamingMessage } from './streaming.ts'

const open = () => createThreadProcessor({ createNormalizer })

function streaming(content: string, id?: string): StreamingMessage {
  return { messageType: 'assistant', content, timestamp: 9, ...(id !== undefined && { id }) }
}

const stored = (id: string, type: 'THINKING' | 'AGENT_MESSAGE' | 'USER_MESSAGE', data: string): ThreadEvent => {
  return { id, type, timestamp: 1, data }
}

/** The thoughts and texts of items, whether the message is finished or not. */
function linesOf(items: readonly TimelineItem[]): string[] {
  return items.map((item) => {
    if (item.type === 'tool_execution') return `tool ${item.callId}`
    return item.type === 'thinking' ? `thought ${item.content}` : `text ${item.content}`
  })
}

const contents = [
  'plain words, nothing else',
  '<think>a plan</think>the answer',
  'one<thinking>two</thinking>three<think>four</think>five',
  'if (a<b && c<think) {}',
  'mention `<think>` and go on',
  '```\n<think>code</think>\n```\nafter',
  '<think>never closed, with <b>markup</b>',
  '<THINK level="2">loud</THINK>quiet',
  'stray </think> here',
  'cut <thin',
]

describe('ThreadProcessor: streaming messages', () => {
  it('S4-8, S4-22 (the data; the screen is proven elsewhere): every delta shows the content so far', () => {
    const processor = open()
    const steps = ['<think>he', '<think>hello', '<think>hello</think>', '<think>hello</think>Hi'].map((content) =>
      linesOf(processor.processEphemeralEvents([streaming(content)]).items),
    )
    expect(steps).toEqual([['thought he'], ['thought hello'], ['thought hello'], ['thought hello', 'text Hi']])
  })

  it.each([
    ['THINKING', 'thinking'],
    ['AGENT_MESSAGE', 'assistant'],
  ] as const)(
    'a streaming copy of a stored %s is left out, with its id or without, in the current turn only',
    (type, messageType) => {
      const processor = open()
      const copies = [{ id: 'a1' }, {}].map(
        (id): StreamingMessage => ({ messageType, content: 'same', timestamp: 9, ...id }),
      )
      const shown = (...events: readonly ThreadEvent[]) =>
        copies.map(
          (copy) =>
            processor.buildTimeline(processor.processEvents(events), processor.processEphemeralEvents([copy])).length,
        )
      const turn = [stored('u1', 'USER_MESSAGE', 'why?'), stored('a1', type, 'same')]
      expect(shown(...turn)).toEqual([2, 2])
      expect(shown(...turn, stored('u2', 'USER_MESSAGE', 'and now?'))).toEqual([3, 4])
    },
  )

  it('S4-21: text that is still being written is an ephemeral message without an id', () => {
    const { items } = open().processEphemeralEvents([
      streaming('<think>hm</think>so far', 'a1'),
      { messageType: 'system', content: 'saving…', timestamp: new Date(12) },
    ])
    expect(items).toEqual([
      { type: 'thinking', content: 'hm', timestamp: 9, id: 'a1' },
      { type: 'ephemeral_message', messageType: 'assistant', content: 'so far', timestamp: 9 },
      { type: 'ephemeral_message', messageType: 'system', content: 'saving…', timestamp: 12 },
    ])
  })

  it('S4-14: a possible tag is held back until it is clear whether it is a tag or text', () => {
    const processor = open()
    const steps = (contentsOfOne: readonly string[]) =>
      contentsOfOne.map((content) => linesOf(processor.processEphemeralEvents([streaming(content)]).items))
    expect(steps(['<thi', '<think', '<think>x'])).toEqual([[], [], ['thought x']])
    expect(steps(['<thi', '<thimble'])).toEqual([[], ['text <thimble']])
  })

  it('S4-25, think-prefix: no prefix of a message shows a fragment of its tags', () => {
    const content = 'one<think>two</think>three<thinking>four</thinking>five'
    const processor = open()
    for (let end = 1; end <= content.length; end++) {
      const { items } = processor.processEphemeralEvents([streaming(content.slice(0, end))])
      expect(linesOf(items).join()).not.toMatch(/[<>/]/)
    }
  })

  it('S4-10, S4-23, S4-27, S4-29: a message has the same items streamed character by character, at once, or stored', () => {
    for (const content of contents) {
      const processor = open()
      for (let end = 0; end <= content.length; end++)
        processor.processEphemeralEvents([streaming(content.slice(0, end))])
      const slowly = processor.processEphemeralEvents([streaming(content)]).items
      const atOnce = open().processEphemeralEvents([streaming(content)]).items
      expect(slowly).toEqual(atOnce)
      const atRest = open().processEvents([stored('a1', 'AGENT_MESSAGE', content)]).items
      const held = content.endsWith('<thin') ? ['text cut <thin'] : linesOf(slowly)
      expect(linesOf(atRest)).toEqual(held)
    }
  })

  it('S4-24, S4-26, S4-30: no input throws, and thoughts, text and tags add up to the input', () => {
    const plain = (content: string) => content.replaceAll(/<\/?think(ing)?( [^>]*)?>/gi, '')
    for (const content of [
      ...contents,
      '<think',
      '<think>',
      '</think>',
      '<think><think>x',
      '<<<think>>>',
      '\u0000<th\ud800',
    ]) {
      const { items } = open().processEvents([stored('a1', 'AGENT_MESSAGE', content)])
      const all = items.map((item) => ('content' in item ? item.content : '')).join('')
      expect(plain(all)).toBe(plain(content))
    }
  })

  it('a message that was rewritten is read again', () => {
    const processor = open()
    processor.processEphemeralEvents([streaming('<think>first try')])
    expect(linesOf(processor.processEphemeralEvents([streaming('second try, longer')]).items)).toEqual([
      'text second try, longer',
    ])
    expect(linesOf(processor.processEphemeralEvents([streaming('second')]).items)).toEqual(['text second'])
  })
})

describe('ThreadProcessor: stored and streaming together', () => {
  function timeline(events: readonly ThreadEvent[], messages: readonly StreamingMessage[]) {
    const processor = open()
    return processor.buildTimeline(processor.processEvents(events), processor.processEphemeralEvents(messages))
  }

  it('S4-9: stored items come first, then streaming items', () => {
    const items = timeline([stored('u1', 'USER_MESSAGE', 'hi')], [streaming('<think>greet</think>Hel')])
    expect(linesOf(items)).toEqual(['text hi', 'thought greet', 'text Hel'])
  })

  it('S4-11, S4-22, dedup-3: a message that is already stored is shown once, by its id', () => {
    const events = [stored('a1', 'AGENT_MESSAGE', '<think>A</think>hi')]
    expect(linesOf(timeline(events, [streaming('<think>A</think>hi', 'a1')]))).toEqual(['thought A', 'text hi'])
  })

  it('dedup-3: without an id it is recognised by its content, within the turn', () => {
    const events = [stored('a1', 'AGENT_MESSAGE', '<think>A</think>hi')]
    const copy = [streaming('<think>A</think>hi')]
    expect(linesOf(timeline(events, copy))).toEqual(['thought A', 'text hi'])
    const nextTurn = [...events, stored('u1', 'USER_MESSAGE', 'again')]
    expect(timeline(nextTurn, copy)).toHaveLength(5)
  })

  it('S4-28: a stored thought claims its repetition in the streaming message, also while that is being written', () => {
    const events = [stored('t1', 'THINKING', 'weigh it')]
    for (const content of ['<think>wei', '<think>weigh it', '<think>weigh it</think>']) {
      expect(timeline(events, [streaming(content)])).toMatchObject([{ id: 't1' }])
    }
    expect(linesOf(timeline(events, [streaming('<think>weigh it</think>So')]))).toEqual(['thought weigh it', 'text So'])
    expect(linesOf(timeline(events, [streaming('<think>weigh more')]))).toEqual([
      'thought weigh it',
      'thought weigh more',
    ])
  })

  it('a streaming thought and the same thought in a streaming message are one item', () => {
    const thinking: StreamingMessage = { messageType: 'thinking', content: 'hm', timestamp: 1 }
    expect(linesOf(timeline([], [thinking, streaming('<think>hm</think>So')]))).toEqual(['thought hm', 'text So'])
  })
})
