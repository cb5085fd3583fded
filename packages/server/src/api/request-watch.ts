import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from './services.ts'

/** A request that has ended, and what is known about it without its content. */
export interface SeenRequest {
  /** When it came, in ms since the epoch. */
  readonly at: number
  readonly method: string
  /** Without the query: that may hold a token or what somebody searches for. */
  readonly path: string
  /** The pattern of its route, such as `/api/runs/:id`. */
  readonly route: string
  readonly status: number
  readonly ms: number
  /** Whether it lasts as long as its run or its client: a stream, a WebSocket, the body of a producer. */
  readonly isStream: boolean
  /** Sent to the client, with the head; absent if the host sends it. */
  readonly bytes?: number
  readonly run?: string
  readonly thread?: string
}

/** One request, for a log of requests: no query, no header and no content. */
export interface RequestLine extends Pick<SeenRequest, 'method' | 'path' | 'status' | 'bytes' | 'run' | 'thread'> {
  /** When it came, as in ISO 8601. */
  readonly at: string
  /** How long it took, a stream as a whole. */
  readonly ms: number
}

/** What is found out about a request while it is under way. */
export type RequestFacts = Partial<Pick<SeenRequest, 'route' | 'isStream' | 'run' | 'thread'>>

/** A request that is under way. */
export interface OpenRequest {
  note(facts: RequestFacts): void
  /** Only the first call counts. */
  end(status: number, bytes?: number): void
}

/** Watches every request from its beginning to its end. */
export interface RequestWatch {
  begin(method: string, url: string): OpenRequest
  /** A request of Node's server: it ends when its response does. */
  watchNode(request: IncomingMessage, response: ServerResponse): void
  /** A web request: it ends with its response, or with its stream. */
  watchWeb(request: Request, respond: () => Promise<Response>): Promise<Response>
  /** Adds to what is known about the request that is being answered. */
  note(context: Context, facts: RequestFacts): void
  /** The web request that is being answered is a stream, which ends when the signal fires. */
  endWith(context: Context, closed: AbortSignal): void
  /** Resolves when no request is under way, or after so many milliseconds. */
  idle(milliseconds: number): Promise<void>
}

/** The route of a request that matches none: a file of the app, or nothing. */
const OTHER = 'other'

/** The client has left before there was an answer. */
const CLIENT_LEFT = 499

export function createRequestWatch(onEnd: (seen: SeenRequest) => void): RequestWatch {
  const open = new Set<OpenRequest>()
  /** By Node's request, or by the web's. */
  const byRequest = new WeakMap<object, OpenRequest>()
  /** Web requests whose response goes on after it was returned. */
  const streamed = new WeakSet<OpenRequest>()
  let wake = () => {}

  function begin(method: string, url: string): OpenRequest {
    const [at, start] = [Date.now(), performance.now()]
    let facts: RequestFacts = {}
    const request: OpenRequest = {
      note(more) {
        facts = { ...facts, ...more }
      },
      end(status, bytes) {
        if (!open.delete(request)) return
        const ms = performance.now() - start
        const sent = bytes === undefined ? {} : { bytes }
        onEnd({ at, method, path: pathOf(url), route: OTHER, status, ms, isStream: false, ...sent, ...facts })
        if (open.size === 0) wake()
      },
    }
    open.add(request)
    return request
  }

  const ofContext = ({ env, req }: Context) => byRequest.get(env?.incoming ?? req.raw)

  return {
    begin,
    watchNode(incoming, response) {
      const request = begin(incoming.method ?? '', incoming.url ?? '')
      byRequest.set(incoming, request)
      const sent = sentOn(incoming)
      response.once('close', () => request.end(response.headersSent ? response.statusCode : CLIENT_LEFT, sent()))
    },
    async watchWeb(incoming, respond) {
      const request = begin(incoming.method, incoming.url)
      byRequest.set(incoming, request)
      const response = await respond()
      if (!streamed.has(request)) request.end(response.status)
      return response
    },
    note: (context, facts) => ofContext(context)?.note(facts),
    endWith(context, closed) {
      const request = ofContext(context)
      if (request === undefined) return
      streamed.add(request)
      closed.addEventListener('abort', () => request.end(200), { once: true })
    },
    async idle(milliseconds) {
      if (open.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      const timer = setTimeout(resolve, milliseconds)
      await promise
      clearTimeout(timer)
    },
  }
}

/** What the id in a path names, by the segment before it. */
const named: { readonly [segment: string]: 'run' | 'thread' } = {
  runs: 'run',
  threads: 'thread',
  chat: 'thread',
  sessions: 'thread',
  ws: 'thread',
}

/** The facts that a route and the id in the path give. */
export function factsOf(route: string, id: string | undefined): RequestFacts {
  const segments = route.split('/')
  const field = named[segments[segments.indexOf(':id') - 1] ?? '']
  return field === undefined || id === undefined ? { route } : { route, [field]: id }
}

/** What the connection has sent since. On HTTP/2 it sends for many requests at once. */
export function sentOn({ socket, httpVersionMajor }: IncomingMessage): () => number | undefined {
  const before = socket.bytesWritten
  return () => (httpVersionMajor > 1 ? undefined : socket.bytesWritten - before)
}

/** A path of this length is an attack, not a route. */
const LONGEST = 500

/** The path of an address, which may be a whole one. */
function pathOf(url: string): string {
  const path = url.startsWith('/') ? url.replace(/[?#].*$/s, '') : (URL.parse(url)?.pathname ?? '')
  return path.slice(0, LONGEST)
}

export function lineOf({ at, method, path, status, ms, bytes, run, thread }: SeenRequest): RequestLine {
  return {
    at: new Date(at).toISOString(),
    method,
    path,
    status,
    ms: Math.round(ms * 10) / 10,
    ...(bytes !== undefined && { bytes }),
    ...(run !== undefined && { run }),
    ...(thread !== undefined && { thread }),
  }
}
