import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context as HonoContext } from 'hono'
import type { WebSocket } from 'ws'
import type { FanOut } from '../deliver/fan-out.ts'
import type { Timing } from '../deliver/timing.ts'
import type { Log } from '../log/log.ts'
import type { Runs } from '../run/runs.ts'
import type { Files } from './files/files.ts'
import type { Guard } from './guard.ts'

/** What the routes work with. */
export interface Services {
  readonly log: Log
  readonly fanOut: FanOut
  readonly runs: Runs
  readonly files: Files
  readonly guard: Guard
  readonly timing: Timing
  /** Fires when the server stops: whoever still watches is cut. */
  readonly shutdown: AbortSignal
  /** Told of errors that no client is told of. */
  report(error: unknown): void
}

/** Node's own request and response, where Node serves. */
export type Bindings = { readonly incoming?: IncomingMessage; readonly outgoing?: ServerResponse }

export type Context = HonoContext<{ Bindings: Bindings }>

/** One row of the table of routes. A route without a policy does not compile. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: `/api/${string}`
  /** Who may ask: anyone, or whoever has the token. */
  readonly policy: 'open' | 'token'
  handle(context: Context, services: Services): Response | Promise<Response>
}

/** What somebody asks for who wants a WebSocket: the path's parameters, decoded, and the query. */
export interface AskedSocket {
  readonly params: { readonly [name: string]: string }
  readonly query: { readonly [name: string]: string }
}

/** Talks to one who is connected. Never rejects. */
export type Connected = (socket: WebSocket) => Promise<void>

/** One row of the table of WebSockets. Whoever has the token may ask for any of them. */
export interface SocketRoute {
  readonly path: `/api/${string}`
  /** The largest message that a client may send, in bytes. */
  readonly maxPayload: number
  /** Before the handshake: throws what refuses it. */
  open(asked: AskedSocket, services: Services): Promise<Connected>
}
