import type { Log, StoredCommand } from '../log/log.ts'
import { throwUnlessOfLog } from './fan-out.ts'
import { Pacer, type Timing } from './pacer.ts'
import type { Sink } from './sink.ts'
import { ping, sseHeaders } from './sse.ts'

export interface CommandsStream {
  readonly log: Log
  readonly runId: string
  /** The number of the last command that the producer has. */
  readonly after: number
  readonly sink: Sink
  readonly timing: Timing
  /** Sent beside those that the stream itself needs. */
  readonly headers: { readonly [name: string]: string }
}

const encoder = new TextEncoder()

/**
 * Streams to a producer what was asked of its run, as server-sent events, until the run has ended or the producer is
 * gone. A command is sent once it is applied, so that what it caused is durable; refused ones are not sent.
 */
export async function streamCommands({ log, runId, after, sink, timing, headers }: CommandsStream): Promise<void> {
  sink.open({ status: 200, headers: { ...headers, ...sseHeaders } })
  const pacer = new Pacer(sink, timing, ping)
  let bell = Promise.withResolvers<void>()
  const ring = () => bell.resolve()
  const unwatch = log.watch({ runId }, ring)
  sink.closed.addEventListener('abort', ring)
  let last = after
  try {
    while (!sink.closed.aborted) {
      // Replaced before the look, so that a change in between is not missed.
      bell = Promise.withResolvers()
      // Read first: the commands of an ended run all have their results.
      const isEnded = (await log.run(runId))?.state === 'ended'
      for (const command of settledIn(await log.commands(runId, { after: last }))) {
        last = command.number
        const frame = frameOf(command)
        if (frame !== undefined) await pacer.send(frame)
      }
      if (isEnded) return sink.end()
      await bell.promise
    }
  } catch (error) {
    sink.cut()
    throwUnlessOfLog(error)
  } finally {
    unwatch()
    pacer.stop()
  }
}

/** Up to the first one without a result: they are sent in order. */
function settledIn(commands: readonly StoredCommand[]): readonly StoredCommand[] {
  const open = commands.findIndex(({ result }) => result === undefined)
  return open === -1 ? commands : commands.slice(0, open)
}

/** A request to take the run over concerns the server alone. */
function frameOf({ number, by, command, result }: StoredCommand): Uint8Array | undefined {
  if (result?.state !== 'applied' || command.type === 'take-over') return undefined
  const data = JSON.stringify({ number, ...command, ...(by !== undefined && { by }) })
  return encoder.encode(`id: ${number}\nevent: command\ndata: ${data}\n\n`)
}
