import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isJsonObject, type JsonObject } from '@millrace/core/json'
import { afterEach } from 'vitest'

/** One request to a scripted service. */
interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: JsonObject
}

export interface Answering {
  /** Writes a server-sent event. */
  send(value: unknown, name?: string, id?: string): void
  json(value: unknown, status?: number): void
  /** Resolves when the other side has gone, or somebody calls `release`. */
  held(): Promise<void>
  readonly raw: ServerResponse
}

export type Script = (asked: Asked, answer: Answering) => Promise<void> | void

export interface Service {
  readonly url: string
  readonly asked: readonly Asked[]
  /** How many answers are open. */
  open(): number
  /** Ends what is held. */
  release(): void
}

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A service of this process that plays a script. */
export async function createService(script: Script): Promise<Service> {
  const asked: Asked[] = []
  const held = new Set<() => void>()
  let open = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://service')
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const value: unknown = text === '' ? {} : JSON.parse(text)
    const one = {
      method: request.method ?? '',
      path,
      query,
      headers: request.headers,
      body: isJsonObject(value) ? value : {},
    }
    asked.push(one)
    open++
    response.on('close', () => open--)
    await script(one, {
      raw: response,
      send(sent, name, id) {
        if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
        const head = `${name === undefined ? '' : `event: ${name}\n`}${id === undefined ? '' : `id: ${id}\n`}`
        response.write(`${head}data: ${JSON.stringify(sent)}\n\n`)
      },
      json(sent, status = 200) {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.write(JSON.stringify(sent))
      },
      held: () =>
        new Promise((resolve) => {
          held.add(resolve)
          response.on('close', resolve)
        }),
    })
    response.end()
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    open: () => open,
    release() {
      for (const end of held) end()
    },
  }
}

/** The text of a message in the shapes that services take. */
export function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(wordsOf).join('')
  const { text, content, parts } = isJsonObject(value) ? value : {}
  return wordsOf(text ?? content ?? parts ?? '')
}
