import type { Sink } from '@millrace/server/deliver/sink'
import { describe, expect, it } from 'vitest'

/** The other end. It reads nothing by itself. */
export interface TestedClient {
  head(): Promise<{ readonly status: number; header(name: string): string | undefined }>
  /** The next bytes; nothing at a clean end; rejects where the connection was cut. */
  read(): Promise<Uint8Array | undefined>
  leave(): void
}

export interface Connection {
  readonly sink: Sink
  readonly client: TestedClient
}

/** More than any sink may hold for a client that does not read, and all that lies between them. */
const MORE_THAN_FITS = 64 * 1024 * 1024
const BLOCK = new Uint8Array(64 * 1024).fill(97)
const head = { status: 200, headers: { 'x-sink': 'tested' } }

/** What every sink promises. `connect` gives a sink with a client of its own; the test cleans up behind itself. */
export function sinkSuite(name: string, connect: () => Promise<Connection>): void {
  describe(`sink: ${name}`, () => {
    it('sends the head before there is anything to write', async () => {
      const { sink, client } = await connect()
      sink.open(head)
      const { status, header } = await client.head()
      expect([status, header('x-sink')]).toEqual([200, 'tested'])
      sink.end()
    })

    it('gives the client every byte in order, then a clean end', async () => {
      const { sink, client } = await connect()
      sink.open(head)
      for (const text of ['one ', 'two ', 'ümläut']) sink.write(new TextEncoder().encode(text))
      sink.end()
      expect(new TextDecoder().decode(await readAll(client))).toBe('one two ümläut')
    })

    it('says when a client does not keep up, and when it has caught up', async () => {
      const { sink, client } = await connect()
      sink.open(head)
      const written = await fill(sink)
      expect(written).toBeLessThan(MORE_THAN_FITS)
      const reading = readAll(client)
      await sink.drained()
      expect(sink.closed.aborted).toBe(false)
      sink.end()
      expect((await reading).byteLength).toBe(written)
    })

    it('does not let a client that has left be waited for', async () => {
      const { sink, client } = await connect()
      sink.open(head)
      await client.head()
      await fill(sink)
      const drained = sink.drained()
      client.leave()
      await drained
      await closed(sink)
    })

    it('tells when the client has left, and takes writes after that without harm', async () => {
      const { sink, client } = await connect()
      sink.open(head)
      await client.head()
      client.leave()
      await closed(sink)
      for (let index = 0; index < 3; index++) sink.write(BLOCK)
      await sink.drained()
      sink.cut()
    })

    it('cuts: the client knows that this was not the end', async () => {
      const { sink, client } = await connect()
      sink.open(head)
      await client.head()
      sink.write(BLOCK)
      sink.cut()
      await closed(sink)
      await expect(readAll(client)).rejects.toThrow()
    })
  })
}

/** Writes until the sink has had enough for good; answers with how many bytes that took. */
async function fill(sink: Sink): Promise<number> {
  let written = 0
  while (written < MORE_THAN_FITS) {
    written += BLOCK.byteLength
    if (!sink.write(BLOCK) && !(await drainsAtOnce(sink))) return written
  }
  return written
}

/** What lies between the two takes some, too: only who stays behind for a while does not read. */
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

function closed(sink: Sink): Promise<void> {
  if (sink.closed.aborted) return Promise.resolve()
  return new Promise((resolve) => sink.closed.addEventListener('abort', () => resolve(), { once: true }))
}
