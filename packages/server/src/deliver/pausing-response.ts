import type { RunInfo } from '../log/log.ts'
import type { Cursor } from './cursor.ts'
import { apiHeaders } from './headers.ts'
import { respondWith } from './open-sink.ts'
import { type Pausing, pausesOf } from './pauses.ts'
import type { Placed } from './piece.ts'
import type { Context, Services } from './services.ts'
import { streamRun } from './sse.ts'

/** Responses of a wire on which a run that waits for a person has ended its response, and goes on in the next. */

/** From the first chunk, through pauses that are over, up to the one that the run is in or comes to. */
export async function replay(context: Context, services: Services, run: RunInfo, pausing: Pausing): Promise<Response> {
  const { seq, current } = await pausesOf(services.log, run, pausing)
  const first = current?.seq ?? seq + 1
  const endsAt = (placed: Placed) => placed.entry.seq >= first && pausing.isPause(placed)
  return send(context, services, run, { wire: pausing.wire, endsAt })
}

/** What follows a pause, up to the next. */
export function goOn(
  context: Context,
  services: Services,
  run: RunInfo,
  { wire, isPause }: Pausing,
  after: Cursor,
): Response | Promise<Response> {
  return send(context, services, run, { wire, endsAt: isPause, after })
}

interface Wanted {
  readonly wire: string
  readonly endsAt: (placed: Placed) => boolean
  readonly after?: Cursor
}

function send(context: Context, services: Services, run: RunInfo, wanted: Wanted): Response | Promise<Response> {
  const { fanOut, timing } = services
  const { id: runId, threadId } = run
  return respondWith(context, services, (sink) =>
    streamRun({ fanOut, runId, threadId, ...wanted, sink, timing, headers: apiHeaders }),
  )
}
