import { type Framing, getSource } from '@millrace/core/source'
import type { RawRecord } from '@millrace/core/source/source'
import { recordsOf } from '@millrace/testkit/recordings'
import { type ExpectedRecord, type SourceCase, sourceCases } from '@millrace/testkit/source-cases'
import { describe, expect, it } from 'vitest'

const encoder = new TextEncoder()

/** For longer bytes only some of the two-way cuts are tried. */
const MOST_CUTS = 400

/** The same bytes as given, whole, in two-way cuts, and byte by byte; frames only as given. */
function cutsOf({ framing, slices }: SourceCase): readonly (readonly Uint8Array[])[] {
  const given = slices.map((slice) => encoder.encode(slice))
  if (framing === 'json-frames') return [given]
  const bytes = encoder.encode(slices.join(''))
  const step = Math.ceil((bytes.length + 1) / MOST_CUTS) ** 2
  const places = Array.from({ length: Math.ceil((bytes.length + 1) / step) }, (_, index) => index * step)
  const twoWays = places.map((at) => [bytes.subarray(0, at), bytes.subarray(at)])
  return [given, ...twoWays, [...bytes].map((byte) => Uint8Array.of(byte))]
}

function read(framing: Framing, slices: readonly Uint8Array[], { maxRecord }: SourceCase): readonly RawRecord[] {
  return recordsOf(framing, slices, maxRecord === undefined ? {} : { maxRecord })
}

function expectedOf({ value, name, problem, text }: RawRecord): ExpectedRecord {
  return {
    ...(problem === undefined ? { value } : { problem: problem.code, text }),
    ...(name !== undefined && { name }),
  }
}

describe('sources', () => {
  for (const sourceCase of sourceCases) {
    const { name, framing, records, undetected } = sourceCase
    it(`read ${name} (${framing}), wherever the bytes are cut`, () => {
      for (const slices of cutsOf(sourceCase))
        expect(read(framing, slices, sourceCase).map(expectedOf)).toEqual(records)
    })

    const promise = `detect the framing of ${name} (${framing}), wherever the bytes are cut`
    if (undetected !== undefined) it.skip(`${promise}: ${undetected}`, () => {})
    else
      it(promise, () => {
        for (const slices of cutsOf(sourceCase)) {
          expect(read('auto', slices, sourceCase).map(expectedOf)).toEqual(records)
        }
      })
  }

  it('report a framing that does not exist', () => {
    expect(() => getSource('toString')).toThrow('No framing is called "toString".')
  })
})
