import { concreteType } from '@millrace/core/data/image-type'
import type { EventOf, StreamEvent } from '@millrace/core/events'
import { fold } from '@millrace/core/fold'
import type { FileSegment, Segment } from '@millrace/core/fold/shapes'
import { type FormatName, parsers } from '@millrace/core/parse'
import { createReader } from '@millrace/core/read'
import type { LargeFile } from '@millrace/core/read/large-files'
import { createStamp } from '@millrace/core/read/stamp'
import { getSource } from '@millrace/core/source'
import { type WireName, wires } from '@millrace/core/wire'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { describe, expect, it } from 'vitest'

/** Pictures of three sizes: one that stays in its event, and two that are stored. All begin like a PNG. */
const HEAD = 'iVBORw0KGgo'
const pictureOf = (characters: number) => HEAD.padEnd(characters, 'MillPond')
const small = pictureOf(1000)
const large = [68 * 1024, 5 * 1024 * 1024].map((size) => pictureOf(Math.ceil(size / 3) * 4))

type Picture = EventOf<'file'> & { readonly bytes: string }

const isPicture = (event: StreamEvent): event is Picture =>
  event.type === 'file' && event.bytes !== undefined && concreteType(event.mediaType, event.bytes) === 'image/png'

interface Sample {
  readonly name: string
  readonly format: FormatName
  readonly framing: Parameters<typeof getSource>[0]
  readonly text: string
  /** The bytes of its picture, which stand in the text once for each event that has them. */
  readonly bytes: string
}

type Store = (file: LargeFile) => string | undefined

/** The events of each record, and those of the end. */
function recordsOf(sample: Sample, bytes: string, store?: Store): readonly StreamEvent[][] {
  const source = getSource(sample.framing)()
  const reader = createReader(parsers[sample.format], store === undefined ? {} : { storeFile: store })
  const text = sample.text.replaceAll(sample.bytes, bytes)
  const records = [...source.feed(new TextEncoder().encode(text)), ...source.end()]
  return [...records.map((record) => reader.push(record)), reader.end()]
}

const eventsOf = (sample: Sample, bytes: string, store?: Store) => recordsOf(sample, bytes, store).flat()

/** The recordings of a format with a picture in one piece. */
function samplesOf(format: FormatName): readonly Sample[] {
  return fixturesOf(format).flatMap(({ name, framing, bytes: body }) => {
    const text = new TextDecoder().decode(body)
    const sample = { name, format, framing, text, bytes: '' }
    const pictures = eventsOf({ ...sample, bytes: '\0' }, '\0').filter(isPicture)
    const found = pictures.map(({ bytes }) => bytes).find((bytes) => bytes.length > 20 && text.includes(bytes))
    return found === undefined ? [] : [{ ...sample, bytes: found }]
  })
}

const withPictures = (Object.keys(parsers) as FormatName[]).filter((name) => !('files' in parsers[name].losses))
const ADDRESS = '/api/files/0123456789abcdef0123456789abcdef'
const stores = (bytes: string) => {
  const files: LargeFile[] = []
  const store = (file: LargeFile) => {
    files.push(file)
    return file.bytes === bytes ? ADDRESS : '/api/files/another'
  }
  return { files, store }
}

function filesIn(segments: readonly Segment[]): readonly FileSegment[] {
  return segments.flatMap((segment) => {
    if (segment.type === 'file') return [segment]
    return segment.type === 'subagent' ? filesIn(segment.segments) : []
  })
}

describe.each(withPictures)('a picture in %s', (format) => {
  const samples = samplesOf(format)

  it('is in a recording', () => {
    expect(samples.map(({ name }) => name)).not.toEqual([])
  })

  it('is the same picture as in every other format', () => {
    for (const sample of samples) {
      const stamp = createStamp()
      const { chatEvents } = fold(eventsOf(sample, small).map((event) => stamp(event, 0)))
      const pictures = filesIn(chatEvents.flatMap(({ segments }) => segments)).filter(({ bytes }) => bytes === small)
      expect(pictures.length, sample.name).toBeGreaterThan(0)
      for (const { mediaType } of pictures) expect(concreteType(mediaType, small), sample.name).toBe('image/png')
    }
  })

  it('of any size gives the same events; a large one is stored whole, and nothing else of the record holds it', () => {
    for (const sample of samples) {
      const before = eventsOf(sample, small)
      // A record that holds the picture twice would be larger than a record may be.
      const isOnce = sample.text.split('\n').every((line) => line.split(sample.bytes).length <= 2)
      for (const bytes of isOnce ? large : large.slice(0, 1)) {
        const { files, store } = stores(bytes)
        const records = recordsOf(sample, bytes, store)
        const after = records.flat()
        const pictures = files.filter((file) => file.bytes === bytes)
        expect(pictures.length, sample.name).toBeGreaterThan(0)
        for (const { mediaType } of pictures) expect(mediaType, sample.name).toBe('image/png')
        expect(
          after.map(({ type }) => type),
          sample.name,
        ).toEqual(before.map(({ type }) => type))
        expect(after.filter((event) => event.type === 'file' && event.url === ADDRESS)).toHaveLength(
          before.filter((event) => event.type === 'file' && event.bytes === small).length,
        )
        const moved = records.filter((events) => events.some(({ type }) => type === 'file'))
        const holders = moved.flat().filter((event) => JSON.stringify(event).includes(bytes))
        expect(
          holders.map(({ type }) => type),
          sample.name,
        ).toEqual([])
      }
    }
  })

  it('reaches every wire that has a place for files, by its bytes or its address', () => {
    for (const sample of samples) {
      for (const [bytes, mark] of [
        [small, small],
        [large[0] as string, ADDRESS],
      ] as const) {
        const stamp = createStamp()
        const entries = eventsOf(sample, bytes, stores(bytes).store).map((event) => stamp(event, 0))
        const shown = fold(entries).chatEvents.filter(({ role }) => role === 'assistant')
        const isDrawn = JSON.stringify(shown).includes(mark)
        for (const name of Object.keys(wires) as WireName[]) {
          if ('files' in wires[name].losses || !isDrawn) continue
          const wire = wires[name].create({ runId: 'run', threadId: 'thread' })
          const chunks = entries.flatMap((entry) => [...wire.push(entry)])
          expect(JSON.stringify(chunks).includes(mark), `${sample.name} on ${name}`).toBe(true)
        }
      }
    }
  })
})
