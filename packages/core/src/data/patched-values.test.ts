import { describe, expect, it } from 'vitest'
import { fold } from '../fold/fold.ts'
import type { Json } from '../json.ts'
import { createNormalizer } from '../normalize/index.ts'
import { createPatchedValues } from './patched-values.ts'

const limits = { maxSize: 10_000, maxValues: 4 }
const copyOf = (from: string, path: string) => ({ op: 'copy', from, path })
/** Each patch doubles the value and adds some. */
const doubling = Array.from({ length: 40 }, (_, index) => [copyOf('', `/a${index}`)])

describe('a value that patches change', () => {
  it('does not grow beyond its bound, and accepts later patches within it', () => {
    const values = createPatchedValues(limits)
    values.set('s', { text: 'x'.repeat(100) })
    const taken = doubling.map((patch) => values.patch('s', patch))
    expect(taken.indexOf(false)).toBeGreaterThan(3)
    expect(taken.lastIndexOf(true)).toBe(taken.indexOf(false) - 1)
    expect(JSON.stringify(values.get('s')).length).toBeLessThanOrEqual(limits.maxSize)
    expect(values.patch('s', [{ op: 'replace', path: '/text', value: '' }])).toBe(true)
    expect(values.get('s')).toMatchObject({ text: '' })
  })

  it('is left unchanged by a patch that is refused at its last operation', () => {
    const values = createPatchedValues(limits)
    values.set('s', { text: 'x'.repeat(100) })
    expect(values.patch('s', doubling.flat())).toBe(false)
    expect(values.get('s')).toEqual({ text: 'x'.repeat(100) })
  })

  it('shares its bound with the others: more names do not give more room', () => {
    const values = createPatchedValues({ ...limits, maxValues: 100 })
    for (let name = 0; name < 50; name++) {
      values.set(String(name), { text: 'x'.repeat(100) })
      for (const patch of doubling) values.patch(String(name), patch)
    }
    expect(JSON.stringify(values.all()).length).toBeLessThanOrEqual(limits.maxSize + 50 * 200)
  })

  it('may be replaced without limit: removed values do not count', () => {
    const values = createPatchedValues(limits)
    values.set('s', { text: '' })
    for (let at = 0; at < 1000; at++) {
      expect(values.patch('s', [{ op: 'replace', path: '/text', value: `${at}`.padEnd(100) }])).toBe(true)
    }
  })

  it('is nested no deeper than incoming JSON may be', () => {
    const values = createPatchedValues({ maxSize: 1e9, maxValues: 4 })
    const nested = (levels: number): Json => (levels === 0 ? {} : { a: nested(levels - 1) })
    values.set('s', nested(300))
    expect(values.patch('s', [{ op: 'add', path: '/a'.repeat(300), value: nested(100) }])).toBe(true)
    expect(values.patch('s', [{ op: 'add', path: '/a'.repeat(400), value: nested(150) }])).toBe(false)
  })

  it('costs a bounded amount of work for each operation, whether patches apply or not', () => {
    const values = createPatchedValues({ maxSize: 1e9, maxValues: 4 })
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, 0]))
    values.set('s', { wide })
    const removed = { op: 'remove', path: '/wide/key0' }
    const failing = { op: 'remove', path: '/nothing' }
    const taken = Array.from({ length: 200 }, () => values.patch('s', [removed, failing]))
    expect(taken.filter((isTaken) => isTaken).length).toBeLessThan(60)
    expect(taken.at(-1)).toBe(false)
    expect(values.get('s')).toEqual({ wide })
  })

  it('accepts a long list that grows by one item at a time', () => {
    const values = createPatchedValues({ maxSize: 1e9, maxValues: 4 })
    values.set('s', { list: Array.from({ length: 29_500 }, () => 0) })
    for (let at = 0; at < 1_500; at++) {
      if (!values.patch('s', [{ op: 'add', path: '/list/-', value: at }])) expect.fail(`refused at ${at}`)
    }
  })

  it('may be set and then patched without limit: measuring the value that was set is not charged', () => {
    const values = createPatchedValues({ maxSize: 1e9, maxValues: 4 })
    const list = Array.from({ length: 20_000 }, () => ({}))
    for (let at = 0; at < 200; at++) {
      values.set('s', { list })
      expect(values.patch('s', [{ op: 'add', path: '/copy', value: list }])).toBe(true)
    }
  })

  it('is forgotten with its size if there are too many', () => {
    const values = createPatchedValues(limits)
    for (let name = 0; name < 20; name++) {
      values.set(String(name), '')
      expect(values.patch(String(name), [{ op: 'replace', path: '', value: 'x'.repeat(2000) }])).toBe(true)
    }
    expect(Object.keys(values.all())).toEqual(['16', '17', '18', '19'])
  })
})

describe('a bomb of patches', () => {
  const bomb = doubling.map((value) => ({ type: 'state' as const, channel: 'state', op: 'patch' as const, value }))
  const first = { type: 'state', channel: 'state', op: 'snapshot', value: { seed: 'x' } } as const
  const entriesOf = (events: readonly object[]) =>
    events.map((event, index) => ({ seq: index + 1, at: 0, event, rawThrough: 0 })) as never

  it('is kept as raw from the first patch that is too much', () => {
    const types: string[] = []
    const normalizer = createNormalizer((event) => types.push(event.type))
    for (const event of [first, ...bomb]) normalizer.push(event)
    normalizer.end()
    expect(types.filter((type) => type === 'state').length).toBeGreaterThan(10)
    expect(types.filter((type) => type === 'state' || type === 'raw')).toHaveLength(bomb.length + 1)
    expect(types.filter((type) => type === 'raw').length).toBeGreaterThan(10)
  })

  it('that a log already holds folds to a state within the bound', () => {
    const { state } = fold(entriesOf([first, ...bomb]))
    expect(JSON.stringify(state).length).toBeLessThan(9 * 1024 * 1024)
  })

  it('folds to the same state from the log and from its events', () => {
    const events: object[] = []
    const normalizer = createNormalizer((event) => events.push(event))
    for (const event of [first, ...bomb]) normalizer.push(event)
    normalizer.end()
    expect(fold(entriesOf(events)).state).toEqual(fold(entriesOf([first, ...bomb])).state)
  })
})
