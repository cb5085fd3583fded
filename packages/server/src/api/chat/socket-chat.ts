import { ApiError } from '@millrace/core/api'
import { followParts, type ResponseParts } from '../../deliver/follow-parts.ts'
import type { Line } from '../../deliver/websocket.ts'
import { lastOf } from '../conversation-stream.ts'
import { refusalOf } from '../errors.ts'
import { checked } from '../request.ts'
import type { Services } from '../services.ts'
import { chatShape } from './chat-request.ts'
import { liveResponse, responseTo } from './conversation.ts'
import { type ChatFrame, chatFrame, requestIdIn } from './socket-frames.ts'

const encoder = new TextEncoder()

/** How many requests of one connection are answered at once: each costs as much as a viewer. */
const MOST_AT_ONCE = 64

/** Created once: a client may be refused a hundred thousand times, and every new error would carry a stack. */
const tooMany = new ApiError(429, 'too-many', `${MOST_AT_ONCE} requests are under way already.`)

/**
 * Serves one client of the AI SDK's WebSocket transport. Its requests are answered concurrently, the chunks of each numbered
 * from 0. Aborting a request ends its stream, not the run. Returns a function that takes a frame and resolves when there is
 * room for the next.
 */
export function createSocketChat(services: Services, { sink, pacer }: Line, profile?: string) {
  const streams = new Map<string, AbortController>()
  let openRequests = 0

  const send = (frame: object) => pacer.send(encoder.encode(JSON.stringify(frame)))

  async function streamParts(requestId: string, parts: ResponseParts, signal: AbortSignal): Promise<void> {
    let sequence = 0
    await send({ type: 'start', requestId })
    await followParts(services.fanOut, parts, signal, async ({ chunks: placed }) => {
      for (const { chunk } of placed) {
        if (signal.aborted) return
        await send({ type: 'chunk', requestId, sequence: sequence++, chunk })
      }
    })
    if (!signal.aborted) await send({ type: 'end', requestId })
  }

  async function partsFor(frame: RequestFrame): Promise<ResponseParts | undefined> {
    if (frame.type === 'resume') return liveResponse(services, frame.id, profile)
    const { body, type: _type, requestId: _requestId, ...request } = frame
    const asked = checked({ ...body, ...request }, chatShape)
    const start = () => responseTo(services, asked, profile)
    return services.starts.during(asked.id, start, (parts) => lastOf(parts).runId)
  }

  async function answer(frame: RequestFrame): Promise<void> {
    const { requestId } = frame
    const aborted = new AbortController()
    // A client may abort a request before its run has begun.
    streams.set(requestId, aborted)
    openRequests++
    try {
      const parts = await partsFor(frame)
      if (aborted.signal.aborted) return
      if (parts === undefined) await send({ type: 'no-active', requestId })
      else await streamParts(requestId, parts, AbortSignal.any([sink.closed, aborted.signal]))
    } finally {
      openRequests--
      // The client may have used the id again.
      if (streams.get(requestId) === aborted) streams.delete(requestId)
    }
  }

  /** Starts what a frame requests. Throws if that is not possible. */
  function begin(text: string): void {
    const frame = chatFrame(text)
    if (frame.type === 'abort') {
      streams.get(frame.requestId)?.abort()
      return
    }
    if (openRequests >= MOST_AT_ONCE) throw tooMany
    answer(frame)
      .catch((error: unknown) => fail(text, error))
      .catch(() => sink.cut())
  }

  /** An error is sent as the answer to its request. If the frame names no request, the connection is cut. */
  async function fail(text: string, error: unknown): Promise<void> {
    const requestId = requestIdIn(text)
    const { status, body } = refusalOf(error)
    if (status === 500) services.report(error)
    if (requestId !== undefined) await send({ type: 'error', requestId, errorText: body.error.message })
    else sink.cut()
  }

  return async (text: string): Promise<void> => {
    // While a client does not read its answers, its frames are not read.
    await sink.drained()
    try {
      begin(text)
    } catch (error) {
      await fail(text, error)
    }
  }
}

type RequestFrame = Exclude<ChatFrame, { type: 'abort' }>
