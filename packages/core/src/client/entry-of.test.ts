import { expect, it } from 'vitest'
import { entryOf } from './entry-of.ts'

const entry = { seq: 1, at: 2, event: { type: 'run-start' }, rawThrough: 0 }

it('keeps the maker of an entry if it is a known maker', () => {
  expect(entryOf({ ...entry, by: 'server' })).toStrictEqual({ ...entry, by: 'server' })
  expect(entryOf({ ...entry, by: 'client' })).toStrictEqual({ ...entry, by: 'client' })
  for (const by of [undefined, 'producer', 'alice', 7, null]) expect(entryOf({ ...entry, by })).toStrictEqual(entry)
})
