import type { Sink } from '@millrace/server/deliver'
import { expect } from './expectation.ts'
import { describe, it } from './runner.ts'

/** The other end of the connection. It reads only on request. */
export interface TestedClient {
  head(): Promise<{ readonly status: number; header(name: string): string | undefined }>
  /** The next bytes; undefined at a clean end; rejects if the connection was cut. */
  read(): Promise<Uint8Array | undefined>
  leave(): void
}

export interface Connection {
  readonly sink: Sink
  readonly client: TestedClient
  /** The number of listeners on all that the sink listens to. */
  listeners(): number
}

/** More than any sink may buffer for a client that does not read, plus all buffers between them. */
const MORE_THAN_FITS = 64 * 1024 * 1024
const BLOCK = new Uint8Array(64 * 1024).fill(97)
const head = { status: 200, headers: { 'x-sink': 'tested' } }

/** Tests the promises of every sink. `connect` returns a sink with its own client; the caller cleans up. */
export function sinkSuite(name: string, connect: () => Promise<Connection>): void {
  describe(`sink: ${name}`, () => {
    it('sends the head before there is anything to write', async () => {
      const { sink, client } = await connect()
      sink.open(head)
      const { status, header } = await client.head()
      expect([status, header('x-sink')]).toEqual([200, 'tested'])
      sink.end()
    })

    it('sends the client every byte in order, then a clean end', async () => {
      const { sink, client } = await connect()
      sink.open(head)
      for (const text of ['one ', 'two ', 'ümläut']) sink.write(new TextEncoder().encode(text))
      sink.end()
      expect(new TextDecoder().decode(await readAll(client))).toBe('one two ümläut')
    })

    it('reports when a client does not keep up, and when it has caught up', async () => {
      const { sink, client } = await connect()
      sink.open(head)
      const written = await fill(sink)
      expect(written < MORE_THAN_FITS, 'the sink is full at some time').toBe(true)
      const reading = readAll(client)
      await sink.drained()
      expect(sink.closed.aborted).toBe(false)
      sink.end()
      expect((await reading).byteLength).toBe(written)
    })

    it('reports it each time, waits each time, and keeps no listeners of the times before', async () => {
      const { sink, client, listeners } = await connect()
      sink.open(head)
      let [written, read] = [0, 0]
      const before = listeners()
      for (let time = 0; time < 3; time++) {
        written += await fill(sink)
        expect(written - read < MORE_THAN_FITS, 'the sink is full each time').toBe(true)
        const drained = sink.drained()
        let isDrained = false
        void drained.then(() => {
          isDrained = true
        })
        while (!isDrained || read < written) read += (await client.read())?.byteLength ?? Number.POSITIVE_INFINITY
        await drained
        expect(listeners()).toBe(before)
      }
      expect([read, sink.closed.aborted]).toEqual([written, false])
      sink.end()
    })

    it('does not wait for a client that has left', async () => {
      const { sink, client } = await connect()
      sink.open(head)
      await client.head()
      await fill(sink)
      const drained = sink.drained()
      client.leave()
      await drained
      await waitUntilClosed(sink)
    })

    it('reports when the client has left, and ignores later writes', async () => {
      const { sink, client } = await connect()
      sink.open(head)
      await client.head()
      client.leave()
      await waitUntilClosed(sink)
      for (let index = 0; index < 3; index++) sink.write(BLOCK)
      await sink.drained()
      sink.cut()
    })

    it('is closed after its end, when the client has read everything', async () => {
      const { sink, client } = await connect()
      sink.open(head)
      sink.write(BLOCK)
      sink.end()
      expect((await readAll(client)).byteLength).toBe(BLOCK.byteLength)
      await waitUntilClosed(sink)
    })

    it('cuts the connection so that the client does not see a clean end', async () => {
      const { sink, client } = await connect()
      sink.open(head)
      await client.head()
      sink.write(BLOCK)
      sink.cut()
      await waitUntilClosed(sink)
      const end = await readAll(client).then(
        () => 'clean',
        () => 'cut',
      )
      expect(end).toBe('cut')
    })
  })
}

/** Writes until the sink stays full. Returns the number of bytes written. */
async function fill(sink: Sink): Promise<number> {
  let written = 0
  while (written < MORE_THAN_FITS) {
    written += BLOCK.byteLength
    if (!sink.write(BLOCK) && !(await drainsAtOnce(sink))) return written
  }
  return written
}

/** Buffers between the two take bytes too: only if the sink stays full for a while, the client does not read. */
async function drainsAtOnce(sink: Sink): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(() => resolve(false), 50))
  return Promise.race([sink.drained().then(() => true), timeout])
}

async function readAll(client: TestedClient): Promise<Uint8Array> {
  const reads: Uint8Array[] = []
  for (let bytes = await client.read(); bytes !== undefined; bytes = await client.read()) reads.push(bytes)
  const whole = new Uint8Array(reads.reduce((size, bytes) => size + bytes.byteLength, 0))
  let at = 0
  for (const bytes of reads) {
    whole.set(bytes, at)
    at += bytes.byteLength
  }
  return whole
}

function waitUntilClosed(sink: Sink): Promise<void> {
  if (sink.closed.aborted) return Promise.resolve()
  return new Promise((resolve) => sink.closed.addEventListener('abort', () => resolve(), { once: true }))
}
