import { type Framing, sources } from '@millrace/core/source'
import { json } from '@millrace/testkit/any-event'
import { holds } from '@millrace/testkit/property'
import { recordsOf } from '@millrace/testkit/recordings'
import { partitionsOf } from '@millrace/testkit/split'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
const record = fc.tuple(json, fc.constantFrom('é', '😀', 'plain', '\u2028')).map(([value, text]) => ({ value, text }))
const records = fc.array(record, { minLength: 1, maxLength: 5 })

type Layout = (records: readonly object[], end: string) => string

/** How each framing lays records out. JSON frames rely on a transport, so there is nothing to split. */
const layouts: { readonly [F in Exclude<Framing, 'json-frames'>]: Layout } = {
  'json-lines': (values, end) => values.map((value) => `${JSON.stringify(value)}${end}`).join(''),
  sse: (values, end) =>
    values
      .map(
        (value, index) =>
          `: note${end}event: e${index}${end}data:${spaceOf(index)}${JSON.stringify(value)}${end}${end}`,
      )
      .join(''),
  'json-array': (values, end) => JSON.stringify(values, undefined, 1).replaceAll('\n', end),
  auto: (values, end) => values.map((value) => `data: ${JSON.stringify(value)}${end}${end}`).join(''),
}

/** The space after a field's name may be missing. */
const spaceOf = (index: number) => (index % 2 === 0 ? ' ' : '')

/** The names that server-sent events have; records of other framings have none. */
const namesOf = (framing: string, values: readonly object[]) =>
  values.map((_, index) => (framing === 'sse' ? `e${index}` : undefined))

describe('split', () => {
  for (const [framing, layout] of Object.entries(layouts)) {
    it(`gives the records that were laid out as ${framing}, however the bytes are cut and lines end`, () => {
      holds(
        fc.property(records, lineEnd, fc.boolean(), (values, end, isTrimmed) => {
          const whole = layout(values, end)
          const bytes = new TextEncoder().encode(isTrimmed ? whole.trimEnd() : whole)
          const effort = { twoWayCuts: 12, partitions: 3, dripUpTo: 5_000, seed: 1 }
          for (const { name, slices: pieces } of partitionsOf(bytes, effort)) {
            const read = recordsOf(framing as Framing, pieces)
            const readBack = { values: read.map(({ value }) => value), names: read.map((record) => record.name) }
            expect(readBack, name).toEqual({ values, names: namesOf(framing, values) })
          }
        }),
        60,
      )
    })
  }

  it('has a layout for every framing whose bytes can be cut', () => {
    expect([...Object.keys(layouts), 'json-frames'].toSorted()).toEqual(Object.keys(sources).toSorted())
  })

  it('settles the framing by whole lines, whatever a cut line looks like', () => {
    const bytes = new TextEncoder().encode('database is up\n{"a":1}\n{"b":2}\n')
    const effort = { twoWayCuts: bytes.length + 1, partitions: 0, dripUpTo: 5_000, seed: 1 }
    for (const { name, slices: pieces } of partitionsOf(bytes, effort)) {
      const texts = recordsOf('auto', pieces).map(({ text }) => text)
      expect(texts, name).toEqual(['database is up', '{"a":1}', '{"b":2}'])
    }
  })

  it('keeps the neighbours of a record that is too large, and of it only the beginning', () => {
    const large = 'x'.repeat(5_000)
    const lines = new TextEncoder().encode(`{"a":1}\n{"b":"${large}"}\n{"c":3}\n`)
    const source = sources['json-lines']({ maxRecord: 100 })
    const read = [...lines].flatMap((byte) => source.feed(Uint8Array.of(byte)))
    expect(read.map(({ problem }) => problem?.code)).toEqual([undefined, 'record-too-large', undefined])
    expect(read[1]?.text.length).toBeLessThan(2_000)
  })
})
