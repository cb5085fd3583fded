import { describe, expect, it } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import { createApi } from './api.ts'

function scene(answer: () => Response) {
  const requests: { readonly url: string; readonly init: RequestInit }[] = []
  const api = createApi({
    baseUrl: 'http://host/',
    token: 'secret',
    async fetch(url, init) {
      requests.push({ url, init })
      return answer()
    },
  })
  return {
    api,
    requests,
    lines: () => requests.map(({ url, init }) => `${init.method} ${url.slice('http://host'.length)}`),
  }
}

describe('the api', () => {
  it('calls each route by its method and path', async () => {
    const { api, lines } = scene(() => Response.json({ agents: [], stopped: true }))
    await api.health()
    await api.agents()
    await api.threads()
    await api.threads({ search: 'a & b', limit: 5 })
    await api.createThread({ title: 'T' })
    await api.thread('t/1')
    await api.thread('t', { before: 'r' })
    await api.renameThread('t', 'New')
    await api.deleteThread('t')
    await api.startRun('t', { input: { text: 'Hi' } }, 'key')
    await api.run('r')
    await api.stop('r')
    await api.answer('r', 'a', { state: 'approved' })
    await api.ingest({ format: 'agent-lines', threadId: 't & u', body: new Uint8Array(2) })
    await api.verify('r')
    await api.raw('r', { from: 2 })
    await api.uploadFile({ body: new Uint8Array(2), mediaType: 'image/png', filename: 'a b.png' })
    await api.signOut()
    expect(lines()).toEqual([
      'GET /api/health',
      'GET /api/agents',
      'GET /api/threads',
      'GET /api/threads?search=a+%26+b&limit=5',
      'POST /api/threads',
      'GET /api/threads/t%2F1',
      'GET /api/threads/t?before=r',
      'PATCH /api/threads/t',
      'DELETE /api/threads/t',
      'POST /api/threads/t/runs',
      'GET /api/runs/r',
      'POST /api/runs/r/stop',
      'POST /api/runs/r/approvals/a',
      'POST /api/ingest?format=agent-lines&threadId=t+%26+u',
      'GET /api/runs/r/verify',
      'GET /api/runs/r/raw?from=2',
      'POST /api/files?filename=a+b.png',
      'POST /api/sign-out',
    ])
  })

  it('sends the token, the key and JSON', async () => {
    const { api, requests } = scene(() => Response.json({ runId: 'r', threadId: 't' }))
    expect(await api.startRun('t', { input: { text: 'Hi' }, runId: 'r' }, 'key')).toEqual({ runId: 'r', threadId: 't' })
    expect(requests[0]?.init).toMatchObject({
      body: '{"input":{"text":"Hi"},"runId":"r"}',
      credentials: 'same-origin',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json', 'idempotency-key': 'key' },
    })
  })

  it('sends files and recordings as bytes, with their media type', async () => {
    const { api, requests } = scene(() => Response.json({ runId: 'r', threadId: 't', rawRecords: 1, entries: 3 }))
    const body = new Uint8Array([123, 125])
    expect(await api.ingest({ format: 'agent-lines', threadId: 't', body })).toMatchObject({
      rawRecords: 1,
      entries: 3,
    })
    await api.uploadFile({ body, mediaType: 'image/png' })
    expect(requests.map(({ init }) => init)).toMatchObject([
      { body, headers: { 'content-type': 'application/octet-stream' } },
      { body, headers: { 'content-type': 'image/png' } },
    ])
  })

  it('rejects with the server’s code and message', async () => {
    const { api } = scene(() => Response.json({ error: { code: 'run-live', message: 'It runs.' } }, { status: 409 }))
    const error = await api.deleteThread('t').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 409, code: 'run-live', message: 'It runs.' })
  })

  it('has a code and a sentence for a response that is not the server’s, and for no response', async () => {
    const { api } = scene(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))
    await expect(api.health()).rejects.toMatchObject({ status: 502, code: 'unexpected-answer' })
    const lost = scene(() => {
      throw new TypeError('Load failed')
    })
    await expect(lost.api.health()).rejects.toMatchObject({ name: 'ApiError', status: 0, code: 'no-answer' })
  })
})
