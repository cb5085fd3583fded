import { setTimeout as pause } from 'node:timers/promises'
import { AgentFailure } from '@millrace/core/agent'
import { isJsonObject, type JsonObject } from '@millrace/core/json'
import { getSource, type RawRecord } from '@millrace/core/source'
import type { Trace } from '../trace.ts'
import { createLastId } from './last-id.ts'
import { type CallLimits, overCallLimit } from './limits.ts'
import { type Answer, type Call, NotReached, type SendOptions, send } from './send.ts'

/** The service answered, and refused the request. */
export class Refused extends AgentFailure {
  readonly status: number

  constructor(status: number, message: string) {
    super('endpoint-status', message)
    this.status = status
  }
}

/** One record of an answer, as it goes into the log. */
export interface Frame {
  /** The record as a server-sent event, whatever framing it came in. */
  readonly bytes: Uint8Array
  readonly value: unknown
  /** The name of the server-sent event. */
  readonly name: string | undefined
}

/** The connection of one run to its service: every request of it passes here. */
export interface Wire {
  /**
   * The records of the answer to a request. A request that was refused for now, or that reached nobody, is repeated before
   * the answer begins, never after. Throws `CutOff` if the answer breaks in the middle.
   */
  stream(call: Call): AsyncGenerator<Frame>
  /** The answer to a small request, as JSON; an empty object if it is none. */
  json(call: Call, signal?: AbortSignal): Promise<JsonObject>
  /** The id of the last server-sent event that came whole. */
  lastId(): string | undefined
}

export interface WireOptions extends SendOptions {
  readonly limits: CallLimits
  /** Values that must not be shown. */
  readonly secrets: readonly string[]
  readonly trace?: Trace | undefined
  /** Before a request is repeated, in ms. */
  readonly pauses?: readonly number[]
  /** Whether what came of a record that was cut is kept. */
  readonly keepsPartial: boolean
}

const PAUSES = [500, 2000]
/** A service that wants to be left alone for longer is not waited for, in ms. */
const LONGEST_PAUSE = 30_000
const MOST_JSON = 4 * 1024 * 1024
const MOST_WORDS = 300
const AGAIN: ReadonlySet<number> = new Set([429, 500, 502, 503, 504, 529])

export function createWire(options: WireOptions): Wire {
  const { name, limits, trace, pauses = PAUSES } = options
  const ids = createLastId()
  let output = 0

  const redacted = (text: string) => options.secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)

  /** The service's own words about what it refuses. */
  async function wordsOf(answer: Answer): Promise<string> {
    const text = await textOf(answer, MOST_WORDS * 16).catch(() => '')
    return redacted(messageIn(text)).replaceAll(/\s+/g, ' ').trim().slice(0, MOST_WORDS)
  }

  async function accepted(call: Call, signal: AbortSignal): Promise<Answer> {
    if (call.body !== undefined) trace?.sent(`${JSON.stringify(call.body)}\n`)
    for (let attempt = 0; ; attempt++) {
      const wait = pauses[attempt]
      try {
        const answer = await send(call, { ...options, signal })
        if (answer.status < 300) return answer
        const after = Number(answer.headers['retry-after']) * 1000 || (wait ?? 0)
        const words = await wordsOf(answer)
        answer.close()
        if (wait === undefined || !AGAIN.has(answer.status) || after > LONGEST_PAUSE)
          throw new Refused(answer.status, `${name} answered with status ${answer.status}${words && `: ${words}`}`)
        await pause(after, undefined, { signal })
      } catch (error) {
        if (wait === undefined || !(error instanceof NotReached)) throw error
        await pause(wait, undefined, { signal })
      }
    }
  }

  async function* read(answer: Answer, onLine: () => void): AsyncGenerator<Frame> {
    const type = (answer.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
    if (type === 'text/html')
      throw new AgentFailure('endpoint-answer', `${name} answered with a page: is \`url\` right?`)
    const source = getSource(type === 'text/event-stream' ? 'sse' : 'auto')({ maxRecord: limits.line })
    const frames = (records: readonly RawRecord[]) => records.map((record) => frameOf(record, name, limits))
    let isWhole = false
    try {
      for await (const bytes of answer.body) {
        output += bytes.length
        if (output > limits.output) throw overCallLimit(name, 'output', limits)
        if (bytes.includes(10)) onLine()
        trace?.received(bytes)
        ids.feed(bytes)
        const records = frames(source.feed(bytes))
        yield* records
        // The log may have taken long.
        if (records.length > 0) onLine()
      }
      isWhole = true
    } finally {
      answer.close()
      if (!isWhole && options.keepsPartial && !options.signal.aborted) yield* frames(source.end())
    }
    yield* frames(source.end())
  }

  return {
    async *stream(call) {
      const watch = createWatch(name, limits, options.signal)
      try {
        yield* read(await accepted(call, watch.signal), watch.note)
      } catch (error) {
        throw watch.failure() ?? error
      } finally {
        watch.close()
      }
    },
    async json(call, signal = options.signal) {
      const text = await textOf(await accepted(call, signal), MOST_JSON)
      try {
        const value: unknown = JSON.parse(text)
        return isJsonObject(value) ? value : {}
      } catch {
        return {}
      }
    },
    lastId: ids.last,
  }
}

async function textOf(answer: Answer, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const bytes of answer.body) {
    chunks.push(bytes)
    size += bytes.length
    if (size > most) break
  }
  answer.close()
  return Buffer.concat(chunks).subarray(0, most).toString('utf8')
}

/** The message in the body of an error, in the shapes that services have. */
function messageIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    const { error, message, detail } = isJsonObject(value) ? value : {}
    const inner = isJsonObject(error) ? error.message : error
    return [message, inner, detail].find((each) => typeof each === 'string') ?? text
  } catch {
    return text
  }
}

const encoder = new TextEncoder()

function frameOf({ text, value, name: event, problem }: RawRecord, name: string, limits: CallLimits): Frame {
  if (problem?.code === 'record-too-large') throw overCallLimit(name, 'line', limits)
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  const bytes = encoder.encode(`${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`)
  return { bytes, value: problem === undefined ? value : undefined, name: event }
}

/** Ends an answer that takes too long, or in which no line is completed. */
function createWatch(name: string, limits: CallLimits, stop: AbortSignal) {
  const controller = new AbortController()
  let failure: AgentFailure | undefined
  let idle: NodeJS.Timeout | undefined

  function end(limit: 'time' | 'idle'): void {
    failure = overCallLimit(name, limit, limits)
    controller.abort(failure)
  }

  const longest = (ms: number) => Math.min(ms, 2 ** 31 - 1)
  const time = setTimeout(() => end('time'), longest(limits.time))
  function note(): void {
    clearTimeout(idle)
    idle = setTimeout(() => end('idle'), longest(limits.idle))
    idle.unref()
  }
  time.unref()
  note()
  return {
    signal: AbortSignal.any([stop, controller.signal]),
    note,
    failure: () => failure,
    close() {
      clearTimeout(time)
      clearTimeout(idle)
    },
  }
}
