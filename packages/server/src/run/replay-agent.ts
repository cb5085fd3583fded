import { setTimeout } from 'node:timers/promises'
import { type Framing, getSource, type RawRecord } from '@millrace/core/source'
import type { Log } from '../log/log.ts'
import type { Agent, AgentHost, ApprovalRequest } from './agent.ts'
import { RunRefusal } from './errors.ts'
import type { Sleep } from './runs.ts'

export interface Recording {
  readonly bytes: Uint8Array
  readonly framing: Framing
  readonly format: string
}

export interface ReplayOptions {
  readonly name: string
  readonly title: string
  readonly description?: string
  readonly recording: Recording
  /** The pause before each record, in ms. A record without one gets a pause according to its size. */
  readonly pauses?: readonly number[]
  /** 2 is twice as fast; `Infinity` means no pauses. Default 1. */
  readonly speed?: number
  /** Asks a person after `afterRecord` records. */
  readonly approval?: ReplayApproval
  readonly sleep?: Sleep
}

export interface ReplayApproval extends ApprovalRequest {
  readonly afterRecord: number
  /** The texts of the records that replace the rest if the answer is no. Default: none. */
  readonly ifDenied?: readonly string[]
}

const defaultSleep: Sleep = (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal })

/** An agent that plays a recording, record by record, for any input. */
export function replayAgent(options: ReplayOptions): Agent {
  const { name, title, description, recording, pauses = [], speed = 1, approval, sleep = defaultSleep } = options
  const records = recordsOf(recording)

  async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (speed !== Number.POSITIVE_INFINITY) await sleep(milliseconds / speed, signal)
  }

  async function* play(frames: readonly Frame[], from: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for (const [index, record] of frames.entries()) {
      await pause(pauses[from + index] ?? pauseOf(record.text, from + index), signal)
      if (signal.aborted) return
      yield frameOf(record)
    }
  }

  async function* perform(signal: AbortSignal, host: AgentHost): AsyncGenerator<Uint8Array> {
    const { afterRecord = records.length, ifDenied = [], ...question } = approval ?? {}
    yield* play(records.slice(0, afterRecord), 0, signal)
    if (signal.aborted) return
    const answer = isQuestion(question) ? await host.ask(question) : undefined
    const isRefused = answer?.state === 'denied' || answer?.state === 'expired'
    const remaining = isRefused
      ? ifDenied.map((text): Frame => ({ text, name: undefined }))
      : records.slice(afterRecord)
    yield* play(remaining, afterRecord, signal)
  }

  return {
    name,
    title,
    ...(description !== undefined && { description }),
    format: recording.format,
    // One framing for all recordings: SSE keeps the names of records, and texts of several lines.
    framing: 'sse',
    async *run({ signal }, host) {
      try {
        yield* perform(signal, host)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
  }
}

/** The records that a stored run's producer sent. */
async function recordingOfRun(log: Log, runId: string): Promise<Recording> {
  const run = await log.run(runId)
  if (run === undefined) throw new RunRefusal('unknown-run', runId)
  const frames: Uint8Array[] = []
  for await (const inputs of log.inputs(runId)) {
    for (const input of inputs) if (input.by === 'producer') frames.push(frameOf(input))
  }
  return { bytes: Buffer.concat(frames), framing: 'sse', format: run.format }
}

/** An agent that plays a stored run. */
export async function replayAgentOfRun(
  log: Log,
  runId: string,
  options: Omit<ReplayOptions, 'recording'>,
): Promise<Agent> {
  return replayAgent({ ...options, recording: await recordingOfRun(log, runId) })
}

type Frame = Pick<RawRecord, 'text' | 'name'>

function recordsOf({ bytes, framing }: Recording): readonly RawRecord[] {
  const source = getSource(framing)()
  return [...source.feed(bytes), ...source.end()]
}

const encoder = new TextEncoder()

function frameOf({ text, name }: Frame): Uint8Array {
  const data = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return encoder.encode(`${name === undefined ? '' : `event: ${name}\n`}${data.join('')}\n`)
}

function isQuestion(question: Partial<ApprovalRequest>): question is ApprovalRequest {
  return question.message !== undefined
}

const SHORTEST = 30
const LONGEST = 900

/** Longer records take longer, and pauses vary; the pause of one record is always the same. */
function pauseOf(text: string, index: number): number {
  const unevenness = ((index * 7919) % 97) / 97
  return Math.min(SHORTEST + text.length * (0.5 + unevenness), LONGEST)
}
