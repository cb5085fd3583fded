import { describe, expect, it } from 'vitest'
import type { ThreadEvent } from '../../data/thread-event.ts'
import { createNormalizer } from '../../normalize/index.ts'
import { createThreadProcessor } from '../thread-processor.ts'

/** A processor that counts the events that it processes. */
function counting() {
  let pushes = 0
  const processor = createThreadProcessor({
    createNormalizer(emit) {
      const normalizer = createNormalizer(emit)
      return {
        push(event) {
          pushes++
          normalizer.push(event)
        },
        end: normalizer.end,
      }
    },
  })
  return {
    processor,
    work(action: () => void): number {
      const before = pushes
      action()
      return pushes - before
    },
  }
}

function message(id: string, data: string): ThreadEvent & { type: 'AGENT_MESSAGE' } {
  return { id, type: 'AGENT_MESSAGE', timestamp: 1, data }
}

const contents = (items: readonly object[]) => items.map((item) => ('content' in item ? item.content : undefined))

describe('ThreadProcessor: processed events are kept', () => {
  it('S4-7, S4-12, S4-32: the same events give the same object, without any work', () => {
    const { processor, work } = counting()
    const events = [message('a', 'one'), message('b', 'two')]
    const first = processor.processEvents(events)
    expect(work(() => expect(processor.processEvents(events)).toBe(first))).toBe(0)
    expect(work(() => expect(processor.processEvents([...events])).toBe(first))).toBe(0)
  })

  it('S4-12, cache-stale: an edited earlier event is detected', () => {
    const { processor } = counting()
    const [first, second] = [message('a', 'one'), message('b', 'two')]
    processor.processEvents([first, second])
    const edited = processor.processEvents([{ ...first, data: 'ONE' }, second])
    expect(contents(edited.items)).toEqual(['ONE', 'two'])
  })

  it('S4-12: an event that was edited in place is detected once the version is raised', () => {
    const { processor } = counting()
    const events = [message('a', 'one'), message('b', 'two')]
    processor.processEvents(events, 1)
    events[0] = message('a', 'ONE')
    expect(contents(processor.processEvents(events, 2).items)).toEqual(['ONE', 'two'])
    Object.assign(events[1] as object, { data: 'TWO' })
    expect(contents(processor.processEvents(events, 3).items)).toEqual(['ONE', 'TWO'])
  })

  it('S4-12: a removed event is detected', () => {
    const { processor } = counting()
    const events = [message('a', 'one'), message('b', 'two')]
    processor.processEvents(events)
    events.pop()
    expect(contents(processor.processEvents(events).items)).toEqual(['one'])
    expect(processor.processEvents([]).items).toEqual([])
  })

  it('S4-15: an appended event costs the same after one event and after three hundred, and reads no earlier event', () => {
    const { processor, work } = counting()
    let looks = 0
    const watched = (event: ThreadEvent) =>
      new Proxy(event, {
        get(target, key, receiver) {
          looks++
          return Reflect.get(target, key, receiver)
        },
      })
    const events: ThreadEvent[] = []
    const costs = Array.from({ length: 300 }, (_, index) => {
      events.push(watched(message(`m${index}`, `<think>${index}</think>x`)))
      looks = 0
      const pushes = work(() => processor.processEvents(events))
      return `${pushes} ${looks}`
    })
    expect(new Set(costs).size).toBe(1)
  })

  it('S4-12: items of events that did not change are the same objects', () => {
    const { processor } = counting()
    const thinking: ThreadEvent = { id: 't', type: 'THINKING', timestamp: 1, data: 'hm' }
    const events = [thinking, message('a', '<think>hm</think>one')]
    const before = processor.processEvents(events)
    const after = processor.processEvents([...events, message('b', 'two')])
    expect(contents(after.items)).toEqual(['hm', 'one', 'two'])
    for (const [index, item] of before.items.entries()) expect(after.items[index]).toBe(item)
    expect(before.items).toHaveLength(2)
    expect([before.isStored('b'), after.isStored('b')]).toEqual([false, true])
  })
})
