import type { RunInfo } from '../../src/api/api-types.ts'
import { USER_MESSAGE } from '../../src/api/ids.ts'
import type { Fetch } from '../../src/client/platform.ts'
import type { StreamEvent } from '../../src/events.ts'
import { fold, totalsOf } from '../../src/fold/fold.ts'
import { createRunServer } from './platform.ts'

type RunServer = ReturnType<typeof createRunServer>

/** The stream of a thread or of the list, which the test writes. Without `isOn` the server is older and has none. */
export function createChangeServer() {
  const readers = new Set<ReadableStreamDefaultController<Uint8Array>>()
  const server = { isOn: false, opened: 0, refused: 0, first: undefined as { name: string; data: object } | undefined }
  const frameOf = (name: string, data: object) =>
    new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)

  async function fetch({ signal }: RequestInit): Promise<Response> {
    if (server.isOn) server.opened++
    else server.refused++
    if (!server.isOn) return Response.json({ error: { code: 'unknown-route', message: 'No.' } }, { status: 404 })
    const body = new ReadableStream<Uint8Array>({
      start(reader) {
        readers.add(reader)
        if (server.first !== undefined) reader.enqueue(frameOf(server.first.name, server.first.data))
        signal?.addEventListener('abort', () => {
          if (readers.delete(reader)) reader.error(new Error('aborted'))
        })
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  return Object.assign(server, {
    fetch,
    viewers: () => readers.size,
    send(name: string, data: object) {
      for (const reader of readers) reader.enqueue(frameOf(name, data))
    },
    cut() {
      for (const reader of readers) reader.error(new Error('cut'))
      readers.clear()
    },
  })
}

/** A server of one thread, in the same process. */
export function createThreadServer() {
  const runs = new Map<string, { readonly info: RunInfo; readonly server: RunServer }>()
  const requests: { readonly line: string; readonly body: unknown; readonly key: unknown }[] = []
  /** How many requests get no response, although the server has executed them. */
  const lost = { answers: 0, reads: 0, status: 201 }
  /** How many runs a page holds. */
  const paging = { size: 100 }
  const changes = createChangeServer()

  function addRun(id: string, server: RunServer, more: Partial<RunInfo> = {}): RunServer {
    runs.set(id, { server, info: { id, threadId: 't', state: 'live', seq: 0, ...more } })
    return server
  }

  function detail(before: string | null) {
    const runIds = [...runs.keys()]
    const end = before === null ? runIds.length : runIds.indexOf(before)
    const start = Math.max(0, end - paging.size)
    const all = [...runs.values()].slice(start, end)
    const folded = all.map(({ info, server }) => ({
      ...info,
      seq: server.entries.length,
      run: fold(server.entries, { runId: info.id }),
    }))
    return {
      id: 't',
      title: 'A thread',
      runs: folded.map(({ run, ...info }) => {
        const ended = run.outcome === undefined ? {} : { state: 'ended', outcome: run.outcome }
        return { ...info, ...totalsOf(run), ...ended }
      }),
      chatEvents: folded.flatMap(({ run }) => run.chatEvents),
      ...(start > 0 && { next: runIds[start] }),
    }
  }

  function start(body: { readonly runId: string; readonly afterRunId?: string | null }): Response {
    if (lost.status !== 201) return Response.json({ error: { code: 'no', message: 'No.' } }, { status: lost.status })
    const link = typeof body.afterRunId === 'string' ? { afterRunId: body.afterRunId } : {}
    if (!runs.has(body.runId)) addRun(body.runId, createRunServer(), link)
    return Response.json({ runId: body.runId, threadId: 't' }, { status: 201 })
  }

  const fetch: Fetch = async (url, init) => {
    const { pathname, searchParams } = new URL(url)
    if (pathname.endsWith('/t/stream')) return changes.fetch(init)
    const runId = /\/api\/runs\/([^/]+)\/stream/.exec(pathname)?.[1]
    if (runId !== undefined) return runs.get(runId)?.server.fetch(url, init) ?? new Response(null, { status: 404 })
    const body = init.body === undefined ? undefined : JSON.parse(String(init.body))
    const key = (init.headers as Record<string, string>)['idempotency-key']
    requests.push({ line: `${init.method} ${pathname}`, body, key })
    const answer = pathname.endsWith('/t/runs')
      ? start(body)
      : Response.json(init.method === 'GET' ? detail(searchParams.get('before')) : { stopped: true })
    if (init.method === 'GET' && lost.reads-- > 0) throw new TypeError('Load failed')
    if (init.method === 'POST' && lost.answers-- > 0) throw new TypeError('Load failed')
    return answer
  }

  return {
    addRun,
    fetch,
    requests,
    lost,
    paging,
    changes,
    /** The thread as the first event of its stream has it. */
    overview: (title = 'A thread') => ({
      thread: { id: 't', title },
      runs: detail(null).runs.map(({ usage: _usage, startedAt: _startedAt, ...info }) => info),
    }),
    runOf: (id: string) => runs.get(id)?.server as RunServer,
    ids: () => [...runs.keys()],
  }
}

/** The events that the server logs first for a user's message. */
export const userEvents = (text: string): StreamEvent[] => [
  { type: 'run-start' },
  { type: 'message-start', role: 'user', messageId: USER_MESSAGE.messageId },
  { type: 'block-start', kind: 'text', blockId: USER_MESSAGE.blockId },
  { type: 'block-delta', text, blockId: USER_MESSAGE.blockId },
  { type: 'block-end', blockId: USER_MESSAGE.blockId },
  { type: 'message-end', messageId: USER_MESSAGE.messageId },
]
