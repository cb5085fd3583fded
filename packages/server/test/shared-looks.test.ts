import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { listSight, signsOf, threadSight } from '../src/api/thread-sights.ts'
import { createSharedLooks, type Sight } from '../src/deliver/shared-looks.ts'
import { createBell } from '../src/log/bell.ts'
import { memory } from '../src/log/memory.ts'
import { createRuns } from '../src/run/create-runs.ts'
import { namedEventsIn } from './event-frames.ts'
import { createGate, until } from './serving.ts'

interface Count {
  readonly value: number
}

/** A number that changes, and the looks at it, which the test may hold or fail. */
function openScene() {
  const bell = createBell()
  const scene = { value: 0, looks: 0, under: 0, most: 0, watchers: 0, fails: false, gate: createGate() }
  scene.gate.open()
  const looks = createSharedLooks(
    {
      watch(subject, listener) {
        scene.watchers++
        const stop = bell.watch(subject, listener)
        return () => {
          scene.watchers--
          stop()
        }
      },
    },
    1,
  )
  const sight: Sight<Count> = {
    key: 'count',
    subject: 'threads',
    async look() {
      scene.looks++
      scene.most = Math.max(scene.most, ++scene.under)
      const { value } = scene
      await scene.gate.opened
      scene.under--
      if (scene.fails) throw new Error('no look')
      return { value }
    },
    eventsBetween: (before, now) => (before?.value === now.value ? '' : `${before?.value ?? 'none'}>${now.value} `),
    isLast: ({ value }) => value < 0,
  }
  function change(value: number): void {
    scene.value = value
    bell.ring('threads')
  }
  function join() {
    const left = new AbortController()
    const viewer = looks.watch(sight, left.signal)
    return { ...viewer, left, take: async () => String(Buffer.from((await viewer.next()) ?? '')) }
  }
  return { scene, change, join }
}

describe('shared looks', () => {
  it('look once for many hints and viewers, and once more for hints that come meanwhile', async () => {
    const { scene, change, join } = openScene()
    const viewers = Array.from({ length: 20 }, join)
    expect(await Promise.all(viewers.map(({ take }) => take()))).toEqual(viewers.map(() => 'none>0 '))
    expect([scene.looks, scene.watchers]).toEqual([1, 1])
    scene.gate = createGate()
    for (const value of [1, 2, 3]) change(value)
    await until(() => scene.looks === 2)
    for (const value of [4, 5, 6]) change(value)
    const taken = viewers.map(async ({ take }) => [await take(), await take()])
    scene.gate.open()
    expect(await Promise.all(taken)).toEqual(viewers.map(() => ['0>3 ', '3>6 ']))
    expect([scene.looks, scene.most]).toEqual([3, 1])
    for (const { leave } of viewers) leave()
    expect(scene.watchers).toBe(0)
  })

  it('show a viewer that comes during a look what is there then, not what was there before', async () => {
    const { scene, join } = openScene()
    const first = join()
    scene.gate = createGate()
    await until(() => scene.looks === 1)
    scene.value = 7
    const second = join()
    scene.gate.open()
    expect([await first.take(), await second.take()]).toEqual(['none>0 ', 'none>7 '])
  })

  it('join what changes while a viewer takes nothing', async () => {
    const { scene, change, join } = openScene()
    const [slow, fast] = [join(), join()]
    await slow.take()
    await fast.take()
    for (const value of [1, 2, 3]) {
      change(value)
      expect(await fast.take()).toBe(`${value - 1}>${value} `)
    }
    expect(await slow.take()).toBe('0>3 ')
    expect(scene.looks).toBe(4)
  })

  it('end with the last view, and when the viewer is gone', async () => {
    const { change, join } = openScene()
    const [stays, goes] = [join(), join()]
    await stays.take()
    await goes.take()
    const next = goes.next()
    goes.left.abort()
    expect(await next).toBeUndefined()
    expect(getEventListeners(goes.left.signal, 'abort')).toHaveLength(0)
    change(-1)
    expect([await stays.take(), await stays.next()]).toEqual(['0>-1 ', undefined])
  })

  it('reject all viewers if a look fails, and begin anew for the next', async () => {
    const { scene, change, join } = openScene()
    const viewers = [join(), join()]
    await Promise.all(viewers.map(({ take }) => take()))
    scene.fails = true
    change(1)
    for (const { next } of viewers) await expect(next()).rejects.toThrow('no look')
    scene.fails = false
    const late = join()
    expect(await late.take()).toBe('none>1 ')
    for (const { leave } of [...viewers, late]) leave()
    expect(scene.watchers).toBe(0)
  })
})

describe('what is sent', () => {
  async function openLog() {
    const log = await memory.open({ folder: '' })
    return { log, runs: createRuns({ log, agents: [] }) }
  }

  it('of a run: its state, outcome, wait, question and end, not its entries', async () => {
    const sight = threadSight(await openLog(), 't')
    const run = { id: 'r', threadId: 't', state: 'live', seq: 1, asks: false } as const
    const viewOf = (info: object) => {
      const overview = { thread: { id: 't', title: '' }, runs: [{ ...run, ...info }] }
      return { overview, signs: signsOf(overview.runs) }
    }
    const eventsOf = (info: object) => namedEventsIn(sight.eventsBetween(viewOf({}), viewOf(info)))
    expect(eventsOf({ seq: 2, rawRecords: 9 })).toEqual([])
    for (const info of [{ state: 'waiting' }, { outcome: 'error' }, { waitUntil: 5 }, { asks: true }, { endedAt: 7 }]) {
      expect(eventsOf(info), JSON.stringify(info)).toEqual([{ name: 'run', data: { ...run, ...info } }])
    }
  })

  it('of the list: everything again if it has missed what was deleted', async () => {
    const sources = await openLog()
    for (const id of ['a', 'b']) await sources.log.createThread({ id })
    const sight = listSight(sources, 9)
    const first = await sight.look(undefined)
    await sources.log.deleteThread('a')
    const second = await sight.look(first)
    const third = await sight.look(second)
    const namesIn = (text: string) => namedEventsIn(text).map(({ name }) => name)
    expect(namesIn(sight.eventsBetween(first, second))).toEqual(['deleted'])
    expect(namesIn(sight.eventsBetween(second, third))).toEqual([])
    expect(namesIn(sight.eventsBetween(first, third))).toEqual(['threads'])
  })
})
