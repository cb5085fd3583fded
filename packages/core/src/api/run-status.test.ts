import { expect, it } from 'vitest'
import { isSameStatus, type RunStatus, runStatusOf } from './run-status.ts'

it('two statuses are the same if state and time are', () => {
  const all: readonly (RunStatus | undefined)[] = [
    undefined,
    { state: 'live' },
    { state: 'waiting' },
    { state: 'waiting', waitUntil: 1 },
    { state: 'waiting', waitUntil: 2 },
  ]
  for (const [index, one] of all.entries()) {
    for (const [at, other] of all.entries()) {
      expect(isSameStatus(one, other && { ...other }), `${index} and ${at}`).toBe(index === at)
    }
  }
})

it('a value from outside is a status only if its state is one', () => {
  for (const strange of [undefined, null, 7, 'live', [], {}, { state: 'ended' }, { waitUntil: 1 }]) {
    expect(runStatusOf(strange)).toBeUndefined()
  }
  expect(runStatusOf({ state: 'live', more: true })).toEqual({ state: 'live' })
  expect(runStatusOf({ state: 'waiting', waitUntil: 5 })).toEqual({ state: 'waiting', waitUntil: 5 })
  expect(runStatusOf({ state: 'waiting', waitUntil: '5' })).toEqual({ state: 'waiting' })
})
