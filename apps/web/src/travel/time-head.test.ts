import { createReplay, type Mark } from '@millrace/core/travel'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPositionStore } from '../position/position-store.ts'
import { createTimeHead } from './time-head.ts'
import type { TravelRun, TravelView } from './travel-run.ts'

/** Entries at these times, one every 100 ms with a silence of 10 s in the middle. */
const TIMES = [0, 100, 200, 300, 400, 10_400, 10_500, 10_600]

function scene({ isWhole = true, times = TIMES as readonly number[] } = {}) {
  const replay = createReplay({ runId: 'one' })
  replay.push(
    times.map((at, index) => ({
      seq: index + 1,
      at,
      event: { type: 'status' as const, message: `${at}`, level: 'info' as const },
      rawThrough: index + 1,
    })),
  )
  const marks: readonly Mark[] = []
  const view: TravelView = { runId: 'one', length: times.length, times, marks, isWhole, hasFailed: false }
  const run: TravelRun = { replay, snapshot: () => view, subscribe: () => () => {}, start() {}, stop() {} }
  const position = createPositionStore()
  const head = createTimeHead(run, position, { speed: 1, skipsSilence: false })
  const stop = head.start()
  return { head, position, stop, at: () => position.snapshot().at?.seq }
}

/** A clock and frames that the test controls. */
function createFrames() {
  let now = 0
  let next: FrameRequestCallback | undefined
  vi.stubGlobal('performance', { now: () => now })
  vi.stubGlobal('requestAnimationFrame', (call: FrameRequestCallback) => {
    next = call
    return 1
  })
  vi.stubGlobal('cancelAnimationFrame', () => {
    next = undefined
  })
  return {
    isAsked: () => next !== undefined,
    pass(ms: number, count = 1) {
      for (let frame = 0; frame < count; frame++) {
        now += ms
        const call = next
        next = undefined
        call?.(now)
      }
    },
  }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the head', () => {
  it('stands at the last entry in the present, and at the entry of the moment in the past', () => {
    const { head, position } = scene()
    expect(head.point()).toEqual({ time: 10_600, seq: 8, length: 8, isPresent: true })
    position.travel({ runId: 'one', seq: 3 })
    expect(head.point()).toEqual({ time: 200, seq: 3, length: 8, isPresent: false })
    position.travel({ runId: 'other', seq: 3 })
    expect(head.point()).toMatchObject({ seq: 8, isPresent: true })
  })

  it('follows the hand between entries, and rests at the last entry by then', () => {
    const { head, at } = scene()
    head.drag(250)
    expect([head.point().time, at()]).toEqual([250, 3])
    head.drag(-5)
    expect([head.point().time, at()]).toEqual([0, 1])
    head.drag(5_000)
    head.drop()
    expect([head.point().time, at()]).toEqual([400, 5])
    head.drag(99_999)
    head.drop()
    expect(at()).toBeUndefined()
  })

  it('shows of a long run what is folded already while the hand moves, and exactly the entry when it rests', () => {
    const { head, at } = scene({ times: Array.from({ length: 9_000 }, (_, index) => index) })
    head.drag(5_010)
    expect(at()).toBe(4_992)
    head.drop()
    expect(at()).toBe(5_011)
  })

  it('holds a run that goes on, whose last entry is a moment', () => {
    const { head, at } = scene({ isWhole: false })
    head.togglePlay()
    expect([at(), head.snapshot().isPlaying]).toEqual([8, false])
    head.go(9)
    expect(at()).toBeUndefined()
    head.go(8)
    expect(at()).toBe(8)
    head.go(0)
    expect(at()).toBe(1)
  })

  it('plays by the clock, at its speed, to the present', () => {
    const frames = createFrames()
    const { head, at } = scene()
    head.go(1)
    head.choose({ speed: 2 })
    head.togglePlay()
    frames.pass(16)
    expect([head.point().time, at()]).toEqual([32, 1])
    frames.pass(50)
    expect([head.point().time, at()]).toEqual([132, 2])
    head.togglePlay()
    expect([head.snapshot().isPlaying, frames.isAsked(), head.point().time]).toEqual([false, false, 100])
    head.togglePlay()
    frames.pass(200, 27)
    expect([head.snapshot().isPlaying, at()]).toEqual([false, undefined])
    // Once more, from the beginning.
    head.togglePlay()
    expect(at()).toBe(1)
  })

  it('does not wait in silence, if it is skipped', () => {
    const frames = createFrames()
    const { head, at } = scene()
    head.choose({ skipsSilence: true })
    expect(head.axis().silences).toHaveLength(1)
    head.go(5)
    head.togglePlay()
    frames.pass(50)
    expect([head.point().time, at()]).toEqual([10_450, 6])
    frames.pass(100, 3)
    expect(at()).toBeUndefined()
  })

  it('does not jump after a frame that took long, and stops with the dock', () => {
    const frames = createFrames()
    const { head, stop } = scene()
    head.go(5)
    head.togglePlay()
    frames.pass(60_000)
    expect(head.point().time).toBe(650)
    stop()
    expect(frames.isAsked()).toBe(false)
  })
})
