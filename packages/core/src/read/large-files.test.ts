import { describe, expect, it } from 'vitest'
import { sizeOf } from '../data/base64.ts'
import type { StreamEvent } from '../events.ts'
import type { Parser } from '../parse/parser.ts'
import { recordOf } from '../source/source.ts'
import { type LargeFile, MAX_BYTES } from './large-files.ts'
import { createReader } from './read.ts'

/** Returns the events that a record contains. */
const echo: Parser = {
  version: 1,
  losses: {},
  recognize: () => undefined,
  create: () => ({ push: (value) => value as StreamEvent[], end: () => [] }),
}
const small = 'A'.repeat(MAX_BYTES)
const large = `${small}AAA=`
const image: StreamEvent = { type: 'file', fileId: 'f', mediaType: 'image/png', filename: 'a.png', bytes: large }
const output = (value: unknown): StreamEvent => ({
  type: 'tool-output',
  callId: 'c',
  status: 'ok',
  output: value as never,
})

function read(events: readonly StreamEvent[], address?: string) {
  const stored: LargeFile[] = []
  const storeFile = (file: LargeFile) => {
    stored.push(file)
    return address
  }
  const read = createReader(echo, { storeFile }).push(recordOf(JSON.stringify(events)))
  return {
    stored,
    files: read.filter(({ type }) => type === 'file'),
    outputs: read.filter((e) => e.type === 'tool-output'),
  }
}

describe('a file that is too large for an event', () => {
  it('is stored, and its event names the address and the size', () => {
    const { files, stored } = read([image, image], '/api/files/1')
    const { bytes: _, ...rest } = image as StreamEvent & { bytes: string }
    const size = (large.length / 4) * 3 - 1
    expect(stored).toEqual(Array(2).fill({ mediaType: 'image/png', filename: 'a.png', bytes: large, size }))
    expect(files).toEqual(Array(2).fill({ ...rest, url: '/api/files/1', meta: { millrace: { size } } }))
    expect(files.some((file) => 'bytes' in file)).toBe(false)
  })

  it('is left out if there is no store: its event has the size and no address', () => {
    const { files } = read([image])
    expect(files).toMatchObject([{ fileId: 'f', meta: { millrace: { size: sizeOf(large) } } }])
    expect(files.some((file) => 'bytes' in file || 'url' in file)).toBe(false)
    expect(
      createReader(echo)
        .push(recordOf(JSON.stringify([image])))
        .at(-1),
    ).not.toHaveProperty('bytes')
  })

  it('keeps the agent’s own address beside that of the store, and its other meta', () => {
    const own = { ...image, url: 'file:///a.png', meta: { acp: { a: 1 }, millrace: { b: 2 } } } as StreamEvent
    const millrace = { b: 2, size: sizeOf(large), url: 'file:///a.png' }
    expect(read([own], '/api/files/1').files).toMatchObject([
      { url: '/api/files/1', meta: { acp: { a: 1 }, millrace } },
    ])
    expect(read([own]).files).toMatchObject([{ url: 'file:///a.png' }])
    expect(read([own]).files).not.toMatchObject([{ meta: { millrace: { url: 'file:///a.png' } } }])
  })

  it('is named by its address wherever the record repeats its bytes', () => {
    const value = {
      parts: [{ data: large }, { url: `data:image/png;base64,${large}` }, { text: `${large}x` }, null, 7],
    }
    const meta = { mill: { artifact: [large] } }
    const events = [{ ...output(value), meta }, image, { type: 'data', name: 'd', data: [large] } as StreamEvent]
    const replaced = { parts: [{ data: '/f' }, { url: '/f' }, { text: `${large}x` }, null, 7] }
    expect(read(events, '/f').outputs).toMatchObject([{ output: replaced, meta: { mill: { artifact: ['/f'] } } }])
    expect(read(events).outputs).toMatchObject([
      { output: { parts: [{ data: `[${sizeOf(large)} bytes were left out]` }, {}, {}, null, 7] } },
    ])
  })

  it('is distinguished from another file of the same record', () => {
    const other = `${large.slice(0, -4)}BBBB`
    const events = [image, { ...image, fileId: 'g', bytes: other } as StreamEvent, output([other, large])]
    const storeFile = ({ bytes }: LargeFile) => (bytes === large ? '/1' : '/2')
    const read = createReader(echo, { storeFile }).push(recordOf(JSON.stringify(events)))
    expect(read.filter((e) => e.type === 'tool-output')).toMatchObject([{ output: ['/2', '/1'] }])
  })

  it('is also found at the end of the stream', () => {
    const create = () => ({ push: () => [], end: () => [image] })
    expect(createReader({ ...echo, create }).end()).toContainEqual(expect.not.objectContaining({ bytes: large }))
  })
})

describe('a smaller file', () => {
  it('keeps its bytes, and so does what repeats them', () => {
    const { files, stored, outputs } = read([{ ...image, bytes: small } as StreamEvent, output(small)], '/f')
    expect(files).toMatchObject([{ bytes: small }])
    expect(outputs).toMatchObject([{ output: small }])
    expect(stored).toEqual([])
  })
})
