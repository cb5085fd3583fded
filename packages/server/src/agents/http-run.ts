import { setTimeout as pause } from 'node:timers/promises'
import { AgentFailure } from '@millrace/core/agent'
import type { Entry, EventOf, StreamEvent } from '@millrace/core/events'
import { fold } from '@millrace/core/fold'
import { isJsonObject, isText, type JsonObject } from '@millrace/core/json'
import type { AgentHost, ApprovalAnswer } from '../run/agent.ts'
import type { Answered, Conversation, HttpTurn } from './endpoints/endpoint.ts'
import { endpoints } from './endpoints/index.ts'
import { type Call, CutOff, NotReached } from './outbound/send.ts'
import { createWire, type WireOptions } from './outbound/wire.ts'
import { warning } from './process-run.ts'

export interface HttpRun {
  readonly turn: HttpTurn
  readonly host: AgentHost
  readonly wire: Omit<WireOptions, 'signal' | 'keepsPartial'>
  /** Called while a person is awaited, and again when the service is. */
  readonly onWaiting: (isWaiting: boolean) => void
}

/** How long the service has after it was told to stop in its own words, in ms. */
const STOP_DELAY = 1500
const MOST_REJOINS = 3
const REJOIN_PAUSES = [200, 1000, 3000]

/** Speaks with the service until it has ended and nobody is asked any more. */
export async function* runHttp({ turn, host, wire: options, onWaiting }: HttpRun): AsyncGenerator<Uint8Array> {
  const { request, spec } = turn
  const { signal: stop } = request
  const cut = new AbortController()
  const endpoint = endpoints[spec.endpoint]
  // A stop reaches the service first; the connection ends a little later.
  const wire = createWire({ ...options, signal: cut.signal, keepsPartial: !endpoint.canRejoin })
  const conversation = endpoint.open(turn, wire)
  let stopped: Promise<unknown> = Promise.resolve()

  function onStop(): void {
    const call = conversation.cancel?.()
    if (call === undefined) {
      cut.abort()
      return
    }
    const timeout = AbortSignal.timeout(STOP_DELAY)
    stopped = wire.json(call, timeout).catch(() => undefined)
    timeout.addEventListener('abort', () => cut.abort(), { once: true })
  }

  if (stop.aborted) return
  stop.addEventListener('abort', onStop, { once: true })
  try {
    await host.add([metadata({ launch: launchOf(turn) })])
    // After a restart the log says what was asked: the first request was made before.
    let call = request.attempt > 1 ? undefined : await conversation.first()
    for (let after = 0; ; ) {
      if (call !== undefined) yield* readAll(call, conversation)
      if (stop.aborted) return
      onWaiting(true)
      const answered = await answersOf(host, after, request.attempt > 1 && call === undefined)
      onWaiting(false)
      if (answered.length === 0 || stop.aborted) return
      const own = await entriesOf(host)
      after = own.at(-1)?.seq ?? 0
      call = await conversation.resume(answered, { ...fold(own), session: sessionIn(own) })
    }
  } catch (error) {
    if (!stop.aborted) throw error
  } finally {
    stop.removeEventListener('abort', onStop)
    await stopped
    cut.abort()
  }

  /** The records of the answer to a request, and of those that continue it. */
  async function* readAll(first: Call, { take, again, rejoin }: Conversation): AsyncGenerator<Uint8Array> {
    let rejoins = 0
    for (let call: Call | undefined = first; call !== undefined; ) {
      try {
        for await (const frame of wire.stream(call)) {
          rejoins = 0
          if (take(frame)) yield frame.bytes
        }
        call = again?.()
      } catch (error) {
        if (stop.aborted) return
        const isCut = error instanceof CutOff || (call !== first && error instanceof NotReached)
        if (!isCut) throw failureOf(error)
        call = rejoins < MOST_REJOINS ? rejoin?.() : undefined
        if (call === undefined)
          throw new AgentFailure('broken-off', `The answer of ${spec.name} broke off: ${error.message}.`, {
            cause: error,
          })
        await host.add([warning(`The connection to ${spec.name} broke; it is asked for the rest.`)])
        await pause(REJOIN_PAUSES[rejoins++], undefined, { signal: cut.signal })
      }
    }
  }
}

const failureOf = (error: unknown) =>
  error instanceof NotReached ? new AgentFailure('endpoint-unreachable', error.message, { cause: error }) : error

const metadata = (millrace: JsonObject): StreamEvent => ({ type: 'metadata', metadata: { millrace } })

/** An address may hold a secret in its query; the values of headers are secrets. */
function launchOf({ spec }: HttpTurn): JsonObject {
  const { endpoint, target, headers, env } = spec
  const url = `${target.url.origin}${target.url.pathname}`
  return { adapter: 'http', endpoint, url, headers: Object.keys(headers), env }
}

async function entriesOf(host: AgentHost): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for await (const some of host.entries(0)) entries.push(...some)
  return entries
}

function sessionIn(entries: readonly Entry[]): string | undefined {
  const found = entries.findLast(({ event }) => isJsonObject(millraceOf(event)?.session))
  const session = found && millraceOf(found.event)?.session
  return isJsonObject(session) && isText(session.id) ? session.id : undefined
}

function millraceOf(event: StreamEvent): JsonObject | undefined {
  const millrace = event.type === 'metadata' ? event.metadata.millrace : undefined
  return isJsonObject(millrace) ? millrace : undefined
}

type Approval = { readonly seq: number; readonly event: EventOf<'approval'> }

/**
 * Waits until a person has answered what the service has asked since an entry. After a restart that is what was open then, and
 * what was answered beside it: no answer is sent before all are there.
 */
async function answersOf(host: AgentHost, after: number, isRestarted: boolean): Promise<readonly Answered[]> {
  const asked = new Map<string, Approval>()
  const given = new Map<string, Approval>()
  let restart = Number.POSITIVE_INFINITY
  for (const { seq, event } of await entriesOf(host)) {
    if (event.type === 'control' && event.action === 'resume') restart = seq
    if (event.type !== 'approval') continue
    if (event.state !== 'requested') given.set(event.approvalId, { seq, event })
    else if (seq > after) asked.set(event.approvalId, { seq, event })
  }
  const answeredAt = (id: string) => given.get(id)?.seq ?? Number.POSITIVE_INFINITY
  const open = [...asked].filter(([id]) => answeredAt(id) > restart).map(([, { seq }]) => seq)
  const first = isRestarted ? Math.min(...open) : 0
  const questions = [...asked].filter(([id]) => answeredAt(id) > first)
  const answered = questions.map(async ([approvalId, { event }]): Promise<readonly Answered[]> => {
    const answer = answerIn(given.get(approvalId)?.event) ?? (await host.answer(approvalId))
    const { callId, request } = event
    if (answer.state === 'expired') return []
    return [{ approvalId, ...(callId !== undefined && { callId }), ...(request !== undefined && { request }), answer }]
  })
  return (await Promise.all(answered)).flat()
}

function answerIn(event: EventOf<'approval'> | undefined): ApprovalAnswer | undefined {
  if (event === undefined) return undefined
  const { state, message, answer, input } = event
  if (state === 'answered') return { state, answer: answer ?? null }
  if (state === 'denied') return { state, ...(message !== undefined && { message }) }
  if (state === 'approved')
    return { state, ...(message !== undefined && { message }), ...(input !== undefined && { input }) }
  return { state: 'expired' }
}
