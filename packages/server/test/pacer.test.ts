import { describe, expect, it } from 'vitest'
import { Pacer } from '../src/deliver/pacer.ts'
import { createTiming } from './serving.ts'

function stage() {
  const gone = new AbortController()
  const drained = Promise.withResolvers<void>()
  const told = { beats: 0, isCut: false, hasRoom: true }
  const timing = createTiming()
  const sink = {
    closed: gone.signal,
    open() {},
    write: () => told.hasRoom,
    drained: () => drained.promise,
    end() {},
    cut() {
      told.isCut = true
    },
  }
  const pacer = new Pacer(sink, timing, () => {
    told.beats++
    return true
  })
  return { told, timing, drained, pacer }
}

describe('the pacer', () => {
  it('sends a heartbeat in time, and none while data is sent', () => {
    const { told, timing, pacer } = stage()
    timing.advance(15_000)
    expect(told.beats).toBeGreaterThan(0)
    const before = told.beats
    for (let second = 0; second < 30; second++) {
      expect(pacer.send(new Uint8Array(1))).toBeUndefined()
      timing.advance(1_000)
    }
    expect(told.beats).toBe(before)
  })

  it('sends none to a stalled viewer, and disconnects it', async () => {
    const { told, timing, pacer } = stage()
    told.hasRoom = false
    const full = pacer.send(new Uint8Array(1))
    expect(full).toBeInstanceOf(Promise)
    timing.advance(29_000)
    expect(told).toMatchObject({ beats: 0, isCut: false })
    timing.advance(1_000)
    expect(told.isCut).toBe(true)
  })

  it('sends heartbeats again to a viewer that reads again', async () => {
    const { told, timing, drained, pacer } = stage()
    told.hasRoom = false
    const full = pacer.send(new Uint8Array(1))
    drained.resolve()
    await full
    timing.advance(30_000)
    expect(told.beats).toBeGreaterThan(0)
    expect(told.isCut).toBe(false)
    pacer.stop()
    const before = told.beats
    timing.advance(60_000)
    expect(told.beats).toBe(before)
  })
})
