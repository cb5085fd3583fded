import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '@millrace/server/log/log'
import { memory } from '@millrace/server/log/memory'
import { createServer } from '@millrace/server/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, ingest } from '../proofs/faults/asking.ts'

const LINES = '{"type":"text","data":{"content":"here"}}\n{"type":"done","data":{}}\n'

/** A log that returns its entries and then fails its readers, as if the disk were removed. */
function failing(log: Log): Log {
  return {
    ...log,
    async *lines(runId, options) {
      yield* log.lines(runId, { ...options, live: false })
      if (options.live) throw new Error('the disk is gone')
    },
  }
}

describe('at the edge of the server', () => {
  let folder = ''
  let server: Awaited<ReturnType<typeof createServer>>
  let runId = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-broken-log-'))
    const log = failing(await memory.open({ folder }))
    server = await createServer({ log, agents: [], dataFolder: folder, port: 0, report: () => {} })
    runId = await ingest(server, 'agent-lines', LINES)
  })
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('a viewer over SSE whose log fails gets no regular end', async () => {
    const headers = { authorization: `Bearer ${server.token}` }
    const response = await fetch(`${server.url}/api/runs/${runId}/stream`, { headers })
    await expect(response.text()).rejects.toThrow()
  })

  it('a viewer over a WebSocket whose log fails is not closed with 1000', async () => {
    const headers = { authorization: `Bearer ${server.token}` }
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/runs/${runId}/ws`, { headers })
    const code = await new Promise<number>((resolve) => {
      socket.addEventListener('close', (closed) => resolve(closed.code))
    })
    expect(code).not.toBe(1000)
  })
  it('a JSON body that does not announce its size is refused once it is too large', async () => {
    const headers = { 'transfer-encoding': 'chunked' }
    const body = ' '.repeat(4 * 1024 * 1024 + 100)
    expect((await ask(server, '/api/threads', { method: 'POST', headers, body })).status).toBe(413)
  })
})
