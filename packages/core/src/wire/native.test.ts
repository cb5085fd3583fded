import { expect, it } from 'vitest'
import type { Entry } from '../entry.ts'
import { native } from './native.ts'

it('sends every entry unchanged, one chunk each', () => {
  const wireState = native.create({ runId: 'run', threadId: 'thread' })
  const entries: Entry[] = [
    { seq: 1, at: 5, event: { type: 'run-start' }, rawThrough: 0 },
    { seq: 2, at: 6, event: { type: 'raw', value: { odd: null }, reason: 'unmapped' }, rawThrough: 1 },
    { seq: 3, at: 6, event: { type: 'run-end', outcome: 'success' }, rawThrough: 1 },
  ]
  expect(entries.map((entry) => wireState.push(entry))).toEqual(entries.map((entry) => [entry]))
})

it('loses nothing and has no terminator', () => {
  expect(native.losses).toEqual({})
  expect(native.terminator).toBeUndefined()
})
