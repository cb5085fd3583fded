import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { StreamEvent } from '@millrace/core/events'
import { describe, expect, it } from 'vitest'
import { createRuns } from '../src/run/create-runs.ts'
import type { KeptFile } from '../src/run/large-files.ts'
import { EVENT_LISTS, eventLists, registerEventLists } from './event-lists.ts'
import { bodyOf, openLog, until } from './run-parts.ts'
import { startServer } from './serving.ts'

registerEventLists()

const picture = randomBytes(200_000)
const bytes = picture.toString('base64')
const file = (fileId: string, more: object = {}) => ({ type: 'file', fileId, mediaType: 'image/png', bytes, ...more })
const FORMAT = `format=${EVENT_LISTS}`

async function serveWith(body: Uint8Array) {
  const server = await startServer()
  const ingest = (threadId: string, runId: string, given = body) =>
    server.ask(`/api/ingest?${FORMAT}&threadId=${threadId}&runId=${runId}`, { method: 'POST', body: given })
  const filesOf = async (runId: string) => {
    const stream = await (await server.ask(`/api/runs/${runId}/stream`)).text()
    const entries = [...stream.matchAll(/^data: (.*)$/gm)].map(
      ([, data]) => JSON.parse(data as string) as { event: StreamEvent },
    )
    return entries.flatMap(({ event }) => (event?.type === 'file' ? [event] : []))
  }
  const onDisk = async () => (await readdir(join(server.dataFolder, 'files')).catch(() => [])).toSorted()
  return { ...server, ingest, filesOf, onDisk }
}

describe('a file of a run that is too large for an event', () => {
  it('is stored once, and every event of it names the address', async () => {
    const output = { type: 'tool-output', callId: 'c', status: 'ok', output: [{ data: bytes }] }
    const { ask, ingest, filesOf, onDisk } = await serveWith(eventLists([output, file('a')], [file('b')]))
    expect((await ingest('t', 'r')).status).toBe(200)
    const [first, second] = await filesOf('r')
    expect(first?.url).toMatch(/^\/api\/files\/[0-9a-f]{32}$/)
    expect(second?.url).toBe(first?.url)
    expect(await onDisk()).toHaveLength(2)
    const answer = await ask(first?.url as string)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await answer.arrayBuffer()).equals(picture)).toBe(true)
    const stream = await (await ask('/api/runs/r/stream')).text()
    expect(stream).not.toContain(bytes.slice(0, 200))
    expect(stream.split(first?.url as string)).toHaveLength(4)
  })

  it('has another address in another thread, with another type and under another name', async () => {
    const records = eventLists([file('a'), file('b', { mediaType: 'image/webp' }), file('c', { filename: 'c.png' })])
    const { ingest, filesOf } = await serveWith(records)
    await ingest('t', 'r')
    await ingest('other', 's')
    const urls = [...(await filesOf('r')), ...(await filesOf('s'))].map(({ url }) => url)
    expect(new Set(urls).size).toBe(6)
  })

  it('is the same when the run is verified, and when it is resumed', async () => {
    const { ask, ingest, onDisk } = await serveWith(eventLists([file('a')]))
    await ingest('t', 'r')
    expect(await (await ask('/api/runs/r/verify')).json()).toMatchObject({ reread: 'same', problems: [] })
    const broken = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(eventLists([file('a')]))
        await new Promise((resolve) => setTimeout(resolve, 50))
        controller.error(new Error('gone'))
      },
    })
    const query = `${FORMAT}&threadId=t&runId=resumed`
    await ask(`/api/ingest?${query}`, { method: 'POST', body: broken, duplex: 'half' } as RequestInit).catch(() => {})
    const rest = await ask(`/api/ingest?${query}&attempt=2&line=1`, { method: 'POST', body: eventLists([file('b')]) })
    expect(await rest.json()).toMatchObject({ rawRecords: 2, outcome: 'success' })
    expect(await onDisk()).toHaveLength(2)
  })

  it('is removed with the last thread that names it', async () => {
    const { ask, ingest, onDisk } = await serveWith(eventLists([file('a')]))
    await ingest('t', 'r')
    await ingest('other', 's')
    expect(await onDisk()).toHaveLength(4)
    expect((await ask('/api/threads/t', { method: 'DELETE' })).ok).toBe(true)
    expect(await onDisk()).toHaveLength(2)
  })

  it('leaves no partial file behind, and smaller ones stay in their events', async () => {
    const small = { ...file('a'), bytes: bytes.slice(0, 64 * 1024) }
    const { ingest, filesOf, onDisk } = await serveWith(eventLists([small]))
    await ingest('t', 'r')
    expect(await filesOf('r')).toMatchObject([{ bytes: small.bytes }])
    expect(await onDisk()).toEqual([])
  })
})

describe('the owner of a run', () => {
  it('logs an event only when the file that it names is durable', async () => {
    const log = await openLog()
    const kept: { file: KeptFile; done: PromiseWithResolvers<void> }[] = []
    const keepFile = (file: KeptFile) => {
      const done = Promise.withResolvers<void>()
      kept.push({ file, done })
      return done.promise
    }
    const runs = createRuns({ log, agents: [], keepFile })
    const fed = runs.ingest({ format: EVENT_LISTS, runId: 'r' }, bodyOf(eventLists([file('a')])))
    await until(() => kept.length === 1)
    expect((await log.run('r'))?.seq).toBe(0)
    expect(Buffer.from(kept[0]?.file.content as Uint8Array).equals(picture)).toBe(true)
    kept[0]?.done.resolve()
    await fed
    expect((await log.run('r'))?.state).toBe('ended')
  })

  it('logs nothing of a record whose file cannot be stored', async () => {
    const log = await openLog()
    const full = new Error('full')
    const reports: unknown[] = []
    const options = { log, agents: [], report: (error: unknown) => void reports.push(error) }
    const runs = createRuns({ ...options, keepFile: () => Promise.reject(full) })
    const fed = runs.ingest({ format: EVENT_LISTS, runId: 'r' }, bodyOf(eventLists([file('a')])))
    await expect(fed).rejects.toBe(full)
    expect(await log.run('r')).toMatchObject({ seq: 0, rawRecords: 0 })
    const without = createRuns(options).ingest({ format: EVENT_LISTS, runId: 's' }, bodyOf(eventLists([file('a')])))
    await expect(without).rejects.toThrow('no store')
  })
})
