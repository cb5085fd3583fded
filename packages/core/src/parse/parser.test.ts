import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../events.ts'
import { recordOf } from '../source/source.ts'
import { byShape } from './by-shape.ts'
import { detectFormat } from './detect.ts'
import { dispatch, joined, type Parser, SILENT, understood } from './parser.ts'
import { withTypes } from './with-types.ts'

const status: StreamEvent = { type: 'status', message: 's', level: 'info' }
const record = recordOf('{"type":"ping"}')

/** Recognises every record with this certainty, and returns `SILENT` for all of them. */
const silent = (certainty: number): Parser => ({
  version: 1,
  losses: {},
  recognize: () => ({ certainty, reason: 'it is there' }),
  create: () => ({ push: () => SILENT, end: () => [] }),
})

describe('a silent record', () => {
  it('is distinguished by identity alone from one that is not understood', () => {
    expect(understood([])).toBe(SILENT)
    expect(understood([status])).toEqual([status])
    expect(Object.isFrozen(SILENT)).toBe(true)
  })

  it('has silent parts only', () => {
    expect(joined([SILENT, SILENT])).toBe(SILENT)
    expect(joined([])).toBe(SILENT)
    expect(joined([SILENT, [status]])).toEqual([status])
    expect(joined([SILENT, []])).toEqual([])
    expect(joined([SILENT, []])).not.toBe(SILENT)
  })

  it('stays silent through a table, a choice of shapes and added types', () => {
    expect(dispatch<{ type: 'ping' }>({ ping: () => SILENT })({ type: 'ping' }, record)).toBe(SILENT)
    const parsers = [byShape([silent(0.5), silent(0.9)]), withTypes(silent(1), {})]
    for (const parser of [...parsers, withTypes(silent(1), { ping: () => SILENT })])
      expect(parser.create().push({ type: 'ping' }, record)).toBe(SILENT)
  })
})

describe('a record that counts against a format', () => {
  const mixed = (certainties: readonly number[]): Parser => {
    const remaining = [...certainties]
    return { ...silent(1), recognize: () => ({ certainty: remaining.shift() ?? 0, reason: 'some of it' }) }
  }

  it('outweighs one that counts for it', () => {
    const records = [record, record, record, record]
    expect(detectFormat({ mixed: mixed([1, -1, 1, -1]) }, records).format).toBeUndefined()
    expect(detectFormat({ mixed: mixed([1, 1, 1, -1]) }, records).format).toBe('mixed')
    expect(detectFormat({ mixed: mixed([-1, -1, -1, -1]) }, records).reason).toBe('no parser knows these records.')
  })

  it('ranks the format below one that recognises every record', () => {
    const detected = detectFormat(
      { mixed: mixed([1, 1, 1, 1, 1, 1, 1, -0.1]), plain: silent(0.6) },
      Array(8).fill(record),
    )
    expect(detected.format).toBe('plain')
  })

  it('does not choose a shape', () => {
    expect(
      byShape([silent(-1), silent(-0.5)])
        .create()
        .push({ type: 'ping' }, record),
    ).not.toBe(SILENT)
  })
})
