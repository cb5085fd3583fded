import { ApiError } from '@millrace/core/api/api-error'
import { followParts, type Parts } from '../../deliver/follow-parts.ts'
import type { Line } from '../../deliver/websocket.ts'
import { checked } from '../body.ts'
import { refusalOf } from '../errors.ts'
import type { Services } from '../services.ts'
import { chatShape } from './chat-request.ts'
import { reply, replyAgain } from './conversation.ts'
import { type ChatFrame, chatFrame, requestIdIn } from './socket-frames.ts'

const encoder = new TextEncoder()

/** How many requests of one connection are answered beside each other: each costs what a viewer does. */
const MOST_AT_ONCE = 64

/** One for all: a client may be refused a hundred thousand times, and each error of its own would carry a stack. */
const tooMany = new ApiError(429, 'too-many', `${MOST_AT_ONCE} requests are under way already.`)

/**
 * One client of the AI SDK's WebSocket transport: its requests are answered beside each other, the chunks of each
 * numbered from 0. What it aborts is no longer told; the run goes on. Returns what takes a frame, and resolves when there
 * is room for the next.
 */
export function createTalk(services: Services, { sink, pacer }: Line, profile?: string) {
  const told = new Map<string, AbortController>()
  let underWay = 0

  const say = (frame: object) => pacer.send(encoder.encode(JSON.stringify(frame)))

  async function tell(requestId: string, parts: Parts): Promise<void> {
    const aborted = new AbortController()
    const signal = AbortSignal.any([sink.closed, aborted.signal])
    told.set(requestId, aborted)
    let sequence = 0
    try {
      await say({ type: 'start', requestId })
      await followParts(services.fanOut, parts, signal, async ({ placed }) => {
        for (const { chunk } of placed) {
          if (signal.aborted) return
          await say({ type: 'chunk', requestId, sequence: sequence++, chunk })
        }
      })
      if (!signal.aborted) await say({ type: 'end', requestId })
    } finally {
      told.delete(requestId)
    }
  }

  async function partsFor(frame: Asking): Promise<Parts | undefined> {
    if (frame.type === 'resume') return replyAgain(services, frame.id, profile)
    const { body, type: _type, requestId: _requestId, ...request } = frame
    return reply(services, checked({ ...body, ...request }, chatShape), profile)
  }

  async function answer(frame: Asking): Promise<void> {
    const { requestId } = frame
    underWay++
    try {
      const parts = await partsFor(frame)
      if (parts === undefined) await say({ type: 'no-active', requestId })
      else await tell(requestId, parts)
    } finally {
      underWay--
    }
  }

  /** Begins what a frame asks for. Throws if it asks for nothing that can be done. */
  function begin(text: string): void {
    const frame = chatFrame(text)
    if (frame.type === 'abort') {
      told.get(frame.requestId)?.abort()
      return
    }
    if (underWay >= MOST_AT_ONCE) throw tooMany
    answer(frame)
      .catch((error: unknown) => fail(text, error))
      .catch(() => sink.cut())
  }

  /** What goes wrong is the answer to the request that it went wrong with; with none there is nobody to tell. */
  async function fail(text: string, error: unknown): Promise<void> {
    const requestId = requestIdIn(text)
    const { status, body } = refusalOf(error)
    if (status === 500) services.report(error)
    if (requestId !== undefined) await say({ type: 'error', requestId, errorText: body.error.message })
    else sink.cut()
  }

  return async (text: string): Promise<void> => {
    // A client that does not read its answers is not heard until it does.
    await sink.drained()
    try {
      begin(text)
    } catch (error) {
      await fail(text, error)
    }
  }
}

type Asking = Exclude<ChatFrame, { type: 'abort' }>
