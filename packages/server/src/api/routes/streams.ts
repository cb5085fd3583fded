import { ApiError } from '@millrace/core/api'
import { getWire } from '@millrace/core/wire'
import type { Cursor } from '../../deliver/cursor.ts'
import type { FanOut } from '../../deliver/fan-out.ts'
import { streamRun } from '../../deliver/sse.ts'
import type { WatchedStatus } from '../../deliver/status-frames.ts'
import type { Watch } from '../../deliver/viewer.ts'
import type { StoredRun } from '../../log/log.ts'
import { statusOf } from '../../run/run-status.ts'
import type { Runs } from '../../run/runs.ts'
import { apiHeaders } from '../headers.ts'
import { checked } from '../request.ts'
import { headOfStream, respondWith } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { cursorShape, wireShape } from '../shapes.ts'
import { runOf } from './runs.ts'

async function stream(context: Context, services: Services): Promise<Response> {
  const run = await runOf(context, services.log)
  const header = context.req.header(PROFILE_HEADER)
  const query = { ...(header !== undefined && { profile: header }), ...context.req.query() }
  const wanted = streamRequestOf(query, context.req.header('last-event-id'))
  const { fanOut, timing } = services
  const watch = { runId: run.id, threadId: run.threadId, ...wanted }
  // A browser's EventSource reconnects for ever, even to an ended run, unless the answer is 204.
  const isEventSource = context.req.header('last-event-id') !== undefined
  const mayBeOver = run.state === 'ended' && isEventSource
  if (mayBeOver && !(await hasMore(fanOut, watch))) return context.body(null, 204)
  if (context.req.method === 'HEAD') return headOfStream(context, wanted.wire)
  const how = { timing, headers: apiHeaders, ...watchedStatus(services.runs, run, wanted.wire) }
  return respondWith(context, services, (sink) => streamRun({ fanOut, ...watch, sink, ...how }))
}

/** The status of the run for its stream, on wires whose streams carry it. */
export function watchedStatus(runs: Runs, run: StoredRun, wire: string): { readonly status?: WatchedStatus } {
  if (!getWire(wire).hasWholeEntries) return {}
  return { status: { first: () => statusOf(run), listen: (listener) => runs.onStatus(run.id, listener) } }
}

/** Whether an ended run has chunks behind the cursor. Its last entry may have many, or none. */
export async function hasMore(fanOut: FanOut, watch: Omit<Watch, 'signal'>): Promise<boolean> {
  const viewer = fanOut.watch({ ...watch, signal: new AbortController().signal })
  try {
    for (;;) {
      if (viewer.take() !== undefined) return true
      if (viewer.isOver()) return false
      await new Promise<void>((wake) => viewer.wait({ wake }))
    }
  } finally {
    viewer.leave()
  }
}

export interface StreamRequest {
  readonly wire: string
  readonly profile?: string
  readonly after?: Cursor
}

/** What a viewer requests. When it reconnects by itself, its header is newer than the cursor in its address. */
export function streamRequestOf(
  query: { readonly [name: string]: string },
  lastEventId: string | undefined,
): StreamRequest {
  const { wire, profile, after } = checked(query, wireShape)
  checkProfile(wire, profile)
  const cursor = lastEventId === undefined || lastEventId === '' ? after : lastEventId
  return {
    wire,
    ...(profile !== undefined && { profile }),
    ...(cursor !== undefined && { after: checked(cursor, cursorShape) }),
  }
}

/** For clients whose address is fixed. */
const PROFILE_HEADER = 'millrace-profile'

/**
 * The profile that a request names in its address or its header; a client keeps the query of the address that it was
 * given, also when it comes back. Throws 400 for one that the wire does not have.
 */
export function profileOf({ req }: Context, wire: string): string | undefined {
  const profile = req.query('profile') ?? req.header(PROFILE_HEADER)
  checkProfile(wire, profile)
  return profile
}

/** Throws 400 for an unknown wire, and for a profile that the wire does not have. */
export function checkProfile(wire: string, profile: string | undefined): void {
  const { profiles } = getWire(wire)
  if (profile === undefined || profiles.includes(profile)) return
  throw new ApiError(400, 'unknown-profile', `${wire} has no profile "${profile}".`)
}

/** Upgrades are handled elsewhere: a request that gets here is not one. */
export function withoutUpgrade(): never {
  throw new ApiError(426, 'upgrade-required', 'This route is a WebSocket: send an upgrade request.')
}

export const streamRoutes: readonly Route[] = [
  { method: 'GET', path: '/api/runs/:id/stream', policy: 'token', handle: stream },
  { method: 'GET', path: '/api/runs/:id/ws', policy: 'token', handle: withoutUpgrade },
]
