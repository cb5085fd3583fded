import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context as HonoContext } from 'hono'
import type { WebSocket } from 'ws'
import type { FanOut } from '../deliver/fan-out.ts'
import type { Timing } from '../deliver/pacer.ts'
import type { SharedLooks } from '../deliver/shared-looks.ts'
import type { Files } from '../files/files.ts'
import type { Log } from '../log/log.ts'
import type { Runs } from '../run/runs.ts'
import type { Show } from '../show/show.ts'
import type { Cors } from './cors.ts'
import type { Guard } from './guard.ts'
import type { Leaving } from './leaving.ts'
import type { RequestWatch } from './request-watch.ts'
import type { SessionSettings } from './sessions/state.ts'
import type { Tickets } from './sessions/tickets.ts'
import type { Starts } from './starts.ts'

/** What the routes use. */
export interface Services {
  readonly log: Log
  readonly fanOut: FanOut
  readonly looks: SharedLooks
  readonly runs: Runs
  readonly files: Files
  readonly guard: Guard
  readonly tickets: Tickets
  readonly sessions: SessionSettings
  readonly cors: Cors
  readonly limits: Limits
  readonly timing: Timing
  /** Runs that requests are about to start. */
  readonly starts: Starts
  readonly leaving: Pick<Leaving, 'stops'>
  /** Undefined if no app is served: the recordings of the show are part of the app. */
  readonly show: Show | undefined
  readonly requests: Pick<RequestWatch, 'begin' | 'note' | 'endWith'>
  /** The text of `/metrics`. */
  readonly metrics: () => string
  /** Fires when no new runs are taken any more. */
  readonly draining: AbortSignal
  /** Fires when the server stops. Open streams are cut. */
  readonly shutdown: AbortSignal
  /** Receives errors that no client gets. */
  report(error: unknown): void
}

/** How much a client may send at once, in bytes. */
export interface Limits {
  /** The largest file of `POST /api/files`. */
  readonly uploadBytes: number
  /** The largest JSON body of a request. */
  readonly bodyBytes: number
}

/** Node's own request and response, if Node serves. */
export type Bindings = { readonly incoming?: IncomingMessage; readonly outgoing?: ServerResponse }

export type Context = HonoContext<{ Bindings: Bindings }>

/** One row of the table of routes. A route without a policy does not compile. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: `/api/${string}` | '/metrics'
  /** `open`: no token is needed. */
  readonly policy: 'open' | 'token'
  handle(context: Context, services: Services): Response | Promise<Response>
}

/** A request for a WebSocket: the path's decoded parameters, and the query. */
export interface SocketRequest {
  readonly params: { readonly [name: string]: string }
  readonly query: { readonly [name: string]: string }
}

/** Serves a connected client. If it rejects, the error is reported and the client is cut. */
export type ServeSocket = (socket: WebSocket) => Promise<void>

/** One row of the table of WebSockets. All need the token, or for sessions a ticket. */
export interface SocketRoute {
  readonly path: `/api/${string}`
  /** The largest message that a client may send, in bytes. */
  readonly maxPayload: number
  /** `:id` is a session, whose tickets open it. */
  readonly isSession?: true
  /** Called before the handshake. Throws if the request is refused. */
  open(asked: SocketRequest, services: Services): Promise<ServeSocket>
}
