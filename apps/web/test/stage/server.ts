/** A request that the page has sent. It is answered once; answers in any order are the point. */
export interface Asked {
  readonly route: string
  readonly query: URLSearchParams
  readonly body: unknown
  readonly signal: AbortSignal | undefined
  /** Whether the page wants server-sent events. */
  readonly isForEvents: boolean
  answer(value: unknown, status?: number): void
  /** The server answers with an error. */
  refuse(status: number, message?: string): void
  /** The connection is lost. */
  drop(): void
  /** Answers with a stream of server-sent events that stays open. */
  stream(): ScriptedStream
}

export interface ScriptedStream {
  /** Sends an event, with a name if there is one. */
  send(value: unknown, name?: string): void
  end(): void
}

interface Waiting extends Asked {
  isAnswered: boolean
}

type Rule = unknown | ((asked: Asked) => unknown)

let waiting: Waiting[] = []
let rules: { [route: string]: Rule } = {}

/** A server without a network. A route with a rule answers at once; the others wait until the scene answers. */
export const server = {
  /** Every request since the beginning of the scene. */
  get asked(): readonly Asked[] {
    return waiting
  },
  /** Answers a route, such as `GET /api/threads/:id`, from now on. */
  always(route: string, rule: Rule): void {
    rules[route] = rule
  },
  /** Requests of this route wait from now on. */
  hold(route: string): void {
    delete rules[route]
  },
  /** The requests of a route that are not answered, oldest first. */
  open: (route: string): readonly Asked[] => waiting.filter((each) => !each.isAnswered && matches(route, each.route)),
  count: (route: string): number => waiting.filter((each) => matches(route, each.route)).length,
  reset(): void {
    waiting = []
    rules = {}
  },
}

const matches = (pattern: string, route: string) => new RegExp(`^${pattern.replace(/:\w+/g, '[^/ ]+')}$`).test(route)

export function scriptedFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const url = new URL(String(input), location.origin)
  return new Promise((resolve, reject) => {
    const settle = (work: () => void) => {
      asked.isAnswered = true
      work()
    }
    const answer = (value: unknown, status = 200) => settle(() => resolve(responseOf(value, status)))
    const asked: Waiting = {
      isAnswered: false,
      route: `${init.method ?? 'GET'} ${url.pathname}`,
      query: url.searchParams,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
      signal: init.signal ?? undefined,
      isForEvents: new Headers(init.headers).get('accept') === 'text/event-stream',
      answer,
      refuse: (status, message = `Refused with ${status}.`) => answer({ error: { code: 'refused', message } }, status),
      drop: () => settle(() => reject(new TypeError('The connection was lost.'))),
      stream: () => {
        const { response, ...writer } = openStream()
        settle(() => resolve(response))
        return writer
      },
    }
    waiting.push(asked)
    init.signal?.addEventListener('abort', () => settle(() => reject(new DOMException('Aborted', 'AbortError'))))
    const [, rule] = Object.entries(rules).find(([pattern]) => matches(pattern, asked.route)) ?? []
    if (rule === undefined) return
    const value = typeof rule === 'function' ? rule(asked) : rule
    if (!asked.isAnswered) answer(value)
  })
}

/** Read without a stream: it is there when the promises before it are settled, however busy the machine is. */
function responseOf(value: unknown, status: number): Response {
  if (value instanceof Response) return value
  const json = async () => JSON.parse(JSON.stringify(value))
  const headers = new Headers({ 'content-type': 'application/json' })
  return { ok: status < 400, status, headers, json, text: async () => String(value) } as Response
}

function openStream() {
  let controller: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own
    },
  })
  const encoder = new TextEncoder()
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    send(value: unknown, name?: string) {
      const event = name === undefined ? '' : `event: ${name}\n`
      controller.enqueue(encoder.encode(`${event}data: ${JSON.stringify(value)}\n\n`))
    },
    end: () => controller.close(),
  }
}
